//! Runs that are the same each time: order of keys, names in place of addresses, random numbers of the run's own.
//!
//! - `pairs`, `next` and `table.foreach` go through numbers ascending, then strings by their bytes, then `false` and `true`,
//!   then all else in the order in which it was made: `json_null`, files, and then tables, functions and coroutines together.
//!   Keys that are cleared on the way are left out, changed ones come with their new values, and `next` takes any key,
//!   present or not.
//! - `tostring`, `print` and `%s` show `table: 1` and so on, each type counted in the order of first being shown. `%p` is
//!   an error.
//! - `os.time`, `os.clock` and `os.date` read the run's own clock, and local time is UTC. `math.random` draws from the run,
//!   or from the seed that the program set. `collectgarbage("count")` is 0.
//!
//! What a program reads of files, commands and the environment may differ all the same.

use std::cell::Cell;
use std::ffi::{CStr, c_int};

use mlua::ffi;

use super::numbering::Numbering;
use crate::call::{self, Lua, Out, Reply, bytes_at, enter};
use crate::state::Context;
use crate::traceback::OUR_CHUNK;

/// What is written in Lua, so that the hook stops it and coroutines yield through it.
const REPLACEMENTS: &str = include_str!("deterministic.lua");

/// What the chunk is given: LuaJIT's own functions, by the table that they are in, in its order.
const GIVEN: [(Option<&CStr>, &CStr); 12] = [
    (None, c"next"),
    (None, c"rawget"),
    (None, c"type"),
    (None, c"error"),
    (None, c"select"),
    (None, c"unpack"),
    (None, c"setmetatable"),
    (Some(c"table"), c"sort"),
    (Some(c"string"), c"byte"),
    (None, c"tostring"),
    (Some(c"string"), c"format"),
    (None, c"collectgarbage"),
];

/// What the chunk gives back, and where that goes.
const TAKEN: [(Option<&CStr>, &CStr); 6] = [
    (None, c"pairs"),
    (None, c"next"),
    (Some(c"table"), c"foreach"),
    (None, c"tostring"),
    (Some(c"string"), c"format"),
    (None, c"collectgarbage"),
];

/// What a deterministic run keeps.
pub(crate) struct Sameness {
    pub(crate) numbering: Numbering,
    /// What `math.randomseed` set; random numbers are the run's own before.
    seed: Cell<Option<u64>>,
}

impl Sameness {
    pub(crate) fn new(deterministic: bool) -> Self {
        Self { numbering: Numbering::new(deterministic), seed: Cell::new(None) }
    }
}

/// Replaces what would differ from run to run. The libraries are open, and what else is replaced of them already is.
///
/// # Safety
/// `state` is live, under protection, with thirty free slots, and no program ran in it.
pub(crate) unsafe fn make_deterministic(state: Lua) {
    // SAFETY: the caller's promise; nothing of Rust's is owned while LuaJIT may raise.
    unsafe {
        let top = ffi::lua_gettop(state);
        call::check_stack(state, 30);
        if ffi::luaL_loadbuffer(state, REPLACEMENTS.as_ptr().cast(), REPLACEMENTS.len(), OUR_CHUNK.as_ptr()) != 0 {
            ffi::lua_error(state);
        }
        for (library, name) in GIVEN {
            push_library(state, library);
            ffi::lua_getfield_(state, -1, name.as_ptr());
            ffi::lua_remove(state, -2);
        }
        for function in [rank, shows_itself, letters] {
            ffi::lua_pushcclosure(state, function, 0);
        }
        let taken = c_int::try_from(TAKEN.len()).unwrap_or(0);
        ffi::lua_call(state, c_int::try_from(GIVEN.len()).unwrap_or(0) + 3, taken);
        for (position, (library, name)) in (1..).zip(TAKEN) {
            push_library(state, library);
            ffi::lua_pushvalue(state, top + position);
            ffi::lua_setfield(state, -2, name.as_ptr());
            ffi::lua_settop(state, top + taken);
        }
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"math".as_ptr());
        call::register(state, -1, c"random", random);
        call::register(state, -1, c"randomseed", randomseed);
        ffi::lua_settop(state, top);
        check_numbers(state);
        ffi::lua_settop(state, top);
    }
}

/// Pushes the table of a library, or that of the globals.
///
/// # Safety
/// As [`make_deterministic`].
unsafe fn push_library(state: Lua, library: Option<&CStr>) {
    // SAFETY: the caller's promise.
    unsafe {
        match library {
            Some(library) => ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, library.as_ptr()),
            None => ffi::lua_pushvalue(state, ffi::LUA_GLOBALSINDEX),
        }
    }
}

/// Makes sure that objects have the numbers of their blocks, which is LuaJIT's own affair.
///
/// # Safety
/// As [`make_deterministic`].
unsafe fn check_numbers(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        let numbering = &call::context(state).sameness().numbering;
        let first = ffi::lua_gettop(state) + 1;
        ffi::lua_createtable(state, 0, 0);
        ffi::lua_pushcclosure(state, rank, 0);
        ffi::lua_newthread(state);
        ffi::lua_createtable(state, 4, 4);
        let numbers = [0, 1, 2, 3].map(|index| numbering.of(ffi::lua_topointer(state, first + index)));
        if !numbers.is_sorted_by(|left, right| 0 < *left && left < right && right - left < 10) {
            ffi::luaL_error(state, c"this LuaJIT allocates objects otherwise than a deterministic run needs".as_ptr());
        }
    }
}

/// Where a key that is no number, string or boolean stands among its like.
unsafe extern "C-unwind" fn rank(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine. Objects of these types begin their blocks, as was checked.
    unsafe {
        let context = enter(state);
        let number = match ffi::lua_type(state, 1) {
            ffi::LUA_TTABLE | ffi::LUA_TFUNCTION | ffi::LUA_TTHREAD => context.sameness().numbering.of(ffi::lua_topointer(state, 1)),
            _ => 0,
        };
        #[expect(clippy::cast_precision_loss, reason = "no run allocates 2^53 times")]
        let rank = if number > 0 { number as f64 } else { rank_of_userdata(state) };
        ffi::lua_pushnumber(state, rank);
        1
    }
}

/// Files stand before objects of the program's, by their own numbers, and the sentinel for `null` before them.
///
/// # Safety
/// `state` is live with two free slots.
unsafe fn rank_of_userdata(state: Lua) -> f64 {
    #[cfg(unix)]
    // SAFETY: the caller's promise.
    if let Some(serial) = unsafe { super::object::at(state, 1).map(|object| (*object).serial) } {
        return f64::from(serial) - f64::from(u32::MAX);
    }
    let _ = state;
    -f64::from(u32::MAX) - 1.0
}

/// Whether a value has a `__tostring`, which may be hidden from the program.
unsafe extern "C-unwind" fn shows_itself(state: Lua) -> c_int {
    // SAFETY: as in `rank`.
    unsafe {
        enter(state);
        let shows = ffi::luaL_getmetafield_(state, 1, c"__tostring".as_ptr()) != 0;
        ffi::lua_pushboolean(state, c_int::from(shows));
        1
    }
}

/// The letters of a format's conversions, in their order; `nil` where one of them shows an address.
unsafe extern "C-unwind" fn letters(state: Lua) -> c_int {
    // SAFETY: as in `rank`.
    unsafe {
        let format = bytes_at(state, 1).unwrap_or_default();
        call::reply(state, |_| {
            let letters = conversions(format);
            Reply::Value(if letters.contains(&b'p') { Out::Nil } else { Out::Bytes(letters) })
        })
    }
}

fn conversions(format: &[u8]) -> Vec<u8> {
    let mut letters = Vec::new();
    let mut rest = format.iter().copied();
    while rest.any(|byte| byte == b'%') {
        // Flags, width and precision.
        let letter = rest.find(|byte| !matches!(byte, b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9'));
        letters.extend(letter.filter(|letter| *letter != b'%'));
    }
    letters
}

/// `math.random(low?, high?)`.
unsafe extern "C-unwind" fn random(state: Lua) -> c_int {
    // SAFETY: as in `rank`.
    unsafe {
        let context = enter(state);
        let count = ffi::lua_gettop(state);
        let low = if count > 1 { ffi::luaL_checknumber(state, 1) } else { 1.0 };
        let high = if count > 0 { ffi::luaL_checknumber(state, count.min(2)) } else { 0.0 };
        if count > 0 && low > high {
            return ffi::luaL_argerror(state, count.min(2), c"interval is empty".as_ptr());
        }
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact in a double")]
        let fraction = (draw(context) >> 11) as f64 / (1_u64 << 53) as f64;
        ffi::lua_pushnumber(state, if count == 0 { fraction } else { (fraction * (high - low + 1.0)).floor() + low });
        1
    }
}

/// `math.randomseed(number)`.
unsafe extern "C-unwind" fn randomseed(state: Lua) -> c_int {
    // SAFETY: as in `rank`.
    unsafe {
        let context = enter(state);
        context.sameness().seed.set(Some(ffi::luaL_checknumber(state, 1).to_bits()));
        0
    }
}

/// The next random bits: of the program's seed where it set one, else of the run.
fn draw(context: &Context) -> u64 {
    let seed = &context.sameness().seed;
    let Some(state) = seed.get() else { return context.handle().map_or(0, codemode_core::Handle::random) };
    // SplitMix64, as the run's own numbers.
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    seed.set(Some(state));
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_are_found_as_luajit_reads_them() {
        let table: [(&str, &str); 7] =
            [("", ""), ("%s", "s"), ("a%%b%d", "d"), ("%-10.3s|%05d", "sd"), ("%", ""), ("%5", ""), ("%p%q", "pq")];
        for (format, letters) in table {
            assert_eq!(conversions(format.as_bytes()), letters.as_bytes(), "{format}");
        }
    }
}
