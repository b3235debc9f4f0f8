//! Refusing allocations by their number, for tests of what happens when memory ends anywhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which allocation of a run is the first that is refused. Clones share their count.
///
/// There is no refusing of a single one: the first latches, and all growth after it is refused.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    number: u64,
    counted: Arc<AtomicU64>,
}

impl Sweep {
    /// Refuses the allocation of this number, counted from 1 with each engine, and all that follow; zero refuses none.
    #[must_use]
    pub fn all_from(number: u64) -> Self {
        Self { number, ..Self::default() }
    }

    /// How many allocations were asked for after start-up.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    pub(crate) fn denies_next(&self) -> bool {
        self.counted.fetch_add(1, Ordering::Relaxed) + 1 == self.number
    }
}
