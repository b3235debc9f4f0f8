//! How a thread beside the interpreter ends its wait: what authority `local` does elsewhere and is done with.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::{PipeFlags, pipe_with};

/// Wakes the interpreter of a worker. Where there is nothing that could, it has no pipe, and a wait looks at the host alone.
#[derive(Debug)]
pub(super) struct Waker {
    woken: AtomicBool,
    /// To read from and to write to; neither end blocks.
    pipe: Option<(OwnedFd, OwnedFd)>,
}

impl Waker {
    pub(super) fn new(is_used: bool) -> io::Result<Self> {
        let pipe = if is_used { Some(pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?) } else { None };
        Ok(Self { woken: AtomicBool::new(false), pipe })
    }

    /// The descriptors that it needs.
    pub(super) fn descriptors(&self) -> Vec<RawFd> {
        self.pipe.iter().flat_map(|(read, write)| [read.as_raw_fd(), write.as_raw_fd()]).collect()
    }

    pub(super) fn wake(&self) {
        if !self.woken.swap(true, Ordering::SeqCst)
            && let Some((_, write)) = &self.pipe
        {
            // A pipe that is full wakes as well.
            let _ = rustix::io::write(write, &[1]);
        }
    }

    /// Whether it was woken since this was last asked.
    pub(super) fn take(&self) -> bool {
        let woken = self.woken.swap(false, Ordering::SeqCst);
        if woken && let Some((read, _)) = &self.pipe {
            let _ = rustix::io::read(read, &mut [0; 64]);
        }
        woken
    }

    /// Waits until the host says something, which is true, or somebody wakes.
    pub(super) fn waits_for(&self, host: &std::fs::File) -> bool {
        let Some((read, _)) = &self.pipe else { return true };
        loop {
            let mut polled = [PollFd::new(host, PollFlags::IN), PollFd::new(read, PollFlags::IN)];
            match poll(&mut polled, None) {
                Ok(_) => {
                    let replied = !polled[0].revents().is_empty();
                    if !polled[1].revents().is_empty() {
                        // Whoever took the wake before its byte came left that: it would end each wait from now on.
                        let _ = rustix::io::read(read, &mut [0; 64]);
                    }
                    return replied;
                }
                Err(rustix::io::Errno::INTR) => {}
                // Whoever reads next meets the error.
                Err(_) => return true,
            }
        }
    }
}
