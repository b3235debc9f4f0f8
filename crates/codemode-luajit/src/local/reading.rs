//! `read` and `lines`: items of a file by the formats on the stack.

use std::ffi::c_int;

use mlua::ffi;

use super::files::Files;
use super::formats::{self, Format, Item};
use super::object::{self, Object, attempt};
use super::trouble::Trouble;
use crate::call::{self, Lua, Reply, bytes_at, enter, push_bytes};
use crate::state::Context;

/// How much of the buffer for what is read stays from one use to the next, in bytes.
const KEPT: usize = 16 << 10;

/// The most formats that `lines` takes.
const MAX_LINE_FORMATS: c_int = 50;

/// Reads by the formats from `first` to the top of the stack, a line where there are none; pushes what was read.
///
/// # Safety
/// As [`call::reply`]; the object is on the stack or held elsewhere.
pub(super) unsafe fn read(state: Lua, context: &Context, slot: u32, first: c_int) -> Result<c_int, Reply> {
    // SAFETY: the caller's promise; nothing is owned while something may raise.
    unsafe {
        let count = ffi::lua_gettop(state) - first + 1;
        call::check_stack(state, usize::try_from(count).unwrap_or(0) + 20);
        if count <= 0 {
            item(state, context, slot, Format::Line { keep: false })?;
            return Ok(1);
        }
        for index in 0..count {
            let format = format_at(state, first + index);
            if !item(state, context, slot, format)? {
                return Ok(index + 1);
            }
        }
        Ok(count)
    }
}

/// Reads one item and pushes it; false where there was none, and `nil` was pushed.
///
/// # Safety
/// As [`read`].
unsafe fn item(state: Lua, context: &Context, slot: u32, format: Format) -> Result<bool, Reply> {
    context.local().text.borrow_mut().clear(KEPT);
    // SAFETY: the caller's promise; what was read stands in the context while it is copied.
    unsafe {
        let item = attempt(state, context, None, |files: &mut Files, text, env| {
            let Some(stream) = files.get(slot) else { return Err(Trouble::System(libc::EBADF)) };
            formats::read(stream, env, format, text)
        })?;
        match item {
            Item::Text => {
                let bytes: *const [u8] = context.local().text.borrow().items();
                push_bytes(state, &*bytes);
                context.local().text.borrow_mut().clear(KEPT);
            }
            Item::Number(number) => ffi::lua_pushnumber(state, number),
            Item::Nothing => ffi::lua_pushnil(state),
        }
        Ok(item != Item::Nothing)
    }
}

/// The format at this index; raises where there is none.
///
/// # Safety
/// `state` is live, and the caller owns nothing.
unsafe fn format_at(state: Lua, index: c_int) -> Format {
    // SAFETY: the caller's promise.
    unsafe {
        let wrong = match ffi::lua_type(state, index) {
            ffi::LUA_TNUMBER => match usize::try_from(ffi::luaL_checkinteger(state, index)) {
                Ok(count) => return Format::Count(count),
                Err(_) => c"a count of bytes is not negative",
            },
            ffi::LUA_TSTRING => match bytes_at(state, index).and_then(Format::parse) {
                Some(format) => return format,
                None => c"invalid format",
            },
            _ => c"invalid option",
        };
        ffi::luaL_argerror(state, index, wrong.as_ptr());
        Format::All
    }
}

/// Pushes the iterator over the file object at index 1, with the formats above it; `close` where it closes the file at its end.
///
/// # Safety
/// As [`call::reply`].
pub(super) unsafe fn push_lines(state: Lua, close: bool) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let formats = ffi::lua_gettop(state) - 1;
        if formats > MAX_LINE_FORMATS {
            return ffi::luaL_error(state, c"too many arguments".as_ptr());
        }
        ffi::lua_pushboolean(state, c_int::from(close));
        ffi::lua_insert(state, 1);
        ffi::lua_pushnumber(state, f64::from(formats));
        ffi::lua_insert(state, 1);
        ffi::lua_pushcclosure(state, next_line, formats + 3);
        1
    }
}

/// One step of `lines`. Its upvalues: the number of formats, whether it closes the file, the file, the formats.
unsafe extern "C-unwind" fn next_line(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; its upvalues are what `push_lines` gave it.
    unsafe {
        let context = enter(state);
        #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
        let formats = ffi::lua_tonumber(state, ffi::lua_upvalueindex(1)) as c_int;
        let close = ffi::lua_toboolean(state, ffi::lua_upvalueindex(2)) != 0;
        let object = ffi::lua_touserdata(state, ffi::lua_upvalueindex(3)).cast::<Object>();
        if (*object).slot == object::CLOSED {
            return ffi::luaL_error(state, c"attempt to use a closed file".as_ptr());
        }
        ffi::lua_settop(state, 0);
        call::check_stack(state, usize::try_from(formats).unwrap_or(0));
        for index in 0..formats {
            ffi::lua_pushvalue(state, ffi::lua_upvalueindex(4 + index));
        }
        let count = match read(state, context, (*object).slot, 1) {
            Ok(count) => count,
            // An iterator has no other way to tell.
            Err(reply) => return raise(state, context, reply),
        };
        if close && ffi::lua_type(state, -count) == ffi::LUA_TNIL {
            let slot = std::mem::replace(&mut (*object).slot, object::CLOSED);
            // How a file that was only read closes tells nothing.
            return match attempt(state, context, None, |files, _, env| files.close(env, slot)) {
                Err(Reply::Stop) => call::finish(state, context, Reply::Stop),
                _ => 0,
            };
        }
        count
    }
}

/// Raises the message of a failure.
///
/// # Safety
/// As [`call::reply`].
unsafe fn raise(state: Lua, context: &Context, reply: Reply) -> c_int {
    let raised = match reply {
        Reply::Values(values) => match values.into_iter().nth(1) {
            Some(call::Out::Bytes(message)) => Reply::Raise(String::from_utf8_lossy(&message).into_owned()),
            _ => Reply::Raise("the file could not be read".to_owned()),
        },
        other => other,
    };
    // SAFETY: the caller's promise.
    unsafe { call::finish(state, context, raised) }
}
