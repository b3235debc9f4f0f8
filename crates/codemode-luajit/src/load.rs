//! `load`, `loadstring`, `loadfile` and `dofile`: text only, and read in pieces so that a bound stops them.

use std::ffi::{c_char, c_int, c_void};

use mlua::ffi;

use crate::call::{self, Lua, Reply, bytes_at, enter, raise_stop, text_argument};
use crate::raw;

/// The first byte of LuaJIT's bytecode, which is never loaded: it is not checked, and can break the process.
const BYTECODE: u8 = 0x1b;
/// What is said to bytecode.
pub(crate) const NO_BYTECODE: &str = "bytecode is not loaded; give the text of a program";
/// How much of a text LuaJIT is given at a time, in bytes.
const PIECE: usize = 4096;
/// Where a piece that the program's own function gave stands while it is read.
const PIECE_SLOT: c_int = 5;

unsafe extern "C-unwind" {
    /// LuaJIT's, of Lua 5.2: with the forms that are allowed.
    fn lua_loadx(state: Lua, reader: ffi::lua_Reader, data: *mut c_void, name: *const c_char, mode: *const c_char) -> c_int;
}

/// What a text is read from, piece by piece. It owns nothing.
struct Text<'a> {
    rest: &'a [u8],
}

/// What the program's own function gave so far.
struct Pieces {
    begun: bool,
    bytecode: bool,
    /// How much of the piece in its slot LuaJIT was given, in bytes.
    given: usize,
}

/// Loads text; the function or the message is pushed. Never raises but for want of memory.
///
/// # Safety
/// `state` is live with room for four values; the text stays where it is.
pub(crate) unsafe fn text(state: Lua, text: &[u8], name: *const c_char) -> c_int {
    if text.first() == Some(&BYTECODE) {
        // SAFETY: the caller's promise.
        unsafe { call::push_bytes(state, NO_BYTECODE.as_bytes()) };
        return ffi::LUA_ERRSYNTAX;
    }
    let mut source = Text { rest: text };
    // SAFETY: the caller's promise; the reader is given what it expects.
    unsafe { lua_loadx(state, read_text, (&raw mut source).cast(), name, c"t".as_ptr()) }
}

/// Ends early once the run was stopped: whoever loads looks at the guard afterwards.
unsafe extern "C-unwind" fn read_text(state: Lua, data: *mut c_void, length: *mut usize) -> *const c_char {
    // SAFETY: LuaJIT passes what `text` gave it, and a place for the length.
    unsafe {
        let source = &mut *data.cast::<Text<'_>>();
        let (piece, rest) = source.rest.split_at(source.rest.len().min(PIECE));
        if piece.is_empty() || call::context(state).guard().stopped() {
            *length = 0;
            return std::ptr::null();
        }
        source.rest = rest;
        *length = piece.len();
        piece.as_ptr().cast()
    }
}

/// `load(text or function, name?, mode?, environment?)`.
pub(crate) unsafe extern "C-unwind" fn load(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; nothing of Rust's is owned.
    unsafe {
        let context = enter(state);
        let has_environment = ffi::lua_type(state, 4) == ffi::LUA_TTABLE;
        ffi::lua_settop(state, PIECE_SLOT);
        if let Some(mode) = bytes_at(state, 3)
            && !mode.contains(&b't')
        {
            return refuse(state, NO_BYTECODE);
        }
        let status = if ffi::lua_type(state, 1) == ffi::LUA_TFUNCTION {
            let name = ffi::luaL_optlstring(state, 2, c"=(load)".as_ptr(), std::ptr::null_mut());
            let mut pieces = Pieces { begun: false, bytecode: false, given: 0 };
            let status = lua_loadx(state, read_pieces, (&raw mut pieces).cast(), name, c"t".as_ptr());
            if pieces.bytecode {
                return refuse(state, NO_BYTECODE);
            }
            status
        } else {
            let source = text_argument(state, 1);
            let name = ffi::luaL_optlstring(state, 2, source.as_ptr().cast(), std::ptr::null_mut());
            text(state, source, name)
        };
        if context.guard().stopped() {
            raise_stop(state);
        }
        if status != 0 {
            ffi::lua_pushnil(state);
            ffi::lua_insert(state, -2);
            return 2;
        }
        if has_environment {
            ffi::lua_pushvalue(state, 4);
            ffi::lua_setfenv(state, -2);
        }
        1
    }
}

/// `nil` and a message.
///
/// # Safety
/// `state` is live with room for two values. May raise for want of memory.
unsafe fn refuse(state: Lua, message: &str) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_pushnil(state);
        call::push_bytes(state, message.as_bytes());
    }
    2
}

/// Gives the next part of the program's piece, after the last one asks the program's function for another. LuaJIT raised what
/// this raises, and gives it back as a failure to load.
unsafe extern "C-unwind" fn read_pieces(state: Lua, data: *mut c_void, length: *mut usize) -> *const c_char {
    // SAFETY: it runs on the frame of `load`, whose function is at 1, and the piece stays in its slot while it is read;
    // nothing is owned.
    unsafe {
        *length = 0;
        let pieces = data.cast::<Pieces>();
        enter(state);
        if bytes_at(state, PIECE_SLOT).is_none_or(|piece| piece.len() == (*pieces).given) {
            next_piece(state);
            (*pieces).given = 0;
        }
        let Some(piece) = bytes_at(state, PIECE_SLOT) else { return std::ptr::null() };
        if !(*pieces).begun && !piece.is_empty() {
            (*pieces).begun = true;
            (*pieces).bytecode = piece.first() == Some(&BYTECODE);
        }
        if (*pieces).bytecode {
            // An end here; `load` tells why.
            return std::ptr::null();
        }
        let rest = &piece[(*pieces).given..];
        *length = rest.len().min(PIECE);
        (*pieces).given += *length;
        rest.as_ptr().cast()
    }
}

/// Puts what the program's function gives into the slot: a string, or nil at the end.
///
/// # Safety
/// As [`read_pieces`]. May raise: the caller owns nothing.
unsafe fn next_piece(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        call::check_stack(state, 2);
        ffi::lua_pushvalue(state, 1);
        ffi::lua_call(state, 0, 1);
        if !matches!(ffi::lua_type(state, -1), ffi::LUA_TNIL | ffi::LUA_TSTRING | ffi::LUA_TNUMBER) {
            ffi::luaL_error(state, c"reader function must return a string".as_ptr());
        }
        ffi::lua_replace(state, PIECE_SLOT);
        if ffi::lua_type(state, PIECE_SLOT) == ffi::LUA_TNUMBER {
            ffi::lua_tolstring(state, PIECE_SLOT, std::ptr::null_mut());
        }
    }
}

/// `loadfile(path)`: as `load` of the file's text.
pub(crate) unsafe extern "C-unwind" fn loadfile(state: Lua) -> c_int {
    // SAFETY: as above; the text is kept in the context while LuaJIT reads it.
    unsafe { load_file(state, false) }
}

/// `dofile(path)`: loads and calls; raises where it cannot be loaded.
pub(crate) unsafe extern "C-unwind" fn dofile(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        load_file(state, true);
        ffi::lua_replace(state, 1);
        ffi::lua_settop(state, 1);
        ffi::lua_call(state, 0, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

/// # Safety
/// As [`call::reply`].
unsafe fn load_file(state: Lua, raise: bool) -> c_int {
    // SAFETY: the caller's promise; what is owned is kept in the context before LuaJIT may raise.
    unsafe {
        let context = enter(state);
        let path = text_argument(state, 1);
        ffi::lua_settop(state, 1);
        let bytes = match raw::read(state, context, path) {
            Ok(bytes) => bytes,
            Err(Reply::Failed(message)) if raise => return call::finish(state, context, Reply::Raise(message)),
            Err(reply) => return call::finish(state, context, reply),
        };
        let (kept, place) = context.keep(bytes);
        ffi::lua_pushfstring(state, c"@%s".as_ptr(), path.as_ptr());
        let status = text(state, without_shebang(&*kept), ffi::lua_tolstring(state, 2, std::ptr::null_mut()));
        context.release(place);
        if context.guard().stopped() {
            raise_stop(state);
        }
        if status == 0 {
            return 1;
        }
        if raise {
            ffi::lua_error(state);
        }
        ffi::lua_pushnil(state);
        ffi::lua_insert(state, -2);
        2
    }
}

/// A file's text without a first line that begins with `#`; its line feed stays, so that lines keep their numbers.
fn without_shebang(text: &[u8]) -> &[u8] {
    if text.first() != Some(&b'#') {
        return text;
    }
    &text[memchr::memchr(b'\n', text).unwrap_or(text.len())..]
}
