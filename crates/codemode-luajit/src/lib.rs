//! LuaJIT for codemode: runs programs of the profile `script`, bounded.
#![doc = include_str!("../README.md")]

mod call;
mod convert;
mod engine;
mod fault;
mod guard;
mod pattern;
mod sandbox;
mod state;

pub use engine::LuaJit;
