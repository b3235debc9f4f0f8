//! What the tests of all adapters share.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod host;
#[cfg(target_os = "linux")]
mod memory;
mod notes;
mod part;
mod run;
mod sampling;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod soak;

pub use host::host;
#[cfg(target_os = "linux")]
pub use memory::{peak_mib, resident_mib};
pub use notes::Notes;
pub use part::{Ended, part, run_part, say};
pub use run::run;
pub use sampling::Sampling;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub use soak::soak;
