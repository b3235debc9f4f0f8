//! `table.insert` that can be stopped: LuaJIT's own moves what lies behind the position without a hook, 2^29 places and more
//! where a program makes a table say so.

use std::ffi::c_int;

use mlua::ffi;

use crate::call::{Lua, enter, raise_stop};
use crate::traceback::OUR_CHUNK;

/// What programs get: LuaJIT compiles it together with its own append, and messages name the program's line.
const INSERT: &str = "\
local table, select, insert, our_insert = ...
function table.insert(...)
  if select('#', ...) == 3 then return our_insert(...) end
  return insert(...)
end
";

/// How many values LuaJIT's own moves, which is faster and ends within milliseconds.
const FEW: c_int = 1 << 16;

/// How many values are moved between two looks at the guard.
const MOVES_BETWEEN_LOOKS: c_int = 1 << 12;

/// Puts the function into the library.
///
/// # Safety
/// `state` is live, under protection, with room for six values; the `table` library is open and untouched.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise; nothing of Rust's is owned.
    unsafe {
        if ffi::luaL_loadbuffer(state, INSERT.as_ptr().cast(), INSERT.len(), OUR_CHUNK.as_ptr()) != 0 {
            ffi::lua_error(state);
        }
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"table".as_ptr());
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"select".as_ptr());
        ffi::lua_getfield_(state, -2, c"insert".as_ptr());
        ffi::lua_pushvalue(state, -1);
        ffi::lua_pushcclosure(state, insert, 1);
        ffi::lua_call(state, 4, 0);
    }
}

/// `table.insert(table, position, value)`, as LuaJIT does it: from the position to the length each value moves up by one,
/// raw and wherever the position lies. One that does not fit into 32 bits is refused. The upvalue is LuaJIT's own.
unsafe extern "C-unwind" fn insert(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine and three values; nothing of Rust's is owned.
    unsafe {
        let context = enter(state);
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        let Ok(position) = c_int::try_from(ffi::luaL_checkinteger(state, 2)) else {
            return ffi::luaL_argerror(state, 2, c"position out of bounds".as_ptr());
        };
        let mut free = c_int::try_from(ffi::lua_objlen(state, 1)).unwrap_or(c_int::MAX).saturating_add(1);
        if free.saturating_sub(position) <= FEW {
            ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
            ffi::lua_insert(state, 1);
            ffi::lua_call(state, 3, 0);
            return 0;
        }
        let mut left = MOVES_BETWEEN_LOOKS;
        while free > position {
            left -= 1;
            if left == 0 {
                left = MOVES_BETWEEN_LOOKS;
                if context.guard().stopped() {
                    raise_stop(state);
                }
            }
            ffi::lua_rawgeti_(state, 1, free - 1);
            ffi::lua_rawseti_(state, 1, free);
            free -= 1;
        }
        ffi::lua_rawseti_(state, 1, position);
        0
    }
}
