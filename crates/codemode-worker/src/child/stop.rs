//! How a worker is told to stop while it computes: by a signal, for which a thread of its own waits.
//!
//! An interrupt may take a lock that the interpreter's thread holds, so that no signal handler may fire it. The handler writes a byte
//! to a pipe, and the thread that reads it does the rest. Signals are not inherited by what a program starts.

use std::io::{self, Read};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codemode_core::{Bound, Guard, Interrupt};
use rustix::pipe::{PipeFlags, pipe_with};

/// What a host sends to a worker that is to stop.
pub(crate) const SIGNAL: rustix::process::Signal = rustix::process::Signal::USR1;

type Watched = Option<(Arc<Guard>, Arc<dyn Interrupt>)>;

/// The thread that stops programs.
pub(super) struct Stopper {
    watched: Arc<Mutex<Watched>>,
    descriptors: [RawFd; 2],
}

fn lock(watched: &Mutex<Watched>) -> MutexGuard<'_, Watched> {
    watched.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stopper {
    /// Takes the signal. Nobody listens yet: that is a thread's, which starts in [`Stopper::listen`].
    pub(super) fn new() -> io::Result<(OwnedFd, Self)> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
        let descriptors = [read.as_raw_fd(), write.as_raw_fd()];
        signal_hook::low_level::pipe::register(signal_hook::consts::SIGUSR1, write)?;
        Ok((read, Self { watched: Arc::default(), descriptors }))
    }

    /// The descriptors that it needs.
    pub(super) fn descriptors(&self) -> [RawFd; 2] {
        self.descriptors
    }

    /// Starts the thread.
    pub(super) fn listen(&self, signals: OwnedFd) -> io::Result<()> {
        let watched = Arc::clone(&self.watched);
        let thread = std::thread::Builder::new().name("codemode-stopper".to_owned()).stack_size(128 << 10);
        thread.spawn(move || listen(signals, &watched)).map(drop)
    }

    /// From now on a signal stops this run.
    pub(super) fn watch(&self, guard: &Arc<Guard>, interrupt: Arc<dyn Interrupt>) {
        *lock(&self.watched) = Some((Arc::clone(guard), interrupt));
    }

    /// A signal that comes now is for a run that is over.
    pub(super) fn idle(&self) {
        *lock(&self.watched) = None;
    }
}

fn listen(signals: OwnedFd, watched: &Mutex<Watched>) {
    let mut pipe = std::fs::File::from(signals);
    let mut signals = [0; 64];
    while matches!(pipe.read(&mut signals), Ok(1..)) {
        // The host has latched which bound it was; here it only has to end.
        if let Some((guard, interrupt)) = &*lock(watched) {
            guard.fire(Bound::Interrupted, 0);
            interrupt.interrupt();
        }
    }
}
