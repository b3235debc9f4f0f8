//! The methods of file objects.

use std::ffi::{CStr, c_char, c_int};
use std::ptr;

use mlua::ffi;
use rustix::fs::SeekFrom;

use super::disk::Buffering;
use super::files::{COMPLAINTS, Files};
use super::object::{self, Object, attempt, check, check_open, finish};
use super::reading;
use super::stream::Stream;
use super::trouble::Trouble;
use crate::call::{self, Lua, Out, Reply, bytes_at, enter, guarded};
use crate::state::Context;

/// The methods, by name.
pub(super) const METHODS: [(&CStr, ffi::lua_CFunction); 7] =
    [(c"close", close), (c"flush", flush), (c"lines", lines), (c"read", read), (c"seek", seek), (c"setvbuf", setvbuf), (c"write", write)];

/// The metamethods, by name.
pub(super) const METAMETHODS: [(&CStr, ffi::lua_CFunction); 2] = [(c"__gc", collect), (c"__tostring", show)];

/// `file:close()`.
unsafe extern "C-unwind" fn close(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; the object stays on the stack.
    unsafe {
        let context = enter(state);
        let object = check_open(state, 1);
        close_object(state, context, object)
    }
}

/// Closes an open object.
///
/// # Safety
/// As [`call::reply`]; the object stays on the stack.
pub(super) unsafe fn close_object(state: Lua, context: &Context, object: *mut Object) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let slot = (*object).slot;
        if slot <= COMPLAINTS {
            return call::finish(state, context, Reply::Failed("cannot close standard file".to_owned()));
        }
        (*object).slot = object::CLOSED;
        let closed = attempt(state, context, None, |files, _, env| files.close(env, slot));
        finish(state, context, closed)
    }
}

/// `file:flush()`.
unsafe extern "C-unwind" fn flush(state: Lua) -> c_int {
    // SAFETY: as in `close`.
    unsafe {
        let context = enter(state);
        let object = check_open(state, 1);
        flush_object(state, context, object)
    }
}

/// Hands on what was written to an open object.
///
/// # Safety
/// As [`close_object`].
pub(super) unsafe fn flush_object(state: Lua, context: &Context, object: *mut Object) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let slot = (*object).slot;
        let flushed = attempt(state, context, None, |files, _, env| stream(files, slot)?.flush(env));
        finish(state, context, flushed)
    }
}

/// `file:lines(...)`.
unsafe extern "C-unwind" fn lines(state: Lua) -> c_int {
    // SAFETY: as in `close`.
    unsafe {
        enter(state);
        check_open(state, 1);
        reading::push_lines(state, false)
    }
}

/// `file:read(...)`.
unsafe extern "C-unwind" fn read(state: Lua) -> c_int {
    // SAFETY: as in `close`.
    unsafe {
        let context = enter(state);
        let object = check_open(state, 1);
        match reading::read(state, context, (*object).slot, 2) {
            Ok(count) => count,
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// `file:write(...)`.
unsafe extern "C-unwind" fn write(state: Lua) -> c_int {
    // SAFETY: as in `close`.
    unsafe {
        let context = enter(state);
        let object = check_open(state, 1);
        write_object(state, context, object, 2)
    }
}

/// Writes what lies from `first` to the top of the stack.
///
/// # Safety
/// As [`close_object`].
pub(super) unsafe fn write_object(state: Lua, context: &Context, object: *mut Object, first: c_int) -> c_int {
    // SAFETY: the caller's promise; numbers become strings before anything is written.
    unsafe {
        let (slot, last) = ((*object).slot, ffi::lua_gettop(state));
        for index in first..=last {
            ffi::luaL_checklstring(state, index, ptr::null_mut());
        }
        let mut next = first;
        let written = attempt(state, context, None, |files, _, env| {
            let stream = stream(files, slot)?;
            while next <= last {
                stream.write(env, bytes_at(state, next).unwrap_or_default())?;
                next += 1;
            }
            Ok(())
        });
        finish(state, context, written)
    }
}

/// `file:seek(whence?, offset?)`.
unsafe extern "C-unwind" fn seek(state: Lua) -> c_int {
    const WHENCE: [*const c_char; 4] = [c"set".as_ptr(), c"cur".as_ptr(), c"end".as_ptr(), ptr::null()];
    // SAFETY: as in `close`; the options end with a null.
    unsafe {
        let context = enter(state);
        let slot = (*check_open(state, 1)).slot;
        let whence = ffi::luaL_checkoption(state, 2, c"cur".as_ptr(), WHENCE.as_ptr());
        #[expect(clippy::cast_possible_truncation, reason = "LuaJIT cuts offsets off likewise")]
        let offset = ffi::luaL_optnumber(state, 3, 0.0) as i64;
        let from = match (whence, u64::try_from(offset)) {
            (0, Ok(offset)) => SeekFrom::Start(offset),
            (0, Err(_)) => return call::finish(state, context, object::failed(None, libc::EINVAL)),
            (1, _) => SeekFrom::Current(offset),
            _ => SeekFrom::End(offset),
        };
        match attempt(state, context, None, |files, _, env| stream(files, slot)?.seek(env, from)) {
            #[expect(clippy::cast_precision_loss, reason = "no file is longer than a double can count")]
            Ok(place) => {
                ffi::lua_pushnumber(state, place as f64);
                1
            }
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// `file:setvbuf(mode, size?)`; the size of the buffer is ours.
unsafe extern "C-unwind" fn setvbuf(state: Lua) -> c_int {
    const MODES: [*const c_char; 4] = [c"no".as_ptr(), c"line".as_ptr(), c"full".as_ptr(), ptr::null()];
    // SAFETY: as in `seek`.
    unsafe {
        let context = enter(state);
        let slot = (*check_open(state, 1)).slot;
        let mode = ffi::luaL_checkoption(state, 2, ptr::null(), MODES.as_ptr());
        ffi::luaL_optinteger(state, 3, 0);
        let buffering = [Buffering::No, Buffering::Line, Buffering::Full][usize::try_from(mode).unwrap_or(0).min(2)];
        let set = attempt(state, context, None, |files, _, env| stream(files, slot)?.set_buffering(env, buffering));
        finish(state, context, set)
    }
}

/// The collector lets go of a file. Never raises.
unsafe extern "C-unwind" fn collect(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine. The run may be over, so that the guard is not looked at.
    unsafe {
        let context = call::context(state);
        if let Some(object) = object::at(state, 1) {
            let slot = std::mem::replace(&mut (*object).slot, object::CLOSED);
            if slot != object::CLOSED && slot > COMPLAINTS {
                let _ = guarded(context, || {
                    // A collection never happens while the files are worked on.
                    if let Ok(mut files) = context.local().files.try_borrow_mut() {
                        match files.abandon(&object::env(context), slot) {
                            Ok(()) | Err(Trouble::Stopped) => {}
                            Err(trouble) => context
                                .warn(format!("a file was collected before it was closed, and lost what was buffered: {}", trouble.text())),
                        }
                    }
                });
            }
        }
    }
    0
}

/// `tostring(file)`: a number in place of LuaJIT's address.
unsafe extern "C-unwind" fn show(state: Lua) -> c_int {
    // SAFETY: as in `close`.
    unsafe {
        let context = enter(state);
        let object = check(state, 1);
        let text = if (*object).slot == object::CLOSED { "file (closed)".to_owned() } else { format!("file ({})", (*object).serial) };
        call::finish(state, context, Reply::Value(Out::Bytes(text.into_bytes())))
    }
}

fn stream(files: &mut Files, slot: u32) -> Result<&mut Stream, Trouble> {
    files.get(slot).ok_or(Trouble::System(libc::EBADF))
}
