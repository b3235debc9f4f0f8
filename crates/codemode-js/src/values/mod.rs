//! Values across the boundary, what the console prints, and how a thrown value is read. Nothing here runs code of the program.

mod counted;
mod date;
mod decode;
mod encode;
mod left_out;
mod lookup;
mod number;
mod place;

pub use decode::from_json;
pub use encode::{Crossing, EncodeBounds, Encoded, Measure, Unencoded, to_json};
pub use left_out::LeftOut;
