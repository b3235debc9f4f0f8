//! Memory of Boa's, counted in the allocator of the process, since the engine itself counts none.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::marker::PhantomData;
use std::ptr::null;
use std::sync::Arc;
use std::sync::OnceLock;

use codemode_core::{Bound, Guard, Memory};

/// What a program may take past its budget before it is stopped without a collection, in bytes.
const SLACK: usize = 16 << 20;

/// The system's allocator, which counts what a thread with an interpreter of Boa's holds, and stops the interpreter past its budget.
///
/// A binary installs it; without it memory of Boa's is neither counted nor bounded.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: codemode_boa::memory::CountingAllocator = codemode_boa::memory::CountingAllocator::new();
/// # fn main() {}
/// ```
///
/// Without a function for [`on_breach`] such a program can take all of the machine's memory.
///
/// Counting is each thread's own: what other threads take counts against nobody. Past the budget garbage is collected where the
/// program next calls the host; where that does not help, and in any case 16 MiB past the budget (a quarter of it where that is
/// less), the bound fires. What is asked for is granted all the same, since Boa cannot go on without it, so that in a thread a
/// program that allocates without a pause is not stopped; see [`on_breach`].
#[derive(Debug, Default)]
pub struct CountingAllocator(());

impl CountingAllocator {
    /// The allocator.
    #[must_use]
    pub const fn new() -> Self {
        Self(())
    }
}

/// What is called, once in a process and within the allocator, when a bound of memory fired there. The first one set counts.
///
/// It may allocate nothing. A worker ends its process here, with a status of its own, since nothing else stops a builtin that
/// goes on allocating.
pub fn on_breach(act: fn()) {
    let _ = BREACH.set(act);
}

static BREACH: OnceLock<fn()> = OnceLock::new();

/// Whether the process ends where a bound of memory fires within the allocator.
pub(crate) fn ends_the_process() -> bool {
    BREACH.get().is_some()
}

thread_local! {
    /// What this thread holds of what it took while it was watched; below zero where it freed what was there before.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// Whose memory is counted.
    static WATCHED: Cell<*const Guard> = const { Cell::new(null()) };
}

/// Counts this thread's memory against a guard while it lives. It stays on its thread.
#[derive(Debug)]
pub(crate) struct Watch {
    guard: Arc<Guard>,
    before: (*const Guard, isize),
    stays: PhantomData<*const ()>,
}

impl Watch {
    pub(crate) fn new(guard: &Arc<Guard>) -> Self {
        let before = (WATCHED.replace(Arc::as_ptr(guard)), HELD.replace(0));
        Self { guard: Arc::clone(guard), before, stays: PhantomData }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        WATCHED.set(self.before.0);
        // What is left over is held by whoever watched before.
        HELD.set(self.before.1.wrapping_add(HELD.get()));
        self.guard.tick(0);
    }
}

/// What the watched interpreter of this thread holds, in bytes; zero where no allocator counts.
pub(crate) fn held() -> usize {
    usize::try_from(HELD.get()).unwrap_or(0)
}

fn count(change: isize) {
    // A thread that ends has no counters any more.
    let Ok(held) = HELD.try_with(|held| {
        held.set(held.get().wrapping_add(change));
        held.get()
    }) else {
        return;
    };
    let watched = WATCHED.try_with(Cell::get).unwrap_or(null());
    if watched.is_null() {
        return;
    }
    // SAFETY: whoever set the pointer holds the guard, and takes the pointer back before the guard goes.
    let guard = unsafe { &*watched };
    let held = usize::try_from(held).unwrap_or(0);
    if guard.tick(held) == Memory::Above && change > 0 {
        let limit = guard.memory_limit();
        let most = limit.saturating_add(SLACK.min(limit / 4));
        if held > most
            && guard.fire(Bound::Memory, held as u64)
            && let Some(act) = BREACH.get()
        {
            act();
        }
    }
}

fn signed(size: usize) -> isize {
    isize::try_from(size).unwrap_or(isize::MAX)
}

// SAFETY: each call goes to the system's allocator with the caller's own arguments; counting touches no memory of theirs.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let place = unsafe { System.alloc(layout) };
        if !place.is_null() {
            count(signed(layout.size()));
        }
        place
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        let place = unsafe { System.alloc_zeroed(layout) };
        if !place.is_null() {
            count(signed(layout.size()));
        }
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(place, layout) };
        count(-signed(layout.size()));
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        let moved = unsafe { System.realloc(place, layout, size) };
        if !moved.is_null() {
            count(signed(size) - signed(layout.size()));
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use codemode_core::{Engine as _, OpenSpec, Profile};

    use super::*;
    use crate::Boa;

    #[global_allocator]
    static ALLOCATOR: CountingAllocator = CountingAllocator::new();

    #[test]
    fn what_is_taken_and_given_back_is_counted_on_its_own_thread() {
        let guard = Guard::new();
        let watch = Watch::new(&guard);
        let kept = vec![1_u8; 1 << 20];
        assert!((1 << 20..2 << 20).contains(&guard.held()), "{}", guard.held());
        std::thread::spawn(|| drop(vec![1_u8; 4 << 20])).join().expect("a thread");
        assert!(guard.peak() < 2 << 20, "{}", guard.peak());
        drop(kept);
        assert!(guard.held() < 64 << 10, "{}", guard.held());
        drop(watch);
        assert_eq!(guard.held(), 0);
    }

    #[test]
    fn an_interpreter_gives_all_of_its_memory_back() {
        let spec = OpenSpec { profile: Profile::program(), deterministic: false, stack_bytes: 2 << 20, local: None };
        let opened = || drop(Boa::in_worker().open(&spec, &Guard::new()).expect("an interpreter"));
        // What the engine keeps for its thread is taken once.
        opened();
        let watch = Watch::new(&Guard::new());
        for _ in 0..10 {
            opened();
        }
        assert!(held() < 64 << 10, "{} bytes are left of ten interpreters", held());
        drop(watch);
    }
}
