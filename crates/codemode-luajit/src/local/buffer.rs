//! A buffer between a descriptor and what is read from it.

use codemode_core::Guard;
use std::sync::Arc;

use super::trouble::Trouble;
use crate::convert::Counted;

/// How much is read at a time, in bytes.
const BLOCK: usize = 16 << 10;

/// Bytes that were read and not yet taken.
#[derive(Debug)]
pub(super) struct ReadBuffer {
    bytes: Counted<u8>,
    start: usize,
    end: usize,
}

impl ReadBuffer {
    pub(super) fn new(guard: &Arc<Guard>) -> Self {
        Self { bytes: Counted::new(guard), start: 0, end: 0 }
    }

    /// What was read and not yet taken.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes.items()[self.start..self.end]
    }

    /// Takes so many of them.
    pub(super) fn take(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Forgets them; tells how many there were.
    pub(super) fn forget(&mut self) -> usize {
        let left = self.end - self.start;
        (self.start, self.end) = (0, 0);
        left
    }

    /// Reads more where all was taken: `read` fills a slice, and tells how far.
    pub(super) fn fill(&mut self, read: impl FnOnce(&mut [u8]) -> Result<usize, Trouble>) -> Result<(), Trouble> {
        if self.start < self.end {
            return Ok(());
        }
        if self.bytes.len() < BLOCK {
            self.bytes.resize(BLOCK, 0)?;
        }
        (self.start, self.end) = (0, 0);
        self.end = read(self.bytes.items_mut())?;
        Ok(())
    }
}
