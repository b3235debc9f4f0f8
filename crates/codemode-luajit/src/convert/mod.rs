//! JSON both ways, strict: what would lose something is an error that names its place.
//!
//! What a program sees of it, in the host's table:
//!
//! - `json_encode(value)` gives text with the keys of objects sorted by their bytes. Whole numbers up to 2^53 have no
//!   fraction and no exponent, negative zero is `0`, other numbers are the shortest text that reads back. A table with the
//!   keys 1 to n is an array, one with strings as keys an object, an empty one `{}` unless it is marked. Tables are read
//!   raw: no metamethod is called. NaN, infinity, sparse and mixed tables, other keys, text that is not UTF-8, functions,
//!   cycles and more than 100 levels are errors.
//! - `json_decode(text, options?)` reads RFC 8259 and nothing more; of equal keys the last one counts. Whole numbers past
//!   2^53 are an error, since a Lua number would lose digits: `{big_integers = "text"}` gives them as strings.
//! - `json_null` stands for `null` both ways. It is equal to itself alone, shown as `null`, and true in conditions.
//! - `json_array(table?)` marks a table, or a new one, as an array that is `[]` when it is empty. What `json_decode` makes
//!   of an array is marked.

mod counted;
mod decode;
mod encode;
mod fault;
mod functions;
mod halt;
mod keys;
mod place;
mod scan;
mod sentinel;
mod tape;
#[cfg(test)]
mod tests;
mod write;

pub(crate) use counted::{Counted, Narrow};
pub(crate) use functions::{Converter, arguments, install, push_json, text};

/// The deepest nesting of arrays and objects that is converted.
const MAX_DEPTH: u8 = 100;

/// How many values are converted between two looks at the latch.
const VALUES_BETWEEN_LOOKS: u32 = 1024;
