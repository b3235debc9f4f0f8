//! Values of the engine across the boundary, in the console and as thrown values: the shared code over the real realm.

mod boundary;
mod bounded;
mod console;
mod host;
