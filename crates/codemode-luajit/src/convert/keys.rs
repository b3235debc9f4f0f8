//! What is wrong with the keys of a table, told the same way in whatever order they lie.

use std::ffi::c_int;

use codemode_core::text::one_line;
use mlua::ffi::{LUA_TNUMBER, LUA_TSTRING, lua_State, lua_next, lua_pushnil, lua_settop, lua_tonumber, lua_type};

use super::encode::{a_kind, string_bytes};
use super::halt::Halt;
use super::place::Step;

/// What a table has of keys; of each sort the least one.
#[derive(Debug, Default)]
struct Keys<'s> {
    name: Option<&'s [u8]>,
    number: Option<f64>,
    /// A number that is no position.
    no_position: Option<f64>,
    /// The type of a key that is neither.
    other: Option<c_int>,
}

/// What is wrong with the keys of a table; nothing where they are positions alone or names alone. Leaves the table on top.
///
/// # Safety
/// `table` is the topmost slot that is needed and holds a table, and there are two free slots above it.
#[cold]
pub(super) unsafe fn fault(state: *mut lua_State, table: c_int, marked: bool) -> Option<Halt> {
    // SAFETY: the caller's promise; the keys' bytes stay where they are while the table holds them.
    let keys = unsafe { survey(state, table) };
    if let Some(kind) = keys.other {
        return Some(Halt::refused(format!("{} as a key; keys of an object are strings", a_kind(kind))));
    }
    match (keys.name, keys.number, keys.no_position) {
        (Some(name), Some(number), _) => {
            let name = Step::name(name);
            let Step::Name(name) = &name else { return None };
            let name = one_line(name);
            Some(Halt::refused(format!(
                "a table with the name \"{name}\" and the number {number} as keys; use names alone, or positions from 1 on"
            )))
        }
        (Some(_), None, _) if marked => Some(Halt::refused("an array that has a named entry; copy it into a plain table first")),
        (None, _, Some(number)) => Some(Halt::refused(format!("{number} is no position of an array; keys of an object are strings"))),
        _ => None,
    }
}

/// Whether a number can be a position.
pub(super) fn is_position(number: f64) -> bool {
    number >= 1.0 && number.fract() == 0.0 && number <= f64::from(c_int::MAX)
}

unsafe fn survey<'s>(state: *mut lua_State, table: c_int) -> Keys<'s> {
    let mut keys = Keys::default();
    // SAFETY: the caller's promise; `lua_next` gets a key that it gave or `nil`.
    unsafe {
        lua_settop(state, table);
        lua_pushnil(state);
        while lua_next(state, table) != 0 {
            match lua_type(state, table + 1) {
                LUA_TSTRING => {
                    let name = string_bytes(state, table + 1);
                    keys.name = Some(keys.name.map_or(name, |least| least.min(name)));
                }
                LUA_TNUMBER => {
                    let number = lua_tonumber(state, table + 1);
                    keys.number = Some(keys.number.map_or(number, |least| least.min(number)));
                    if !is_position(number) {
                        keys.no_position = Some(keys.no_position.map_or(number, |least| least.min(number)));
                    }
                }
                kind => keys.other = Some(keys.other.map_or(kind, |least| least.min(kind))),
            }
            lua_settop(state, table + 1);
        }
    }
    keys
}
