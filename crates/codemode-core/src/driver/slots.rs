//! Slots: at most four interpreters a core compute at once. Waiting for one spends neither clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::guard::Guard;

/// Interpreters that may compute at once, for each core.
const SLOTS_A_CORE: usize = 4;

struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Slots {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn slots() -> &'static Slots {
    static SLOTS: OnceLock<Slots> = OnceLock::new();
    SLOTS.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Slots { free: Mutex::new(cores * SLOTS_A_CORE), freed: Condvar::new() }
    })
}

/// One run's slot: held while its program computes. A thread that is given up on forfeits it.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    held: AtomicBool,
    forfeited: AtomicBool,
}

impl Slot {
    /// Waits for a slot, and takes the wait off the wall clock. Returns at once when the run was stopped.
    pub(crate) fn take(&self, guard: &Guard) {
        let slots = slots();
        let mut free = slots.lock();
        if *free == 0 {
            guard.begin_excuse();
            while *free == 0 && !guard.stopped() && !self.forfeited.load(Ordering::SeqCst) {
                // The wait is short, so that a stop which fires meanwhile is seen soon.
                free = slots.freed.wait_timeout(free, std::time::Duration::from_millis(20)).unwrap_or_else(PoisonError::into_inner).0;
            }
            guard.end_excuse();
            if *free == 0 {
                return;
            }
        }
        // A handle may be waited on by two threads; the run still has one slot.
        if !self.forfeited.load(Ordering::SeqCst) && !self.held.swap(true, Ordering::SeqCst) {
            *free -= 1;
        }
    }

    /// Gives the slot back, if it is held.
    pub(crate) fn give(&self) {
        let slots = slots();
        let mut free = slots.lock();
        if self.held.swap(false, Ordering::SeqCst) {
            *free += 1;
            slots.freed.notify_one();
        }
    }

    /// Gives the slot back for good.
    pub(crate) fn forfeit(&self) {
        self.forfeited.store(true, Ordering::SeqCst);
        self.give();
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.give();
    }
}
