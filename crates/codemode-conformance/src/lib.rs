//! Engine-neutral cases of the contract, and their runner.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod admission;
mod builtin;
mod case;
mod compare;
mod envelope;
mod expect;
mod gaps;
mod host;
mod limits;
#[cfg(test)]
mod mock;
mod observed;
mod parts;
mod perform;
mod process;
mod promises;
mod quantity;
mod script;
mod suite;
mod trial;
mod watch;

pub use case::CaseError;
pub use libtest_mimic::{Arguments, Conclusion, Trial};
pub use promises::{Promise, promises};
pub use suite::{Suite, run};
