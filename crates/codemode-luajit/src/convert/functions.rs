//! `json_encode`, `json_decode`, `json_array` and `json_null`, and what other callbacks convert with.

use std::cell::UnsafeCell;
use std::ffi::c_int;
use std::sync::Arc;

use codemode_core::{Guard, Json};
use mlua::ffi::{
    LUA_GCCOLLECT, LUA_TNIL, LUA_TNONE, LUA_TTABLE, lua_createtable, lua_gc, lua_getmetatable, lua_pushvalue, lua_rawequal, lua_rawget_,
    lua_rawset, lua_setmetatable, lua_settop, lua_type,
};

use super::decode::{Decoder, NotBuilt};
use super::encode::{Encoder, Shape};
use super::halt::Halt;
use super::scan::BigIntegers;
use super::sentinel;
use crate::call::{self, Lua, Reply, bytes_at, enter, guarded, push_bytes, type_name};
use crate::state::Context;

/// The longest message of another function's failure that is passed on, in bytes.
const PASSED_ON_BYTES: usize = 500;

/// The buffers that an interpreter converts with.
pub(crate) struct Converter {
    encoder: UnsafeCell<Encoder>,
    decoder: UnsafeCell<Decoder>,
}

impl Converter {
    pub(crate) fn new(guard: &Arc<Guard>) -> Self {
        Self { encoder: UnsafeCell::new(Encoder::new(guard)), decoder: UnsafeCell::new(Decoder::new(guard)) }
    }
}

/// Puts `json_encode`, `json_decode`, `json_array` and `json_null` into the table at `table`.
///
/// # Safety
/// Called once for a state, with eight free slots, before any other function of this folder; may raise out of memory.
pub(crate) unsafe fn install(state: Lua, table: c_int) {
    // SAFETY: the caller's promise; an index relative to the top moves with what is pushed.
    unsafe {
        sentinel::install(state);
        call::register(state, table, c"json_encode", json_encode);
        call::register(state, table, c"json_decode", json_decode);
        call::register(state, table, c"json_array", json_array);
        lua_pushvalue(state, table);
        push_bytes(state, b"json_null");
        sentinel::push_null(state);
        lua_rawset(state, -3);
        lua_settop(state, -2);
    }
}

/// The arguments of a call at `index`, nothing where there are none, as a JSON object.
///
/// # Errors
/// What to reply with where they are no object, or have no JSON form.
///
/// # Safety
/// `state` is a live coroutine of an interpreter of ours, the index is valid, and the caller owns nothing: a collection may raise.
pub(crate) unsafe fn arguments(state: Lua, context: &Context, index: c_int) -> Result<Json, Reply> {
    // SAFETY: the caller's promise.
    unsafe { encode(state, context, index, Shape::Arguments, "arguments")? };
    // SAFETY: nothing else uses the encoder while this callback runs.
    let encoder = unsafe { &mut *context.converter().encoder.get() };
    guarded(context, || Json::written(encoder.take_text()))
}

/// The value at `index` as JSON text.
///
/// # Errors
/// What to reply with where it has no JSON form.
///
/// # Safety
/// As [`arguments`].
pub(crate) unsafe fn text(state: Lua, context: &Context, index: c_int) -> Result<String, Reply> {
    // SAFETY: the caller's promise; nothing else uses the encoder while this callback runs.
    unsafe {
        encode(state, context, index, Shape::Any, "value")?;
        Ok((*context.converter().encoder.get()).take_text())
    }
}

/// Encodes into the context's buffers; collects garbage and tries once more where memory is short.
///
/// # Safety
/// As [`arguments`].
unsafe fn encode(state: Lua, context: &Context, index: c_int, shape: Shape, what: &str) -> Result<(), Reply> {
    // SAFETY: the caller's promise; nothing else uses the encoder while this callback runs.
    unsafe { with_room(state, context, what, || (*context.converter().encoder.get()).encode(state, index, shape)) }
}

/// Converts; where memory is short, collects what the interpreter holds in vain and converts again, and then fires the bound.
///
/// # Safety
/// As [`arguments`]; `convert` raises nothing.
unsafe fn with_room(state: Lua, context: &Context, what: &str, mut convert: impl FnMut() -> Result<(), Halt>) -> Result<(), Reply> {
    let mut collected = false;
    loop {
        match guarded(context, &mut convert)? {
            Ok(()) => return Ok(()),
            Err(Halt::Crowded) if !collected => {
                collected = true;
                // SAFETY: the caller's promise; what was converted so far is dropped with the next attempt.
                unsafe { lua_gc(state, LUA_GCCOLLECT, 0) };
            }
            Err(Halt::Crowded) => {
                context.fire_memory();
                return Err(Reply::Stop);
            }
            Err(Halt::Stopped) => return Err(Reply::Stop),
            Err(Halt::Impatient) => return Err(Reply::Raise(format!("{what}: a value in it has no json form"))),
            Err(Halt::Refused(refusal)) => return Err(Reply::Raise(format!("{what}: {}", refusal.message()))),
        }
    }
}

/// `json_encode(value)`: the value as text, with the keys of objects sorted.
unsafe extern "C-unwind" fn json_encode(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; what is pushed stands in the context.
    unsafe {
        let context = enter(state);
        if lua_type(state, 1) == LUA_TNONE {
            return raise(state, context, "json_encode: expects a value, got none");
        }
        if let Err(reply) = encode(state, context, 1, Shape::Any, "json_encode") {
            return call::finish(state, context, reply);
        }
        let encoder = context.converter().encoder.get();
        push_bytes(state, (*encoder).text().as_bytes());
        (*encoder).clear();
        1
    }
}

/// `json_decode(text, options?)`: the value that the text says.
unsafe extern "C-unwind" fn json_decode(state: Lua) -> c_int {
    // SAFETY: as in `json_encode`; the text lies on the stack until the value is built.
    unsafe {
        let context = enter(state);
        let Some(text) = bytes_at(state, 1) else {
            return call::finish(state, context, no_text(state));
        };
        let Some(big_integers) = options(state) else {
            return raise(state, context, "json_decode: the second argument is {big_integers = \"text\"} or nothing");
        };
        match decode(state, context, text, big_integers, "json_decode") {
            Ok(()) => 1,
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// Pushes the value that a JSON text of the host's says; whole numbers past 2^53 are strings in it.
///
/// # Errors
/// What to reply with where it cannot be built; `what` stands before the reason.
///
/// # Safety
/// As [`arguments`]; the text stays where it is when an error is raised.
pub(crate) unsafe fn push_json(state: Lua, context: &Context, text: &[u8], what: &str) -> Result<(), Reply> {
    // SAFETY: the caller's promise.
    unsafe { decode(state, context, text, BigIntegers::Text, what) }
}

/// # Safety
/// As [`push_json`].
unsafe fn decode(state: Lua, context: &Context, text: &[u8], big_integers: BigIntegers, what: &str) -> Result<(), Reply> {
    let decoder = context.converter().decoder.get();
    // SAFETY: the caller's promise; nothing else uses the decoder while this callback runs.
    unsafe {
        with_room(state, context, what, || (*decoder).scan(text, big_integers))?;
        let built = (*decoder).build(state, text);
        (*decoder).clear();
        built.map_err(|not_built| match not_built {
            NotBuilt::Stopped => Reply::Stop,
            NotBuilt::NoStack => Reply::Raise(format!("{what}: the stack is too deep for decoding here")),
        })
    }
}

/// What to tell about a first argument that is no text: the failure that a call gave in its place, where it did.
///
/// # Safety
/// `state` is live.
unsafe fn no_text(state: Lua) -> Reply {
    // SAFETY: reading arguments raises nothing.
    let (kind, failure) = unsafe { (type_name(state, 1), bytes_at(state, 2)) };
    let told =
        failure.filter(|_| kind == "nil").map(|bytes| String::from_utf8_lossy(&bytes[..bytes.len().min(2 * PASSED_ON_BYTES)]).into_owned());
    Reply::Raise(match told {
        Some(failure) => {
            format!("json_decode: expects text, got nil and the message: {}", codemode_core::text::cut(&failure, PASSED_ON_BYTES))
        }
        None => format!("json_decode: expects text, got {kind}"),
    })
}

/// What the second argument of `json_decode` says; nothing where it says nothing known.
///
/// # Safety
/// `state` is live. May raise out of memory.
unsafe fn options(state: Lua) -> Option<BigIntegers> {
    // SAFETY: the table is read raw.
    unsafe {
        match lua_type(state, 2) {
            LUA_TNONE | LUA_TNIL => return Some(BigIntegers::Refuse),
            LUA_TTABLE => {}
            _ => return None,
        }
        push_bytes(state, b"big_integers");
        lua_rawget_(state, 2);
        match bytes_at(state, -1) {
            Some(b"text") => Some(BigIntegers::Text),
            _ => None,
        }
    }
}

/// `json_array(table?)`: the table, or a new one, marked as an array so that it is `[]` when empty.
unsafe extern "C-unwind" fn json_array(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; nothing of Rust's is owned.
    unsafe {
        let context = enter(state);
        match lua_type(state, 1) {
            LUA_TNONE | LUA_TNIL => {
                lua_settop(state, 0);
                lua_createtable(state, 0, 0);
            }
            LUA_TTABLE => lua_settop(state, 1),
            _ => return raise(state, context, "json_array: expects a table or nothing"),
        }
        sentinel::push_array_marker(state);
        if lua_getmetatable(state, 1) != 0 {
            if lua_rawequal(state, -1, -2) == 0 {
                return raise(state, context, "json_array: the table has a metatable of its own; copy it into a plain one");
            }
            lua_settop(state, 2);
        }
        lua_setmetatable(state, 1);
        1
    }
}

/// Raises an error with the caller's position.
///
/// # Safety
/// As [`arguments`].
unsafe fn raise(state: Lua, context: &Context, message: &str) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { call::finish(state, context, Reply::Raise(message.to_owned())) }
}
