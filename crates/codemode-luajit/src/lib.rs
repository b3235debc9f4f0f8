//! LuaJIT for codemode: runs programs of the profile `script`, bounded.
#![doc = include_str!("../README.md")]
#![expect(unsafe_code, reason = "LuaJIT is a C library; every block argues for itself")]

mod call;
mod convert;
mod coroutine;
mod debug;
mod discover;
mod engine;
mod errors;
mod fault;
mod guard;
mod interpreter;
mod load;
mod local;
mod not_run;
mod pattern;
mod print;
mod probe;
mod raw;
mod returned;
mod sandbox;
mod sort;
mod source;
mod state;
mod strings;
mod surface;
mod sweep;
mod tables;
mod tools;
mod traceback;

pub use engine::LuaJit;
#[doc(hidden)]
pub use sweep::Sweep;
