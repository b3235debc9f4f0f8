//! What a program returned, as text.

use std::ffi::c_int;

use codemode_core::{Handle, Stopped, Value};
use mlua::ffi;

use crate::call::{Lua, Reply, bytes_at};
use crate::print::{Printer, try_make_string};
use crate::state::Context;
use crate::{convert, not_run};

/// Text that is longer goes to the output piece by piece, and is not copied whole, in bytes.
const COPIED_BYTES: usize = 1 << 20;

/// What the values on the stack come to: tables as JSON, others as `tostring` has them, tabs between.
///
/// Nothing where none was returned, or nil alone.
///
/// # Safety
/// `state` is live, under protection, with the returned values alone on its stack, and no frame of Rust's owns anything.
pub(crate) unsafe fn value(state: Lua, context: &Context, handle: &Handle) -> Option<Value> {
    // SAFETY: the caller's promise.
    unsafe {
        let count = ffi::lua_gettop(state);
        if count == 0 || (count == 1 && ffi::lua_type(state, 1) == ffi::LUA_TNIL) {
            return None;
        }
        crate::call::check_stack(state, 5);
        for index in 1..=count {
            to_text(state, context, index);
            if context.guard().stopped() {
                return None;
            }
        }
        let texts = || (1..=count).map(|index| bytes_at(state, index).unwrap_or_default());
        let size = texts().map(|text| text.len() + 1).sum::<usize>();
        if size > COPIED_BYTES && handle.room() == handle.budgets().output {
            // Nothing was printed, so that this is the output; a stop meanwhile is in the latch.
            let _ = print(handle, texts());
            return None;
        }
        let mut shown = String::with_capacity(size.min(COPIED_BYTES));
        for (number, text) in texts().enumerate() {
            if number > 0 {
                shown.push('\t');
            }
            // Where this cuts, something was printed, so that the value is not shown at all.
            shown.push_str(&String::from_utf8_lossy(&text[..text.len().min(COPIED_BYTES)]));
            if shown.len() > COPIED_BYTES {
                break;
            }
        }
        Some(Value::Text(shown))
    }
}

fn print<'a>(handle: &Handle, texts: impl Iterator<Item = &'a [u8]>) -> Result<(), Stopped> {
    let mut printer = Printer::new(handle);
    for (number, text) in texts.enumerate() {
        if number > 0 {
            printer.push("\t")?;
        }
        printer.push_bytes(text)?;
    }
    printer.flush()
}

/// Replaces a returned value by its text.
///
/// # Safety
/// As [`value`].
unsafe fn to_text(state: Lua, context: &Context, index: c_int) {
    // SAFETY: the caller's promise; what is owned is kept in the context before anything raises.
    unsafe {
        if ffi::lua_type(state, index) == ffi::LUA_TTABLE && not_run::read(state, context, index).is_none() {
            match convert::text(state, context, index) {
                Ok(text) => {
                    let (kept, place) = context.keep(text);
                    crate::call::push_bytes(state, (*kept).as_bytes());
                    ffi::lua_replace(state, index);
                    context.release(place);
                    return;
                }
                Err(Reply::Raise(why)) => context.warn(format!("a returned table is not shown as json: {why}")),
                Err(_) => return,
            }
        }
        if !try_make_string(state, context, index) {
            context.warn("a returned value has a __tostring that failed");
        }
    }
}
