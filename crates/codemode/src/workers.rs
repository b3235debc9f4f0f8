//! Worker processes: programs run there where a profile's isolation says so.
//!
//! A host names the program that its workers are. That may be itself, where its `main` begins by asking whether it was started as one, or
//! a program of five lines:
//!
//! ```no_run
//! #[global_allocator]
//! static ALLOCATOR: codemode::workers::Allocator = codemode::workers::ALLOCATOR;
//!
//! fn main() -> std::process::ExitCode {
//!     codemode::workers::serve(None)
//! }
//! ```
//!
//! The host gives its runtime the workers:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use codemode::workers::{Launch, Workers};
//! use codemode::{Catalog, ClosureHost, Profile, Runtime};
//!
//! # fn main() -> Result<(), codemode::RuntimeError> {
//! let workers = Workers::builder(Launch::program("/opt/host/bin/host-worker")).require_sandbox(true).build();
//! let host = ClosureHost::new(Catalog::default(), |name, _| Err(format!("there is no tool {name}")));
//! let runtime = Runtime::builder(Arc::new(host)).profile(Profile::program()).workers(workers).build()?;
//! # Ok(())
//! # }
//! ```

use std::process::ExitCode;
use std::sync::Arc;

use codemode_core::{Engine, Local};
pub use codemode_worker::sandbox;
pub use codemode_worker::{Launch, StartError, WorkerAllocator, Workers, WorkersBuilder};

/// The allocator of a program that can be a worker.
#[cfg(feature = "boa")]
pub type Allocator = WorkerAllocator<codemode_boa::memory::CountingAllocator>;

/// The allocator of a program that can be a worker.
#[cfg(not(feature = "boa"))]
pub type Allocator = WorkerAllocator<std::alloc::System>;

/// What to set as `#[global_allocator]` in a program that can be a worker, so that a death for want of memory is told from others, and
/// Boa's memory is bounded.
#[cfg(feature = "boa")]
pub const ALLOCATOR: Allocator = WorkerAllocator(codemode_boa::memory::CountingAllocator::new());

/// What to set as `#[global_allocator]` in a program that can be a worker, so that a death for want of memory is told from others.
#[cfg(not(feature = "boa"))]
pub const ALLOCATOR: Allocator = WorkerAllocator(std::alloc::System);

/// The engine of this word, as it is in a worker.
///
/// # Errors
/// When it was not compiled in, or there is no such engine; the message says which, and what there is.
pub fn engine(id: &str) -> Result<Arc<dyn Engine>, crate::EngineMissing> {
    crate::engines::named(id, engines())
}

/// The engines that were compiled in, as they are in a worker, in the order in which they are preferred.
#[must_use]
pub fn engines() -> Vec<Arc<dyn Engine>> {
    [crate::engines::luajit(), crate::engines::quickjs(), boa()].into_iter().flatten().collect()
}

#[cfg(feature = "boa")]
fn boa() -> Option<Arc<dyn Engine>> {
    Some(Arc::new(codemode_boa::Boa::in_worker()))
}

#[cfg(not(feature = "boa"))]
fn boa() -> Option<Arc<dyn Engine>> {
    None
}

/// Is a worker with every engine that was compiled in, until the host that started it lets go of its pipes: what `main` does.
///
/// `local` is what authority `local` gives to engines without files and processes of their own.
#[must_use]
pub fn serve(local: Option<Arc<dyn Local>>) -> ExitCode {
    #[cfg(feature = "boa")]
    codemode_boa::memory::on_breach(codemode_worker::out_of_memory);
    codemode_worker::serve(&engines(), local)
}
