//! The hook that stops a program, and the switch by which the watchdog and the allocator turn it on.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use codemode_core::{Bound, Interrupt};
use mlua::ffi;

use crate::call::{self, Lua};
use crate::state::Context;

/// How long after a hook turned itself off the watchdog leaves it alone: LuaJIT is on its way out of it.
const SETTLE: Duration = Duration::from_micros(200);

/// Turns the hook on from any thread. LuaJIT's hook is one for all coroutines, and off while nothing is to be looked at: with
/// it off the interpreter runs at its full speed, and turned on it is seen at the next instruction, or, in compiled code that
/// checks hooks, at the next turn of a loop.
///
/// LuaJIT writes its hook mask without atomics, so that the watchdog touches it as rarely as can be: not while the hook
/// is on by the interpreter's own doing, and not within moments of its turning itself off. A hook that runs at intervals
/// would be in its way.
pub(crate) struct Switch {
    state: Mutex<Wiring>,
    /// The interpreter's own thread has turned the hook on, and it will look at the guard by itself.
    on: AtomicBool,
}

struct Wiring {
    lua: Option<Connected>,
    turned_off: Option<Instant>,
}

/// The state that the hook is set in.
struct Connected(Lua);

// SAFETY: it is used under the mutex alone, for `lua_sethook`, which LuaJIT allows from elsewhere, and taken out before the state is closed.
unsafe impl Send for Connected {}

impl Switch {
    pub(crate) fn new() -> Self {
        Self { state: Mutex::new(Wiring { lua: None, turned_off: None }), on: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, Wiring> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new state is behind the switch.
    pub(crate) fn connect(&self, lua: Lua) {
        let mut wiring = self.lock();
        *wiring = Wiring { lua: Some(Connected(lua)), turned_off: None };
        self.on.store(false, Ordering::SeqCst);
    }

    /// The state is about to be closed.
    pub(crate) fn disconnect(&self) {
        self.lock().lua = None;
    }

    /// From the interpreter's own thread: the hook runs at the next instruction, and at each one until it is turned off.
    pub(crate) fn arm(&self) {
        let wiring = self.lock();
        self.on.store(true, Ordering::SeqCst);
        set_hook(&wiring, 1);
    }

    /// From the hook itself: nothing is to be looked at.
    fn rest(&self) {
        let mut wiring = self.lock();
        set_hook(&wiring, 0);
        wiring.turned_off = Some(Instant::now());
        self.on.store(false, Ordering::SeqCst);
    }
}

impl Interrupt for Switch {
    fn interrupt(&self) {
        let wiring = self.lock();
        let settling = wiring.turned_off.is_some_and(|at| at.elapsed() < SETTLE);
        if self.on.load(Ordering::SeqCst) || settling {
            return;
        }
        // Turned off first: LuaJIT rewrites its whole dispatch table only where the mode changes, and an earlier attempt
        // may have been lost to a change of its own.
        set_hook(&wiring, 0);
        set_hook(&wiring, 1);
    }
}

/// Sets the hook to run each `count` instructions; zero turns it off.
fn set_hook(wiring: &Wiring, count: c_int) {
    let Some(Connected(lua)) = wiring.lua else { return };
    let mask = if count == 0 { 0 } else { ffi::LUA_MASKCOUNT };
    // SAFETY: the state is live for as long as it is in the wiring.
    unsafe { ffi::lua_sethook(lua, (count != 0).then_some(hook), mask, count) };
}

/// The hook: sticky once a bound has fired, a collector where the soft memory limit was passed, off otherwise.
unsafe extern "C-unwind" fn hook(state: Lua, _: *mut ffi::lua_Debug) {
    // SAFETY: LuaJIT calls it with a live coroutine; nothing is owned here when something raises.
    unsafe {
        let context = call::context(state);
        if !context.guard().stopped() && context.memory().take_above() {
            collect(state, context);
        }
        if context.guard().stopped() {
            context.switch().arm();
            call::raise_stop(state);
        }
        context.switch().rest();
    }
}

/// Collects until what is held fits the budget, or collecting more frees nothing: then the program holds too much.
///
/// Each full collection halves LuaJIT's own string buffer, so that one alone may not be enough.
///
/// # Safety
/// `state` is live; the caller owns nothing.
unsafe fn collect(state: Lua, context: &Context) {
    let limit = context.guard().memory_limit();
    for _ in 0..8 {
        let before = context.guard().held();
        // SAFETY: the caller's promise.
        unsafe { ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0) };
        // The collection itself may have passed the limit again on its way.
        let _ = context.memory().take_above();
        let held = context.guard().held();
        if held <= limit {
            return;
        }
        if before.saturating_sub(held) < limit / 64 {
            break;
        }
    }
    context.guard().fire(Bound::Memory, context.guard().held() as u64);
}
