//! Values across the boundary, what the console prints, and thrown values, over a realm that is no engine.

mod decode;
mod encode;
mod inspect;
mod mock;
mod table;
mod thrown;
