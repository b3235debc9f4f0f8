//! Refusing allocations by their number, for tests of what happens when memory ends anywhere.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// At which allocation of a run memory ends. Clones share their count.
///
/// There is no refusing of a single one: the bound fires, and what the allocator grants after that is little.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct Sweep {
    number: u64,
    withholds: bool,
    collects: bool,
    counted: Arc<AtomicU64>,
}

impl Sweep {
    /// The bound fires at the allocation of this number, counted from 1 with each engine; at none where it is zero.
    #[must_use]
    pub fn bound_at(number: u64) -> Self {
        Self { number, ..Self::default() }
    }

    /// The same, and refuses this allocation and all that follow: even what is granted to a program that is on its way out.
    #[must_use]
    pub fn all_from(number: u64) -> Self {
        Self { number, withholds: true, ..Self::default() }
    }

    /// As [`Sweep::bound_at`], with the collector due at the next object that is made after that.
    #[must_use]
    pub fn collected_at(number: u64) -> Self {
        Self { number, collects: true, ..Self::default() }
    }

    /// How many allocations were asked for after start-up.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    pub(crate) fn withholds(&self) -> bool {
        self.withholds
    }

    pub(crate) fn collects(&self) -> bool {
        self.collects
    }

    /// Counts an allocation, and says whether memory ends there.
    pub(crate) fn ends_next(&self) -> bool {
        self.counted.fetch_add(1, Ordering::Relaxed) + 1 == self.number
    }
}
