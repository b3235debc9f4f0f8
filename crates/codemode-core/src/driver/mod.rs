//! The run driver: the async half of a run, which answers calls, runs the layers, keeps the clocks and makes the outcome.

mod alarm;
mod control;
mod dispatch;
mod drive;
mod exchange;
mod finish;
mod intent;
mod patience;
mod remaining;
mod run;
mod runner;
mod schedule;
mod seat;
mod servers;
mod session;
mod slots;

pub(crate) use dispatch::to_the_tool;
pub use run::{Run, Stopper};
pub use runner::{HostError, RunRequest, Runner, RunnerBuilder};
pub use seat::threads_left_behind;
pub use session::Session;
