//! The table `io`: as LuaJIT's, but that the host's own input and output are never touched.

use std::ffi::{CStr, c_int};

use mlua::ffi;

use super::command::Held;
use super::disk::{Disk, Mode};
use super::files::{self, Files};
use super::methods;
use super::object::{self, DEFAULT_INPUT, DEFAULT_OUTPUT, Object, attempt, push_new};
use super::reading;
use super::stream::Stream;
use super::trouble::Trouble;
use crate::call::{self, Lua, Reply, enter, push_bytes, text_argument};
use crate::state::Context;

/// The functions, by name.
const FUNCTIONS: [(&CStr, ffi::lua_CFunction); 11] = [
    (c"close", close),
    (c"flush", flush),
    (c"input", input),
    (c"lines", lines),
    (c"open", open),
    (c"output", output),
    (c"popen", popen),
    (c"read", read),
    (c"tmpfile", tmpfile),
    (c"type", io_type),
    (c"write", write),
];

/// Makes the global `io`.
///
/// # Safety
/// `state` is live, under protection, with fifteen free slots, and no program ran in it.
pub(super) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        let context = call::context(state);
        ffi::lua_createtable(state, 0, 7);
        for (name, method) in methods::METHODS {
            call::register(state, -1, name, method);
        }
        object::install(state, &methods::METAMETHODS);
        ffi::lua_createtable(state, 0, 14);
        for (name, function) in FUNCTIONS {
            call::register(state, -1, name, function);
        }
        for (name, slot) in [(c"stdin", files::INPUT), (c"stdout", files::OUTPUT), (c"stderr", files::COMPLAINTS)] {
            (*push_new(state, context)).slot = slot;
            match slot {
                files::INPUT => object::set_default(state, DEFAULT_INPUT),
                files::OUTPUT => object::set_default(state, DEFAULT_OUTPUT),
                _ => {}
            }
            ffi::lua_setfield(state, -2, name.as_ptr());
        }
        ffi::lua_setfield(state, ffi::LUA_GLOBALSINDEX, c"io".as_ptr());
    }
}

/// Pushes an object and opens it by `start`; the object stays closed where that fails.
///
/// # Safety
/// As [`call::reply`].
unsafe fn push_opened(
    state: Lua,
    context: &Context,
    name: Option<&[u8]>,
    mut start: impl FnMut(&mut Files, &super::env::Env<'_>) -> Result<Stream, Trouble>,
) -> Result<*mut Object, Reply> {
    // SAFETY: the caller's promise.
    unsafe {
        let object = push_new(state, context);
        let slot = attempt(state, context, name, |files, _, env| {
            files.look(env)?;
            if files.is_full() {
                return Err(Trouble::System(libc::EMFILE));
            }
            let stream = start(files, env)?;
            Ok(files.add(stream))
        })?;
        (*object).slot = slot;
        Ok(object)
    }
}

/// Pushes a file that is opened by its path.
///
/// # Safety
/// As [`call::reply`]; the path stays where it is.
unsafe fn push_file(state: Lua, context: &Context, path: &[u8], mode: &[u8]) -> Result<*mut Object, Reply> {
    // SAFETY: the caller's promise.
    unsafe {
        push_opened(state, context, Some(path), |_, env| {
            let mode = Mode::parse(mode).ok_or(Trouble::System(libc::EINVAL))?;
            if mode.writes() {
                env.raw_effect();
            }
            Disk::open(env, &env.path(path), mode).map(Stream::Disk)
        })
    }
}

/// The optional mode at index 2.
///
/// # Safety
/// `state` is live, and the caller owns nothing.
unsafe fn mode_argument<'a>(state: Lua) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { if ffi::lua_type(state, 2) <= ffi::LUA_TNIL { b"r" } else { text_argument(state, 2) } }
}

/// `io.open(path, mode?)`.
unsafe extern "C-unwind" fn open(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; its arguments stay on the stack.
    unsafe {
        let context = enter(state);
        let (path, mode) = (text_argument(state, 1), mode_argument(state));
        match push_file(state, context, path, mode) {
            Ok(_) => 1,
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// `io.popen(command, mode?)`.
unsafe extern "C-unwind" fn popen(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        let context = enter(state);
        let (text, mode) = (text_argument(state, 1), mode_argument(state));
        let opened = push_opened(state, context, Some(text), |files, env| {
            let held = pipe_mode(mode).ok_or(Trouble::System(libc::EINVAL))?;
            env.raw_effect();
            files.flush_all(env);
            Stream::piped(env, text, held)
        });
        match opened {
            Ok(_) => 1,
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// Reads the mode of a pipe as glibc does: one of the directions, and perhaps an `e`.
fn pipe_mode(mode: &[u8]) -> Option<Held> {
    if !mode.iter().all(|letter| matches!(letter, b'r' | b'w' | b'e')) {
        return None;
    }
    match (mode.contains(&b'r'), mode.contains(&b'w')) {
        (true, false) => Some(Held::Output),
        (false, true) => Some(Held::Input),
        _ => None,
    }
}

/// `io.tmpfile()`.
unsafe extern "C-unwind" fn tmpfile(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        let context = enter(state);
        let opened = push_opened(state, context, None, |_, env| {
            env.raw_effect();
            Disk::temporary(env).map(Stream::Disk)
        });
        match opened {
            Ok(_) => 1,
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// `io.close(file?)`.
unsafe extern "C-unwind" fn close(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        let context = enter(state);
        if ffi::lua_gettop(state) == 0 {
            object::push_default(state, DEFAULT_OUTPUT);
        }
        let object = object::check_open(state, 1);
        methods::close_object(state, context, object)
    }
}

/// `io.flush()`.
unsafe extern "C-unwind" fn flush(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        let context = enter(state);
        let object = object::push_open_default(state, DEFAULT_OUTPUT);
        methods::flush_object(state, context, object)
    }
}

/// `io.read(...)`.
unsafe extern "C-unwind" fn read(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        let context = enter(state);
        let slot = (*object::push_open_default(state, DEFAULT_INPUT)).slot;
        ffi::lua_insert(state, 1);
        match reading::read(state, context, slot, 2) {
            Ok(count) => count,
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// `io.write(...)`.
unsafe extern "C-unwind" fn write(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        let context = enter(state);
        let object = object::push_open_default(state, DEFAULT_OUTPUT);
        ffi::lua_insert(state, 1);
        methods::write_object(state, context, object, 2)
    }
}

/// `io.lines(path?, ...)`.
unsafe extern "C-unwind" fn lines(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        let context = enter(state);
        if ffi::lua_gettop(state) == 0 {
            ffi::lua_pushnil(state);
        }
        if ffi::lua_type(state, 1) == ffi::LUA_TNIL {
            object::push_default(state, DEFAULT_INPUT);
            ffi::lua_replace(state, 1);
            return reading::push_lines(state, false);
        }
        let path = text_argument(state, 1);
        if let Err(reply) = push_file(state, context, path, b"r") {
            return object::raise_for_argument(state, context, 1, reply);
        }
        ffi::lua_replace(state, 1);
        reading::push_lines(state, true)
    }
}

/// `io.input(file or path?)`.
unsafe extern "C-unwind" fn input(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe { default(state, DEFAULT_INPUT, b"r") }
}

/// `io.output(file or path?)`.
unsafe extern "C-unwind" fn output(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe { default(state, DEFAULT_OUTPUT, b"w") }
}

/// Gives a default, after setting it where there is an argument.
///
/// # Safety
/// As [`call::reply`].
unsafe fn default(state: Lua, place: c_int, mode: &[u8]) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let context = enter(state);
        match ffi::lua_type(state, 1) {
            ffi::LUA_TNONE | ffi::LUA_TNIL => {
                object::push_default(state, place);
                return 1;
            }
            ffi::LUA_TUSERDATA => {
                object::check_open(state, 1);
                ffi::lua_settop(state, 1);
            }
            _ => {
                let path = text_argument(state, 1);
                if let Err(reply) = push_file(state, context, path, mode) {
                    return object::raise_for_argument(state, context, 1, reply);
                }
            }
        }
        object::set_default(state, place);
        1
    }
}

/// `io.type(value)`.
unsafe extern "C-unwind" fn io_type(state: Lua) -> c_int {
    // SAFETY: as in `open`.
    unsafe {
        enter(state);
        ffi::luaL_checkany(state, 1);
        match object::at(state, 1) {
            Some(object) if (*object).slot == object::CLOSED => push_bytes(state, b"closed file"),
            Some(_) => push_bytes(state, b"file"),
            None => ffi::lua_pushnil(state),
        }
        1
    }
}
