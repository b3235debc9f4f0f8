//! The error of a call that was not run: a table that reads as its message, and that is known again by itself.

use std::borrow::Cow;
use std::ffi::{CStr, c_int};

use codemode_core::{CallId, Fault};
use mlua::ffi;

use crate::call::{self, Lua, bytes_at, enter, push_bytes};
use crate::state::Context;

/// What is known of a call that was not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotRun {
    pub(crate) tool: String,
    pub(crate) code: Cow<'static, str>,
    pub(crate) message: String,
    pub(crate) fix: Option<String>,
    /// The call, where it got as far as having a number.
    pub(crate) call: Option<CallId>,
}

impl NotRun {
    pub(crate) fn of(fault: Fault, tool: String, call: Option<CallId>) -> Self {
        Self { tool, code: fault.code, message: fault.message, fix: fault.fix, call }
    }
}

/// The fields that a program can read; others are LuaJIT's string functions on the error's text.
const FIELDS: [&CStr; 5] = [c"tool", c"code", c"message", c"fix", c"ran"];

/// Makes the metatable, and the weak table of what is known of each error.
///
/// # Safety
/// `state` is live, under protection, with room for six values; the `string` library is open and untouched.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        let anchors = call::context(state).anchors();
        ffi::lua_createtable(state, 0, 6);
        call::register(state, -1, c"__index", index);
        call::register(state, -1, c"__newindex", newindex);
        call::register(state, -1, c"__tostring", tostring);
        call::register(state, -1, c"__concat", concat);
        ffi::lua_pushboolean(state, 0);
        ffi::lua_setfield(state, -2, c"__metatable".as_ptr());
        anchors.not_run_metatable.set(ffi::luaL_ref(state, ffi::LUA_REGISTRYINDEX));

        ffi::lua_createtable(state, 0, 0);
        ffi::lua_createtable(state, 0, 1);
        push_bytes(state, b"k");
        ffi::lua_setfield(state, -2, c"__mode".as_ptr());
        ffi::lua_setmetatable(state, -2);
        anchors.not_run_details.set(ffi::luaL_ref(state, ffi::LUA_REGISTRYINDEX));

        ffi::lua_createtable(state, 0, 16);
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"string".as_ptr());
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, -2) != 0 {
            ffi::lua_pushvalue(state, -2);
            ffi::lua_insert(state, -2);
            ffi::lua_rawset(state, -5);
        }
        ffi::lua_settop(state, -2);
        anchors.string_functions.set(ffi::luaL_ref(state, ffi::LUA_REGISTRYINDEX));
    }
}

/// Raises the error. What it is about is kept in the context until then.
///
/// # Safety
/// As [`call::reply`].
pub(crate) unsafe fn raise(state: Lua, context: &Context, not_run: NotRun) -> c_int {
    let (kept, place) = context.keep(not_run);
    // SAFETY: what is kept stays where it is until it is released, and no frame here owns anything. A function of C has twenty
    // free slots above its arguments, which are not needed any more.
    unsafe {
        ffi::lua_settop(state, 0);
        ffi::lua_createtable(state, 0, 0);
        let error = ffi::lua_gettop(state);
        ffi::lua_rawgeti_(state, ffi::LUA_REGISTRYINDEX, context.anchors().not_run_metatable.get());
        ffi::lua_setmetatable(state, error);
        ffi::lua_rawgeti_(state, ffi::LUA_REGISTRYINDEX, context.anchors().not_run_details.get());
        ffi::lua_pushvalue(state, error);
        push_details(state, &*kept);
        ffi::lua_rawset(state, -3);
        ffi::lua_settop(state, error);
        context.release(place);
        ffi::lua_error(state)
    }
}

/// Pushes the table of what is known. The text is what the error reads as: its message, with the caller's position in front.
///
/// # Safety
/// As [`raise`].
unsafe fn push_details(state: Lua, not_run: &NotRun) {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_createtable(state, 1, 6);
        let fields = [
            (c"tool", Some(not_run.tool.as_bytes())),
            (c"code", Some(not_run.code.as_bytes())),
            (c"message", Some(not_run.message.as_bytes())),
            (c"fix", not_run.fix.as_ref().map(|fix| fix.as_bytes())),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                push_bytes(state, value);
                ffi::lua_setfield(state, -2, name.as_ptr());
            }
        }
        ffi::lua_pushboolean(state, 0);
        ffi::lua_setfield(state, -2, c"ran".as_ptr());
        ffi::luaL_where(state, 1);
        push_bytes(state, not_run.message.as_bytes());
        ffi::lua_concat(state, 2);
        ffi::lua_setfield(state, -2, c"text".as_ptr());
        if let Some(CallId(id)) = not_run.call {
            #[expect(clippy::cast_precision_loss, reason = "a run makes fewer calls than a double counts exactly")]
            ffi::lua_pushnumber(state, id as f64);
            ffi::lua_rawseti_(state, -2, 1);
        }
    }
}

/// Pushes what is known of the value at `at`: a table, or nil where it is no error of ours. Never raises.
///
/// # Safety
/// `state` is live with room for two values; `at` is no index relative to the top.
unsafe fn push_known(state: Lua, context: &Context, at: c_int) {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_rawgeti_(state, ffi::LUA_REGISTRYINDEX, context.anchors().not_run_details.get());
        ffi::lua_pushvalue(state, at);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            ffi::lua_rawget_(state, -2);
        } else {
            ffi::lua_pushnil(state);
            ffi::lua_replace(state, -2);
        }
        ffi::lua_replace(state, -2);
    }
}

/// What the value at `at` says, where it is the error of a call that was not run: its text, and what is known of it.
///
/// # Safety
/// `state` is live with room for ten values; `at` is no index relative to the top. May raise: the caller owns nothing.
pub(crate) unsafe fn read(state: Lua, context: &Context, at: c_int) -> Option<(String, NotRun)> {
    // SAFETY: the caller's promise; nothing raises once the fields are on the stack, and nothing is owned before.
    unsafe {
        let top = ffi::lua_gettop(state);
        push_known(state, context, at);
        let details = ffi::lua_gettop(state);
        if ffi::lua_type(state, details) != ffi::LUA_TTABLE {
            ffi::lua_settop(state, top);
            return None;
        }
        ffi::lua_rawgeti_(state, details, 1);
        for name in [c"tool", c"code", c"message", c"text", c"fix"] {
            ffi::lua_getfield_(state, details, name.as_ptr());
        }
        let field = |place| bytes_at(state, details + place).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let owned = |place| field(place).unwrap_or_default();
        let number = ffi::lua_tonumber(state, details + 1);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it was made from such a number")]
        let call = (number > 0.0).then_some(CallId(number as u64));
        let not_run = NotRun { tool: owned(2), code: owned(3).into(), message: owned(4), fix: field(6), call };
        let text = owned(5);
        ffi::lua_settop(state, top);
        Some((text, not_run))
    }
}

/// Replaces the value at `at` by its text where it is an error of ours.
///
/// # Safety
/// As [`push_known`]. May raise: the caller owns nothing.
unsafe fn to_text(state: Lua, context: &Context, at: c_int) {
    // SAFETY: the caller's promise.
    unsafe {
        push_known(state, context, at);
        if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
            ffi::lua_getfield_(state, -1, c"text".as_ptr());
            ffi::lua_replace(state, at);
        }
        ffi::lua_settop(state, -2);
    }
}

/// `e.message`, `e.code` and so on; `e:match(...)` as on the text.
unsafe extern "C-unwind" fn index(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with the error and a key; nothing is owned.
    unsafe {
        let context = enter(state);
        let Some(key) = bytes_at(state, 2) else { return 0 };
        if FIELDS.iter().any(|field| field.to_bytes() == key) {
            push_known(state, context, 1);
            if ffi::lua_type(state, -1) == ffi::LUA_TTABLE {
                ffi::lua_pushvalue(state, 2);
                ffi::lua_rawget_(state, -2);
            }
            return 1;
        }
        ffi::lua_rawgeti_(state, ffi::LUA_REGISTRYINDEX, context.anchors().string_functions.get());
        ffi::lua_pushvalue(state, 2);
        ffi::lua_rawget_(state, -2);
        if ffi::lua_type(state, -1) == ffi::LUA_TFUNCTION {
            ffi::lua_pushcclosure(state, method, 1);
        }
        1
    }
}

/// A string function whose first argument may be the error itself.
unsafe extern "C-unwind" fn method(state: Lua) -> c_int {
    // SAFETY: as above; the upvalue is the function.
    unsafe {
        let context = enter(state);
        if ffi::lua_gettop(state) > 0 {
            to_text(state, context, 1);
        }
        ffi::lua_pushvalue(state, ffi::lua_upvalueindex(1));
        ffi::lua_insert(state, 1);
        ffi::lua_call(state, ffi::lua_gettop(state) - 1, ffi::LUA_MULTRET);
        ffi::lua_gettop(state)
    }
}

/// The error cannot be changed: it is how the host knows it again.
unsafe extern "C-unwind" fn newindex(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe { call::reply(state, |_| call::Reply::Raise("this error cannot be changed; make a table of your own".to_owned())) }
}

unsafe extern "C-unwind" fn tostring(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        let context = enter(state);
        ffi::lua_settop(state, 1);
        to_text(state, context, 1);
        1
    }
}

/// `"x" .. e` and `e .. "x"`.
unsafe extern "C-unwind" fn concat(state: Lua) -> c_int {
    // SAFETY: as above; both sides are strings, numbers, or values whose own concatenation LuaJIT finds or refuses.
    unsafe {
        let context = enter(state);
        ffi::lua_settop(state, 2);
        to_text(state, context, 1);
        to_text(state, context, 2);
        ffi::lua_concat(state, 2);
        1
    }
}
