//! The runtime for code mode.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod closure;
mod engines;
mod folder_spill;
mod runtime;
#[cfg(feature = "workers")]
pub mod workers;

pub use closure::ClosureHost;
pub use codemode_core::*;
pub use engines::{EngineMissing, engine, engines};
pub use folder_spill::FolderSpill;
pub use runtime::{Runtime, RuntimeBuilder, RuntimeError};
