//! Runs the engines of codemode in processes of their own.
#![doc = include_str!("../README.md")]

pub mod sandbox;

mod child;
mod parent;
mod wire;

pub use child::{MEMORY_STATUS, WorkerAllocator, out_of_memory, serve};
pub use parent::{Launch, StartError, Workers, WorkersBuilder};
