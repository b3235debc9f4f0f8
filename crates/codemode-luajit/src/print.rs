//! `print`: what a program shows.

use std::ffi::c_int;

use codemode_core::{Handle, Stopped};
use mlua::ffi;

use crate::call::{self, Lua, Reply, bytes_at, enter};
use crate::state::Context;

/// How much is put together before it is handed on, in bytes: a `print` of less is one piece.
const PIECE: usize = 64 << 10;

/// `print(...)`: the values as `tostring` has them, tabs between them and a line feed behind.
pub(crate) unsafe extern "C-unwind" fn print(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine. Values become strings first, which may run the program's code.
    unsafe {
        let context = enter(state);
        let count = ffi::lua_gettop(state);
        call::check_stack(state, 5);
        for index in 1..=count {
            make_string(state, context, index);
        }
        call::reply(state, |context| {
            let Some(handle) = context.handle() else { return Reply::Stop };
            let mut printer = Printer::new(handle);
            let mut show = || {
                for index in 1..=count {
                    if index > 1 {
                        printer.push("\t")?;
                    }
                    printer.push_bytes(bytes_at(state, index).unwrap_or_default())?;
                }
                printer.push("\n")?;
                printer.flush()
            };
            match show() {
                Ok(()) => Reply::Values(Vec::new()),
                Err(Stopped) => Reply::Stop,
            }
        })
    }
}

/// Replaces the value at `index` by what LuaJIT's `tostring` gives for it, whatever the program made of that name.
///
/// # Safety
/// `state` is live with room for three values, and the index counts from the bottom. May raise: the caller owns nothing.
pub(crate) unsafe fn make_string(state: Lua, context: &Context, index: c_int) {
    // SAFETY: the caller's promise.
    unsafe {
        match ffi::lua_type(state, index) {
            ffi::LUA_TSTRING => return,
            ffi::LUA_TNUMBER => {
                ffi::lua_tolstring(state, index, std::ptr::null_mut());
                return;
            }
            _ => {}
        }
        ffi::lua_rawgeti_(state, ffi::LUA_REGISTRYINDEX, context.anchors().tostring.get());
        ffi::lua_pushvalue(state, index);
        ffi::lua_call(state, 1, 1);
        if ffi::lua_isstring(state, -1) == 0 {
            call::finish(state, context, Reply::Raise("'tostring' must return a string to 'print'".to_owned()));
        }
        ffi::lua_tolstring(state, -1, std::ptr::null_mut());
        ffi::lua_replace(state, index);
    }
}

/// Replaces the value at `index` by its string; by the name of its type where making that fails. False then.
///
/// # Safety
/// As [`make_string`], with room for five values. What the program's code raises ends here.
pub(crate) unsafe fn try_make_string(state: Lua, context: &Context, index: c_int) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_pushcclosure(state, stringify, 0);
        ffi::lua_pushvalue(state, index);
        let made = ffi::lua_pcall(state, 1, 1, 0) == 0 && !context.guard().stopped();
        if !made {
            ffi::lua_settop(state, -2);
            call::push_bytes(state, call::type_name(state, index).as_bytes());
        }
        ffi::lua_replace(state, index);
        made
    }
}

unsafe extern "C-unwind" fn stringify(state: Lua) -> c_int {
    // SAFETY: it is called with one value.
    unsafe {
        let context = call::enter(state);
        make_string(state, context, 1);
    }
    1
}

/// Hands text on in pieces, so that no copy of it is large.
pub(crate) struct Printer<'a> {
    handle: &'a Handle,
    piece: String,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(handle: &'a Handle) -> Self {
        Self { handle, piece: String::new() }
    }

    /// Shows what is no UTF-8 as U+FFFD.
    pub(crate) fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        for chunk in bytes.utf8_chunks() {
            self.push(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                self.push("\u{fffd}")?;
            }
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, text: &str) -> Result<(), Stopped> {
        if text.len() >= PIECE {
            self.flush()?;
            return self.handle.print(text);
        }
        if self.piece.len() + text.len() > PIECE {
            self.flush()?;
        }
        self.piece.push_str(text);
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> Result<(), Stopped> {
        let shown = if self.piece.is_empty() { Ok(()) } else { self.handle.print(&self.piece) };
        self.piece.clear();
        shown
    }
}
