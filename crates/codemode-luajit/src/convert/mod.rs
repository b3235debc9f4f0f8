//! JSON both ways, strict: what would lose something is an error that names its place.

mod counted;
mod decode;
mod encode;
mod fault;
mod functions;
mod halt;
mod place;
mod scan;
mod sentinel;
mod tape;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use counted::{Counted, Narrow};
pub(crate) use functions::{Converter, arguments, install, text};

/// The deepest nesting of arrays and objects that is converted.
const MAX_DEPTH: u8 = 100;

/// How many values are converted between two looks at the latch.
const VALUES_BETWEEN_LOOKS: u32 = 1024;
