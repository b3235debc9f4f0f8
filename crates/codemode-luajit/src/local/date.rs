//! `os.date` and `os.time`: the calendar of the C library, over the run's own time.

use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;

use libc::{time_t, tm};
use mlua::ffi;

use crate::call::{self, Lua, Out, Reply, enter, text_argument};
use crate::state::Context;

/// The longest format of `os.date`, in bytes.
const MAX_FORMAT: usize = 4096;

/// The longest result of one letter of a format, in bytes.
const LETTER: usize = 64;

/// `os.date(format?, time?)`. Local time is UTC where the run is deterministic.
pub(super) unsafe extern "C-unwind" fn date(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; its arguments stay on the stack.
    unsafe {
        let context = enter(state);
        let format = if ffi::lua_type(state, 1) <= ffi::LUA_TNIL { b"%c" } else { text_argument(state, 1) };
        let time = if ffi::lua_type(state, 2) <= ffi::LUA_TNIL { now(context) } else { whole(ffi::luaL_checknumber(state, 2)) };
        let (format, utc) = match format.strip_prefix(b"!") {
            Some(rest) => (rest, true),
            None => (format, context.spec().deterministic),
        };
        let Some(parts) = broken_down(time, utc) else {
            ffi::lua_pushnil(state);
            return 1;
        };
        if format == b"*t" {
            push_parts(state, &parts);
            return 1;
        }
        call::reply(state, |_| match written(format, &parts) {
            Some(text) => Reply::Value(Out::Bytes(text)),
            None => Reply::Raise(format!("the format of os.date has {} bytes; at most {MAX_FORMAT} are allowed", format.len())),
        })
    }
}

/// `os.time(table?)`.
pub(super) unsafe extern "C-unwind" fn time(state: Lua) -> c_int {
    // SAFETY: as in `date`.
    unsafe {
        let context = enter(state);
        let time = if ffi::lua_type(state, 1) <= ffi::LUA_TNIL {
            Some(now(context))
        } else {
            ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
            ffi::lua_settop(state, 1);
            composed(state, context.spec().deterministic)
        };
        match time {
            #[expect(clippy::cast_precision_loss, reason = "a time is exact in a double for many million years")]
            Some(time) => ffi::lua_pushnumber(state, time as f64),
            None => ffi::lua_pushnil(state),
        }
        1
    }
}

/// The run's time in whole seconds since 1970.
fn now(context: &Context) -> time_t {
    context.handle().map_or(0, |handle| whole(handle.now_ms() / 1000.0))
}

#[expect(clippy::cast_possible_truncation, reason = "the fraction is to go, and what is out of range ends at its bounds")]
fn whole(number: f64) -> time_t {
    number.floor() as time_t
}

/// The parts of a time; nothing where the calendar has no such year.
fn broken_down(time: time_t, utc: bool) -> Option<tm> {
    let mut parts = MaybeUninit::<tm>::zeroed();
    // SAFETY: both pointers are to what outlives the call; zeroed parts are valid parts.
    unsafe {
        let done =
            if utc { libc::gmtime_r(&raw const time, parts.as_mut_ptr()) } else { libc::localtime_r(&raw const time, parts.as_mut_ptr()) };
        (!done.is_null()).then(|| parts.assume_init())
    }
}

/// The parts written by a format of `strftime`; nothing where it is too long.
fn written(format: &[u8], parts: &tm) -> Option<Vec<u8>> {
    if format.len() > MAX_FORMAT {
        return None;
    }
    // A format may give nothing, which the C library does not tell from too little room: a space makes it something.
    let mut ended = format.split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
    let letters = ended.iter().filter(|byte| **byte == b'%').count();
    ended.extend_from_slice(b" \0");
    let mut text = vec![0_u8; ended.len() + letters * LETTER];
    // SAFETY: the format ends with a zero, and no more is written than there is room for.
    let length = unsafe { libc::strftime(text.as_mut_ptr().cast(), text.len(), ended.as_ptr().cast(), parts) };
    text.truncate(length.saturating_sub(1));
    Some(text)
}

/// Pushes the parts as a table.
///
/// # Safety
/// `state` is live with three free slots, and the caller owns nothing.
unsafe fn push_parts(state: Lua, parts: &tm) {
    let fields: [(&CStr, c_int); 8] = [
        (c"sec", parts.tm_sec),
        (c"min", parts.tm_min),
        (c"hour", parts.tm_hour),
        (c"day", parts.tm_mday),
        (c"month", parts.tm_mon.wrapping_add(1)),
        (c"year", parts.tm_year.wrapping_add(1900)),
        (c"wday", parts.tm_wday.wrapping_add(1)),
        (c"yday", parts.tm_yday.wrapping_add(1)),
    ];
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_createtable(state, 0, 9);
        for (name, value) in fields {
            ffi::lua_pushnumber(state, f64::from(value));
            ffi::lua_setfield(state, -2, name.as_ptr());
        }
        if parts.tm_isdst >= 0 {
            ffi::lua_pushboolean(state, parts.tm_isdst);
            ffi::lua_setfield(state, -2, c"isdst".as_ptr());
        }
    }
}

/// The time that the table at index 1 says; nothing where there is none.
///
/// # Safety
/// `state` is live with three free slots, and the caller owns nothing.
unsafe fn composed(state: Lua, utc: bool) -> Option<time_t> {
    // SAFETY: the caller's promise; zeroed parts are valid parts.
    unsafe {
        let mut parts = MaybeUninit::<tm>::zeroed().assume_init();
        parts.tm_sec = field(state, c"sec", Some(0));
        parts.tm_min = field(state, c"min", Some(0));
        parts.tm_hour = field(state, c"hour", Some(12));
        parts.tm_mday = field(state, c"day", None);
        parts.tm_mon = field(state, c"month", None).wrapping_sub(1);
        parts.tm_year = field(state, c"year", None).wrapping_sub(1900);
        ffi::lua_getfield_(state, 1, c"isdst".as_ptr());
        parts.tm_isdst = if ffi::lua_type(state, -1) <= ffi::LUA_TNIL { -1 } else { ffi::lua_toboolean(state, -1) };
        let time = if utc { libc::timegm(&raw mut parts) } else { libc::mktime(&raw mut parts) };
        // The second before 1970 is the sign of failure too.
        (time != -1 || matches!(parts.tm_year, 69 | 70)).then_some(time)
    }
}

/// A field of the table at index 1.
///
/// # Safety
/// As [`composed`].
unsafe fn field(state: Lua, name: &CStr, otherwise: Option<c_int>) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_getfield_(state, 1, name.as_ptr());
        let value = if ffi::lua_isnumber(state, -1) != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "LuaJIT cuts fields off likewise")]
            let number = ffi::lua_tonumber(state, -1) as i64 as c_int;
            number
        } else if let Some(otherwise) = otherwise {
            otherwise
        } else {
            return ffi::luaL_error(state, c"field '%s' missing in date table".as_ptr(), name.as_ptr());
        };
        ffi::lua_settop(state, -2);
        value
    }
}
