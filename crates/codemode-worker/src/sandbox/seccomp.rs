//! The filter of system calls: what is on no list fails with "operation not permitted".
//!
//! A call fails rather than kills: an engine or the C library that asks for something it can do without goes on, and knowing the error
//! number helps nobody who is inside. A call of another architecture kills, since its numbers mean other calls.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use listed::install;

/// Other processors have no list of calls yet.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) fn install(_offers_files: bool) -> Result<(), String> {
    Err(format!("there is no list of system calls for {}", std::env::consts::ARCH))
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod listed {
    use std::io;

    use super::super::{calls, filter};

    /// The kernel's names of the two architectures, in `audit.h`.
    const ARCHITECTURE: u32 = if cfg!(target_arch = "x86_64") { 0xc000_003e } else { 0xc000_00b7 };
    /// The error number of a call that is on no list, `EPERM`.
    const REFUSED: u16 = 1;

    /// Filters the calls of every thread from now on, and of those that they start.
    pub(in crate::sandbox) fn install(offers_files: bool) -> Result<(), String> {
        let program = filter::program(ARCHITECTURE, &calls::list(std::process::id(), offers_files), REFUSED);
        put_on(&program).map_err(|error| format!("the filter of system calls is refused: {error}"))
    }

    #[expect(unsafe_code, reason = "putting a filter on has no safe interface")]
    fn put_on(program: &[libc::sock_filter]) -> io::Result<()> {
        let length = u16::try_from(program.len()).map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
        // SAFETY: the kernel copies as many instructions as the length says, checks them, and writes nothing.
        let status =
            unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, libc::SECCOMP_FILTER_FLAG_TSYNC, &raw const program) };
        match status {
            0 => Ok(()),
            -1 => Err(io::Error::last_os_error()),
            // The id of a thread that has a filter of its own.
            thread => Err(io::Error::other(format!("thread {thread} cannot be held"))),
        }
    }
}
