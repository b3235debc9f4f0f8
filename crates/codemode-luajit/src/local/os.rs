//! The table `os`: as LuaJIT's, without `exit` and `setlocale`, which are the whole process's.

use std::ffi::{CStr, OsStr, c_int};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use mlua::ffi;

use super::command;
use super::date;
use super::disk::create_unique;
use super::env::Env;
use super::object::{self, attempt};
use super::trouble::Trouble;
use crate::call::{self, Lua, Out, Reply, enter, text_argument};

/// The functions, by name.
const FUNCTIONS: [(&CStr, ffi::lua_CFunction); 9] = [
    (c"clock", clock),
    (c"date", date::date),
    (c"difftime", difftime),
    (c"execute", execute),
    (c"getenv", getenv),
    (c"remove", remove),
    (c"rename", rename),
    (c"time", date::time),
    (c"tmpname", tmpname),
];

/// Makes the global `os`.
///
/// # Safety
/// `state` is live, under protection, with five free slots, and no program ran in it.
pub(super) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_createtable(state, 0, 9);
        for (name, function) in FUNCTIONS {
            call::register(state, -1, name, function);
        }
        ffi::lua_setfield(state, ffi::LUA_GLOBALSINDEX, c"os".as_ptr());
    }
}

/// `os.execute(command?)`: the number that the C library's `system` gives; without a command, 1 where there is a shell.
unsafe extern "C-unwind" fn execute(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; its arguments stay on the stack.
    unsafe {
        let context = enter(state);
        if ffi::lua_type(state, 1) <= ffi::LUA_TNIL {
            return call::finish(state, context, Reply::Value(Out::Number(f64::from(u8::from(command::has_shell())))));
        }
        let text = text_argument(state, 1);
        let mut tried = false;
        let executed = attempt(state, context, None, |files, _, env| {
            let first = !std::mem::replace(&mut tried, true);
            env.raw_effect();
            match files.execute(env, text) {
                Ok(status) => Ok(command::number(status)),
                // A command that cannot be started is -1, as of `system`.
                Err(Trouble::System(number)) if number != libc::EMFILE || !first => Ok(-1),
                Err(trouble) => Err(trouble),
            }
        });
        let reply = executed.map_or_else(|reply| reply, |status| Reply::Value(Out::Number(f64::from(status))));
        call::finish(state, context, reply)
    }
}

/// `os.remove(path)`.
unsafe extern "C-unwind" fn remove(state: Lua) -> c_int {
    // SAFETY: as in `execute`.
    unsafe {
        let path = text_argument(state, 1);
        change(state, path, |env| {
            let place = env.path(path);
            // As the C library's `remove`: a folder goes too, when it is empty.
            match std::fs::symlink_metadata(&place)?.is_dir() {
                true => std::fs::remove_dir(place),
                false => std::fs::remove_file(place),
            }
        })
    }
}

/// `os.rename(from, to)`.
unsafe extern "C-unwind" fn rename(state: Lua) -> c_int {
    // SAFETY: as in `execute`.
    unsafe {
        let (from, to) = (text_argument(state, 1), text_argument(state, 2));
        change(state, from, |env| std::fs::rename(env.path(from), env.path(to)))
    }
}

/// Changes something outside; gives `true`, or what went wrong with the name in front.
///
/// # Safety
/// As [`call::reply`].
unsafe fn change(state: Lua, name: &[u8], mut work: impl FnMut(&Env<'_>) -> std::io::Result<()>) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let context = enter(state);
        let changed = attempt(state, context, Some(name), |_, _, env| {
            env.raw_effect();
            Ok(work(env)?)
        });
        object::finish(state, context, changed)
    }
}

/// `os.tmpname()`: the path of a new, empty file.
unsafe extern "C-unwind" fn tmpname(state: Lua) -> c_int {
    // SAFETY: as in `execute`.
    unsafe {
        call::reply(state, |context| {
            let env = object::env(context);
            env.raw_effect();
            match create_unique(&env) {
                Ok((_, path)) => Reply::Value(Out::Bytes(path.into_os_string().into_vec())),
                Err(_) => Reply::Raise("unable to generate a unique filename".to_owned()),
            }
        })
    }
}

/// `os.getenv(name)`.
unsafe extern "C-unwind" fn getenv(state: Lua) -> c_int {
    // SAFETY: as in `execute`.
    unsafe {
        let name = text_argument(state, 1);
        call::reply(state, |_| {
            let value = std::env::var_os(OsStr::from_bytes(name));
            Reply::Value(value.map_or(Out::Nil, |value| Out::Bytes(value.into_vec())))
        })
    }
}

/// `os.clock()`: seconds that the run computed; its own time where it is deterministic.
unsafe extern "C-unwind" fn clock(state: Lua) -> c_int {
    // SAFETY: as in `execute`.
    unsafe {
        call::reply(state, |context| {
            let Some(handle) = context.handle() else { return Reply::Stop };
            if !context.spec().deterministic {
                return Reply::Value(Out::Number(context.guard().computed().as_secs_f64()));
            }
            let (now, first) = (handle.now_ms(), &context.local().first_clock);
            let since = now - first.get().unwrap_or(now);
            first.set(Some(now - since));
            Reply::Value(Out::Number(since / 1000.0))
        })
    }
}

/// `os.difftime(later, earlier?)`.
unsafe extern "C-unwind" fn difftime(state: Lua) -> c_int {
    // SAFETY: as in `execute`.
    unsafe {
        enter(state);
        let (later, earlier) = (ffi::luaL_checknumber(state, 1), ffi::luaL_optnumber(state, 2, 0.0));
        ffi::lua_pushnumber(state, later.trunc() - earlier.trunc());
        1
    }
}
