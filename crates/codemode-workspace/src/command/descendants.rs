//! Ending all processes of a command, those that left its process group too.

use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// The variable in a command's environment by which its processes are known again.
pub(super) const MARK: &str = "CODEMODE_EXECUTE";
/// How long processes are looked for, round by round; each finds those that were started during the one before.
const PATIENCE: Duration = Duration::from_secs(3);
/// Rounds in a row that must find nobody: a process that is made while the others are read can be missed by one.
const QUIET_ROUNDS: u32 = 2;
/// The same where somebody was found, since such processes move.
const QUIET_ROUNDS_AFTER_A_FIND: u32 = 5;
/// How long to wait between quiet rounds where somebody was found.
const PAUSE: Duration = Duration::from_millis(5);

/// The processes of one command: a group, and wherever there is `/proc`, all that carry its mark.
#[derive(Debug)]
pub(super) struct Descendants {
    mark: String,
}

impl Descendants {
    pub(super) fn new(mark: String) -> Self {
        Self { mark }
    }

    /// Kills all of them, and gives how many there were beside the command itself.
    ///
    /// The child must not have been waited for: its number, which is the group's, would be free for others.
    pub(super) fn kill(&self, child: &mut Child) -> usize {
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (mut first_found, mut quiet, mut moving) = (None, 0, false);
        let until = Instant::now() + PATIENCE;
        loop {
            let marked = marked::find(&self.mark);
            let others = marked.iter().filter(|process| Some(process.pid) != group).count();
            first_found.get_or_insert(others);
            if let Some(group) = group {
                // There is no such group before the shell has made it, or after its last process.
                let _ = kill_process_group(group, Signal::KILL);
            }
            // Harmless where it has ended, since nobody has waited for it.
            let _ = child.kill();
            if others > 0 {
                (quiet, moving) = (0, true);
            } else {
                quiet += 1;
            }
            let rounds = if moving { QUIET_ROUNDS_AFTER_A_FIND } else { QUIET_ROUNDS };
            if quiet >= rounds || Instant::now() >= until {
                return first_found.unwrap_or(0);
            }
            marked::kill(&marked);
            if moving && marked.is_empty() {
                std::thread::sleep(PAUSE);
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod marked {
    use std::fs;
    use std::os::fd::OwnedFd;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::MARK;

    /// How long a round waits for what it killed to be gone.
    const DYING: Timespec = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };

    /// A process, held so that its number cannot become another's.
    #[derive(Debug)]
    pub(super) struct Marked {
        pub(super) pid: Pid,
        handle: OwnedFd,
    }

    /// Processes whose environment has the mark. Those of other users and those that have ended show none.
    pub(super) fn find(mark: &str) -> Vec<Marked> {
        let wanted = format!("{MARK}={mark}");
        let Ok(processes) = fs::read_dir("/proc") else {
            return Vec::new();
        };
        processes
            .filter_map(|entry| {
                let pid = Pid::from_raw(entry.ok()?.file_name().to_str()?.parse().ok()?)?;
                // The handle first: what is read after it is of the very process that it holds.
                let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
                let environment = fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).ok()?;
                environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes()).then_some(Marked { pid, handle })
            })
            .collect()
    }

    pub(super) fn kill(marked: &[Marked]) {
        for process in marked {
            let _ = pidfd_send_signal(&process.handle, Signal::KILL);
        }
        for process in marked {
            let _ = poll(&mut [PollFd::new(&process.handle, PollFlags::IN)], Some(&DYING));
        }
    }
}

/// Without pidfds and `/proc`, the group is all there is to go by.
#[cfg(not(target_os = "linux"))]
mod marked {
    use rustix::process::Pid;

    #[derive(Debug)]
    pub(super) struct Marked {
        pub(super) pid: Pid,
    }

    pub(super) fn find(_mark: &str) -> Vec<Marked> {
        Vec::new()
    }

    pub(super) fn kill(_marked: &[Marked]) {}
}
