//! Numbers for what LuaJIT allocates, in the order of allocation: the only thing about an object without a name that is the
//! same in each run.

use std::cell::Cell;
use std::ffi::c_void;

/// What a number takes in front of its block, so that the block stays aligned for anything.
const HEADER: usize = 16;

/// The C library's allocator, which numbers each block where that is wanted.
pub(crate) struct Numbering {
    on: bool,
    given: Cell<u64>,
}

impl Numbering {
    /// With or without numbers; that cannot change while there are blocks.
    pub(crate) fn new(on: bool) -> Self {
        Self { on, given: Cell::new(0) }
    }

    /// As `realloc`: a block keeps its number when it moves.
    ///
    /// # Safety
    /// `block` is null or from here.
    pub(crate) unsafe fn realloc(&self, block: *mut c_void, bytes: usize) -> *mut c_void {
        // SAFETY: the caller's promise; a numbered block begins a header before what was given out.
        unsafe {
            if !self.on {
                return libc::realloc(block, bytes);
            }
            let start = if block.is_null() { block } else { block.byte_sub(HEADER) };
            let moved = libc::realloc(start, bytes.saturating_add(HEADER));
            if moved.is_null() {
                return moved;
            }
            if block.is_null() {
                self.given.set(self.given.get() + 1);
                moved.cast::<u64>().write(self.given.get());
            }
            moved.byte_add(HEADER)
        }
    }

    /// As `free`.
    ///
    /// # Safety
    /// As [`Numbering::realloc`].
    pub(crate) unsafe fn free(&self, block: *mut c_void) {
        // SAFETY: the caller's promise.
        unsafe { libc::free(if self.on && !block.is_null() { block.byte_sub(HEADER) } else { block }) }
    }

    /// The number of a block.
    ///
    /// # Safety
    /// `block` is from here, and not freed.
    pub(super) unsafe fn of(&self, block: *const c_void) -> u64 {
        // SAFETY: the caller's promise.
        if self.on { unsafe { block.byte_sub(HEADER).cast::<u64>().read() } } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_keeps_its_number_and_its_bytes() {
        let numbering = Numbering::new(true);
        // SAFETY: each block is from here, and used within its size.
        unsafe {
            let (first, second) = (numbering.realloc(std::ptr::null_mut(), 10), numbering.realloc(std::ptr::null_mut(), 1));
            first.cast::<[u8; 10]>().write(*b"0123456789");
            let first = numbering.realloc(first, 100_000);
            assert_eq!((numbering.of(first), numbering.of(second)), (1, 2));
            assert_eq!(first.cast::<[u8; 10]>().read(), *b"0123456789");
            assert_eq!(first.addr() % HEADER, 0);
            numbering.free(first);
            numbering.free(second);
            numbering.free(std::ptr::null_mut());
        }
    }
}
