//! Buffers of the bridge whose memory the guard counts before they grow.

use std::mem::size_of;

use codemode_core::Reserved;

use crate::realm::{Halt, Realm};

/// Below this many bytes a buffer doubles, above it grows by a quarter.
const DOUBLED_BELOW: usize = 1 << 20;

/// The least memory that a buffer takes, in bytes.
const FIRST: usize = 256;

/// A realm, as far as buffers need it: [`Realm::reserve`].
pub(super) trait Counter {
    fn count(&self, bytes: usize) -> Result<Reserved, Halt>;
}

impl<R: Realm> Counter for R {
    fn count(&self, bytes: usize) -> Result<Reserved, Halt> {
        self.reserve(bytes)
    }
}

/// What the guard counts for one buffer.
struct Steps<'r> {
    counter: &'r dyn Counter,
    reserved: Option<Reserved>,
}

impl<'r> Steps<'r> {
    fn new(counter: &'r dyn Counter) -> Self {
        Self { counter, reserved: None }
    }

    /// Counts the growth of a buffer that must take `more` items, and tells how many items beyond `length` to make room for.
    #[cold]
    fn grow(&mut self, length: usize, capacity: usize, more: usize, size: usize) -> Result<usize, Halt> {
        let held = capacity.saturating_mul(size);
        let growth = if held < DOUBLED_BELOW { capacity } else { capacity / 4 };
        let wanted = length.saturating_add(more).max(capacity + growth).max(FIRST / size.max(1));
        let bytes = wanted.saturating_mul(size).saturating_sub(held);
        let counted = self.counter.count(bytes)?;
        match &mut self.reserved {
            Some(reserved) => reserved.absorb(counted),
            None => self.reserved = Some(counted),
        }
        Ok(wanted - length)
    }
}

/// Text that grows in steps which the guard counts first.
pub(super) struct CountedText<'r> {
    text: String,
    steps: Steps<'r>,
}

impl<'r> CountedText<'r> {
    pub(super) fn new(counter: &'r dyn Counter) -> Self {
        Self { text: String::new(), steps: Steps::new(counter) }
    }

    /// Makes room for so many bytes more.
    #[inline]
    pub(super) fn room(&mut self, more: usize) -> Result<(), Halt> {
        if self.text.capacity() - self.text.len() < more {
            let additional = self.steps.grow(self.text.len(), self.text.capacity(), more, 1)?;
            self.text.reserve_exact(additional);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn push_str(&mut self, text: &str) -> Result<(), Halt> {
        self.room(text.len())?;
        self.text.push_str(text);
        Ok(())
    }

    /// The text for what writes at most `most` bytes of its own.
    #[inline]
    pub(super) fn with_room(&mut self, most: usize) -> Result<&mut String, Halt> {
        self.room(most)?;
        Ok(&mut self.text)
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn starts_with(&self, character: char) -> bool {
        self.text.starts_with(character)
    }

    /// Takes the end of the text away, down to so many bytes.
    pub(super) fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
    }

    /// The text itself, which is then counted no more.
    pub(super) fn take(self) -> String {
        self.text
    }
}

/// A vector that grows in steps which the guard counts first.
pub(super) struct CountedItems<'r, T> {
    items: Vec<T>,
    steps: Steps<'r>,
}

impl<'r, T> CountedItems<'r, T> {
    pub(super) fn new(counter: &'r dyn Counter) -> Self {
        Self { items: Vec::new(), steps: Steps::new(counter) }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) -> Result<(), Halt> {
        if self.items.len() == self.items.capacity() {
            let additional = self.steps.grow(self.items.len(), self.items.capacity(), 1, size_of::<T>())?;
            self.items.reserve_exact(additional);
        }
        self.items.push(item);
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The items themselves. They are counted until the second half of the pair is dropped.
    pub(super) fn take(self) -> (Vec<T>, Option<Reserved>) {
        (self.items, self.steps.reserved)
    }
}
