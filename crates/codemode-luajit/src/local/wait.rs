//! Waiting for a descriptor in short steps, so that a stop is seen.

use std::os::fd::BorrowedFd;

use codemode_core::{Guard, Stopped};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The longest time that passes between a stop and its being seen.
const STEP: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

/// Waits until one of these is ready, at most one step; tells which are. An error counts as ready: using it tells which.
///
/// # Errors
/// When the run is over.
pub(super) fn step<const N: usize>(guard: &Guard, wanted: [Option<(BorrowedFd<'_>, PollFlags)>; N]) -> Result<[bool; N], Stopped> {
    guard.check()?;
    let mut polled: Vec<PollFd<'_>> = wanted.iter().flatten().map(|(fd, flags)| PollFd::from_borrowed_fd(*fd, *flags)).collect();
    let failed = poll(&mut polled, Some(&STEP)).is_err();
    guard.check()?;
    let mut results = polled.iter().map(|fd| failed || !fd.revents().is_empty());
    Ok(wanted.map(|one| one.is_some() && results.next().unwrap_or(false)))
}

/// Waits until the descriptor is ready, however long that takes.
///
/// # Errors
/// When the run is over.
pub(super) fn until_ready(guard: &Guard, fd: BorrowedFd<'_>, flags: PollFlags) -> Result<(), Stopped> {
    while !step(guard, [Some((fd, flags))])?[0] {}
    Ok(())
}
