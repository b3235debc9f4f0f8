//! `list`, `search`, `describe` and `budget`: values, not promises, so that awaiting them is harmless.

use codemode_core::{Answer, Ask, Resolved};

use crate::realm::{Kind, Realm, Thrown};
use crate::sdk::answer::value_of;
use crate::sdk::arguments::invalid;
use crate::sdk::call::ASK_BYTES;
use crate::sdk::names::{LONGEST_NAME, resolve};
use crate::sdk::page::search_ask;
use crate::sdk::{Sdk, text_of, tool_error};
use crate::shared::Surface;

/// Asks, waits and gives the answer.
pub(super) fn discover<R: Realm>(realm: &R, surface: &Surface, sdk: Sdk, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let (method, ask) = match sdk {
        Sdk::Search => match search_ask(realm, surface, arguments)? {
            Ok(ask) => ("search", ask),
            Err(takes) => return misused(realm, surface, "search", &takes),
        },
        Sdk::Describe => {
            let Some(name) = text_of(realm, arguments.first(), LONGEST_NAME)? else {
                return misused(realm, surface, "describe", "a tool's name, as in describe(\"name\")");
            };
            ("describe", Ask::Describe { name })
        }
        Sdk::Budget => ("budget", Ask::Budget),
        _ => ("list", Ask::List),
    };
    // What looks like a call of a tool of this name is one, and nothing else would be said of it.
    if matches!(ask, Ask::Budget | Ask::List)
        && arguments.first().is_some_and(|first| realm.kind(first) == Kind::Object)
        && is_tool(realm, method)?
    {
        return misused(realm, surface, method, "nothing");
    }
    let handle = realm.shared().handle().ok_or(Thrown::Halt)?;
    realm.make_room(ask.bytes() + ASK_BYTES);
    let delivered = handle.call(ask).map_err(|_| Thrown::Halt)?;
    match delivered.answer {
        // What is found may be nothing: an empty list is one, and `null` is the answer for an unknown name.
        Answer::Succeeded(content) => match &content.structured {
            Some(json) => Ok(realm.make_json(json)?),
            None => Ok(value_of(realm, &content)?),
        },
        Answer::Failed(fault) | Answer::NotRun(fault) | Answer::Unknown(fault) => tool_error::throw(realm, method, &fault),
    }
}

/// Says how the function is used, and how a tool of the same name is called.
fn misused<R: Realm>(realm: &R, surface: &Surface, method: &str, takes: &str) -> Result<R::Value, Thrown<R::Value>> {
    let mut message = format!("{}.{method} takes {takes}", surface.name);
    if is_tool(realm, method)? {
        message.push_str(&format!("; the tool \"{method}\" is called with {}.call(\"{method}\", {{…}})", surface.name));
    }
    tool_error::throw(realm, method, &invalid(message))
}

/// Whether a tool has the name of a function of the surface.
fn is_tool<R: Realm>(realm: &R, method: &str) -> Result<bool, Thrown<R::Value>> {
    Ok(matches!(resolve(realm, method)?, Resolved::Tool(_)))
}
