//! The life of a worker process: how it is stopped, and what it died of.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use codemode_core::{Death, Handle};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::child::{MEMORY_STATUS, SIGNAL};

/// A process that can be stopped and killed from any thread.
#[derive(Debug)]
pub(super) struct Life {
    child: Mutex<Child>,
    pid: Option<Pid>,
    killed: AtomicBool,
    /// The pipe has ended: seen by the watch while nobody reads.
    gone: AtomicBool,
    /// The run that waits, which is woken at the death.
    waiting: Mutex<Option<Handle>>,
}

/// How long a process whose pipe has ended may take to end itself. Its end follows at once; where it does not, it is no worker any more.
const ENDS_WITHIN: Duration = Duration::from_millis(200);

impl Life {
    pub(super) fn new(child: Child) -> Self {
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Self { child: Mutex::new(child), pid, killed: AtomicBool::new(false), gone: AtomicBool::new(false), waiting: Mutex::default() }
    }

    fn child(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the signal to stop; nothing where it is dead.
    pub(super) fn signal(&self) {
        let mut child = self.child();
        // A process that was waited for has no id any more, and one that was not keeps its own.
        if matches!(child.try_wait(), Ok(None))
            && let Some(pid) = self.pid
        {
            let _ = kill_process(pid, SIGNAL);
        }
    }

    /// Kills it, and what it has started, without waiting for its death.
    pub(super) fn kill(&self) {
        self.killed.store(true, Ordering::SeqCst);
        let mut child = self.child();
        if matches!(child.try_wait(), Ok(None))
            && let Some(pid) = self.pid
        {
            // It is the leader of its group, which is there for as long as it was not waited for.
            let _ = kill_process_group(pid, Signal::KILL);
            let _ = child.kill();
        }
    }

    /// Whether it is dead and nothing of it is left.
    pub(super) fn is_reaped(&self) -> bool {
        !matches!(self.child().try_wait(), Ok(None))
    }

    /// How it died; it is killed where it has not.
    pub(super) fn death(&self) -> Death {
        let killed = self.killed.load(Ordering::SeqCst);
        let ends_by = Instant::now() + ENDS_WITHIN;
        let mut child = self.child();
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) if Instant::now() < ends_by => std::thread::sleep(Duration::from_micros(100)),
                Ok(None) => {
                    let _ = child.kill();
                    break child.wait();
                }
                Err(error) => break Err(error),
            }
        };
        match status {
            Ok(status) => told(status, killed),
            Err(error) => Death { cause: format!("the worker process is lost: {error}"), of_memory: false },
        }
    }

    /// The run that waits while nobody reads from the pipe.
    pub(super) fn waits(&self, handle: Option<Handle>) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = handle;
    }

    /// The pipe has ended.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::SeqCst)
    }

    /// The watch saw something on the pipe: its end, or news where `ended` is false.
    pub(super) fn seen(&self, ended: bool) {
        if ended {
            self.gone.store(true, Ordering::SeqCst);
        }
        if let Some(handle) = &*self.waiting.lock().unwrap_or_else(PoisonError::into_inner) {
            handle.wake();
        }
    }
}

fn told(status: ExitStatus, killed: bool) -> Death {
    if status.code() == Some(MEMORY_STATUS) {
        return Death { cause: "the worker process ran out of memory, and ended".to_owned(), of_memory: true };
    }
    let cause = match (status.signal(), status.code()) {
        (Some(9), _) if !killed => {
            "the worker process was killed by signal 9, and not by its host: by somebody else, or by the system for want of memory"
                .to_owned()
        }
        (Some(signal), _) => format!("the worker process was killed by signal {signal}{}", name_of(signal)),
        (None, Some(code)) => format!("the worker process ended by itself with status {code}"),
        (None, None) => "the worker process ended".to_owned(),
    };
    Death { cause, of_memory: false }
}

/// The names of signals that a process dies of by its own doing.
fn name_of(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        5 => " (SIGTRAP)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        15 => " (SIGTERM)",
        24 => " (SIGXCPU)",
        31 => " (SIGSYS)",
        _ => "",
    }
}
