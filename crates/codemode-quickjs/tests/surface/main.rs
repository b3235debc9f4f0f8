//! The surface of the three profiles, end to end: programs, and what a reader is told of them.

mod batch;
mod cell;
mod floods;
mod host;
mod program;
mod tampering;
