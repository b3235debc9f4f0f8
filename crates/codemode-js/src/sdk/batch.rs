//! `tools.call` in programs that do not wait: each call is done when it returns, and whatever happens is data.

use codemode_core::{Answer, Ask, Content, Fault, Json, Resolved};
use serde_json::json;

use crate::realm::{Attributes, ErrorClass, Realm, Thrown};
use crate::sdk::arguments::encode;
use crate::sdk::call::{ASK_BYTES, no_such_tool};
use crate::sdk::names::{LONGEST_NAME, resolve};
use crate::sdk::page::open_ask;
use crate::sdk::text_of;
use crate::shared::Surface;

/// `tools.call(name, input)`: `{success: true, content}` or `{success: false, error}`.
pub(super) fn call<R: Realm>(realm: &R, surface: &Surface, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let Some(name) = text_of(realm, arguments.first(), LONGEST_NAME)? else {
        let message = "tools.call takes a tool's name and its arguments, as in tools.call(\"name\", {})";
        return Err(Thrown::Value(realm.make_error(ErrorClass::Type, message)?));
    };
    let tool = match resolve(realm, &name)? {
        Resolved::Tool(tool) => tool,
        other => return failed(realm, &no_such_tool(surface, &name, other)),
    };
    match encode(realm, || "tools.call".to_owned(), arguments, 1)? {
        Ok(arguments) => ask(realm, Ask::Call { name: tool.name.to_string(), arguments, intent: None }),
        Err(fault) => failed(realm, &fault),
    }
}

/// `tools.open(handle, {offset, limit})`.
pub(super) fn open<R: Realm>(realm: &R, surface: &Surface, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    match open_ask(realm, surface, arguments)? {
        Ok(asked) => ask(realm, asked),
        Err(fault) => failed(realm, &fault),
    }
}

/// A name after `tools.`: how the tool is called instead, or that there is none.
pub(super) fn no_method<R: Realm>(realm: &R, surface: &Surface, bound: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let name = text_of(realm, bound.first(), LONGEST_NAME)?.unwrap_or_default();
    let message = match resolve(realm, &name)? {
        Resolved::Tool(tool) => {
            let name = codemode_core::text::cut(&codemode_core::text::one_line(&tool.name), 100).into_owned();
            format!("tools are called by name here: tools.call({}, {{…}})", json!(name))
        }
        other => no_such_tool(surface, &name, other).message,
    };
    Err(Thrown::Value(realm.make_error(ErrorClass::Type, &message)?))
}

fn ask<R: Realm>(realm: &R, ask: Ask) -> Result<R::Value, Thrown<R::Value>> {
    let handle = realm.shared().handle().ok_or(Thrown::Halt)?;
    realm.make_room(ask.bytes() + ASK_BYTES);
    match handle.call(ask).map_err(|_| Thrown::Halt)?.answer {
        Answer::Succeeded(content) => {
            let content = realm.make_json(&content.in_batch())?;
            let result = realm.make_object(true)?;
            realm.define(&result, "success", realm.make_boolean(true), Attributes::Plain)?;
            realm.define(&result, "content", content, Attributes::Plain)?;
            Ok(result)
        }
        Answer::Failed(fault) | Answer::NotRun(fault) | Answer::Unknown(fault) => failed(realm, &fault),
    }
}

/// `{success: false, error: {code, message}}`, with what the tool produced before it failed, where there is some.
fn failed<R: Realm>(realm: &R, fault: &Fault) -> Result<R::Value, Thrown<R::Value>> {
    let error = realm.make_object(true)?;
    realm.define(&error, "code", realm.make_text(&fault.code)?, Attributes::Plain)?;
    realm.define(&error, "message", realm.make_text(&fault.message)?, Attributes::Plain)?;
    let result = realm.make_object(true)?;
    realm.define(&result, "success", realm.make_boolean(false), Attributes::Plain)?;
    realm.define(&result, "error", error, Attributes::Plain)?;
    if let Some(partial) = partial(fault) {
        realm.define(&result, "content", realm.make_json(&partial)?, Attributes::Plain)?;
    }
    Ok(result)
}

/// What a tool gave before it failed: its content, else its data.
fn partial(fault: &Fault) -> Option<Json> {
    fault.content.as_deref().map(Content::in_batch).or_else(|| fault.data.clone())
}
