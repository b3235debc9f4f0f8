//! What every callback of an interpreter finds.

use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::c_int;
use std::sync::Arc;

use codemode_core::{Bound, Guard, Handle, OpenSpec};

use super::memory::MemoryMeter;
use crate::convert::Converter;
use crate::guard::Switch;
#[cfg(unix)]
use crate::local::Local;
use crate::local::Sameness;
use crate::strings::Strings;
use crate::sweep::Sweep;
use crate::traceback::Trace;

/// What an interpreter shares with its callbacks. It stands still in memory: the allocator's user data points to it.
pub(crate) struct Context {
    guard: Arc<Guard>,
    switch: Arc<Switch>,
    spec: OpenSpec,
    memory: MemoryMeter,
    /// Below this address of the thread's stack no coroutine goes on.
    stack_floor: usize,
    /// Below this one no callback of the current coroutine goes on.
    callback_floor: Cell<usize>,
    /// How many coroutines resume each other at this moment.
    nested: Cell<usize>,
    run: UnsafeCell<Option<ThisRun>>,
    anchors: Anchors,
    trace: RefCell<Trace>,
    kept: UnsafeCell<Vec<Box<dyn Any>>>,
    broken: RefCell<Option<String>>,
    warnings: RefCell<Vec<String>>,
    converter: Converter,
    strings: Strings,
    #[cfg(unix)]
    local: Local,
    sameness: Sameness,
}

/// What belongs to one run.
pub(crate) struct ThisRun {
    /// The program's only way out.
    pub(crate) handle: Handle,
    /// The working directory that raw file functions start from.
    pub(crate) cwd: Arc<str>,
}

/// Where in the registry our own values are: numbers that `luaL_ref` gave.
#[derive(Default)]
pub(crate) struct Anchors {
    /// The metatable of errors that say that a call was not run.
    pub(crate) not_run_metatable: Cell<c_int>,
    /// What is known of each such error, by the error itself, weakly.
    pub(crate) not_run_details: Cell<c_int>,
    /// `tostring`, as it was before any program ran.
    pub(crate) tostring: Cell<c_int>,
    /// LuaJIT's own `string` functions, as they were before any program ran.
    pub(crate) string_functions: Cell<c_int>,
}

impl Context {
    pub(super) fn new(guard: &Arc<Guard>, switch: &Arc<Switch>, spec: &OpenSpec, sweep: Option<Sweep>) -> Self {
        Self {
            guard: Arc::clone(guard),
            switch: Arc::clone(switch),
            spec: spec.clone(),
            memory: MemoryMeter::new(guard, switch, sweep),
            stack_floor: stack_floor(spec.stack_bytes),
            callback_floor: Cell::new(callback_floor().max(stack_floor(spec.stack_bytes))),
            nested: Cell::new(0),
            run: UnsafeCell::new(None),
            anchors: Anchors::default(),
            trace: RefCell::default(),
            kept: UnsafeCell::default(),
            broken: RefCell::default(),
            warnings: RefCell::default(),
            converter: Converter::new(guard),
            strings: Strings::default(),
            #[cfg(unix)]
            local: Local::new(guard),
            sameness: Sameness::new(spec.deterministic),
        }
    }

    /// The interpreter's guard.
    pub(crate) fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    /// The buffers of JSON's conversion.
    pub(crate) fn converter(&self) -> &Converter {
        &self.converter
    }

    /// What is kept for the string functions.
    pub(crate) fn strings(&self) -> &Strings {
        &self.strings
    }

    /// The program's files and commands.
    #[cfg(unix)]
    pub(crate) fn local(&self) -> &Local {
        &self.local
    }

    /// What makes a deterministic run the same each time.
    pub(crate) fn sameness(&self) -> &Sameness {
        &self.sameness
    }

    /// The hook's switch.
    pub(crate) fn switch(&self) -> &Switch {
        &self.switch
    }

    /// How the interpreter was asked for.
    pub(crate) fn spec(&self) -> &OpenSpec {
        &self.spec
    }

    /// The current run; nothing while no program runs.
    pub(crate) fn run(&self) -> Option<&ThisRun> {
        // SAFETY: it is set only while no callback runs, so that nobody holds what this gave.
        unsafe { (*self.run.get()).as_ref() }
    }

    /// The run's handle; nothing while no program runs.
    pub(crate) fn handle(&self) -> Option<&Handle> {
        self.run().map(|run| &run.handle)
    }

    /// Begins or ends a run.
    ///
    /// # Safety
    /// No callback runs.
    pub(crate) unsafe fn set_run(&self, run: Option<ThisRun>) {
        // SAFETY: the caller's promise.
        unsafe { *self.run.get() = run }
    }

    /// Where our own values are in the registry.
    pub(crate) fn anchors(&self) -> &Anchors {
        &self.anchors
    }

    /// What is known of the error that was raised last.
    pub(crate) fn trace(&self) -> &RefCell<Trace> {
        &self.trace
    }

    /// Whether the stack is used up so far that nothing of the program's may be called from Rust any more.
    pub(crate) fn stack_is_used_up(&self) -> bool {
        here() < self.callback_floor.get()
    }

    /// Gives a coroutine that is resumed now its own part of the stack, and says what whoever resumed it had.
    pub(crate) fn begin_stack(&self) -> usize {
        self.callback_floor.replace(callback_floor().max(self.stack_floor))
    }

    /// Gives back what [`Context::begin_stack`] said.
    pub(crate) fn end_stack(&self, floor: usize) {
        self.callback_floor.set(floor);
    }

    /// How many coroutines resume each other at this moment.
    pub(crate) fn nested(&self) -> &Cell<usize> {
        &self.nested
    }

    /// Keeps what a callback is about to push. It stands still until it is released; later keeps are released with it.
    pub(crate) fn keep<T: 'static>(&self, value: T) -> (*const T, usize) {
        let value = Box::new(value);
        let still: *const T = &raw const *value;
        // SAFETY: no reference into the list outlives a call of this type; the box stands still when the list grows.
        let kept = unsafe { &mut *self.kept.get() };
        kept.push(value);
        (still, kept.len() - 1)
    }

    /// Frees what was kept at `place`, and whatever an error left behind above it.
    pub(crate) fn release(&self, place: usize) {
        // SAFETY: as above.
        unsafe { (*self.kept.get()).truncate(place) }
    }

    /// Notes that a callback of ours panicked: the run ends as an error of the engine's.
    pub(crate) fn broke(&self, message: &str) {
        self.broken.borrow_mut().get_or_insert_with(|| codemode_core::text::cut(message, 500).into_owned());
    }

    /// What a callback of ours panicked with, if one did.
    pub(crate) fn take_broken(&self) -> Option<String> {
        self.broken.borrow_mut().take()
    }

    /// Adds a warning to the outcome, if it is not there yet; at most twenty are kept.
    pub(crate) fn warn(&self, warning: impl Into<String>) {
        let (mut warnings, warning) = (self.warnings.borrow_mut(), warning.into());
        if warnings.len() < 20 && !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    /// The warnings so far.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.warnings.borrow_mut())
    }

    /// Fires the memory bound for a buffer of ours that does not fit beside what is held, garbage collected: with it more
    /// would be held than the budget.
    pub(crate) fn fire_memory(&self) {
        let least = self.guard.memory_limit().saturating_add(1);
        self.guard.fire(Bound::Memory, self.guard.held().max(least) as u64);
    }

    /// What the allocator counts.
    pub(crate) fn memory(&self) -> &MemoryMeter {
        &self.memory
    }
}

/// How much of the thread's stack the callbacks of one coroutine may nest in, in bytes: about a thousand deep.
///
/// LuaJIT walks all frames for each callback that an error passes, so that a bound would end very many late.
const CALLBACKS_BYTES: usize = 1 << 20;

/// The address at which coroutines stop: what is below it is for the depths of one callback, and of LuaJIT itself.
///
/// Coroutines that resume each other nest on the thread's stack without a limit of LuaJIT's own.
fn stack_floor(stack_bytes: usize) -> usize {
    let reserve = (stack_bytes / 4).min(4 << 20);
    here().saturating_sub(stack_bytes - reserve)
}

/// The address at which the callbacks of a coroutine stop that begins here.
fn callback_floor() -> usize {
    here().saturating_sub(CALLBACKS_BYTES)
}

/// About where the thread's stack is.
#[inline(never)]
fn here() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}
