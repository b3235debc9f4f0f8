//! QuickJS for codemode: runs programs of the profiles `batch`, `program` and `cell`, bounded.
#![doc = include_str!("../README.md")]
#![expect(unsafe_code, reason = "QuickJS is a C library; every block argues for itself")]

mod arenas;
mod engine;
mod evaluations;
mod held;
mod interpreter;
mod interrupt;
mod js;
mod layout;
mod load;
mod memory;
mod polls;
mod realm;
mod runtime;
mod sweep;

pub use engine::QuickJs;
#[doc(hidden)]
pub use sweep::Sweep;
