//! Running one shell command: what holds it in, what it prints, and that nothing of it outlives the call.

mod capture;
mod confine;
mod descendants;
mod start;
mod supervise;

pub use confine::{Confinement, execute_confinement};
pub(crate) use start::{Command, run};
pub(crate) use supervise::{Ended, Ran};
