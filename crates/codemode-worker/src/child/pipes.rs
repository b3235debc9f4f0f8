//! The pipes to the host: moved away from the first three descriptors, which programs and what they start would meet.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::fcntl_dupfd_cloexec;

use super::Link;

/// Takes standard input and output, which are the host's pipes, and leaves nothing where they were.
pub(super) fn take() -> io::Result<(File, File)> {
    let input = File::from(away(rustix::stdio::stdin())?);
    let output = File::from(away(rustix::stdio::stdout())?);
    let nothing = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    Ok((input, output))
}

/// A copy that no process inherits, past the first three.
fn away(descriptor: impl std::os::fd::AsFd) -> rustix::io::Result<OwnedFd> {
    fcntl_dupfd_cloexec(descriptor, 3)
}

/// What must stay open.
pub(super) fn kept(link: &Link) -> [RawFd; 2] {
    [link.reader.source().as_raw_fd(), link.writer.target().as_raw_fd()]
}
