//! Calls of tools in programs that wait: each gives a promise.

use codemode_core::{Ask, Fault, Json, Resolved, Stopped, code, text};

use crate::realm::{Halt, Kind, Realm, Thrown};
use crate::sdk::answer::finish;
use crate::sdk::arguments::{encode, invalid, written};
use crate::sdk::names::{LONGEST_NAME, resolve};
use crate::sdk::page::open_ask;
use crate::sdk::{Sdk, install, text_of, tool_error};
use crate::shared::{Out, Surface};

/// `tools.name(input)`; bound to the tool's raw name.
pub(super) fn tool<R: Realm>(
    realm: &R,
    surface: &Surface,
    bound: &[R::Value],
    arguments: &[R::Value],
) -> Result<R::Value, Thrown<R::Value>> {
    let name = text_of(realm, bound.first(), usize::MAX)?.unwrap_or_default();
    let encoded = encode(realm, || written(surface, &name), arguments, 0)?;
    call(realm, name, encoded)
}

/// `tools.call(name, input)`.
pub(super) fn by_name<R: Realm>(realm: &R, surface: &Surface, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let Some(name) = text_of(realm, arguments.first(), LONGEST_NAME)? else {
        let message = format!("{0}.call takes a tool's name and its arguments, as in {0}.call(\"name\", {{}})", surface.name);
        return rejected(realm, "", &invalid(message));
    };
    match resolve(realm, &name)? {
        Resolved::Tool(tool) => {
            let encoded = encode(realm, || written(surface, &tool.name), arguments, 1)?;
            call(realm, tool.name.to_string(), encoded)
        }
        other => rejected(realm, &name, &no_such_tool(surface, &name, other)),
    }
}

/// `tools.open(handle, {offset, limit})`: a piece of a binary part of a result.
pub(super) fn open<R: Realm>(realm: &R, surface: &Surface, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    match open_ask(realm, surface, arguments)? {
        Ok(ask) => submit(realm, "open".to_owned(), ask),
        Err(fault) => rejected(realm, "open", &fault),
    }
}

/// A function of a name that no tool has: each call of it rejects.
pub(super) fn unknown<R: Realm>(realm: &R, surface: &Surface, bound: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let name = text_of(realm, bound.first(), LONGEST_NAME)?.unwrap_or_default();
    // A server may have been listed since the name was asked for; what was asked for then is not there for all that.
    let fault = no_such_tool(surface, &name, resolve(realm, &name)?);
    rejected(realm, &name, &fault)
}

/// What is said of a name that cannot be called.
pub(super) fn no_such_tool(surface: &Surface, name: &str, resolved: Resolved) -> Fault {
    let roster = format!("{}.list()", surface.name);
    match resolved {
        Resolved::Missing(missing) => missing.fault(&roster),
        Resolved::Namespace(server) => {
            let message = format!("\"{}\" is a server, and a call names one of its tools; {roster} lists them", shown(&server));
            Fault::new(code::UNKNOWN_TOOL, message)
        }
        Resolved::Tool(tool) => {
            let message = format!("\"{}\" is the name of a tool now, and was none when it was asked for; ask again", shown(&tool.name));
            Fault::new(code::UNKNOWN_TOOL, format!("{message} (\"{}\")", shown(name)))
        }
    }
}

fn shown(name: &str) -> String {
    text::cut(&text::one_line(text::prefix(name, 200)), 100).into_owned()
}

/// Submits a call, or rejects it where its arguments are wrong.
fn call<R: Realm>(realm: &R, tool: String, arguments: Result<Json, Fault>) -> Result<R::Value, Thrown<R::Value>> {
    match arguments {
        Ok(arguments) => {
            let ask = Ask::Call { name: tool.clone(), arguments, intent: None };
            submit(realm, tool, ask)
        }
        Err(fault) => rejected(realm, &tool, &fault),
    }
}

/// More than core counts for an ask beside its texts.
pub(super) const ASK_BYTES: usize = 1 << 10;

/// Submits an ask and gives the promise of its answer.
fn submit<R: Realm>(realm: &R, tool: String, ask: Ask) -> Result<R::Value, Thrown<R::Value>> {
    let is_noted = realm.shared().with(|run| {
        let left = run.places;
        run.places = left.saturating_sub(1);
        left > 0
    });
    let site = if is_noted == Some(true) { Some(tool_error::site(realm)?) } else { None };
    let (promise, resolvers) = realm.make_promise()?;
    realm.make_room(ask.bytes() + ASK_BYTES);
    let started = realm.shared().with(|run| {
        let id = run.handle.start(ask)?;
        run.calls.insert(id, Out { tool, resolvers, site });
        Ok(())
    });
    match started {
        Some(Ok(())) => Ok(promise),
        Some(Err(Stopped)) | None => Err(Thrown::Halt),
    }
}

/// A promise that is rejected already: of a call that was not made.
fn rejected<R: Realm>(realm: &R, tool: &str, fault: &Fault) -> Result<R::Value, Thrown<R::Value>> {
    let error = tool_error::not_run(realm, tool, fault)?;
    Ok(reject(realm, error)?)
}

fn reject<R: Realm>(realm: &R, error: R::Value) -> Result<R::Value, Halt> {
    let (promise, resolvers) = realm.make_promise()?;
    finish(realm, &resolvers.reject, error)?;
    Ok(promise)
}

/// What a function answers that was kept from an earlier run.
pub(super) fn over<R: Realm>(realm: &R, sdk: Sdk, bound: &[R::Value], arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let name = match sdk {
        Sdk::Tool | Sdk::Then | Sdk::Unknown | Sdk::NoMethod => text_of(realm, bound.first(), LONGEST_NAME)?.unwrap_or_default(),
        _ => super::METHODS.iter().find(|(_, method)| *method == sdk).map_or_else(String::new, |(name, _)| (*name).to_owned()),
    };
    let message = "not run: its run is over; take the function from this run's own object of tools";
    let fault = Fault::new(code::UNAVAILABLE, message);
    match sdk {
        // A name that is only looked at is no call: what it gives rejects when it is called, since it has the same number.
        Sdk::Touch => {
            let run = bound.last().cloned().unwrap_or_else(|| realm.undefined());
            let name = realm.make_text(&text_of(realm, arguments.first(), LONGEST_NAME)?.unwrap_or_default())?;
            Ok(realm.make_function(crate::native::Native::Sdk(Sdk::Unknown), "", vec![name, run])?)
        }
        // What was not looked at while the run went on is not there.
        Sdk::Fill => Ok(realm.undefined()),
        Sdk::List | Sdk::Search | Sdk::Describe | Sdk::Budget | Sdk::NoMethod => tool_error::throw(realm, &name, &fault),
        Sdk::Tool | Sdk::Then | Sdk::Unknown | Sdk::Call | Sdk::Open => rejected(realm, &name, &fault),
    }
}

/// Whether a call of the tool `then` is a look whether the object is a promise: it has two functions, and no input is one.
pub(super) fn is_probe<R: Realm>(realm: &R, arguments: &[R::Value]) -> bool {
    arguments.len() == 2 && arguments.iter().all(|argument| realm.kind(argument) == Kind::Function)
}

/// Answers such a look: the object itself, but for `then`.
pub(super) fn probed<R: Realm>(
    realm: &R,
    surface: &Surface,
    bound: &[R::Value],
    arguments: &[R::Value],
) -> Result<R::Value, Thrown<R::Value>> {
    let server = text_of(realm, bound.get(1), LONGEST_NAME)?.unwrap_or_default();
    let view = if server.is_empty() { install::tools(realm, surface, false)? } else { install::server_without_then(realm, &server)? };
    if let Some(resolve) = arguments.first() {
        finish(realm, resolve, view)?;
    }
    Ok(realm.undefined())
}
