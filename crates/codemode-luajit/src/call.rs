//! The conventions of calls between LuaJIT and Rust, and what callbacks share.
//!
//! LuaJIT raises an error by unwinding the C stack, through foreign frames as an exception where it was built with external
//! unwinding (x86-64 and most others), with a jump over them where it was not. Both must be right, so each callback is an
//! `unsafe extern "C-unwind" fn(state) -> c_int` in three phases:
//!
//! 1. **Read.** Arguments are read. Anything of Lua may be called here, since nothing of Rust's is owned yet.
//! 2. **Work.** Rust does the work under [`std::panic::catch_unwind`], and calls nothing that may raise: no allocation in
//!    Lua, no metamethod, no number turned into a string in place. `lua_type`, `lua_toboolean`, `lua_tonumber`,
//!    `lua_tolstring` of a string, `lua_objlen` of a string or table, `lua_rawget`, `lua_rawgeti`, `lua_next` with a key
//!    it gave itself, `lua_pushvalue`, `lua_settop` and `lua_checkstack` never raise (the last three within the stack
//!    that was checked for).
//! 3. **Give.** Results are pushed, which may raise for want of memory. By now no frame of Rust's owns anything whose
//!    drop is required: owned buffers are in the context ([`Context::keep`]) and freed afterwards, by whoever comes next
//!    if an error goes past.
//!
//! [`reply`] does all of this for a function whose results are a few values. A function that has other needs follows the
//! same phases itself with [`enter`], [`guarded`] and [`Context::keep`].
//!
//! Every callback looks at the guard first ([`enter`]): a program that caught its bound may still reach one.

use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use codemode_core::{Content, Stopped};
use mlua::ffi::{self, lua_State};

use crate::state::Context;

/// A coroutine of the interpreter, as callbacks get it.
pub(crate) type Lua = *mut lua_State;

/// One value that a callback gives to the program.
#[derive(Debug)]
pub(crate) enum Out {
    /// `nil`.
    Nil,
    /// A boolean.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A string.
    Bytes(Vec<u8>),
    /// A string that is shared with somebody else.
    Shared(Arc<str>),
    /// A string: what a program that wants text gets of a tool's result, and the lines of its binary parts.
    Content(Content, String),
}

impl Out {
    /// What a program that wants text gets of a tool's result. For phase 2: what is made here cannot be made while it is given.
    pub(crate) fn content(content: Content) -> Self {
        let parts = content.part_lines();
        Self::Content(content, parts)
    }
}

/// What a callback gives to the program.
#[derive(Debug)]
pub(crate) enum Reply {
    /// These values, in this order.
    Values(Vec<Out>),
    /// One value.
    Value(Out),
    /// `nil` and a message.
    Failed(String),
    /// An error with this message, with the caller's position in front.
    Raise(String),
    /// The run was stopped: the sticky error.
    Stop,
}

impl From<Stopped> for Reply {
    fn from(Stopped: Stopped) -> Self {
        Self::Stop
    }
}

/// The context of the interpreter that `state` belongs to.
///
/// # Safety
/// `state` is a live coroutine of an interpreter of ours. The reference must not outlive the callback.
pub(crate) unsafe fn context<'a>(state: Lua) -> &'a Context {
    let mut context = std::ptr::null_mut();
    // SAFETY: `state` is live; an allocator's user data is always the context, which lives until after `lua_close`.
    unsafe {
        ffi::lua_getallocf(state, &raw mut context);
        &*context.cast::<Context>()
    }
}

/// What each callback does first: finds the context, and raises the sticky error where the run was stopped.
///
/// # Safety
/// As [`context`]. May raise: the caller owns nothing yet.
pub(crate) unsafe fn enter<'a>(state: Lua) -> &'a Context {
    // SAFETY: the caller's promise.
    unsafe {
        let context = context(state);
        if context.guard().stopped() {
            raise_stop(state);
        }
        if context.stack_is_used_up() {
            ffi::luaL_where(state, 1);
            push_bytes(state, b"stack overflow");
            ffi::lua_concat(state, 2);
            ffi::lua_error(state);
        }
        context
    }
}

/// Raises the sticky error: a light userdata that no program can make.
///
/// # Safety
/// `state` is live, and no frame of Rust's up to the next protected call owns anything.
pub(crate) unsafe fn raise_stop(state: Lua) -> ! {
    // SAFETY: the value was pushed once when the state was made, so that pushing it again allocates nothing.
    unsafe {
        // Where the bound fired on this thread, no watchdog may have seen it yet, and the program may catch this.
        context(state).switch().arm();
        ffi::lua_pushlightuserdata(state, stop_value());
        ffi::lua_error(state)
    }
}

/// The address that the sticky error is made of.
pub(crate) fn stop_value() -> *mut std::ffi::c_void {
    static STOP: u8 = 0;
    (&raw const STOP).cast_mut().cast()
}

/// Does Rust's work (phase 2). A panic is kept for the end of the run and becomes an ordinary error for the program.
///
/// # Errors
/// When the work panicked: what to raise.
pub(crate) fn guarded<R>(context: &Context, work: impl FnOnce() -> R) -> Result<R, Reply> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        context.broke(text.unwrap_or("no message"));
        Reply::Raise("the interpreter broke".to_owned())
    })
}

/// A whole callback: looks at the guard, works, gives what came of it.
///
/// `work` calls nothing of Lua that may raise. Arguments that may raise when they are read are read before.
///
/// # Safety
/// As [`context`]. May raise: the caller owns nothing, and what `work` borrows is not owned by a frame of Rust's.
pub(crate) unsafe fn reply(state: Lua, work: impl FnOnce(&Context) -> Reply) -> c_int {
    // SAFETY: the caller's promise; `work` is consumed before anything else may raise.
    unsafe {
        let context = enter(state);
        let made = guarded(context, || work(context)).unwrap_or_else(|reply| reply);
        finish(state, context, made)
    }
}

/// Gives a reply, which the context keeps meanwhile: the end of a callback that follows the phases itself.
///
/// # Safety
/// As [`reply`].
pub(crate) unsafe fn finish(state: Lua, context: &Context, reply: Reply) -> c_int {
    let (kept, place) = context.keep(reply);
    // SAFETY: the caller's promise.
    unsafe { give(state, context, kept, place) }
}

/// Phase 3 of [`reply`]: pushes what was kept, and frees it.
///
/// # Safety
/// As [`reply`]; `kept` is what [`Context::keep`] gave with `place`.
unsafe fn give(state: Lua, context: &Context, kept: *const Reply, place: usize) -> c_int {
    // SAFETY: what is kept stays where it is until it is released; no frame here owns anything. A function of C has twenty
    // free slots above its arguments, which are not needed any more.
    unsafe {
        ffi::lua_settop(state, 0);
        let given = match &*kept {
            Reply::Values(values) => {
                if values.len() > 15 {
                    check_stack(state, values.len());
                }
                for value in values {
                    push(state, value);
                }
                c_int::try_from(values.len()).unwrap_or(c_int::MAX)
            }
            Reply::Value(value) => {
                push(state, value);
                1
            }
            Reply::Failed(message) => {
                ffi::lua_pushnil(state);
                push_bytes(state, message.as_bytes());
                2
            }
            Reply::Raise(message) => {
                ffi::luaL_where(state, 1);
                push_bytes(state, message.as_bytes());
                ffi::lua_concat(state, 2);
                context.release(place);
                ffi::lua_error(state)
            }
            Reply::Stop => {
                context.release(place);
                raise_stop(state)
            }
        };
        context.release(place);
        given
    }
}

/// Pushes one value.
///
/// # Safety
/// `state` is live and has room for two values. May raise for want of memory.
pub(crate) unsafe fn push(state: Lua, value: &Out) {
    // SAFETY: the caller's promise.
    unsafe {
        match value {
            Out::Nil => ffi::lua_pushnil(state),
            Out::Boolean(value) => ffi::lua_pushboolean(state, c_int::from(*value)),
            Out::Number(value) => ffi::lua_pushnumber(state, *value),
            Out::Bytes(bytes) => push_bytes(state, bytes),
            Out::Shared(text) => push_bytes(state, text.as_bytes()),
            Out::Content(content, parts) => {
                push_bytes(state, content.text_without_parts().as_bytes());
                if !parts.is_empty() {
                    push_bytes(state, parts.as_bytes());
                    ffi::lua_concat(state, 2);
                }
            }
        }
    }
}

/// Pushes a string.
///
/// # Safety
/// `state` is live and has room for one value. May raise for want of memory.
pub(crate) unsafe fn push_bytes(state: Lua, bytes: &[u8]) {
    // SAFETY: LuaJIT copies the bytes before anything else.
    unsafe { ffi::lua_pushlstring_(state, bytes.as_ptr().cast(), bytes.len()) }
}

/// The bytes of a string at this index; nothing for any other type, numbers included. Never raises.
///
/// # Safety
/// `state` is live, and the bytes are used only while the string is on the stack.
pub(crate) unsafe fn bytes_at<'a>(state: Lua, index: c_int) -> Option<&'a [u8]> {
    // SAFETY: a string's bytes stay where they are for as long as the string is reachable.
    unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TSTRING {
            return None;
        }
        let mut length = 0;
        let start = ffi::lua_tolstring(state, index, &raw mut length);
        Some(std::slice::from_raw_parts(start.cast(), length))
    }
}

/// The bytes of argument `index`, a string or a number, as LuaJIT's own functions take it; raises its own message else.
///
/// # Safety
/// As [`bytes_at`]. May raise: the caller owns nothing yet.
pub(crate) unsafe fn text_argument<'a>(state: Lua, index: c_int) -> &'a [u8] {
    // SAFETY: the caller's promise; the converted number stands at `index` from now on.
    unsafe {
        let mut length = 0;
        let start = ffi::luaL_checklstring(state, index, &raw mut length);
        std::slice::from_raw_parts(start.cast(), length)
    }
}

/// The name of the type at this index, as messages have it.
///
/// # Safety
/// `state` is live.
pub(crate) unsafe fn type_name(state: Lua, index: c_int) -> &'static str {
    // SAFETY: type names are static text of LuaJIT's.
    unsafe {
        let kind = ffi::lua_type(state, index);
        if kind == ffi::LUA_TNONE { "nothing" } else { CStr::from_ptr(ffi::lua_typename(state, kind)).to_str().unwrap_or("value") }
    }
}

/// Makes room for `count` values more, or raises.
///
/// # Safety
/// `state` is live; the caller owns nothing.
pub(crate) unsafe fn check_stack(state: Lua, count: usize) {
    let count = c_int::try_from(count).unwrap_or(c_int::MAX);
    // SAFETY: the caller's promise.
    unsafe { ffi::luaL_checkstack_(state, count, c"too many values".as_ptr()) }
}

/// Puts a function into the table at `table`, which is no pseudo index relative to the top.
///
/// # Safety
/// `state` is live and there is a table at `table`. May raise for want of memory.
pub(crate) unsafe fn register(state: Lua, table: c_int, name: &CStr, function: ffi::lua_CFunction) {
    // SAFETY: the caller's promise; a relative index counts from before the push.
    unsafe {
        let table = if table < 0 && table > ffi::LUA_REGISTRYINDEX { table - 1 } else { table };
        ffi::lua_pushcclosure(state, function, 0);
        push_bytes(state, name.to_bytes());
        ffi::lua_insert(state, -2);
        ffi::lua_rawset(state, if table < 0 && table > ffi::LUA_REGISTRYINDEX { table - 1 } else { table });
    }
}
