//! Boa for codemode: runs programs of the profiles `batch`, `program` and `cell` on an engine that is Rust throughout.
#![doc = include_str!("../README.md")]
#![expect(unsafe_code, reason = "an allocator is unsafe by its trait: memory.rs alone")]

mod engine;
mod hooks;
mod interpreter;
mod jobs;
pub mod memory;
mod realm;
mod words;

pub use engine::Boa;
