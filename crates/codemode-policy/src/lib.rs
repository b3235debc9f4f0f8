//! Layers that decide about the calls of a program, the one validation layer first.
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
