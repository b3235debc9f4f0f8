//! `tool.name{...}`: the tools of the run as functions, made when they are named.

use std::ffi::c_int;
use std::sync::Arc;

use codemode_core::{Answer, Ask, Delivered, Fault, Json, Missing, Resolved, Stopped, code, is_identifier};
use mlua::ffi;

use crate::call::{self, Lua, Out, Reply, bytes_at, enter, guarded, push_bytes, raise_stop, type_name};
use crate::convert;
use crate::not_run::{self, NotRun};
use crate::state::Context;

/// The longest name that is looked up, in bytes: a longer one is no tool's.
pub(crate) const LONGEST_NAME: usize = 4096;
/// How much of a longer name is told, in bytes.
const TOLD_BYTES: usize = 200;

/// Pushes the table `tool`.
///
/// # Safety
/// `state` is live, under protection, with room for six values.
pub(crate) unsafe fn push(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        push_bytes(state, b"");
        push_proxy(state);
    }
}

/// Replaces the prefix on top by a table whose fields are the tools under that prefix.
///
/// # Safety
/// As [`push`]; a string is on top.
unsafe fn push_proxy(state: Lua) {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_createtable(state, 0, 0);
        ffi::lua_insert(state, -2);
        ffi::lua_createtable(state, 0, 4);
        ffi::lua_insert(state, -2);
        // The functions that were made already are the second upvalue, where no program can reach them.
        ffi::lua_createtable(state, 0, 0);
        ffi::lua_pushcclosure(state, index, 2);
        ffi::lua_setfield(state, -2, c"__index".as_ptr());
        call::register(state, -1, c"__newindex", newindex);
        ffi::lua_pushboolean(state, 0);
        ffi::lua_setfield(state, -2, c"__metatable".as_ptr());
        ffi::lua_setmetatable(state, -2);
    }
}

/// What a name after `tool.` came to.
enum Named {
    Tool(Arc<str>),
    Prefix(String),
    NotRun(NotRun),
    Stopped,
}

/// `tool.name`: the function of that tool, or an error here, where the name is written.
unsafe extern "C-unwind" fn index(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with the table and a key; what is owned is kept in the context before anything raises.
    unsafe {
        let context = enter(state);
        let Some(key) = bytes_at(state, 2) else {
            let kind = type_name(state, 2);
            let message = format!("tools have names, as in tool.name or tool[\"a-b\"]; given a {kind}");
            return call::finish(state, context, Reply::Raise(message));
        };
        ffi::lua_settop(state, 2);
        ffi::lua_pushvalue(state, 2);
        ffi::lua_rawget_(state, ffi::lua_upvalueindex(2));
        if ffi::lua_type(state, 3) != ffi::LUA_TNIL {
            return 1;
        }
        ffi::lua_settop(state, 2);
        let prefix = bytes_at(state, ffi::lua_upvalueindex(1)).unwrap_or_default();
        let named = match guarded(context, || resolve(context, prefix, key)) {
            Ok(named) => named,
            Err(reply) => return call::finish(state, context, reply),
        };
        give(state, context, named)
    }
}

fn resolve(context: &Context, prefix: &[u8], key: &[u8]) -> Named {
    let (name, resolved) = look_up(context, prefix, key);
    match resolved {
        Err(Stopped) => Named::Stopped,
        Ok(Resolved::Tool(tool)) => Named::Tool(Arc::clone(&tool.name)),
        Ok(Resolved::Namespace(namespace)) => Named::Prefix(format!("{namespace}.")),
        Ok(Resolved::Missing(missing)) => Named::NotRun(NotRun::of(missing.fault(&roster(context)), name, None)),
    }
}

/// A name, told shortly where it is long, and what it stands for.
pub(crate) fn look_up(context: &Context, prefix: &[u8], key: &[u8]) -> (String, Result<Resolved, Stopped>) {
    if prefix.len() + key.len() > LONGEST_NAME {
        // Bytes that are no UTF-8 grow as text, which nothing counts: no more of them is copied than is told.
        let name = String::from_utf8_lossy(&key[..key.len().min(TOLD_BYTES)]).into_owned();
        let missing = Missing::new(&name);
        return (name, Ok(Resolved::Missing(missing)));
    }
    let name = format!("{}{}", String::from_utf8_lossy(prefix), String::from_utf8_lossy(key));
    let resolved = context.handle().ok_or(Stopped).and_then(|handle| handle.resolve(&name));
    (name, resolved)
}

/// How a program lists the tools.
pub(crate) fn roster(context: &Context) -> String {
    format!("{}.tools()", context.spec().profile.namespace)
}

/// Makes what was named, remembers it, and gives it.
///
/// # Safety
/// As [`call::reply`]; the key is at 2.
unsafe fn give(state: Lua, context: &Context, named: Named) -> c_int {
    // SAFETY: the caller's promise; what is kept stands until it is released.
    unsafe {
        let (text, is_tool) = match named {
            Named::Tool(name) => (Out::Shared(name), true),
            Named::Prefix(prefix) => (Out::Bytes(prefix.into_bytes()), false),
            Named::NotRun(error) => return not_run::raise(state, context, error),
            Named::Stopped => raise_stop(state),
        };
        let (kept, place) = context.keep(text);
        call::push(state, &*kept);
        context.release(place);
        if is_tool {
            ffi::lua_pushcclosure(state, call_tool, 1);
        } else {
            push_proxy(state);
        }
        ffi::lua_pushvalue(state, 2);
        ffi::lua_pushvalue(state, -2);
        ffi::lua_rawset(state, ffi::lua_upvalueindex(2));
        1
    }
}

unsafe extern "C-unwind" fn newindex(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine.
    unsafe { call::reply(state, |_| Reply::Raise("tools cannot be assigned; use a local variable".to_owned())) }
}

/// `tool.name{...}`: one of three answers.
unsafe extern "C-unwind" fn call_tool(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; the upvalue is the tool's name. What is owned goes from hand to hand
    // through functions that raise nothing, and into the context before anything does.
    unsafe {
        let context = enter(state);
        let name = bytes_at(state, ffi::lua_upvalueindex(1)).unwrap_or_default();
        let made = match arguments(state, context) {
            Ok(arguments) => guarded(context, || dispatch(context, name, arguments)),
            Err(reply) => guarded(context, || unfit(name, reply)),
        };
        match made {
            Ok(Called::Reply(reply)) | Err(reply) => call::finish(state, context, reply),
            Ok(Called::NotRun(error)) => not_run::raise(state, context, error),
        }
    }
}

/// What a call came to.
enum Called {
    Reply(Reply),
    NotRun(NotRun),
}

/// The one table that a tool takes, as JSON.
///
/// # Safety
/// As [`convert::arguments`].
unsafe fn arguments(state: Lua, context: &Context) -> Result<Json, Reply> {
    // SAFETY: the caller's promise.
    unsafe {
        let count = ffi::lua_gettop(state);
        match ffi::lua_type(state, 1) {
            _ if count > 1 => {
                let dot = if ffi::lua_type(state, 1) == ffi::LUA_TTABLE { "; call it with a dot, not with a colon" } else { "" };
                Err(Reply::Raise(format!("takes one table of named arguments; given {count} arguments{dot}")))
            }
            ffi::LUA_TNONE | ffi::LUA_TNIL => Ok(Json::empty_object()),
            ffi::LUA_TTABLE => convert::arguments(state, context, 1),
            _ => Err(Reply::Raise(format!("takes one table of named arguments, as in {{name = value}}; given a {}", type_name(state, 1)))),
        }
    }
}

/// What to raise for arguments that cannot be sent: nothing was.
fn unfit(name: &[u8], reply: Reply) -> Called {
    let Reply::Raise(why) = reply else { return Called::Reply(reply) };
    let tool = String::from_utf8_lossy(name).into_owned();
    let message = format!("{} {why}", written(&tool));
    Called::NotRun(NotRun { tool, code: code::INVALID_ARGUMENTS.into(), message, fix: None, call: None })
}

/// The tool as a program writes it.
fn written(tool: &str) -> String {
    let shown = codemode_core::text::cut(tool, 100);
    if is_identifier(&shown) { format!("tool.{shown}") } else { format!("tool[\"{shown}\"]") }
}

fn dispatch(context: &Context, name: &[u8], arguments: Json) -> Called {
    let name = String::from_utf8_lossy(name).into_owned();
    match ask(context, &name, arguments) {
        Err(Stopped) => Called::Reply(Reply::Stop),
        Ok(Delivered { id, answer, .. }) => match answer {
            Answer::Succeeded(content) => Called::Reply(Reply::Value(Out::content(content))),
            Answer::Failed(fault) | Answer::Unknown(fault) => Called::Reply(Reply::Failed(fault.message)),
            Answer::NotRun(fault) => Called::NotRun(NotRun::of(fault, name, Some(id))),
        },
    }
}

/// Makes the call and waits for its answer. Never raises.
pub(crate) fn ask(context: &Context, name: &str, arguments: Json) -> Result<Delivered, Stopped> {
    context.handle().ok_or(Stopped)?.call(Ask::Call { name: name.to_owned(), arguments, intent: None })
}

/// What `host.call` gives: whether it is well, what came back, and which of the three answers it was.
pub(crate) struct Told {
    pub(crate) ok: bool,
    pub(crate) content: Out,
    pub(crate) status: &'static str,
}

impl Told {
    /// The call was not run.
    pub(crate) fn denied(message: String) -> Self {
        Self { ok: false, content: Out::Bytes(message.into_bytes()), status: "denied" }
    }
}

/// Calls a tool that is named by a value, for `host.call`: whatever happens is data.
pub(crate) fn tell(context: &Context, name: &[u8], arguments: Json) -> Result<Told, Stopped> {
    let (name, resolved) = look_up(context, b"", name);
    if let Resolved::Missing(missing) = resolved? {
        return Ok(Told::denied(missing.message(&roster(context))));
    }
    Ok(match ask(context, &name, arguments)?.answer {
        Answer::Succeeded(content) => Told { ok: true, content: Out::content(content), status: "ok" },
        Answer::Failed(Fault { message, .. }) | Answer::Unknown(Fault { message, .. }) => {
            Told { ok: false, content: Out::Bytes(message.into_bytes()), status: "reported" }
        }
        Answer::NotRun(Fault { message, .. }) => Told::denied(message),
    })
}
