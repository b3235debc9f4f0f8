//! QuickJS's allocator: the C library's, counted and bounded, whose blocks are given back all at once at the end.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use codemode_core::{Bound, Guard, Memory};
use rquickjs::qjs;

use crate::arenas::Arenas;
use crate::polls::Polls;
use crate::sweep::Sweep;

/// What stands before each block: QuickJS takes its small ones from arenas of 4 KiB, so that this is little beside them.
#[repr(C, align(16))]
struct Block {
    previous: *mut Block,
    next: *mut Block,
    bytes: usize,
}

const HEADER: usize = size_of::<Block>();

/// A threshold of QuickJS's collector that makes it run at the next object, and that it replaces when it has run.
const AT_ONCE: qjs::size_t = 1;

/// What is granted after the latch, and at each poll from then on: enough for the error that unwinds the program.
const PARTING: usize = 64 << 10;

/// What the allocator counts. It stands still in memory: QuickJS and each block point to it.
///
/// Each growth reads the latch, and once it is set all are refused for ever, but for what an error takes: a program that goes on
/// after memory was refused it has crashed QuickJS, and one that loops around a long C function meets its deadline here and
/// nowhere else. The clock is not read: the watchdog sets the latch.
pub(crate) struct Meter {
    guard: Arc<Guard>,
    runtime: Cell<*mut qjs::JSRuntime>,
    held: Cell<usize>,
    /// Off until the context exists, and again from the last look at the program on.
    armed: Cell<bool>,
    /// What is held when the collector is asked for next.
    collect_at: Cell<usize>,
    /// The collector was asked for, and had not run at the last look.
    asked: Cell<bool>,
    /// What is still granted after the latch.
    parting: Cell<usize>,
    /// A text is compiled, and nothing is refused.
    compiling: Cell<bool>,
    /// How soon the interrupt handler is asked again.
    polls: Cell<Polls>,
    arenas: Arenas,
    /// Both ends of the ring of all blocks.
    ring: Box<Cell<Block>>,
    sweep: Option<Sweep>,
}

impl Meter {
    pub(crate) fn new(guard: &Arc<Guard>, sweep: Option<Sweep>) -> Self {
        let ring = Box::new(Cell::new(Block { previous: ptr::null_mut(), next: ptr::null_mut(), bytes: 0 }));
        let end = ring.as_ptr();
        ring.set(Block { previous: end, next: end, bytes: 0 });
        Self {
            guard: Arc::clone(guard),
            runtime: Cell::new(ptr::null_mut()),
            held: Cell::new(0),
            armed: Cell::new(false),
            collect_at: Cell::new(usize::MAX),
            asked: Cell::new(false),
            parting: Cell::new(PARTING),
            compiling: Cell::new(false),
            polls: Cell::new(Polls::NOWHERE),
            arenas: Arenas::new(),
            ring,
            sweep,
        }
    }

    /// The functions that QuickJS allocates by, with a pointer to a meter as their data.
    pub(crate) fn functions() -> qjs::JSMallocFunctions {
        qjs::JSMallocFunctions {
            js_calloc: Some(calloc),
            js_malloc: Some(malloc),
            js_free: Some(free),
            js_realloc: Some(realloc),
            js_malloc_usable_size: Some(usable_size),
        }
    }

    /// The runtime whose collector is asked for.
    pub(crate) fn connect(&self, runtime: *mut qjs::JSRuntime) {
        self.runtime.set(runtime);
        // SAFETY: the runtime is new, and does not outlive the meter.
        unsafe { qjs::JS_SetRuntimeOpaque(runtime, (&raw const *self).cast_mut().cast()) };
    }

    /// The count of polls of the runtime's context.
    pub(crate) fn set_polls(&self, polls: Polls) {
        self.polls.set(polls);
        polls.wait_a_little();
    }

    /// The count of polls of the runtime's context.
    pub(crate) fn polls(&self) -> Polls {
        self.polls.get()
    }

    /// The arenas that the runtime takes small blocks from.
    pub(crate) fn arenas(&self) -> &Arenas {
        &self.arenas
    }

    /// Whether this many bytes more are well within the budget.
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        !self.guard.stopped() && self.guard.held().saturating_add(bytes) < self.guard.memory_limit()
    }

    /// Bounds what is allocated from now on, or leaves it unbounded.
    pub(crate) fn arm(&self, armed: bool) {
        self.armed.set(armed);
        self.asked.set(false);
        self.parting.set(PARTING);
        self.set_collection();
        let _ = self.guard.tick(self.held.get());
    }

    /// Grants what QuickJS needs to make the error that cannot be caught: without memory for it, it throws `null`, which can.
    pub(crate) fn grant_parting(&self) {
        self.parting.set(PARTING);
    }

    /// QuickJS is between two instructions of the program: whatever was compiled is.
    pub(crate) fn polled(&self) {
        self.compiling.set(false);
        self.polls.get().wait_a_little();
    }

    /// Raises the error that nothing catches.
    ///
    /// # Safety
    /// `context` is live, and is the one that the meter is of.
    pub(crate) unsafe fn stop(&self, context: *mut qjs::JSContext) -> qjs::JSValue {
        self.grant_parting();
        self.polls.get().look_now();
        // SAFETY: the caller's promise; the exception is taken out, marked and put back with its reference.
        unsafe {
            qjs::JS_ThrowInternalError(context, c"interrupted".as_ptr());
            let error = qjs::JS_GetException(context);
            qjs::JS_SetUncatchableError(context, error);
            qjs::JS_Throw(context, error)
        }
    }

    /// Grants all that is asked for while `compile` runs, which is bounded by the size of a source: QuickJS's compiler crashes
    /// where it is refused some of its memory. The bound fires after it.
    pub(crate) fn while_compiling<T>(&self, compile: impl FnOnce() -> T) -> T {
        self.compiling.set(true);
        let compiled = compile();
        self.compiling.set(false);
        compiled
    }

    /// The meter of a runtime of ours; nothing of another's.
    ///
    /// # Safety
    /// `runtime` is live, and the result is not used after it.
    pub(crate) unsafe fn of<'a>(runtime: *mut qjs::JSRuntime) -> Option<&'a Self> {
        // SAFETY: what hangs under a runtime is its meter or null.
        unsafe { qjs::JS_GetRuntimeOpaque(runtime).cast::<Self>().as_ref() }
    }

    /// The interpreter's guard.
    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// Whether more is held than the budget, garbage included, so that a collection may help. Once a bound has fired there is none:
    /// something may have been refused.
    pub(crate) fn is_above(&self) -> bool {
        self.armed.get() && self.guard.held() > self.guard.memory_limit() && !self.guard.stopped()
    }

    /// Looks after a collection: fires the bound where what is left does not fit.
    pub(crate) fn look_after_collection(&self) {
        self.asked.set(false);
        self.set_collection();
        if self.is_above() {
            self.guard.fire(Bound::Memory, self.guard.held() as u64);
        }
    }

    /// Whether a growth by `bytes` is granted.
    ///
    /// The collector cannot run in the middle of an allocation. So it is asked for ahead, half way to the limit each time,
    /// and up to a quarter more than the limit is granted until it has run.
    fn grants(&self, bytes: usize) -> bool {
        if !self.armed.get() || self.compiling.get() {
            return true;
        }
        let (held, limit) = (self.guard.held(), self.guard.memory_limit());
        let total = held.saturating_add(bytes);
        if let Some(sweep) = self.sweep.as_ref().filter(|sweep| sweep.ends_next()) {
            self.guard.fire(Bound::Memory, total as u64);
            if sweep.withholds() || sweep.collects() {
                self.parting.set(0);
            }
            if sweep.collects() {
                self.collect_from(AT_ONCE);
            }
        }
        if self.guard.stopped() {
            return self.grants_parting(bytes);
        }
        let collected = self.has_collected();
        if total > limit && (collected || bytes > limit || total > limit.saturating_add(limit / 4)) {
            self.guard.fire(Bound::Memory, total as u64);
            return self.grants_parting(bytes);
        }
        if total > self.collect_at.get() && !self.asked.replace(true) {
            self.collect_from(AT_ONCE);
        }
        true
    }

    /// Has the collector run once this much is held.
    fn collect_from(&self, held: qjs::size_t) {
        // SAFETY: the runtime lives as long as it allocates; this sets one number in it.
        unsafe { qjs::JS_SetGCThreshold(self.runtime.get(), held) };
    }

    /// What is granted to a program that is stopped, which it is told at the next poll.
    fn grants_parting(&self, bytes: usize) -> bool {
        self.polls.get().look_now();
        let parting = self.parting.get();
        let grants = bytes <= parting;
        // One refusal is the last: what was refused something is given nothing more before the next poll.
        self.parting.set(if grants { parting - bytes } else { 0 });
        if !grants {
            self.collect_no_more();
        }
        grants
    }

    /// Keeps the collector from what a refusal leaves: QuickJS may be in the middle of moving a shape, which is in no list of objects
    /// then, and makes an error next, for which the collector runs if it is due.
    fn collect_no_more(&self) {
        self.collect_from(qjs::size_t::MAX);
    }

    /// Whether the collector has run since it was asked for; nothing was granted since then.
    fn has_collected(&self) -> bool {
        // SAFETY: as above; this reads one number.
        let collected = self.asked.get() && unsafe { qjs::JS_GetGCThreshold(self.runtime.get()) } != AT_ONCE;
        if collected {
            self.asked.set(false);
            self.set_collection();
        }
        collected
    }

    fn set_collection(&self) {
        let (held, limit) = (self.guard.held(), self.guard.memory_limit());
        let step = (limit.saturating_sub(held) / 2).max(limit / 64);
        self.collect_at.set(held.saturating_add(step).min(limit.max(held)));
    }

    fn count(&self, held: usize) {
        self.held.set(held);
        // What passes the budget is stopped where it is granted, and where the collector has run.
        let _: Memory = self.guard.tick(held);
    }

    /// Takes a new block into the ring, counts it, and gives its place for QuickJS; null stays null.
    ///
    /// # Safety
    /// `block` is null or fresh memory of `bytes` after a header.
    unsafe fn adopt(&self, block: *mut Block, bytes: usize) -> *mut c_void {
        if block.is_null() {
            // The C library has no more: as good as a budget that is spent.
            self.guard.fire(Bound::Memory, self.guard.held().saturating_add(bytes) as u64);
            self.collect_no_more();
            return ptr::null_mut();
        }
        let end = self.ring.as_ptr();
        // SAFETY: the ring's blocks are live, and `block` has room for its header.
        unsafe {
            let next = (*end).next;
            block.write(Block { previous: end, next, bytes });
            (*next).previous = block;
            (*end).next = block;
            self.arenas.taken(bytes);
            self.count(self.held.get().saturating_add(bytes + HEADER));
            block.add(1).cast()
        }
    }

    /// # Safety
    /// `place` is null or a block's.
    unsafe fn give_back(&self, place: *mut c_void) {
        if place.is_null() {
            return;
        }
        // SAFETY: a header stands before each block, and its neighbours in the ring are live.
        unsafe {
            let block = place.cast::<Block>().sub(1);
            let Block { previous, next, bytes } = block.read();
            (*previous).next = next;
            (*next).previous = previous;
            libc::free(block.cast());
            self.arenas.given_back(bytes);
            self.count(self.held.get().saturating_sub(bytes + HEADER));
        }
    }
}

impl Drop for Meter {
    /// Gives back all that QuickJS holds, without QuickJS: it would end the process over an object that was lost when memory
    /// was refused, and use up the stack over a long chain of objects.
    fn drop(&mut self) {
        let end = self.ring.as_ptr();
        // SAFETY: nobody uses the runtime any more; the ring's blocks are live and are the C library's.
        unsafe {
            let mut block = (*end).next;
            while block != end {
                let next = (*block).next;
                libc::free(block.cast());
                block = next;
            }
        }
        let _ = self.guard.tick(0);
    }
}

/// # Safety
/// Called by QuickJS alone, with the meter as `data`.
unsafe extern "C" fn malloc(data: *mut c_void, bytes: qjs::size_t) -> *mut c_void {
    // SAFETY: the meter outlives the runtime; `adopt` checks the block.
    unsafe { make(data, bytes as usize, |size| libc::malloc(size)) }
}

/// # Safety
/// As [`malloc`].
unsafe extern "C" fn calloc(data: *mut c_void, count: qjs::size_t, bytes: qjs::size_t) -> *mut c_void {
    let Some(bytes) = (count as usize).checked_mul(bytes as usize) else { return ptr::null_mut() };
    // SAFETY: as above.
    unsafe { make(data, bytes, |size| libc::calloc(1, size)) }
}

/// # Safety
/// As [`malloc`]; `allocate` gives memory of the size it is given, or null.
unsafe fn make(data: *mut c_void, bytes: usize, allocate: impl FnOnce(usize) -> *mut c_void) -> *mut c_void {
    // SAFETY: `data` is the meter.
    let meter = unsafe { &*data.cast::<Meter>() };
    let Some(size) = bytes.checked_add(HEADER) else { return ptr::null_mut() };
    if !meter.grants(size) {
        return ptr::null_mut();
    }
    // SAFETY: the memory is of `size`.
    unsafe { meter.adopt(allocate(size).cast(), bytes) }
}

/// # Safety
/// As [`malloc`]; `place` is null or came from here.
unsafe extern "C" fn free(data: *mut c_void, place: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { (*data.cast::<Meter>()).give_back(place) }
}

/// # Safety
/// As [`free`].
unsafe extern "C" fn realloc(data: *mut c_void, place: *mut c_void, bytes: qjs::size_t) -> *mut c_void {
    // SAFETY: the caller's promise; a block that moved is put in its neighbours' hands again.
    unsafe {
        if place.is_null() {
            return malloc(data, bytes);
        }
        let meter = &*data.cast::<Meter>();
        let bytes = bytes as usize;
        if bytes == 0 {
            meter.give_back(place);
            return ptr::null_mut();
        }
        let block = place.cast::<Block>().sub(1);
        let old = (*block).bytes;
        let Some(size) = bytes.checked_add(HEADER) else { return ptr::null_mut() };
        // A block that shrinks is never refused.
        if bytes > old && !meter.grants(bytes - old) {
            return ptr::null_mut();
        }
        let moved = libc::realloc(block.cast(), size).cast::<Block>();
        if moved.is_null() {
            meter.guard.fire(Bound::Memory, meter.guard.held().saturating_add(bytes) as u64);
            return ptr::null_mut();
        }
        (*moved).bytes = bytes;
        (*(*moved).previous).next = moved;
        (*(*moved).next).previous = moved;
        meter.count(meter.held.get().saturating_sub(old).saturating_add(bytes));
        moved.add(1).cast()
    }
}

/// # Safety
/// As [`free`].
unsafe extern "C" fn usable_size(place: *const c_void) -> qjs::size_t {
    if place.is_null() {
        return 0;
    }
    // SAFETY: a header stands before each block.
    unsafe { (*place.cast::<Block>().sub(1)).bytes as qjs::size_t }
}
