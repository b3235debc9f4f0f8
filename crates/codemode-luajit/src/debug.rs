//! `debug`: of it `traceback` alone, which programs hand to `xpcall`; the rest would remove the bounds.

use std::ffi::c_int;

use mlua::ffi;

use crate::call::{self, Lua, Out, Reply, bytes_at, enter, push_bytes, reply, text_argument};
use crate::traceback::lines;

/// Puts the table `debug` into the globals.
///
/// # Safety
/// `state` is live and has room for three values. May raise for want of memory: the caller owns nothing.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_createtable(state, 0, 1);
        call::register(state, -1, c"traceback", traceback);
        push_bytes(state, b"debug");
        ffi::lua_insert(state, -2);
        ffi::lua_rawset(state, ffi::LUA_GLOBALSINDEX);
    }
}

/// `debug.traceback([coroutine,] [message])`: the message and the frames of the program; a message that is no text comes
/// back as it is. A level is read by nobody.
unsafe extern "C-unwind" fn traceback(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; nothing of Rust's is owned while LuaJIT may raise.
    unsafe {
        enter(state);
        let (of, place) = if ffi::lua_type(state, 1) == ffi::LUA_TTHREAD { (ffi::lua_tothread(state, 1), 2) } else { (state, 1) };
        match ffi::lua_type(state, place) {
            ffi::LUA_TSTRING | ffi::LUA_TNIL | ffi::LUA_TNONE => {}
            ffi::LUA_TNUMBER => {
                text_argument(state, place);
            }
            _ => {
                ffi::lua_settop(state, place);
                return 1;
            }
        }
        let has_room = ffi::lua_checkstack(of, 4) != 0;
        reply(state, |_context| {
            let message = bytes_at(state, place).unwrap_or_default();
            let frames = if has_room { lines(of, 0).0 } else { Vec::new() };
            let mut text = message.to_vec();
            text.extend_from_slice(if message.is_empty() { b"stack traceback:" } else { b"\nstack traceback:" });
            for frame in frames {
                text.extend_from_slice(b"\n\t");
                text.extend_from_slice(frame.as_bytes());
            }
            Reply::Value(Out::Bytes(text))
        })
    }
}
