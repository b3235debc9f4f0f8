//! `xpcall`, whose handlers are skipped once the run was stopped, and the handler that notes where an error came from.

use std::ffi::c_int;

use mlua::ffi;

use crate::call::{self, Lua, context, guarded};
use crate::traceback::{self, OUR_CHUNK};

/// Makes `xpcall` of LuaJIT's own. Written in Lua, so that a coroutine can still yield through it.
const XPCALL: &str = "local xpcall, shield = ... return function(f, handler, ...) return xpcall(f, shield(handler), ...) end";

/// Replaces the global `xpcall`.
///
/// LuaJIT calls a handler with its hook off when the hook itself raised, so that a handler that never ends could not be
/// stopped.
///
/// # Safety
/// `state` is live, under protection, with room for four values.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        if ffi::luaL_loadbuffer(state, XPCALL.as_ptr().cast(), XPCALL.len(), OUR_CHUNK.as_ptr()) != 0 {
            ffi::lua_error(state);
        }
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"xpcall".as_ptr());
        ffi::lua_pushcclosure(state, shield, 0);
        ffi::lua_call(state, 2, 1);
        ffi::lua_setfield(state, ffi::LUA_GLOBALSINDEX, c"xpcall".as_ptr());
    }
}

/// Wraps a handler.
unsafe extern "C-unwind" fn shield(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine.
    unsafe {
        call::enter(state);
        ffi::lua_settop(state, 1);
        if ffi::lua_type(state, 1) == ffi::LUA_TFUNCTION {
            ffi::lua_pushcclosure(state, shielded, 1);
        }
        1
    }
}

/// Calls the handler that is the upvalue, unless the run was stopped: then the error goes on as it is.
unsafe extern "C-unwind" fn shielded(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        if context(state).guard().stopped() {
            return 1;
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, ffi::lua_gettop(state) - 1, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

/// The handler around the whole program: notes the traceback, and gives the error on as it is.
pub(crate) unsafe extern "C-unwind" fn note(state: Lua) -> c_int {
    // SAFETY: as above; nothing here raises, and what is owned stays in the context.
    unsafe {
        let context = context(state);
        if !context.guard().stopped() {
            let identity = ffi::lua_topointer(state, 1).addr();
            let _ = guarded(context, || {
                let (lines, line) = traceback::lines(state, 1);
                let mut trace = context.trace().borrow_mut();
                trace.inside = trace.inside.take().filter(|(of, _)| *of == identity && identity != 0);
                (trace.lines, trace.line) = (lines, line);
            });
        }
        1
    }
}
