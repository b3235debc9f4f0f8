//! What belongs to one run: whether it is over, and the processes that it started.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codemode_core::{Guard, LocalFault, Reserved};

use super::children::Child;
use super::fault;

/// One run, from its first operation to its end. Its guard may serve another run afterwards.
#[derive(Debug)]
pub(super) struct Scope {
    guard: Arc<Guard>,
    over: AtomicBool,
    numbers: AtomicU64,
    children: Mutex<BTreeMap<u64, Arc<Child>>>,
    /// Processes that have ended, and may have left others of their group running.
    left: Mutex<Vec<Child>>,
}

impl Scope {
    pub(super) fn new(guard: &Arc<Guard>) -> Self {
        Self {
            guard: Arc::clone(guard),
            over: AtomicBool::new(false),
            numbers: AtomicU64::new(0),
            children: Mutex::default(),
            left: Mutex::default(),
        }
    }

    /// Whether it is the run of this guard.
    pub(super) fn is_of(&self, guard: &Arc<Guard>) -> bool {
        Arc::ptr_eq(&self.guard, guard)
    }

    /// Whether the run is over, or one of its bounds has fired.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst) || self.guard.stopped()
    }

    /// Goes on only while the run does.
    pub(super) fn check(&self) -> Result<(), LocalFault> {
        if self.is_over() { Err(fault::stopped()) } else { Ok(()) }
    }

    /// Counts a buffer before it is built.
    pub(super) fn reserve(&self, bytes: usize) -> Result<Reserved, LocalFault> {
        self.check()?;
        self.guard.reserve(bytes).map_err(|_stopped| fault::stopped())
    }

    /// Ends the run: nothing goes on, and its processes are killed.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
        for child in std::mem::take(&mut *self.children()).into_values() {
            child.kill_group();
        }
        // Dropping them kills their groups.
        drop(std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner)));
    }

    /// Keeps what a process that has ended left running, until the run is over.
    pub(super) fn leave(&self, child: Child) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.retain(Child::has_left);
        if child.has_left() && !self.over.load(Ordering::SeqCst) {
            left.push(child);
        }
    }

    /// Keeps a process under a number of its own.
    pub(super) fn keep(&self, child: Child) -> u64 {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed) + 1;
        let child = Arc::new(child);
        self.children().insert(number, Arc::clone(&child));
        // The end may have come before it was among them.
        if self.over.load(Ordering::SeqCst) {
            child.kill_group();
        }
        number
    }

    pub(super) fn child(&self, number: u64) -> Option<Arc<Child>> {
        self.children().get(&number).cloned()
    }

    /// Forgets a process that has ended, but for what it left running.
    pub(super) fn forget(&self, number: u64) {
        let removed = self.children().remove(&number);
        if let Some(child) = removed.and_then(Arc::into_inner) {
            self.leave(child);
        }
    }

    fn children(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Child>>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
