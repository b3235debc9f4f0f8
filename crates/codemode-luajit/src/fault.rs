//! Errors of the program as the outcome shows them.

use std::ffi::{CStr, c_int};

use codemode_core::text::{cut, one_line};
use codemode_core::{Location, Raised};
use mlua::ffi;

use crate::call::{Lua, Reply, bytes_at, type_name};
use crate::convert;
use crate::not_run;
use crate::source::other_language;
use crate::state::Context;

/// The longest message that is taken out of an interpreter, in bytes; core cuts further.
const MESSAGE_BYTES: usize = 4096;
/// The longest JSON of a table that was raised, in bytes.
const TABLE_BYTES: usize = 1024;

/// What is wrong with a program that does not compile. LuaJIT's message is at `index`.
///
/// # Safety
/// `state` is live. Never raises.
pub(crate) unsafe fn compile(state: Lua, index: c_int, source: &str) -> Raised {
    // SAFETY: the caller's promise.
    let message = unsafe { text_at(state, index) }.unwrap_or_else(|| "the program would not parse".to_owned());
    Raised { location: location_in(&message), message, fix: other_language(source), ..Raised::default() }
}

/// What a program raised, from the error and what was noted of it. No code of the program's runs.
///
/// # Safety
/// `state` is live, under protection, with nothing owned by a frame of Rust's; the error is at 1, alone.
pub(crate) unsafe fn raised(state: Lua, context: &Context) -> Raised {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some((text, error)) = not_run::read(state, context, 1) {
            let mut raised = noted(context, &text);
            (raised.refusal, raised.fix) = (error.call, error.fix);
            return raised;
        }
        let message = match ffi::lua_type(state, 1) {
            ffi::LUA_TSTRING | ffi::LUA_TNUMBER => text_at(state, 1),
            ffi::LUA_TTABLE => table(state, context),
            ffi::LUA_TNIL => Some("the program raised nil".to_owned()),
            ffi::LUA_TBOOLEAN => Some(format!("the program raised {}", ffi::lua_toboolean(state, 1) != 0)),
            _ => None,
        };
        let message = message.unwrap_or_else(|| format!("the program raised a {}", type_name(state, 1)));
        noted(context, &message)
    }
}

/// Adds where it came from.
fn noted(context: &Context, message: &str) -> Raised {
    let trace = std::mem::take(&mut *context.trace().borrow_mut());
    // LuaJIT tells the place of this one or not, by how it came to it.
    let placed = trace.line.filter(|_| message == "stack overflow").map(|line| format!("program:{line}: {message}"));
    let message = placed.as_deref().unwrap_or(message);
    let mut lines = trace.lines;
    if let Some((_, mut inside)) = trace.inside {
        inside.append(&mut lines);
        lines = inside;
    }
    Raised {
        message: message.to_owned(),
        location: location_in(message).or(trace.line.map(|line| Location { line, column: None })),
        traceback: (!lines.is_empty()).then(|| lines.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")),
        ..Raised::default()
    }
}

/// A table that was raised, as JSON, cut. Its `__tostring` is not called: the program is over.
///
/// # Safety
/// As [`raised`].
unsafe fn table(state: Lua, context: &Context) -> Option<String> {
    // SAFETY: the caller's promise.
    let text = match unsafe { convert::text(state, context, 1) } {
        Ok(text) => text,
        Err(Reply::Raise(why)) => return Some(format!("the program raised a table that has no json form: {}", cut(&one_line(&why), 300))),
        Err(_) => return None,
    };
    Some(format!("the program raised a table: {}", cut(&text, TABLE_BYTES)))
}

/// A string or a number at `index`, cut, with what is no UTF-8 replaced.
///
/// # Safety
/// `state` is live. A number is turned into a string in place, which may raise for want of memory: nothing is owned yet.
unsafe fn text_at(state: Lua, index: c_int) -> Option<String> {
    // SAFETY: the caller's promise.
    unsafe {
        if ffi::lua_type(state, index) == ffi::LUA_TNUMBER {
            ffi::lua_tolstring(state, index, std::ptr::null_mut());
        }
        let bytes = bytes_at(state, index)?;
        let short = &bytes[..bytes.len().min(MESSAGE_BYTES + 1)];
        Some(cut(&String::from_utf8_lossy(short), MESSAGE_BYTES).into_owned())
    }
}

/// The line that a message begins with, where it is one of the program's own.
fn location_in(message: &str) -> Option<Location> {
    let digits = message.strip_prefix("program:")?;
    let (line, _) = digits.split_once(':')?;
    Some(Location { line: line.parse().ok()?, column: None })
}

/// The chunk name of programs: messages and tracebacks say `program:12:`.
pub(crate) const PROGRAM: &CStr = c"=program";
