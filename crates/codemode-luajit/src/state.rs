//! A LuaJIT state with its own allocator, and the context that every callback finds.

use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

use codemode_core::{Bound, Guard, Handle, Memory, OpenSpec};
use mlua::ffi;

use crate::call::Lua;
use crate::convert::Converter;
use crate::guard::Switch;
#[cfg(unix)]
use crate::local::Local;
use crate::local::Sameness;
use crate::sweep::Sweep;
use crate::traceback::Trace;

/// What an interpreter shares with its callbacks. It stands still in memory: the allocator's user data points to it.
pub(crate) struct Context {
    guard: Arc<Guard>,
    switch: Arc<Switch>,
    spec: OpenSpec,
    memory: MemoryMeter,
    /// Below this address of the thread's stack no callback goes on.
    stack_floor: usize,
    run: UnsafeCell<Option<ThisRun>>,
    anchors: Anchors,
    trace: RefCell<Trace>,
    kept: UnsafeCell<Vec<Box<dyn Any>>>,
    broken: RefCell<Option<String>>,
    warnings: RefCell<Vec<String>>,
    converter: Converter,
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

/// What the allocator counts.
struct MemoryMeter {
    used: Cell<usize>,
    /// Off until the libraries are open: they are no doing of the program's.
    limited: Cell<bool>,
    /// The soft limit was passed, and the hook has not looked yet.
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
    fn new(sweep: Option<Sweep>) -> Self {
        Self {
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

    /// Counts a block more, or one less.
    ///
    /// LuaJIT's own sum is off after a denial: what it was about to make is freed as smaller than it was allocated. A build
    /// with its assertions on would end the process for that, right after the last block but its state is freed; so the
    /// sum is set right then.
    fn count_block(&self, more: bool, bytes: usize) {
        let blocks = if more { self.blocks.get() + 1 } else { self.blocks.get() - 1 };
        self.blocks.set(blocks);
        if more && blocks == 1 {
            self.first_bytes.set(bytes);
        }
        let sum = self.own_sum.get();
        if !more && blocks == 1 && !sum.is_null() {
            // SAFETY: it lies in the one block that is left, and LuaJIT, which called, is not looking.
            unsafe { *sum = self.first_bytes.get() as u64 };
        }
    }
}

/// Where denying allocations is swept by tests, so that it is on: elsewhere the soft limit stands alone.
pub(crate) const DENIES: bool = cfg!(all(target_arch = "x86_64", target_os = "linux"));

impl Context {
    fn new(guard: &Arc<Guard>, switch: &Arc<Switch>, spec: &OpenSpec, sweep: Option<Sweep>) -> Self {
        Self {
            guard: Arc::clone(guard),
            switch: Arc::clone(switch),
            spec: spec.clone(),
            memory: MemoryMeter::new(sweep),
            stack_floor: stack_floor(spec.stack_bytes),
            run: UnsafeCell::new(None),
            anchors: Anchors::default(),
            trace: RefCell::default(),
            kept: UnsafeCell::default(),
            broken: RefCell::default(),
            warnings: RefCell::default(),
            converter: Converter::new(guard),
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

    /// Whether the thread's stack is used up so far that nothing of the program's may be called from Rust any more.
    pub(crate) fn stack_is_used_up(&self) -> bool {
        let here = 0_u8;
        (&raw const here).addr() < self.stack_floor
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

    /// Bytes that LuaJIT holds.
    pub(crate) fn used(&self) -> usize {
        self.memory.used.get()
    }

    /// Whether the soft limit was passed since this was last asked.
    pub(crate) fn take_above(&self) -> bool {
        self.memory.above.take()
    }

    /// The memory that LuaJIT is never given: the budget, and as much again for garbage that a single instruction makes
    /// before the hook can collect.
    fn hard_limit(&self) -> usize {
        if DENIES && self.memory.limited.get() { self.guard.memory_limit().saturating_mul(2) } else { usize::MAX }
    }

    /// Whether an allocation that takes LuaJIT to `total` bytes is denied.
    fn denies(&self, total: usize) -> bool {
        self.memory.sweep.as_ref().is_some_and(Sweep::denies_next) || total > self.hard_limit()
    }

    /// Counts `total` bytes, and has the hook collect where they pass the budget.
    fn count(&self, total: usize) {
        self.memory.used.set(total);
        if self.guard.tick(total) == Memory::Above && self.memory.limited.get() && !self.memory.above.replace(true) {
            self.switch.arm();
        }
    }
}

/// The address at which callbacks stop: what is below it is for the depths of one callback, and of LuaJIT itself.
///
/// Coroutines that resume each other, and functions of LuaJIT's that call back, nest on the thread's stack without a limit
/// of LuaJIT's own.
fn stack_floor(stack_bytes: usize) -> usize {
    let here = 0_u8;
    let reserve = (stack_bytes / 4).min(4 << 20);
    (&raw const here).addr().saturating_sub(stack_bytes - reserve)
}

/// LuaJIT's allocator: the C library's, counted and bounded. It never unwinds.
///
/// # Safety
/// Called by LuaJIT alone, with the context as `data`.
unsafe extern "C" fn allocate(data: *mut c_void, block: *mut c_void, old: usize, new: usize) -> *mut c_void {
    // SAFETY: `data` is the context, which outlives the state; `block` came from here.
    unsafe {
        let context = &*data.cast::<Context>();
        let old = if block.is_null() { 0 } else { old };
        let total = context.used().saturating_sub(old).saturating_add(new);
        if new == 0 {
            if !block.is_null() {
                context.memory.count_block(false, 0);
            }
            context.sameness.numbering.free(block);
            context.count(total);
            return std::ptr::null_mut();
        }
        // A shrinking block is never denied: LuaJIT relies on that.
        let moved = if new > old && context.denies(total) { std::ptr::null_mut() } else { context.sameness.numbering.realloc(block, new) };
        if moved.is_null() {
            // LuaJIT's own error for this can be caught, and sizes are not to be trusted after it: the run ends here.
            context.memory.denied.set(true);
            context.guard.fire(Bound::Memory, total as u64);
            context.switch.arm();
            return std::ptr::null_mut();
        }
        if block.is_null() {
            context.memory.count_block(true, new);
        }
        context.count(total);
        moved
    }
}

/// An error left every protected call, which is a fault of ours. LuaJIT would end the process when this returned, so that
/// the thread stays here, and is left behind and counted as one that cannot be stopped.
unsafe extern "C-unwind" fn escaped(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine.
    unsafe { crate::call::context(state) }.guard().fire(Bound::Interrupted, 0);
    tracing::error!("an error left every protected call of a LuaJIT state; its thread is given up");
    loop {
        std::thread::park();
    }
}

/// A LuaJIT state and its context; closes it when dropped.
pub(crate) struct State {
    lua: Lua,
    context: Box<Context>,
}

/// What is asked of LuaJIT under protection.
struct Protected<'a> {
    work: &'a mut dyn FnMut(Lua),
}

impl State {
    /// Makes a state without libraries on the thread that will use it; nothing where there is no memory.
    pub(crate) fn new(guard: &Arc<Guard>, switch: &Arc<Switch>, spec: &OpenSpec, sweep: Option<Sweep>) -> Option<Self> {
        let context = Box::new(Context::new(guard, switch, spec, sweep));
        // SAFETY: the allocator keeps its contract, and the box stands still until after `lua_close`.
        let lua = unsafe { ffi::lua_newstate(allocate, (&raw const *context).cast_mut().cast()) };
        if lua.is_null() {
            return None;
        }
        // SAFETY: the state is live.
        unsafe { ffi::lua_atpanic(lua, escaped) };
        switch.connect(lua);
        Some(Self { lua, context })
    }

    /// The context.
    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    /// From now on memory is bounded.
    pub(crate) fn limit_memory(&self) {
        self.context.memory.limited.set(true);
        self.context.count(self.context.used());
    }

    /// Memory is bounded no more: what is left to do is ours.
    pub(crate) fn unlimit_memory(&self) {
        self.context.memory.limited.set(false);
    }

    /// Where LuaJIT keeps the sum of what it allocated: behind its allocator and that one's data, in its state's own block.
    ///
    /// Null where what is found there is not what LuaJIT says its sum is.
    fn own_sum(&self) -> *mut u64 {
        let words = self.context.memory.first_bytes.get() / size_of::<usize>();
        let data = (&raw const *self.context).addr();
        // SAFETY: the block begins with the main coroutine, and is that long; any word of it may be read.
        unsafe {
            let kilobytes = u64::from(ffi::lua_gc(self.lua, ffi::LUA_GCCOUNT, 0).unsigned_abs());
            let sum = (kilobytes << 10) + u64::from(ffi::lua_gc(self.lua, ffi::LUA_GCCOUNTB, 0).unsigned_abs());
            let block = self.lua.cast::<usize>();
            (2..words.min(256))
                .find(|at| *block.add(at - 2) == allocate as *const () as usize && *block.add(at - 1) == data)
                .map(|at| block.add(at).cast::<u64>())
                .filter(|found| **found == sum)
                .unwrap_or(std::ptr::null_mut())
        }
    }

    /// Does something with the main coroutine under protection.
    ///
    /// `work` may call what raises, and owns nothing of Rust's whose drop is required while it does.
    ///
    /// # Errors
    /// When something raised that `work` did not catch: its status. The error itself is gone.
    pub(crate) fn protect(&self, work: &mut dyn FnMut(Lua)) -> Result<(), c_int> {
        unsafe extern "C-unwind" fn body(state: Lua) -> c_int {
            // SAFETY: the one argument is what `protect` passed, which is alive for as long as this call.
            unsafe {
                let protected = &mut *ffi::lua_touserdata(state, 1).cast::<Protected<'_>>();
                ffi::lua_settop(state, 0);
                (protected.work)(state);
            }
            0
        }
        let mut protected = Protected { work };
        // SAFETY: the state is live, and errors end here.
        let status = unsafe { ffi::lua_cpcall(self.lua, body, (&raw mut protected).cast()) };
        // SAFETY: the state is live; an error left its value on the stack.
        unsafe { ffi::lua_settop(self.lua, 0) };
        if status == 0 { Ok(()) } else { Err(status) }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        self.context.switch.disconnect();
        self.unlimit_memory();
        if self.context.memory.denied.get() {
            self.context.memory.own_sum.set(self.own_sum());
        }
        // SAFETY: nobody uses the state any more: the switch has let go of it. The context is dropped after this.
        unsafe { ffi::lua_close(self.lua) };
    }
}
