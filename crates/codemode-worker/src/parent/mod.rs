//! The host's side: which process to start, workers that wait, and an engine that runs programs in them.

mod engine;
mod interpreter;
mod keeper;
mod launch;
mod life;
mod pool;
mod process;
mod queue;
mod start_error;
mod watch;

pub use launch::Launch;
pub use pool::{Workers, WorkersBuilder};
pub use start_error::StartError;
