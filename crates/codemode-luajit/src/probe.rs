//! Whether the compiler may be on: compiled traces look at the hook in the LuaJIT that is linked, and the process may make code.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use mlua::ffi;

use crate::call::Lua;

/// The turn of the loop in which the hook is set: long after a loop is compiled.
const SET_AT: u64 = 2_000;

/// Sets the hook from inside a compiled loop, by an allocation, and tells whether the loop was compiled, and the turn in
/// which the hook saw it. The collector is off: a step of it would leave the loop, and the interpreter would see the hook.
const PROGRAM: &str = "
    collectgarbage('stop')
    local traceinfo = require('jit.util').traceinfo
    local kept, seen = {}, nil
    local ok, at = pcall(function()
        for turn = 1, 6000 do kept.value, kept.turn = { turn }, turn end
    end)
    return traceinfo(1) ~= nil and not ok and kept.turn < 3000";

/// What the probe's allocator counts, and the state in which it sets the hook.
struct Probe {
    state: Cell<Lua>,
    in_loop: Cell<bool>,
    allocations: Cell<u64>,
}

/// Whether the compiler may be on. Found out once a process, in less than a millisecond.
pub(crate) fn may_compile() -> bool {
    static RESULT: OnceLock<bool> = OnceLock::new();
    *RESULT.get_or_init(|| memory_becomes_executable() && traces_check_hooks())
}

/// Only on Unix is a process known that may not make code.
#[cfg(not(unix))]
fn memory_becomes_executable() -> bool {
    true
}

/// Whether this process may make code. Where a sandbox forbids it, LuaJIT's compiler would end the process at its first trace.
#[cfg(unix)]
fn memory_becomes_executable() -> bool {
    const BYTES: usize = 4096;
    let (read, write, execute) = (libc::PROT_READ, libc::PROT_WRITE, libc::PROT_EXEC);
    // SAFETY: the mapping is new, at an address of the system's choice, and nothing else knows of it.
    unsafe {
        let page = libc::mmap(std::ptr::null_mut(), BYTES, read | write, libc::MAP_PRIVATE | libc::MAP_ANON, -1, 0);
        if page == libc::MAP_FAILED {
            return false;
        }
        // The two steps of LuaJIT's own.
        let becomes = libc::mprotect(page, BYTES, read | execute) == 0;
        libc::munmap(page, BYTES);
        becomes
    }
}

fn traces_check_hooks() -> bool {
    let result = probe();
    if !result {
        tracing::warn!(
            "compiled traces of this LuaJIT do not look at the hook, so that its compiler stays off; \
                 build with CFLAGS=-DLUAJIT_ENABLE_CHECKHOOK to have it on"
        );
    }
    result
}

fn probe() -> bool {
    let probe = Box::new(Probe { state: Cell::new(std::ptr::null_mut()), in_loop: Cell::new(false), allocations: Cell::new(0) });
    // SAFETY: the allocator keeps its contract, and the box outlives the state. What raises is under protection.
    unsafe {
        let state = ffi::lua_newstate(allocate, (&raw const *probe).cast_mut().cast());
        if state.is_null() {
            return false;
        }
        probe.state.set(state);
        let mut result = false;
        let status = ffi::lua_cpcall(state, body, (&raw mut result).cast());
        ffi::lua_close(state);
        status == 0 && result
    }
}

unsafe extern "C-unwind" fn body(state: Lua) -> c_int {
    // SAFETY: the one argument is where the result goes.
    unsafe {
        let result = ffi::lua_touserdata(state, 1).cast::<bool>();
        ffi::luaL_openlibs(state);
        let mut probe = std::ptr::null_mut();
        ffi::lua_getallocf(state, &raw mut probe);
        if ffi::luaL_loadbuffer(state, PROGRAM.as_ptr().cast(), PROGRAM.len(), c"=probe".as_ptr()) != 0 {
            return 0;
        }
        (*probe.cast::<Probe>()).in_loop.set(true);
        ffi::lua_call(state, 0, 1);
        *result = ffi::lua_toboolean(state, -1) != 0;
    }
    0
}

/// # Safety
/// Called by LuaJIT alone, with the probe as `data`.
unsafe extern "C" fn allocate(data: *mut c_void, block: *mut c_void, _: usize, new: usize) -> *mut c_void {
    // SAFETY: `data` is the probe; `block` came from here.
    unsafe {
        if new == 0 {
            libc::free(block);
            return std::ptr::null_mut();
        }
        let probe = &*data.cast::<Probe>();
        if probe.in_loop.get() {
            probe.allocations.set(probe.allocations.get() + 1);
            if probe.allocations.get() == SET_AT {
                ffi::lua_sethook(probe.state.get(), Some(hook), ffi::LUA_MASKCOUNT, 1);
            }
        }
        libc::realloc(block, new)
    }
}

unsafe extern "C-unwind" fn hook(state: Lua, _: *mut ffi::lua_Debug) {
    // SAFETY: LuaJIT calls it with a live coroutine.
    unsafe {
        ffi::lua_sethook(state, None, 0, 0);
        ffi::lua_pushboolean(state, 1);
        ffi::lua_error(state)
    }
}

#[cfg(test)]
mod tests {
    /// `cargo xtask ci` runs this once with the flag and once without.
    #[test]
    fn the_probe_tells_whether_luajit_was_built_with_the_flag() {
        let flagged = option_env!("CFLAGS").is_some_and(|flags| flags.contains("-DLUAJIT_ENABLE_CHECKHOOK"));
        assert_eq!(super::probe(), flagged);
    }
}
