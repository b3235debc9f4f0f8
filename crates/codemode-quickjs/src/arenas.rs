//! Keeps QuickJS from making and giving back one arena again and again.
//!
//! QuickJS takes its small blocks from arenas of 4 KiB, one size to an arena, and gives an arena back with its last block. A program
//! that makes and drops one object where all arenas of its size are full has an arena made and given back each time: a tenth of a
//! call's instructions, or of a loop that splits lines. A block that is held in the last arena, a pin, ends that.

use std::array;
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::RangeInclusive;
use std::ptr;

use rquickjs::qjs;

use crate::memory::Meter;

/// What QuickJS puts before a block.
const HEADER: usize = 8;

/// How many sizes of blocks there are: `JS_ARENA_BLOCK_SIZE_COUNT` in QuickJS's source.
const SIZES: usize = 31;

/// The most that an arena takes, in bytes, and what it has before its blocks: `JS_ARENA_SIZE` and `JSArena` in QuickJS's source.
const ARENA: usize = 4096;
const ARENA_HEADER: usize = 40;

/// The sizes of arenas, whichever their blocks: at the end less than one block is left over.
const ARENAS: RangeInclusive<usize> = ARENA - 512..=ARENA;

/// The most blocks of one arena: of 16 bytes.
const MOST_BLOCKS: usize = ARENA / 16;

/// How many arenas are given back between two looks before a pin is set anew: filling an arena costs less than making so many.
const PATIENCE: u32 = 16;

/// How far from the budget the program must be, in bytes, for a pin to be set: a few arenas are made for it.
const ROOM: usize = 64 << 10;

/// One block of each size, wherever arenas of it were last made and given back in turn.
pub(crate) struct Arenas {
    pins: [Cell<*mut c_void>; SIZES],
    /// How many arenas were made.
    made: Cell<u32>,
    /// How many were given back since the last look, and the size of the last one.
    emptied: Cell<u32>,
    last_emptied: Cell<usize>,
}

impl Arenas {
    pub(crate) fn new() -> Self {
        Self { pins: array::from_fn(|_| Cell::new(ptr::null_mut())), made: Cell::new(0), emptied: Cell::new(0), last_emptied: Cell::new(0) }
    }

    /// QuickJS takes a block of this size from the machine.
    pub(crate) fn taken(&self, bytes: usize) {
        if ARENAS.contains(&bytes) {
            self.made.set(self.made.get().wrapping_add(1));
        }
    }

    /// QuickJS gives a block of this size back to the machine.
    pub(crate) fn given_back(&self, bytes: usize) {
        if ARENAS.contains(&bytes) {
            self.emptied.set(self.emptied.get().saturating_add(1));
            self.last_emptied.set(bytes);
        }
    }

    /// How many arenas were made so far.
    #[cfg(test)]
    pub(crate) fn made(&self) -> u32 {
        self.made.get()
    }

    /// The first pins, so that no size is ever without an arena.
    ///
    /// # Safety
    /// `runtime` is live, on this thread, and the one that these arenas are of.
    pub(crate) unsafe fn pin(&self, runtime: *mut qjs::JSRuntime) {
        for (pin, size) in self.pins.iter().zip(sizes()) {
            // SAFETY: the caller's promise. A block is given back with all others, and one that is refused is none.
            pin.set(unsafe { qjs::js_malloc_rt(runtime, (size - HEADER) as qjs::size_t) });
        }
    }

    /// Sets the pin of a size anew where many of its arenas were given back since the last look, unless memory is short.
    ///
    /// # Safety
    /// As [`Arenas::pin`]; QuickJS is between two instructions of the program.
    pub(crate) unsafe fn look(&self, runtime: *mut qjs::JSRuntime, meter: &Meter) {
        if self.emptied.replace(0) < PATIENCE || !meter.has_room(ROOM) {
            return;
        }
        let emptied = self.last_emptied.get();
        for (pin, size) in self.pins.iter().zip(sizes()).filter(|(_, size)| arena_of(*size) == emptied) {
            // SAFETY: the caller's promise; the pin is a live block of this runtime, or null.
            unsafe {
                let last = self.in_a_new_arena(runtime, size - HEADER);
                if !last.is_null() {
                    qjs::js_free_rt(runtime, pin.replace(last));
                }
            }
        }
    }

    /// A block in an arena that is made for it: all places in others are filled for a moment. Null where there are too many of them.
    ///
    /// # Safety
    /// As [`Arenas::pin`].
    unsafe fn in_a_new_arena(&self, runtime: *mut qjs::JSRuntime, bytes: usize) -> *mut c_void {
        let made = self.made.get();
        let mut fillers = [ptr::null_mut(); MOST_BLOCKS];
        let mut last = ptr::null_mut();
        // SAFETY: the caller's promise; each block is of this runtime, or null.
        unsafe {
            for filler in &mut fillers {
                last = qjs::js_malloc_rt(runtime, bytes as qjs::size_t);
                if last.is_null() || self.made.get() != made {
                    break;
                }
                *filler = std::mem::replace(&mut last, ptr::null_mut());
            }
            for filler in fillers.into_iter().take_while(|filler| !filler.is_null()) {
                qjs::js_free_rt(runtime, filler);
            }
        }
        last
    }
}

/// The sizes of blocks with their headers: `arena_block_sizes` in QuickJS's source.
fn sizes() -> impl Iterator<Item = usize> {
    (16..=128).step_by(8).chain((144..=256).step_by(16)).chain((288..=512).step_by(32))
}

/// How many bytes an arena of blocks of this size takes: `arena_new` in QuickJS's source.
fn arena_of(size: usize) -> usize {
    ARENA_HEADER + (ARENA - ARENA_HEADER) / size * size
}

#[cfg(test)]
mod tests {
    use codemode_core::{Budgets, Guard};

    use super::*;
    use crate::load;
    use crate::runtime::Runtime;

    /// How many arenas are made by a program.
    fn made(text: &str) -> u32 {
        let guard = Guard::new();
        guard.arm(&Budgets::default());
        let runtime = Runtime::new(&guard, None).expect("memory");
        runtime.limit_stack(512 << 10, 2 << 20);
        runtime.limit_memory();
        // SAFETY: the runtime is live, and the result is freed.
        unsafe {
            let compiled = load::compile(runtime.context(), c"test", text);
            let result = qjs::JS_EvalFunction(runtime.context(), compiled);
            assert!(!qjs::JS_IsException(result));
            qjs::JS_FreeValue(runtime.context(), result);
        }
        runtime.made_arenas()
    }

    #[test]
    fn no_number_of_held_objects_has_an_arena_made_for_each_object() {
        // An arena has room for fewer objects than this, so that one of these numbers fills the last one.
        for held in 0..120 {
            let made = made(&format!(
                "const held = []; for (let i = 0; i < {held}; i++) held.push({{i}}); for (let i = 0; i < 20000; i++) ({{i}})"
            ));
            assert!(made < 1000, "{made} arenas with {held} objects held");
        }
    }

    #[test]
    fn a_size_that_comes_to_the_same_border_again_and_again_is_pinned_each_time() {
        // The objects of each round come and go as a whole, so that the border is where it was in the last one.
        for held in 0..60 {
            let made = made(&format!(
                "const held = []; for (let i = 0; i < {held}; i++) held.push({{i}}); \
                 for (let n = 0; n < 10; n++) {{ const more = []; for (let i = 0; i < 1000; i++) more.push({{i}}); for (let i = 0; i < 2000; i++) ({{i}}) }}"
            ));
            assert!(made < 4000, "{made} arenas with {held} objects held");
        }
    }

    #[test]
    fn there_is_a_pin_for_each_size() {
        assert_eq!(sizes().count(), SIZES);
        assert!(sizes().all(|size| ARENAS.contains(&arena_of(size))));
    }
}
