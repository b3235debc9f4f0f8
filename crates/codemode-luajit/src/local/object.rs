//! File objects: full userdata that hold the number of an open file, behind a metatable that no program reaches.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

use codemode_core::Guard;
use mlua::ffi;

use super::env::Env;
use super::files::Files;
use super::host_streams::NOT_A_PROGRAMS;
use super::trouble::{Trouble, reason};
use crate::call::{self, Lua, Out, Reply, guarded};
use crate::convert::Counted;
use crate::state::Context;

/// The number of an object that was closed.
pub(super) const CLOSED: u32 = u32::MAX;

/// Its address is where the registry keeps the metatable of file objects.
static METATABLE: u8 = 2;

/// Its address is where the registry keeps the default input and output.
static DEFAULTS: u8 = 3;

/// The place of the default input among the defaults.
pub(super) const DEFAULT_INPUT: c_int = 1;
/// The place of the default output among the defaults.
pub(super) const DEFAULT_OUTPUT: c_int = 2;

/// The longest name that an error shows, in bytes.
const SHOWN_NAME: usize = 500;

/// What authority `local` keeps for an interpreter.
pub(crate) struct Local {
    pub(super) files: RefCell<Files>,
    /// What was read, until the program has it.
    pub(super) text: RefCell<Counted<u8>>,
    /// How many file objects there were.
    made: Cell<u32>,
    /// The run's time when it was first asked for the time that it computed.
    pub(super) first_clock: Cell<Option<f64>>,
}

/// What a file object holds.
#[repr(C)]
pub(super) struct Object {
    /// The number of the open file, or [`CLOSED`].
    pub(super) slot: u32,
    /// The number that `tostring` shows.
    pub(super) serial: u32,
}

impl Local {
    pub(crate) fn new(guard: &Arc<Guard>) -> Self {
        Self { files: Files::new(), text: RefCell::new(Counted::new(guard)), made: Cell::new(0), first_clock: Cell::new(None) }
    }
}

/// What operations need of the run at hand.
pub(super) fn env(context: &Context) -> Env<'_> {
    let run = context.run();
    Env { guard: context.guard(), handle: run.map(|run| &run.handle), cwd: Path::new(run.map_or(".", |run| &run.cwd)) }
}

/// Works on the files; where memory is short, collects what the interpreter holds in vain and goes on, and then fires the bound.
/// Where no more files may be open, it collects likewise: file objects may be among it.
///
/// # Errors
/// What to reply with; `name` stands in front of the system's words.
///
/// # Safety
/// As [`call::reply`]; a collection may raise. `work` gives nothing that must be dropped, and can go on after it was crowded out or had too many files open.
pub(super) unsafe fn attempt<R>(
    state: Lua,
    context: &Context,
    name: Option<&[u8]>,
    mut work: impl FnMut(&mut Files, &mut Counted<u8>, &Env<'_>) -> Result<R, Trouble>,
) -> Result<R, Reply> {
    let mut collected = false;
    loop {
        let worked = guarded(context, || {
            let (mut files, mut text) = (context.local().files.borrow_mut(), context.local().text.borrow_mut());
            work(&mut files, &mut text, &env(context))
        })?;
        match worked {
            Ok(result) => return Ok(result),
            Err(Trouble::Crowded | Trouble::System(libc::EMFILE)) if !collected => {
                collected = true;
                // SAFETY: the caller's promise.
                unsafe { ffi::lua_gc(state, ffi::LUA_GCCOLLECT, 0) };
            }
            Err(Trouble::Crowded) => {
                context.fire_memory();
                return Err(Reply::Stop);
            }
            Err(Trouble::Stopped) => return Err(Reply::Stop),
            Err(Trouble::TheHosts) => return Err(refused(name)),
            Err(Trouble::System(number)) => return Err(failed(name, number)),
        }
    }
}

/// `nil`, a message and the system's number, as LuaJIT's own functions have them.
pub(super) fn failed(name: Option<&[u8]>, number: i32) -> Reply {
    Reply::Values(vec![Out::Nil, Out::Bytes(message(name, &reason(number)).into_bytes()), Out::Number(f64::from(number))])
}

/// `nil` and a message: the host's own standard streams. The system said nothing, so that there is no number of its.
fn refused(name: Option<&[u8]>) -> Reply {
    Reply::Values(vec![Out::Nil, Out::Bytes(message(name, NOT_A_PROGRAMS).into_bytes())])
}

fn message(name: Option<&[u8]>, why: &str) -> String {
    match name {
        Some(name) => {
            let shown = String::from_utf8_lossy(&name[..name.len().min(2 * SHOWN_NAME)]);
            format!("{}: {}", codemode_core::text::cut(&shown, SHOWN_NAME), why)
        }
        None => why.to_owned(),
    }
}

/// Gives `true`, or what went wrong.
///
/// # Safety
/// As [`call::reply`].
pub(super) unsafe fn finish(state: Lua, context: &Context, result: Result<(), Reply>) -> c_int {
    let reply = result.err().unwrap_or(Reply::Value(Out::Boolean(true)));
    // SAFETY: the caller's promise; the context keeps the reply.
    unsafe { call::finish(state, context, reply) }
}

/// Raises `bad argument` with the name of a file and the system's words, or whatever else went wrong.
///
/// # Safety
/// As [`call::reply`].
pub(super) unsafe fn raise_for_argument(state: Lua, context: &Context, index: c_int, reply: Reply) -> c_int {
    match reply {
        Reply::Values(values) => {
            let (kept, place) = context.keep(values);
            // SAFETY: the caller's promise; LuaJIT copies the message, which is then on the stack.
            unsafe {
                let values: &[Out] = &*kept;
                call::push(state, values.get(1).unwrap_or(&Out::Nil));
                context.release(place);
                ffi::luaL_argerror(state, index, ffi::lua_tolstring(state, -1, ptr::null_mut()))
            }
        }
        // SAFETY: the caller's promise.
        other => unsafe { call::finish(state, context, other) },
    }
}

fn address(of: &'static u8) -> *mut c_void {
    ptr::from_ref(of).cast_mut().cast()
}

/// Makes the metatable of file objects from the table of their methods at the top, which is popped, and the table of defaults.
///
/// # Safety
/// `state` is live, under protection, with ten free slots.
pub(super) unsafe fn install(state: Lua, metamethods: &[(&CStr, ffi::lua_CFunction)]) {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_pushlightuserdata(state, address(&METATABLE));
        ffi::lua_createtable(state, 0, 5);
        ffi::lua_pushvalue(state, -3);
        ffi::lua_setfield(state, -2, c"__index".as_ptr());
        ffi::lua_pushboolean(state, 0);
        ffi::lua_setfield(state, -2, c"__metatable".as_ptr());
        for (name, function) in metamethods {
            ffi::lua_pushcclosure(state, *function, 0);
            ffi::lua_setfield(state, -2, name.as_ptr());
        }
        ffi::lua_rawset(state, ffi::LUA_REGISTRYINDEX);
        ffi::lua_pushlightuserdata(state, address(&DEFAULTS));
        ffi::lua_createtable(state, 2, 0);
        ffi::lua_rawset(state, ffi::LUA_REGISTRYINDEX);
        ffi::lua_settop(state, -2);
    }
}

/// Pushes a new object, which is closed until it is given a number.
///
/// # Safety
/// `state` is live with three free slots. May raise for want of memory. The object is used while it is on the stack.
pub(super) unsafe fn push_new(state: Lua, context: &Context) -> *mut Object {
    let made = &context.local().made;
    // SAFETY: the caller's promise; LuaJIT aligns what it allocates to eight bytes.
    unsafe {
        let object = ffi::lua_newuserdata(state, size_of::<Object>()).cast::<Object>();
        object.write(Object { slot: CLOSED, serial: made.get() });
        made.set(made.get().wrapping_add(1));
        push_from_registry(state, &METATABLE);
        ffi::lua_setmetatable(state, -2);
        object
    }
}

/// The object at this index; nothing for any other value. Never raises.
///
/// # Safety
/// `state` is live with two free slots. The object is used while it is on the stack.
pub(super) unsafe fn at(state: Lua, index: c_int) -> Option<*mut Object> {
    // SAFETY: what is pushed is popped; only our own objects have this metatable.
    unsafe {
        if ffi::lua_type(state, index) != ffi::LUA_TUSERDATA || ffi::lua_getmetatable(state, index) == 0 {
            return None;
        }
        push_from_registry(state, &METATABLE);
        let ours = ffi::lua_rawequal(state, -1, -2) != 0;
        ffi::lua_settop(state, -3);
        ours.then(|| ffi::lua_touserdata(state, index).cast())
    }
}

/// The object at this index; raises where there is none.
///
/// # Safety
/// As [`at`], and the caller owns nothing.
pub(super) unsafe fn check(state: Lua, index: c_int) -> *mut Object {
    // SAFETY: the caller's promise.
    unsafe {
        match at(state, index) {
            Some(object) => object,
            None => {
                ffi::luaL_typerror(state, index, c"FILE*".as_ptr());
                ptr::null_mut()
            }
        }
    }
}

/// The object at this index; raises where there is none, or it was closed.
///
/// # Safety
/// As [`check`].
pub(super) unsafe fn check_open(state: Lua, index: c_int) -> *mut Object {
    // SAFETY: the caller's promise.
    unsafe {
        let object = check(state, index);
        if (*object).slot == CLOSED {
            ffi::luaL_error(state, c"attempt to use a closed file".as_ptr());
        }
        object
    }
}

/// Pushes the default input or output.
///
/// # Safety
/// `state` is live with two free slots, and [`install`] has run. Never raises.
pub(super) unsafe fn push_default(state: Lua, place: c_int) {
    // SAFETY: the caller's promise.
    unsafe {
        push_from_registry(state, &DEFAULTS);
        ffi::lua_rawgeti_(state, -1, place);
        ffi::lua_remove(state, -2);
    }
}

/// Makes the object on top the default input or output, and leaves it there.
///
/// # Safety
/// As [`push_default`].
pub(super) unsafe fn set_default(state: Lua, place: c_int) {
    // SAFETY: the caller's promise; the place was made with the table.
    unsafe {
        push_from_registry(state, &DEFAULTS);
        ffi::lua_pushvalue(state, -2);
        ffi::lua_rawseti_(state, -2, place);
        ffi::lua_settop(state, -2);
    }
}

/// Pushes the default input or output as an open object; raises where it was closed.
///
/// # Safety
/// As [`push_default`], and the caller owns nothing.
pub(super) unsafe fn push_open_default(state: Lua, place: c_int) -> *mut Object {
    // SAFETY: the caller's promise; nothing but objects is ever made a default.
    unsafe {
        push_default(state, place);
        let object = ffi::lua_touserdata(state, -1).cast::<Object>();
        if (*object).slot == CLOSED {
            ffi::luaL_error(state, c"standard file is closed".as_ptr());
        }
        object
    }
}

unsafe fn push_from_registry(state: Lua, of: &'static u8) {
    // SAFETY: the registry is a table; reading it raw cannot raise.
    unsafe {
        ffi::lua_pushlightuserdata(state, address(of));
        ffi::lua_rawget_(state, ffi::LUA_REGISTRYINDEX);
    }
}
