//! The limits that the kernel keeps for a process.
//!
//! The number of processes is not among them: the kernel counts threads and all processes of the user there, and holds root to none of
//! it. The filter of system calls refuses new processes and lets threads be.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::SandboxOptions;

/// The most open descriptors by number: pipes of ours, and a few files where there is a folder.
const OPEN: u64 = 64;

/// What the process holds is in no file after its death.
pub(super) fn no_core_dump() -> Result<(), String> {
    lower(Resource::Core, 0, 0)
}

/// Sets the limits of these options, soft and hard.
pub(super) fn set(options: &SandboxOptions) -> Result<(), String> {
    lower(Resource::Nofile, OPEN, OPEN)?;
    if options.folder.is_none() {
        // Standard error may be a file: it does not grow, and a write to it fails.
        ignore_file_size_signal();
        lower(Resource::Fsize, 0, 0)?;
    }
    if let Some(bytes) = options.memory_bytes {
        // Unlike the address space, this leaves out the main thread's stack and what is only reserved.
        lower(Resource::Data, bytes, bytes)?;
    }
    if let Some(seconds) = options.compute_seconds {
        // At the soft limit comes a signal that tells the host what it was, at the hard one the plain kill.
        lower(Resource::Cpu, seconds, seconds.saturating_add(1))?;
    }
    Ok(())
}

/// Lowers a limit; one that is lower already stays.
fn lower(resource: Resource, soft: u64, hard: u64) -> Result<(), String> {
    let before = getrlimit(resource);
    let hard = before.maximum.map_or(hard, |before| before.min(hard));
    let soft = before.current.map_or(soft, |before| before.min(soft)).min(hard);
    setrlimit(resource, Rlimit { current: Some(soft), maximum: Some(hard) })
        .map_err(|error| format!("the limit {resource:?} cannot be lowered to {soft}: {error}"))
}

#[expect(unsafe_code, reason = "changing what a signal does has no safe interface")]
fn ignore_file_size_signal() {
    // SAFETY: ignoring a signal runs no code of ours, and nothing here relies on SIGXFSZ ending the process.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}
