//! What JSON has and Lua has not: `null`, and an empty array that is not an empty object.

use std::ffi::{c_int, c_void};
use std::ptr;

use mlua::ffi::{
    LUA_REGISTRYINDEX, LUA_TLIGHTUSERDATA, lua_State, lua_createtable, lua_getmetatable, lua_pop, lua_pushboolean, lua_pushcclosure,
    lua_pushlightuserdata, lua_pushlstring_, lua_rawequal, lua_rawget_, lua_rawset, lua_setfield, lua_setmetatable, lua_touserdata,
    lua_type,
};

/// Its address stands for JSON's `null`: one light userdata, equal to itself and true in conditions.
static NULL: u8 = 0;

/// Its address is where the registry keeps the metatable of arrays.
static ARRAYS: u8 = 1;

fn address(of: &'static u8) -> *mut c_void {
    ptr::from_ref(of).cast_mut().cast()
}

/// Makes the metatable of arrays, and lets `tostring` show the sentinel as `null`.
///
/// # Safety
/// Called once for a state, with five free slots; may raise out of memory.
pub(crate) unsafe fn install(state: *mut lua_State) {
    // SAFETY: the caller vouches for the state and its slots; what is pushed here is popped here.
    unsafe {
        lua_pushlightuserdata(state, address(&ARRAYS));
        lua_createtable(state, 0, 1);
        push(state, b"array");
        lua_setfield(state, -2, c"__jsontype".as_ptr());
        lua_rawset(state, LUA_REGISTRYINDEX);

        push_null(state);
        lua_createtable(state, 0, 2);
        lua_pushcclosure(state, show, 0);
        lua_setfield(state, -2, c"__tostring".as_ptr());
        // Light userdata share one metatable, which a program must not reach.
        lua_pushboolean(state, 0);
        lua_setfield(state, -2, c"__metatable".as_ptr());
        lua_setmetatable(state, -2);
        lua_pop(state, 1);
    }
}

/// Pushes the sentinel. Cannot raise once [`install`] has run, but takes a slot.
///
/// # Safety
/// The state is live and has a free slot.
pub(crate) unsafe fn push_null(state: *mut lua_State) {
    // SAFETY: the caller vouches for the state; the address is never read.
    unsafe { lua_pushlightuserdata(state, address(&NULL)) }
}

/// Whether this slot holds the sentinel.
///
/// # Safety
/// The state is live and the index is valid.
pub(crate) unsafe fn is_null(state: *mut lua_State, index: c_int) -> bool {
    // SAFETY: reading a slot cannot raise.
    unsafe { lua_type(state, index) == LUA_TLIGHTUSERDATA && lua_touserdata(state, index) == address(&NULL) }
}

/// Pushes the metatable that marks a table as an array, even when it is empty. Cannot raise.
///
/// # Safety
/// [`install`] has run, and there is a free slot.
pub(crate) unsafe fn push_array_marker(state: *mut lua_State) {
    // SAFETY: the registry is a table, and reading it raw cannot raise.
    unsafe {
        lua_pushlightuserdata(state, address(&ARRAYS));
        lua_rawget_(state, LUA_REGISTRYINDEX);
    }
}

/// Whether the table at `index` has the metatable that lies at `marker`. Cannot raise.
///
/// # Safety
/// Both indices are valid and absolute, and there is a free slot.
pub(crate) unsafe fn has_array_marker(state: *mut lua_State, index: c_int, marker: c_int) -> bool {
    // SAFETY: the metatable that is pushed is popped again.
    unsafe {
        if lua_getmetatable(state, index) == 0 {
            return false;
        }
        let same = lua_rawequal(state, -1, marker) != 0;
        lua_pop(state, 1);
        same
    }
}

/// `tostring` of a light userdata; a program can hold no other than the sentinel.
unsafe extern "C-unwind" fn show(state: *mut lua_State) -> c_int {
    // SAFETY: a C function has twenty free slots.
    unsafe {
        let null = is_null(state, 1);
        push(state, if null { b"null" } else { b"userdata" });
    }
    1
}

unsafe fn push(state: *mut lua_State, text: &'static [u8]) {
    // SAFETY: the bytes are static, and the caller has a free slot.
    unsafe { lua_pushlstring_(state, text.as_ptr().cast(), text.len()) }
}
