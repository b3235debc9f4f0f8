//! Why an operation on a file or a command did not succeed, and the words for it.

use std::io;

use codemode_core::Stopped;
use rustix::io::Errno;

use super::host_streams::NOT_A_PROGRAMS;
use crate::convert::Narrow;

/// Why an operation did not succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The run is over.
    Stopped,
    /// A buffer would pass the memory budget: collect garbage once and go on, then fire the bound.
    Crowded,
    /// It is one of the host's own standard streams.
    TheHosts,
    /// The operating system said no; its number for why.
    System(i32),
}

impl Trouble {
    /// The words for it.
    pub(super) fn text(self) -> String {
        match self {
            Self::Stopped => Stopped.to_string(),
            Self::Crowded => "the memory budget is used up".to_owned(),
            Self::TheHosts => NOT_A_PROGRAMS.to_owned(),
            Self::System(number) => reason(number),
        }
    }
}

impl From<Stopped> for Trouble {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl From<Narrow> for Trouble {
    fn from(narrow: Narrow) -> Self {
        match narrow {
            Narrow::Crowded => Self::Crowded,
            Narrow::Stopped => Self::Stopped,
        }
    }
}

impl From<Errno> for Trouble {
    fn from(errno: Errno) -> Self {
        Self::System(errno.raw_os_error())
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::System(error.raw_os_error().unwrap_or(libc::EINVAL))
    }
}

/// The operating system's words for one of its numbers.
pub(super) fn reason(number: i32) -> String {
    let mut words = [0_u8; 256];
    // SAFETY: the buffer is as long as is said, and the function ends what it writes with a zero.
    let known = unsafe { libc::strerror_r(number, words.as_mut_ptr().cast(), words.len()) } == 0;
    let length = words.iter().position(|byte| *byte == 0).unwrap_or(0);
    if known { String::from_utf8_lossy(&words[..length]).into_owned() } else { format!("Unknown error {number}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_the_systems_own() {
        assert_eq!(reason(libc::ENOENT), "No such file or directory");
        assert_eq!(reason(99_999), "Unknown error 99999");
    }
}
