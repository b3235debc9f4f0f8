//! Watching over a running command: its output, its time, its caller, and its end.

use std::io::PipeReader;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;

use super::capture::Capture;
use super::descendants::Descendants;

/// How long output is awaited after the shell has ended, where something that it started still holds the pipes.
const LINGER: Duration = Duration::from_millis(250);
/// How long the pipes are awaited after all that held them was killed.
const CLOSING: Duration = Duration::from_secs(2);
/// How often the child is asked where its end cannot be waited for.
const TICK: Duration = Duration::from_millis(10);
/// How many blocks of output are read before time and caller are looked at again.
const BLOCKS: usize = 16;

/// Why a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// By itself, or by a signal from elsewhere.
    Itself,
    /// Its time was up.
    TimedOut,
    /// Nobody waited for it any more.
    Cancelled,
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ended: Ended,
    /// Absent where the killed process had not gone yet.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: (String, u64),
    pub(crate) stderr: (String, u64),
    /// How many processes it left running when it ended by itself; they were killed.
    pub(crate) left_running: usize,
    pub(crate) elapsed: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    /// The shell has ended, and something else holds a pipe.
    Lingering,
    /// All was killed.
    Closing,
}

/// One of the two streams.
struct Stream {
    /// Gone when the other end is closed.
    pipe: Option<OwnedFd>,
    capture: Capture,
}

/// Stays with the child to its end. `caller` becomes readable, or closed, when the call is no longer wanted.
pub(super) fn supervise(mut child: Child, descendants: &Descendants, timeout: Duration, output_bytes: usize, caller: &PipeReader) -> Ran {
    let started = Instant::now();
    let exit = exit_handle(&child);
    let mut streams = [
        Stream::new(child.stdout.take().map(OwnedFd::from), output_bytes),
        Stream::new(child.stderr.take().map(OwnedFd::from), output_bytes),
    ];
    let (mut stage, mut until, mut ended, mut left_running) = (Stage::Running, started + timeout, Ended::Itself, 0);
    loop {
        let closed = streams.iter().all(|stream| stream.pipe.is_none());
        let gone = has_ended(&mut child, exit.as_ref());
        let now = Instant::now();
        match stage {
            Stage::Running if now >= until => {
                (ended, stage, until) = (Ended::TimedOut, Stage::Closing, now + CLOSING);
                descendants.kill(&mut child);
                continue;
            }
            Stage::Lingering if closed || now >= until => {
                (stage, until) = (Stage::Closing, now + CLOSING);
                left_running = descendants.kill(&mut child);
                continue;
            }
            Stage::Closing if now >= until || (closed && gone) => break,
            Stage::Running if gone => {
                (stage, until) = (Stage::Lingering, now + LINGER);
                continue;
            }
            _ => {}
        }
        let wait = if exit.is_some() { until - now } else { TICK.min(until - now) };
        // A handle of a process that has ended is always ready: waiting on it would be no wait.
        let exit = exit.as_ref().filter(|_| !gone);
        let called_off = wait_for(&streams, exit, (stage == Stage::Running).then_some(caller), wait);
        streams.iter_mut().for_each(Stream::read);
        if called_off {
            (ended, stage, until) = (Ended::Cancelled, Stage::Closing, Instant::now() + CLOSING);
            descendants.kill(&mut child);
        }
    }
    let elapsed = started.elapsed();
    let [stdout, stderr] = streams.map(|stream| stream.capture.finish());
    Ran { ended, status: reap(child), stdout, stderr, left_running, elapsed }
}

/// Waits until something is to be done; tells whether the caller called it off.
fn wait_for(streams: &[Stream; 2], exit: Option<&OwnedFd>, caller: Option<&PipeReader>, wait: Duration) -> bool {
    // At least a millisecond, so that a rest of nanoseconds is no busy loop.
    let wait = wait.max(Duration::from_millis(1));
    let timeout = Timespec { tv_sec: i64::try_from(wait.as_secs()).unwrap_or(i64::MAX), tv_nsec: wait.subsec_nanos().into() };
    let caller = caller.map(AsFd::as_fd);
    let handles: Vec<BorrowedFd<'_>> = caller
        .into_iter()
        .chain(exit.map(AsFd::as_fd))
        .chain(streams.iter().filter_map(|stream| stream.pipe.as_ref().map(AsFd::as_fd)))
        .collect();
    let mut waiting: Vec<PollFd<'_>> = handles.iter().map(|handle| PollFd::new(handle, PollFlags::IN)).collect();
    // An interrupted wait is one that ended early.
    let _ = poll(&mut waiting, Some(&timeout));
    caller.is_some() && waiting.first().is_some_and(|first| !first.revents().is_empty())
}

impl Stream {
    fn new(pipe: Option<OwnedFd>, bytes: usize) -> Self {
        let pipe = pipe.filter(|pipe| fcntl_setfl(pipe, OFlags::NONBLOCK).is_ok());
        Self { pipe, capture: Capture::new(bytes) }
    }

    /// Takes what is there, and no more than some blocks of it.
    fn read(&mut self) {
        let mut block = [0; 16 << 10];
        for _ in 0..BLOCKS {
            let Some(pipe) = &self.pipe else { return };
            match rustix::io::read(pipe, &mut block) {
                Ok(0) => self.pipe = None,
                Ok(count) => self.capture.push(&block[..count]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.pipe = None,
            }
        }
    }
}

/// Something to wait on for the child's end, where there is such a thing.
#[cfg(target_os = "linux")]
fn exit_handle(child: &Child) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let pid = Pid::from_raw(i32::try_from(child.id()).ok()?)?;
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_handle(_child: &Child) -> Option<OwnedFd> {
    None
}

/// Whether the child has ended. With a handle it is not waited for, so that its number stays taken until its group is killed.
fn has_ended(child: &mut Child, exit: Option<&OwnedFd>) -> bool {
    match exit {
        Some(exit) => {
            let mut exit = [PollFd::new(exit, PollFlags::IN)];
            poll(&mut exit, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
        }
        None => child.try_wait().is_ok_and(|status| status.is_some()),
    }
}

/// Takes the status, so that no zombie stays. One that cannot die yet is waited for by a thread of its own.
fn reap(mut child: Child) -> Option<ExitStatus> {
    match child.try_wait() {
        Ok(Some(status)) => Some(status),
        _ => {
            std::thread::spawn(move || child.wait());
            None
        }
    }
}
