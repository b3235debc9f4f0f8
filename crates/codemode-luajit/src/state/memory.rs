//! LuaJIT's allocator: the C library's, counted and bounded.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::Arc;

use codemode_core::{Bound, Guard, Memory};

use super::context::Context;
use crate::guard::Switch;
use crate::sweep::Sweep;

/// Where denying allocations is swept by tests, so that it is on: elsewhere the soft limit stands alone.
const DENIES: bool = cfg!(all(target_arch = "x86_64", target_os = "linux"));

/// What the allocator counts.
pub(crate) struct MemoryMeter {
    guard: Arc<Guard>,
    switch: Arc<Switch>,
    used: Cell<usize>,
    /// Off until the libraries are open: they are no doing of the program's.
    limited: Cell<bool>,
    /// The budget was passed, and the hook has not looked yet.
    above: Cell<bool>,
    /// Blocks that LuaJIT has, and the size of the first, in which its state lies.
    blocks: Cell<usize>,
    first_bytes: Cell<usize>,
    /// An allocation was denied.
    denied: Cell<bool>,
    /// Where LuaJIT keeps its own sum, once a state is closed whose sum is not to be trusted.
    own_sum: Cell<*mut u64>,
    /// Denies allocations by their number, for tests.
    sweep: Option<Sweep>,
}

impl MemoryMeter {
    pub(super) fn new(guard: &Arc<Guard>, switch: &Arc<Switch>, sweep: Option<Sweep>) -> Self {
        Self {
            guard: Arc::clone(guard),
            switch: Arc::clone(switch),
            used: Cell::new(0),
            limited: Cell::new(false),
            above: Cell::new(false),
            blocks: Cell::new(0),
            first_bytes: Cell::new(0),
            denied: Cell::new(false),
            own_sum: Cell::new(std::ptr::null_mut()),
            sweep,
        }
    }

    /// Bytes that LuaJIT holds.
    #[cfg(test)]
    pub(super) fn used(&self) -> usize {
        self.used.get()
    }

    /// Whether the budget was passed since this was last asked.
    pub(crate) fn take_above(&self) -> bool {
        self.above.take()
    }

    /// Whether memory is bounded from now on.
    pub(super) fn set_limited(&self, limited: bool) {
        self.limited.set(limited);
        self.count(self.used.get());
    }

    /// Whether an allocation was denied: then LuaJIT's own sum is off.
    pub(super) fn has_denied(&self) -> bool {
        self.denied.get()
    }

    /// The size of LuaJIT's first block, in bytes.
    pub(super) fn first_bytes(&self) -> usize {
        self.first_bytes.get()
    }

    /// Has LuaJIT's own sum set right once its last block but its state is freed.
    ///
    /// After a denial LuaJIT frees what it was about to make as smaller than it was allocated. A build with its assertions
    /// on would end the process for that sum.
    ///
    /// # Safety
    /// `sum` is null, or the place in LuaJIT's first block where the sum is kept.
    pub(super) unsafe fn set_right_at_the_end(&self, sum: *mut u64) {
        self.own_sum.set(sum);
    }

    /// Whether an allocation that takes LuaJIT to `total` bytes is denied.
    ///
    /// The limit is twice the budget: what a single instruction makes before the hook can collect may all be garbage.
    fn denies(&self, total: usize) -> bool {
        let limit = if DENIES && self.limited.get() { self.guard.memory_limit().saturating_mul(2) } else { usize::MAX };
        self.sweep.as_ref().is_some_and(Sweep::denies_next) || total > limit
    }

    /// LuaJIT's own error for a denial can be caught, and sizes are not to be trusted after it: the run ends here.
    pub(super) fn deny(&self, total: usize) {
        self.denied.set(true);
        self.guard.fire(Bound::Memory, total as u64);
        self.switch.arm();
    }

    /// Counts `total` bytes, and has the hook collect where they pass the budget.
    fn count(&self, total: usize) {
        self.used.set(total);
        if self.guard.tick(total) == Memory::Above && self.limited.get() && !self.above.replace(true) {
            self.switch.arm();
        }
    }

    fn count_made(&self, bytes: usize) {
        if self.blocks.replace(self.blocks.get() + 1) == 0 {
            self.first_bytes.set(bytes);
        }
    }

    fn count_freed(&self) {
        self.blocks.set(self.blocks.get().saturating_sub(1));
        let sum = self.own_sum.get();
        if self.blocks.get() == 1 && !sum.is_null() {
            // SAFETY: it lies in the one block that is left, and LuaJIT, which called, is not looking.
            unsafe { *sum = self.first_bytes.get() as u64 };
        }
    }
}

/// LuaJIT's allocator. It never unwinds.
///
/// # Safety
/// Called by LuaJIT alone, with the context as `data`.
pub(super) unsafe extern "C" fn allocate(data: *mut c_void, block: *mut c_void, old: usize, new: usize) -> *mut c_void {
    // SAFETY: `data` is the context, which outlives the state; `block` came from here.
    unsafe {
        let context = &*data.cast::<Context>();
        let (meter, blocks) = (context.memory(), &context.sameness().numbering);
        let old = if block.is_null() { 0 } else { old };
        let total = meter.used.get().saturating_sub(old).saturating_add(new);
        if new == 0 {
            if !block.is_null() {
                blocks.free(block);
                meter.count_freed();
            }
            meter.count(total);
            return std::ptr::null_mut();
        }
        // A shrinking block is never denied: LuaJIT relies on that.
        let moved = if new > old && meter.denies(total) { std::ptr::null_mut() } else { blocks.realloc(block, new) };
        if moved.is_null() {
            meter.deny(total);
            return moved;
        }
        if block.is_null() {
            meter.count_made(new);
        }
        meter.count(total);
        moved
    }
}
