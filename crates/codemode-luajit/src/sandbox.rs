//! The libraries that a program gets, and what of them is taken away or replaced.

use std::ffi::CStr;

use mlua::ffi;

use crate::call::Lua;

/// Opens the libraries.
///
/// # Safety
/// `state` is live and under protection.
pub(crate) unsafe fn open(state: Lua) {
    let libraries: [(&CStr, ffi::lua_CFunction); 6] = [
        (c"", ffi::luaopen_base),
        (c"table", ffi::luaopen_table),
        (c"string", ffi::luaopen_string),
        (c"math", ffi::luaopen_math),
        (c"bit", ffi::luaopen_bit),
        (c"jit", ffi::luaopen_jit),
    ];
    for (name, opener) in libraries {
        // SAFETY: the caller's promise.
        unsafe {
            ffi::lua_pushcclosure(state, opener, 0);
            ffi::lua_pushstring_(state, name.as_ptr());
            ffi::lua_call(state, 1, 0);
        }
    }
}
