//! The adapter through core's runner: what a program sees, and what stops it.
#![expect(clippy::print_stderr, reason = "a test that samples says how to repeat it, and what each program came to")]

mod bed;
mod bounds;
mod hostile;
mod overrun;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod soak;
mod strings;
mod surface;
mod sweep;
