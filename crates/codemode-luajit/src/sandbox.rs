//! The libraries that a program gets, and what of them is taken away or replaced.

use std::ffi::{CStr, c_int};

use codemode_core::Authority;
use mlua::ffi;

use crate::call::{self, Lua, Reply, bytes_at, context, enter, push_bytes};
use crate::{coroutine, debug, errors, load, not_run, sort, strings, surface, tables};

unsafe extern "C-unwind" {
    /// LuaJIT's: turns its compiler off.
    fn luaJIT_setmode(state: Lua, index: c_int, mode: c_int) -> c_int;
}

/// The whole engine, off.
const ENGINE_OFF: c_int = 0;

/// Opens the libraries, takes away what would break the sandbox, and puts the surface in.
///
/// # Safety
/// `state` is live, under protection, and no program ran in it.
pub(crate) unsafe fn open(state: Lua, jit: bool) {
    // SAFETY: the caller's promise; nothing of Rust's is owned while LuaJIT may raise.
    unsafe {
        let context = context(state);
        call::check_stack(state, 20);
        // Interned once, so that raising it never allocates.
        ffi::lua_pushlightuserdata(state, call::stop_value());
        open_libraries(state);
        if !jit {
            luaJIT_setmode(state, 0, ENGINE_OFF);
        }
        ffi::lua_settop(state, 0);
        strings::install(state);
        tables::install(state);
        not_run::install(state);
        replace(state, jit);
        if context.spec().deterministic {
            crate::local::make_deterministic(state);
        }
        if context.spec().profile.authority == Authority::Local {
            call::register(state, ffi::LUA_GLOBALSINDEX, c"loadfile", load::loadfile);
            call::register(state, ffi::LUA_GLOBALSINDEX, c"dofile", load::dofile);
            #[cfg(unix)]
            crate::local::install(state);
        }
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"tostring".as_ptr());
        context.anchors().tostring.set(ffi::luaL_ref(state, ffi::LUA_REGISTRYINDEX));
        surface::install(state);
        ffi::lua_settop(state, 0);
    }
}

/// # Safety
/// As [`open`].
unsafe fn open_libraries(state: Lua) {
    let libraries: [(&CStr, ffi::lua_CFunction); 6] = [
        (c"", ffi::luaopen_base),
        (c"table", ffi::luaopen_table),
        (c"string", ffi::luaopen_string),
        (c"math", ffi::luaopen_math),
        (c"bit", ffi::luaopen_bit),
        (c"jit", ffi::luaopen_jit),
    ];
    for (name, opener) in libraries {
        // SAFETY: the caller's promise.
        unsafe {
            ffi::lua_pushcclosure(state, opener, 0);
            ffi::lua_pushstring_(state, name.as_ptr());
            ffi::lua_call(state, 1, 0);
        }
    }
}

/// Globals that are taken away: each is a way past a bound, or out of the sandbox.
const TAKEN_AWAY: [&CStr; 4] = [c"newproxy", c"gcinfo", c"loadfile", c"dofile"];

/// # Safety
/// As [`open`], with the libraries open.
unsafe fn replace(state: Lua, jit: bool) {
    let globals = ffi::LUA_GLOBALSINDEX;
    // SAFETY: the caller's promise.
    unsafe {
        for name in TAKEN_AWAY {
            ffi::lua_pushnil(state);
            ffi::lua_setfield(state, globals, name.as_ptr());
        }
        call::register(state, globals, c"load", load::load);
        call::register(state, globals, c"loadstring", load::load);
        call::register(state, globals, c"collectgarbage", collectgarbage);
        errors::install(state);
        debug::install(state);

        ffi::lua_getfield_(state, globals, c"coroutine".as_ptr());
        coroutine::install(state);
        ffi::lua_getfield_(state, globals, c"table".as_ptr());
        call::register(state, -1, c"sort", sort::sort);
        ffi::lua_getfield_(state, globals, c"string".as_ptr());
        ffi::lua_pushnil(state);
        ffi::lua_setfield(state, -2, c"dump".as_ptr());
        ffi::lua_settop(state, 0);

        lock_strings(state);
        plain_jit(state, jit);
    }
}

/// No program gets at the metatable of strings.
///
/// # Safety
/// As [`replace`].
unsafe fn lock_strings(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        push_bytes(state, b"");
        if ffi::lua_getmetatable(state, -1) != 0 {
            ffi::lua_pushboolean(state, 0);
            ffi::lua_setfield(state, -2, c"__metatable".as_ptr());
        }
        ffi::lua_settop(state, 0);
    }
}

/// Of `jit` there is what tells something: the functions would turn the compiler on where it cannot be stopped, or run
/// the program's code where no hook runs.
///
/// # Safety
/// As [`replace`].
unsafe fn plain_jit(state: Lua, jit: bool) {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"jit".as_ptr());
        ffi::lua_createtable(state, 0, 6);
        for name in [c"version", c"version_num", c"os", c"arch"] {
            ffi::lua_getfield_(state, 1, name.as_ptr());
            ffi::lua_setfield(state, 2, name.as_ptr());
        }
        ffi::lua_pushboolean(state, c_int::from(jit));
        ffi::lua_pushcclosure(state, jit_status, 1);
        ffi::lua_setfield(state, 2, c"status".as_ptr());
        ffi::lua_setfield(state, ffi::LUA_GLOBALSINDEX, c"jit".as_ptr());
        ffi::lua_settop(state, 0);
    }
}

/// `jit.status()`: whether the compiler is on.
unsafe extern "C-unwind" fn jit_status(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine.
    unsafe {
        enter(state);
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
    }
    1
}

/// `collectgarbage(what?, amount?)`: collect, step and count; what would keep garbage from being collected is refused.
unsafe extern "C-unwind" fn collectgarbage(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; nothing of Rust's is owned.
    unsafe {
        let context = enter(state);
        let amount = ffi::luaL_optinteger(state, 2, 0);
        match if ffi::lua_type(state, 1) <= ffi::LUA_TNIL { Some(&b"collect"[..]) } else { bytes_at(state, 1) } {
            Some(b"collect") => {
                ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0);
                ffi::lua_pushinteger(state, 0);
            }
            Some(b"count") => {
                let kilobytes = f64::from(ffi::lua_gc(state, ffi::LUA_GCCOUNT, 0));
                ffi::lua_pushnumber(state, kilobytes + f64::from(ffi::lua_gc(state, ffi::LUA_GCCOUNTB, 0)) / 1024.0);
            }
            Some(b"step") => {
                let amount = c_int::try_from(amount.clamp(0, 1 << 20)).unwrap_or(0);
                let done = ffi::lua_gc(state, ffi::LUA_GCSTEP, amount);
                ffi::lua_pushboolean(state, done);
            }
            _ => {
                let message = "collectgarbage takes \"collect\", \"count\" or \"step\"; the host sets the collector".to_owned();
                return call::finish(state, context, Reply::Raise(message));
            }
        }
        1
    }
}
