//! What holds a worker: files, network, processes, memory, signals.
//!
//! A worker puts it on itself before it makes an engine, and nothing takes it off again. On Linux two mechanisms are stacked, since
//! neither is enough alone: a filter of system calls (seccomp), which knows calls and no paths, and Landlock, which knows paths and
//! leaves attributes of files, most kinds of sockets and processes alone. What a machine does not have is reported, part by part, and
//! never claimed.
//!
//! Three parts need the host as well. It gives an empty environment, which a process cannot empty for itself. It starts workers from
//! one thread that lives as long as it does, since the kernel ends a worker with the thread that started it. And it reads standard
//! error through a pipe: a file, where no files are offered, does not grow any more.

mod report;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod calls;
#[cfg(target_os = "linux")]
mod descriptors;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod filter;
#[cfg(target_os = "linux")]
mod landlock;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod time_zone;

pub use report::{Enforced, Part};

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

/// What a worker is to be held to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxOptions {
    /// Whether files, network and processes are withheld: not so where programs have authority `local`. Without it the process still
    /// gains no privileges, writes no core dump and ends with its host; everything below is ignored.
    pub enabled: bool,
    /// The one folder that may be read and written; by default there are no files at all.
    ///
    /// With a folder, the calls that ask for a file's attributes are there, and these no mechanism confines: whether a file outside
    /// exists, how large it is and when it was changed can be seen, and not its content.
    pub folder: Option<PathBuf>,
    /// The most memory of the process that is not its main thread's stack, in bytes: a backstop past the engine's own limit.
    pub memory_bytes: Option<u64>,
    /// The most processor time of the process from its start, in whole seconds: a backstop. It ends by SIGXCPU.
    pub compute_seconds: Option<u64>,
    /// Descriptors that stay open beside the first three.
    pub keep: Vec<i32>,
    /// Whether a user and a network namespace of its own are tried; they need what many machines do not allow.
    pub namespaces: bool,
}

/// The sandbox could not be entered as it was asked for; what a machine does not have is no error, but told in [`Enforced`].
#[derive(Debug, thiserror::Error)]
#[error("the sandbox cannot be entered: {0}")]
pub struct SandboxError(pub String);

/// Holds this process from now on, for good.
///
/// Call it before any engine is made. Threads that there already are are held by the filter of system calls, and by Landlock only where
/// the kernel can do that; start other threads afterwards.
///
/// # Errors
/// When the folder is not there, or cannot be opened.
pub fn enter(options: &SandboxOptions) -> Result<Enforced, SandboxError> {
    enter_without(options, Without::default())
}

/// What a machine is taken not to have, so that tests see what an older one reports.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Without {
    /// No filter of system calls.
    pub filter: bool,
    /// Landlock no newer than this version; 0 is none.
    pub landlock_past: Option<u32>,
    /// No call that closes a range of descriptors.
    pub close_range: bool,
}

/// [`enter`] on a machine that has less.
///
/// # Errors
/// As [`enter`].
#[doc(hidden)]
pub fn enter_without(options: &SandboxOptions, without: Without) -> Result<Enforced, SandboxError> {
    system::enter(options, without)
}
