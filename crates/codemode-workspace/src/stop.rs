//! Telling blocking work that nobody waits for it any more.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::trouble::Trouble;

/// Looked at by every loop over files and lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the loop that asks, once the call is no longer wanted.
    pub(crate) fn check(&self) -> Result<(), Trouble> {
        if self.is_set() { Err(Trouble::cancelled()) } else { Ok(()) }
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Sets the stop when the returned guard is dropped, as it is with the future that holds it.
    pub(crate) fn on_drop(&self) -> StopOnDrop {
        StopOnDrop(self.clone())
    }
}

/// Held by the future of a call: dropping the future stops the work.
#[derive(Debug)]
pub(crate) struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// A reader that ends with an error once the stop is set, so that a long scan of one file ends too.
#[derive(Debug)]
pub(crate) struct Stopping<'a, R> {
    pub(crate) inner: R,
    pub(crate) stop: &'a Stop,
}

impl<R: Read> Read for Stopping<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_set() {
            // Not `Interrupted`: readers repeat after that.
            return Err(io::Error::other("cancelled"));
        }
        self.inner.read(buffer)
    }
}
