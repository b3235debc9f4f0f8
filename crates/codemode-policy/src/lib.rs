#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod check;
mod effort;
mod label;
mod pattern_size;
mod problems;
mod validate;
mod wording;

pub use validate::Validate;
