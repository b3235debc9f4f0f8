//! Vectors of the bridge whose memory the guard counts before they grow.

use std::mem::size_of;
use std::sync::Arc;

use codemode_core::{Bound, Guard, Reserved, Stopped};

/// Below this many bytes a vector doubles, above it grows by a quarter.
const DOUBLED_BELOW: usize = 1 << 20;

/// The least memory that a vector takes, in bytes.
const FIRST: usize = 512;

/// Why a buffer did not grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Narrow {
    /// It would pass the memory budget; garbage that the interpreter holds may be in its way.
    Crowded,
    /// The run is over.
    Stopped,
}

impl From<Stopped> for Narrow {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// A vector of plain values, counted by the guard.
pub(crate) struct Counted<T> {
    items: Vec<T>,
    counted: Vec<Reserved>,
    guard: Arc<Guard>,
}

impl<T: Copy> Counted<T> {
    /// An empty vector, which counts nothing.
    pub(crate) fn new(guard: &Arc<Guard>) -> Self {
        Self { items: Vec::new(), counted: Vec::new(), guard: Arc::clone(guard) }
    }

    /// Makes room for so many more.
    #[inline]
    pub(crate) fn room(&mut self, more: usize) -> Result<(), Narrow> {
        if self.items.capacity() - self.items.len() >= more { Ok(()) } else { self.grow(more) }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) -> Result<(), Narrow> {
        self.room(1)?;
        self.items.push(item);
        Ok(())
    }

    #[inline]
    pub(crate) fn extend(&mut self, items: &[T]) -> Result<(), Narrow> {
        self.room(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    /// Grows to so many items, or cuts down to them.
    pub(crate) fn resize(&mut self, length: usize, item: T) -> Result<(), Narrow> {
        self.room(length.saturating_sub(self.items.len()))?;
        self.items.resize(length, item);
        Ok(())
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// The items, to be changed in place.
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Takes the newest items away, down to so many.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }

    /// Empties the vector and gives its memory back where it is larger than `kept` bytes.
    pub(crate) fn clear(&mut self, kept: usize) {
        self.items.clear();
        if self.items.capacity().saturating_mul(size_of::<T>()) > kept {
            drop(self.take());
        }
    }

    /// The items themselves, which are then counted no more.
    pub(crate) fn take(&mut self) -> Vec<T> {
        self.counted.clear();
        std::mem::take(&mut self.items)
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<(), Narrow> {
        let (length, capacity) = (self.items.len(), self.items.capacity());
        let held = capacity.saturating_mul(size_of::<T>());
        let growth = if held < DOUBLED_BELOW { capacity } else { capacity / 4 };
        let wanted = length.saturating_add(more).max(capacity + growth).max(FIRST / size_of::<T>());
        let bytes = wanted.saturating_mul(size_of::<T>()) - held;
        self.guard.check()?;
        if self.guard.held().saturating_add(bytes) > self.guard.memory_limit() {
            return Err(Narrow::Crowded);
        }
        let reserved = self.guard.reserve(bytes)?;
        if self.items.try_reserve_exact(wanted - length).is_err() {
            self.guard.fire(Bound::Memory, self.guard.held() as u64);
            return Err(Narrow::Stopped);
        }
        self.counted.push(reserved);
        Ok(())
    }
}

impl<T> std::fmt::Debug for Counted<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Counted").field("length", &self.items.len()).finish_non_exhaustive()
    }
}
