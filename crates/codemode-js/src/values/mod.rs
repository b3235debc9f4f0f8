//! Values across the boundary, what the console prints, and how a thrown value is read. Nothing here runs code of the program.

mod counted;
mod date;
mod decode;
mod encode;
mod inspect;
mod left_out;
mod lookup;
mod number;
mod numeral;
mod place;
mod stack;
mod thrown;

pub(crate) use date::{Civil, days_to, time_value};
pub use decode::from_json;
pub use encode::{Crossing, EncodeBounds, Encoded, Measure, Unencoded, to_json};
pub(crate) use inspect::inspect_deep;
pub use inspect::{inspect, print_text, table_text};
pub use left_out::LeftOut;
pub(crate) use lookup::text_of;
pub(crate) use numeral::number_of_text;
pub use stack::PROGRAM;
pub use thrown::read_thrown;
