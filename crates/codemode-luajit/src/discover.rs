//! `host.search`, `host.describe` and `host.open`: what there is to call, and what binary parts of results hold.
//!
//! Each gives a value, or `nil` and a message; a wrong use of one is an error.

use std::ffi::c_int;

use codemode_core::text::{cut, one_line, prefix};
use codemode_core::{Answer, Ask, Json, Resolved, Stopped};
use mlua::ffi;

use crate::call::{self, Lua, Out, Reply, bytes_at, enter, guarded, type_name};
use crate::convert;
use crate::state::Context;
use crate::tools::{LONGEST_NAME, look_up, roster};

/// How many tools a search gives where the program does not say it, and at most.
const FOUND: u64 = 50;
const MOST_FOUND: u64 = 500;
/// How much is opened where the program does not say it, in bytes.
const OPENED: u64 = 64 << 10;
/// The longest query, in bytes; what is past it is not looked at.
const LONGEST_QUERY: usize = 4096;
/// The largest whole number that a program can write without loss.
const MOST_NUMBER: u64 = (1 << 53) - 1;

/// `host.search(query, {offset = 0, limit = 50})`: tools that fit any of the words, best first.
pub(crate) unsafe extern "C-unwind" fn search(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; reading arguments raises nothing.
    unsafe {
        answer(state, "search", |context| {
            let takes = "takes words and perhaps a page, as in search(\"open issues\", {offset = 0, limit = 50})";
            let query = text(state, context, "search", takes, LONGEST_QUERY)?;
            let page = page(state, FOUND, MOST_FOUND).map_err(|why| misused(context, "search", takes, &why))?;
            let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
            let ask = Ask::Search { query, all_words: false, offset: number(page.offset), limit: number(page.limit) };
            ask_for(context, ask)
        })
    }
}

/// `host.describe(name)`: all about one tool.
pub(crate) unsafe extern "C-unwind" fn describe(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        answer(state, "describe", |context| {
            let name = text(state, context, "describe", "takes a tool's name, as in describe(\"name\")", LONGEST_NAME + 1)?;
            // A name that is too long is looked up as one that nothing has.
            let described =
                if name.len() > LONGEST_NAME { Found::Nothing } else { ask_for(context, Ask::Describe { name: name.clone() })? };
            match described {
                Found::Json(json) if json.text() != "null" => Ok(Found::Json(json)),
                Found::Json(_) | Found::Nothing => Err(Reply::Failed(not_described(context, &name)?)),
                found @ Found::Text(_) => Ok(found),
            }
        })
    }
}

/// `host.open(handle, {offset = 0, limit = 65536})`: a piece of a binary part of a result.
pub(crate) unsafe extern "C-unwind" fn open(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        answer(state, "open", |context| {
            let takes = "takes a handle and perhaps a range, as in open(handle, {offset = 0, limit = 4096})";
            let handle = text(state, context, "open", takes, LONGEST_NAME)?;
            let page = page(state, OPENED, MOST_NUMBER).map_err(|why| misused(context, "open", takes, &why))?;
            ask_for(context, Ask::Open { handle, offset: page.offset, limit: page.limit })
        })
    }
}

/// What was found.
enum Found {
    Json(Json),
    Text(Out),
    Nothing,
}

/// A whole callback: asks, and gives what was found as a value.
///
/// # Safety
/// As [`call::reply`]. `asked` calls nothing of Lua that may raise.
unsafe fn answer(state: Lua, function: &str, asked: impl FnOnce(&Context) -> Result<Found, Reply>) -> c_int {
    // SAFETY: the caller's promise; what is owned is in the context before anything raises.
    unsafe {
        let context = enter(state);
        let json = match guarded(context, || asked(context)).unwrap_or_else(Err) {
            Ok(Found::Json(json)) => json,
            Ok(Found::Text(out)) => return call::finish(state, context, Reply::Value(out)),
            Ok(Found::Nothing) => return call::finish(state, context, Reply::Value(Out::Nil)),
            Err(reply) => return call::finish(state, context, reply),
        };
        let (kept, place) = context.keep(json);
        let pushed = convert::push_json(state, context, (*kept).text().as_bytes(), function);
        context.release(place);
        match pushed {
            Ok(()) => 1,
            // The program can do nothing about what a host answers.
            Err(Reply::Raise(message)) => call::finish(state, context, Reply::Failed(message)),
            Err(reply) => call::finish(state, context, reply),
        }
    }
}

/// Asks and waits.
fn ask_for(context: &Context, ask: Ask) -> Result<Found, Reply> {
    match context.handle().ok_or(Stopped)?.call(ask)?.answer {
        Answer::Succeeded(content) => Ok(match content.structured {
            Some(json) => Found::Json(json),
            None => Found::Text(Out::content(content)),
        }),
        Answer::Failed(fault) | Answer::NotRun(fault) | Answer::Unknown(fault) => Err(Reply::Failed(fault.message)),
    }
}

/// Why there is nothing about a name.
fn not_described(context: &Context, name: &str) -> Result<String, Stopped> {
    let (_, resolved) = look_up(context, b"", name.as_bytes());
    let shown = cut(&one_line(prefix(name, 200)), 100).into_owned();
    Ok(match resolved? {
        Resolved::Missing(missing) => missing.message(&roster(context)),
        Resolved::Namespace(server) => format!("\"{server}\" is a server and no tool; {} lists its tools", roster(context)),
        Resolved::Tool(_) => format!("nothing is known about \"{shown}\""),
    })
}

/// The first argument, a string, of which at most `most` bytes are looked at.
///
/// # Safety
/// `state` is live.
unsafe fn text(state: Lua, context: &Context, function: &str, takes: &str, most: usize) -> Result<String, Reply> {
    // SAFETY: reading arguments raises nothing, and what is read is copied.
    match unsafe { bytes_at(state, 1) } {
        Some(bytes) => {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(most)]);
            Ok(prefix(&text, most).to_owned())
        }
        None => {
            // SAFETY: as above.
            let given = unsafe { type_name(state, 1) };
            let dot = if given == "table" { "; call it with a dot, not with a colon" } else { "" };
            Err(misused(context, function, takes, &format!("given {given}{dot}")))
        }
    }
}

fn misused(context: &Context, function: &str, takes: &str, why: &str) -> Reply {
    Reply::Raise(format!("{}.{function} {takes}; {why}", context.spec().profile.namespace))
}

struct Page {
    offset: u64,
    limit: u64,
}

/// The page of the second argument; from the start where there is none. Otherwise what is wrong with it.
///
/// # Safety
/// `state` is live, with three free slots. Raises nothing: the table is read raw, from key to key.
unsafe fn page(state: Lua, limit: u64, most: u64) -> Result<Page, String> {
    let mut page = Page { offset: 0, limit };
    // SAFETY: the caller's promise; keys are given back to `lua_next` as it gave them.
    unsafe {
        match ffi::lua_type(state, 2) {
            ffi::LUA_TNONE | ffi::LUA_TNIL => return Ok(page),
            ffi::LUA_TTABLE => {}
            _ => return Err(format!("the page is a {}", type_name(state, 2))),
        }
        let top = ffi::lua_gettop(state);
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, 2) != 0 {
            let put = put(&mut page, state, top + 1, most);
            if let Err(why) = put {
                ffi::lua_settop(state, top);
                return Err(why);
            }
            ffi::lua_settop(state, top + 1);
        }
    }
    Ok(page)
}

/// Takes one field of a page, whose key is at `key` and whose value is above it.
///
/// # Safety
/// As [`page`].
unsafe fn put(page: &mut Page, state: Lua, key: c_int, most: u64) -> Result<(), String> {
    // SAFETY: the caller's promise; nothing is converted in place.
    unsafe {
        let (name, place, least, most) = match bytes_at(state, key) {
            Some(b"offset") => ("offset", &mut page.offset, 0, MOST_NUMBER),
            Some(b"limit") => ("limit", &mut page.limit, 1, most),
            Some(other) => {
                let other = String::from_utf8_lossy(&other[..other.len().min(100)]);
                return Err(format!("it has \"{}\", and a page has offset and limit alone", cut(&one_line(&other), 50)));
            }
            None => return Err("a page has offset and limit alone".to_owned()),
        };
        let allowed = format!("a whole number from {least} to {most} is allowed");
        if ffi::lua_type(state, key + 1) != ffi::LUA_TNUMBER {
            return Err(format!("{name} is a {}, and {allowed}", type_name(state, key + 1)));
        }
        let number = ffi::lua_tonumber(state, key + 1);
        // A cast of a float saturates, and what is too large or no whole number is refused here.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "checked on this line")]
        let whole = Some(number as u64).filter(|whole| *whole as f64 == number && (least..=most).contains(whole));
        *place = whole.ok_or_else(|| format!("{name} is {number}, and {allowed}"))?;
        Ok(())
    }
}
