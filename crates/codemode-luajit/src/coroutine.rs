//! `coroutine.resume` and `coroutine.wrap`: LuaJIT's own nest on the thread's stack without a limit, these have one.

use std::ffi::c_int;

use mlua::ffi;

use crate::call::{self, Lua, Reply, enter, raise_stop};
use crate::state::Context;
use crate::traceback;

/// How many coroutines may resume each other. Once a bound has fired each of them is ended in turn, and all of them soon.
const MOST_NESTED: usize = 10_000;

unsafe extern "C-unwind" {
    /// LuaJIT's, with the two parameters of Lua 5.1.
    #[link_name = "lua_resume"]
    fn resume_thread(thread: Lua, arguments: c_int) -> c_int;
}

/// Puts both into the library, which is on top.
///
/// # Safety
/// `state` is live, under protection, with room for four values.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        call::register(state, -1, c"resume", resume);
        call::register(state, -1, c"wrap", wrap);
    }
}

/// `coroutine.resume(thread, ...)`: true and what it yielded or returned, or false and the error.
unsafe extern "C-unwind" fn resume(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; nothing of Rust's is owned.
    unsafe {
        let context = enter(state);
        ffi::luaL_checktype(state, 1, ffi::LUA_TTHREAD);
        let thread = ffi::lua_tothread(state, 1);
        match transfer(state, context, thread, ffi::lua_gettop(state) - 1) {
            Ok(count) => {
                ffi::lua_pushboolean(state, 1);
                ffi::lua_insert(state, -(count + 1));
                count + 1
            }
            Err(_) => {
                ffi::lua_pushboolean(state, 0);
                ffi::lua_insert(state, -2);
                2
            }
        }
    }
}

/// `coroutine.wrap(function)`: a function that resumes it, and raises what it raised.
unsafe extern "C-unwind" fn wrap(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        enter(state);
        ffi::luaL_checktype(state, 1, ffi::LUA_TFUNCTION);
        let thread = ffi::lua_newthread(state);
        ffi::lua_pushvalue(state, 1);
        ffi::lua_xmove(state, thread, 1);
        ffi::lua_pushcclosure(state, resume_wrapped, 1);
        1
    }
}

unsafe extern "C-unwind" fn resume_wrapped(state: Lua) -> c_int {
    // SAFETY: as above; the upvalue is the thread.
    unsafe {
        let context = enter(state);
        let thread = ffi::lua_tothread(state, ffi::lua_upvalueindex(1));
        match transfer(state, context, thread, ffi::lua_gettop(state)) {
            Ok(count) => count,
            Err(Refused::Here) => {
                ffi::luaL_where(state, 1);
                ffi::lua_insert(state, -2);
                ffi::lua_concat(state, 2);
                ffi::lua_error(state)
            }
            Err(Refused::Within) => {
                remember(state, context, thread);
                ffi::lua_error(state)
            }
        }
    }
}

/// Where the error comes from that is on top after a resumption.
enum Refused {
    /// It could not be resumed, or its values do not fit.
    Here,
    /// The coroutine raised it.
    Within,
}

/// Resumes with the topmost `count` values; what it gave, or the error, is on top afterwards.
///
/// # Safety
/// As [`call::enter`]; `thread` is anchored.
unsafe fn transfer(state: Lua, context: &Context, thread: Lua, count: c_int) -> Result<c_int, Refused> {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(why) = cannot_resume(state, thread) {
            call::push_bytes(state, why.as_bytes());
            return Err(Refused::Here);
        }
        if ffi::lua_checkstack(thread, count) == 0 {
            call::push_bytes(state, b"too many arguments to resume");
            return Err(Refused::Here);
        }
        let nested = context.nested().get();
        if nested >= MOST_NESTED {
            call::push_bytes(state, b"stack overflow: too many coroutines resume each other");
            return Err(Refused::Here);
        }
        ffi::lua_xmove(state, thread, count);
        context.nested().set(nested + 1);
        let floor = context.begin_stack();
        let status = resume_thread(thread, count);
        context.end_stack(floor);
        context.nested().set(nested);
        if context.guard().stopped() {
            raise_stop(state);
        }
        if status != ffi::LUA_OK && status != ffi::LUA_YIELD {
            call::check_stack(state, 2);
            ffi::lua_xmove(thread, state, 1);
            return Err(Refused::Within);
        }
        let given = ffi::lua_gettop(thread);
        if ffi::lua_checkstack(state, given + 1) == 0 {
            ffi::lua_settop(thread, 0);
            call::push_bytes(state, b"too many results to resume");
            return Err(Refused::Here);
        }
        ffi::lua_xmove(thread, state, given);
        Ok(given)
    }
}

/// Why a coroutine cannot be resumed, in LuaJIT's words.
///
/// # Safety
/// As [`transfer`].
unsafe fn cannot_resume(state: Lua, thread: Lua) -> Option<&'static str> {
    // SAFETY: the caller's promise.
    unsafe {
        let mut frame = std::mem::MaybeUninit::<ffi::lua_Debug>::zeroed();
        if thread == state {
            return Some("cannot resume running coroutine");
        }
        match ffi::lua_status(thread) {
            ffi::LUA_YIELD => None,
            ffi::LUA_OK if ffi::lua_getstack(thread, 0, frame.as_mut_ptr()) != 0 => Some("cannot resume non-suspended coroutine"),
            ffi::LUA_OK if ffi::lua_gettop(thread) > 0 => None,
            _ => Some("cannot resume dead coroutine"),
        }
    }
}

/// Keeps what a coroutine's own stack shows of the error that leaves it, since its frames are not those of who resumed it.
///
/// # Safety
/// As [`transfer`]; the error is on top.
unsafe fn remember(state: Lua, context: &Context, thread: Lua) {
    // SAFETY: the caller's promise; nothing here raises.
    unsafe {
        let identity = ffi::lua_topointer(state, -1).addr();
        let made = call::guarded(context, || {
            let (mut lines, _) = traceback::lines(thread, 0);
            let mut trace = context.trace().borrow_mut();
            if let Some((known, inner)) = &trace.inside
                && *known == identity
                && lines.len() + inner.len() <= traceback::MOST_INSIDE
            {
                lines.splice(0..0, inner.iter().cloned());
            }
            trace.inside = Some((identity, lines));
        });
        if let Err(Reply::Raise(_)) = made {
            raise_stop(state);
        }
    }
}
