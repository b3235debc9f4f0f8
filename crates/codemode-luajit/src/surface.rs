//! What a program sees beside Lua's own libraries: `tool`, the host's table, `print`, `args` and `cwd`.

use std::ffi::{CStr, c_int};
use std::sync::Arc;

use codemode_core::{Authority, Json, Stopped};
use mlua::ffi;

use crate::call::{self, Lua, Reply, bytes_at, enter, guarded, push_bytes, raise_stop, type_name};
use crate::state::Context;
use crate::tools::{self, Told};
use crate::{convert, discover, print, raw};

/// The word for this engine that a program reads in `host.runtime`.
const RUNTIME: &str = "luajit";

/// Makes the globals.
///
/// # Safety
/// `state` is live, under protection, and no program ran in it.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise; nothing of Rust's is owned while LuaJIT may raise.
    unsafe {
        let context = call::context(state);
        let profile = &context.spec().profile;
        call::check_stack(state, 20);
        tools::push(state);
        set_global(state, b"tool");
        call::register(state, ffi::LUA_GLOBALSINDEX, c"print", print::print);
        ffi::lua_createtable(state, 0, 0);
        set_global(state, b"args");
        ffi::lua_createtable(state, 0, 16);
        let table = ffi::lua_gettop(state);
        call::register(state, table, c"call", call_by_name);
        call::register(state, table, c"tools", list);
        call::register(state, table, c"search", discover::search);
        call::register(state, table, c"describe", discover::describe);
        call::register(state, table, c"open", discover::open);
        convert::install(state, table);
        if profile.authority == Authority::Local {
            call::register(state, table, c"read_file", raw::read_file);
            call::register(state, table, c"write_file", raw::write_file);
        }
        set_text(state, table, c"runtime", RUNTIME);
        set_text(state, table, c"version", &profile.host_version);
        set_global(state, profile.namespace.as_bytes());
    }
}

/// Tells a program its working directory.
///
/// # Safety
/// As [`install`].
pub(crate) unsafe fn set_cwd(state: Lua, cwd: &str) {
    // SAFETY: the caller's promise.
    unsafe {
        push_bytes(state, cwd.as_bytes());
        set_global(state, b"cwd");
    }
}

/// Takes the value on top as a global. The name may hold any byte.
///
/// # Safety
/// As [`install`].
unsafe fn set_global(state: Lua, name: &[u8]) {
    // SAFETY: the caller's promise.
    unsafe {
        push_bytes(state, name);
        ffi::lua_insert(state, -2);
        ffi::lua_rawset(state, ffi::LUA_GLOBALSINDEX);
    }
}

/// # Safety
/// As [`install`].
unsafe fn set_text(state: Lua, table: c_int, name: &CStr, text: &str) {
    // SAFETY: the caller's promise.
    unsafe {
        push_bytes(state, text.as_bytes());
        ffi::lua_setfield(state, table, name.as_ptr());
    }
}

/// `host.call(name, args)`: a table of `ok`, `content` and `status`; raises nothing but the end of the run.
unsafe extern "C-unwind" fn call_by_name(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; what is owned is kept in the context before anything raises.
    unsafe {
        let context = enter(state);
        let told = match by_name_arguments(state, context) {
            Ok((name, arguments)) => guarded(context, || tools::tell(context, name, arguments)),
            Err(Reply::Raise(message)) => Ok(Ok(Told::denied(message))),
            Err(reply) => Err(reply),
        };
        match told {
            Ok(Ok(told)) => push_told(state, context, told),
            Ok(Err(Stopped)) => raise_stop(state),
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// # Safety
/// As [`convert::arguments`].
unsafe fn by_name_arguments<'a>(state: Lua, context: &Context) -> Result<(&'a [u8], Json), Reply> {
    // SAFETY: the caller's promise; the name stays on the stack.
    unsafe {
        let namespace = &context.spec().profile.namespace;
        let Some(name) = bytes_at(state, 1) else {
            let kind = type_name(state, 1);
            return Err(Reply::Raise(format!("{namespace}.call takes the tool's name and a table of arguments; given {kind} as the name")));
        };
        let arguments = match ffi::lua_type(state, 2) {
            ffi::LUA_TNONE | ffi::LUA_TNIL => Json::empty_object(),
            ffi::LUA_TTABLE => convert::arguments(state, context, 2)?,
            _ => {
                let kind = type_name(state, 2);
                return Err(Reply::Raise(format!("{namespace}.call takes a table of named arguments after the name; given a {kind}")));
            }
        };
        Ok((name, arguments))
    }
}

/// # Safety
/// As [`call::reply`].
unsafe fn push_told(state: Lua, context: &Context, told: Told) -> c_int {
    let (kept, place) = context.keep(told);
    // SAFETY: what is kept stands until it is released; no frame here owns anything.
    unsafe {
        ffi::lua_settop(state, 0);
        ffi::lua_createtable(state, 0, 3);
        ffi::lua_pushboolean(state, c_int::from((*kept).ok));
        ffi::lua_setfield(state, -2, c"ok".as_ptr());
        call::push(state, &(*kept).content);
        ffi::lua_setfield(state, -2, c"content".as_ptr());
        push_bytes(state, (*kept).status.as_bytes());
        ffi::lua_setfield(state, -2, c"status".as_ptr());
        context.release(place);
        1
    }
}

/// `host.tools()`: the names of the tools, sorted.
unsafe extern "C-unwind" fn list(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        let context = enter(state);
        let names: Vec<Arc<str>> = match guarded(context, || context.handle().ok_or(Stopped).and_then(codemode_core::Handle::names)) {
            Ok(Ok(names)) => names,
            Ok(Err(Stopped)) => raise_stop(state),
            Err(reply) => return call::finish(state, context, reply),
        };
        let (kept, place) = context.keep(names);
        let names = &*kept;
        ffi::lua_settop(state, 0);
        ffi::lua_createtable(state, c_int::try_from(names.len()).unwrap_or(0), 0);
        for (number, name) in (1..).zip(names) {
            push_bytes(state, name.as_bytes());
            ffi::lua_rawseti_(state, -2, number);
        }
        context.release(place);
        1
    }
}
