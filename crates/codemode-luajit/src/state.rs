//! A LuaJIT state with its own allocator: made, protected, closed.

use std::ffi::c_int;
use std::sync::Arc;

use codemode_core::{Bound, Guard, OpenSpec};
use mlua::ffi;

use self::memory::allocate;
use crate::call::Lua;
use crate::guard::Switch;
use crate::sweep::Sweep;

mod context;
mod memory;
#[cfg(test)]
mod tests;

pub(crate) use self::context::{Context, ThisRun};

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
        self.context.memory().set_limited(true);
    }

    /// Memory is bounded no more: what is left to do is ours.
    pub(crate) fn unlimit_memory(&self) {
        self.context.memory().set_limited(false);
    }

    /// Where LuaJIT keeps the sum of what it allocated: behind its allocator and that one's data, in its state's own block.
    ///
    /// Null where what is found there is not what LuaJIT says its sum is.
    fn own_sum(&self) -> *mut u64 {
        let words = self.context.memory().first_bytes() / size_of::<usize>();
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
        self.context.switch().disconnect();
        self.unlimit_memory();
        if self.context.memory().has_denied() {
            // SAFETY: that is where the sum is.
            unsafe { self.context.memory().set_right_at_the_end(self.own_sum()) };
        }
        // SAFETY: nobody uses the state any more: the switch has let go of it. The context is dropped after this.
        unsafe { ffi::lua_close(self.lua) };
    }
}
