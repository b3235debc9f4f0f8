//! Denying allocations by their number, for tests of what happens when memory ends anywhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which allocations of an interpreter are denied. Clones share their count.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    number: u64,
    all_after: bool,
    counted: Arc<AtomicU64>,
}

impl Sweep {
    /// Denies the allocation of this number, counted from 1 with each interpreter; zero denies none.
    #[must_use]
    pub fn one(number: u64) -> Self {
        Self { number, ..Self::default() }
    }

    /// Denies this allocation and all that follow.
    #[must_use]
    pub fn all_from(number: u64) -> Self {
        Self { number, all_after: true, ..Self::default() }
    }

    /// How many allocations were asked for.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    pub(crate) fn denies_next(&self) -> bool {
        let number = self.counted.fetch_add(1, Ordering::Relaxed) + 1;
        self.number != 0 && (number == self.number || (self.all_after && number > self.number))
    }
}
