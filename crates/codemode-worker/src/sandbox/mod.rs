//! What holds a worker: files, network, processes, memory, signals.

mod report;

pub use report::{Enforced, Part};

use std::os::fd::RawFd;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What a worker is to be held to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxOptions {
    /// Whether files, network and processes are withheld: not so where programs have authority `local`.
    pub enabled: bool,
    /// The one folder that programs may read and write; none at all by default.
    pub folder: Option<PathBuf>,
    /// The most memory of the process, in bytes: a backstop past the engine's own limit.
    pub memory_bytes: Option<u64>,
    /// The most processor time of the process, in seconds: a backstop.
    pub compute_seconds: Option<u64>,
    /// Descriptors that are kept beside the first three.
    pub keep: Vec<RawFd>,
    /// Whether user and network namespaces of its own are tried.
    pub namespaces: bool,
}

/// The sandbox could not be entered.
#[derive(Debug, thiserror::Error)]
#[error("the sandbox: {0}")]
pub struct SandboxError(pub String);

/// Enters the sandbox, for good.
///
/// # Errors
/// When a part that is there refuses.
pub fn enter(options: &SandboxOptions) -> Result<Enforced, SandboxError> {
    let _ = options;
    Ok(Enforced::nothing("the sandbox is not built yet"))
}
