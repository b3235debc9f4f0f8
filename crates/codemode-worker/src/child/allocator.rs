//! A worker's allocator: another one, but that a worker which runs out of memory says so by its exit status.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write; each function hands on what it was given")]

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of a worker that ran out of memory.
pub const MEMORY_STATUS: i32 = 97;

/// Whether this process is a worker.
static IS_WORKER: AtomicBool = AtomicBool::new(false);

/// The allocator of a binary that can be a worker, over the one that it would have without: install it with `#[global_allocator]`.
///
/// Rust ends a process that is refused memory with an abort, which says nothing of the cause; a worker ends with [`MEMORY_STATUS`]. In
/// a process that is no worker nothing changes.
///
/// ```
/// use std::alloc::System;
///
/// #[global_allocator]
/// static ALLOCATOR: codemode_worker::WorkerAllocator<System> = codemode_worker::WorkerAllocator(System);
/// # fn main() {}
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct WorkerAllocator<A>(
    /// What allocates.
    pub A,
);

/// From now on this process ends with [`MEMORY_STATUS`] where it is refused memory.
pub(super) fn is_worker() {
    IS_WORKER.store(true, Ordering::Relaxed);
}

/// Hands on what was given; a worker that was refused ends.
#[inline]
fn granted(place: *mut u8) -> *mut u8 {
    if place.is_null() && IS_WORKER.load(Ordering::Relaxed) {
        out_of_memory();
    }
    place
}

/// Ends this process as a worker that ran out of memory: for an engine that counts, and can go no further.
///
/// Nothing more of the process runs. It allocates nothing.
#[cold]
pub fn out_of_memory() {
    // SAFETY: it runs no handler and returns to nobody.
    unsafe { libc::_exit(MEMORY_STATUS) }
}

// SAFETY: each function gives the allocator below what it was given, and gives back what that gives.
unsafe impl<A: GlobalAlloc> GlobalAlloc for WorkerAllocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        granted(unsafe { self.0.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        granted(unsafe { self.0.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { self.0.dealloc(place, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        granted(unsafe { self.0.realloc(place, layout, size) })
    }
}
