//! Names of `tools` that are no property of it: aliases, servers, and names that nothing has.

use std::sync::Arc;

use codemode_core::{Form, Missing, Resolved, ToolSpec};

use crate::realm::{Attributes, Realm, Thrown};
use crate::sdk::install::THEN;
use crate::sdk::{Sdk, install, text_of};
use crate::shared::Surface;

/// The longest name that is looked up, in bytes: a longer one is no tool's.
pub(super) const LONGEST_NAME: usize = 4096;

/// Names that the language and its libraries look for on any object: they are no tools unless a tool is named so.
const LOOKED_FOR: &[&str] = &[
    "$$typeof",
    "__defineGetter__",
    "__defineSetter__",
    "__esModule",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "asymmetricMatch",
    "catch",
    "constructor",
    "finally",
    "hasOwnProperty",
    "inspect",
    "isPrototypeOf",
    "length",
    "nodeType",
    "propertyIsEnumerable",
    "prototype",
    "then",
    "toJSON",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// What a name stands for that is no property yet of the object it was asked of. A server that is not listed yet is waited for.
pub(super) fn touch<R: Realm>(
    realm: &R,
    surface: &Surface,
    bound: &[R::Value],
    arguments: &[R::Value],
) -> Result<R::Value, Thrown<R::Value>> {
    let Some(name) = text_of(realm, arguments.first(), LONGEST_NAME + 1)? else { return Ok(realm.undefined()) };
    let server = text_of(realm, bound.first(), LONGEST_NAME)?.unwrap_or_default();
    let with_then = bound.get(1).is_some_and(|with_then| realm.boolean(with_then));
    let is_looked_for = LOOKED_FOR.binary_search(&name.as_str()).is_ok();
    if (!with_then && name == THEN) || (is_looked_for && surface.form == Form::Batch) {
        return Ok(realm.undefined());
    }
    let whole = if server.is_empty() { name.clone() } else { format!("{server}.{name}") };
    let resolved = if whole.len() > LONGEST_NAME { None } else { Some(in_server(realm, &server, &name, resolve(realm, &whole)?)?) };
    match resolved {
        // Tools are called by name: what is written as a method says so when it is called.
        Some(Resolved::Tool(tool)) if surface.form == Form::Batch => made(realm, Sdk::NoMethod, &name, &tool.name),
        _ if surface.form == Form::Batch => nowhere(realm, Sdk::NoMethod, &name, &whole),
        // What is looked for on any object is there only where it is the very name of a tool or a server.
        Some(Resolved::Tool(tool)) if !is_looked_for || is_named(&tool, &server, &name) => {
            kept(realm, bound, &name, install::tool(realm, &tool.name, &name, &server)?)
        }
        Some(Resolved::Namespace(namespace)) if !is_looked_for || *namespace == *name => {
            kept(realm, bound, &name, install::server(realm, &namespace)?)
        }
        _ if is_looked_for => Ok(realm.undefined()),
        _ => nowhere(realm, Sdk::Unknown, &name, &whole),
    }
}

/// A function of a name that no tool has. What is read of it is such a function as well: that there is no such server is told
/// where one of its tools is called.
fn nowhere<R: Realm>(realm: &R, sdk: Sdk, name: &str, whole: &str) -> Result<R::Value, Thrown<R::Value>> {
    let function = made(realm, sdk, name, whole)?;
    install::ask_further(realm, &function, codemode_core::text::prefix(whole, LONGEST_NAME))?;
    Ok(function)
}

/// What a name stands for in this run, which is not asked for again.
fn kept<R: Realm>(realm: &R, bound: &[R::Value], name: &str, value: R::Value) -> Result<R::Value, Thrown<R::Value>> {
    if let Some(made) = bound.get(2) {
        realm.define(made, name, value.clone(), Attributes::Fixed)?;
    }
    Ok(value)
}

/// A function that is bound to a name that was asked for, or to the tool's.
fn made<R: Realm>(realm: &R, sdk: Sdk, name: &str, bound: &str) -> Result<R::Value, Thrown<R::Value>> {
    let bound = realm.make_text(codemode_core::text::prefix(bound, LONGEST_NAME))?;
    Ok(install::function(realm, sdk, name, vec![bound])?)
}

/// Whether this is what the object of a server, or that of all tools, calls so.
fn is_named(tool: &ToolSpec, server: &str, name: &str) -> bool {
    if server.is_empty() { *tool.name == *name } else { tool.namespace.as_deref() == Some(server) && *tool.short_name == *name }
}

/// A server's own tool where names with dots could be read in two ways.
fn in_server<R: Realm>(realm: &R, server: &str, name: &str, resolved: Resolved) -> Result<Resolved, Thrown<R::Value>> {
    let is_elsewhere = matches!(&resolved, Resolved::Tool(tool) if !server.is_empty() && tool.namespace.as_deref() != Some(server));
    if !is_elsewhere {
        return Ok(resolved);
    }
    let mut own = None;
    install::each_tool(realm, |tool| {
        if own.is_none() && is_named(tool, server, name) {
            own = Some(Arc::new(tool.clone()));
        }
        Ok(())
    })?;
    Ok(own.map_or_else(|| Resolved::Missing(Missing::new(&format!("{server}.{name}"))), Resolved::Tool))
}

/// What a name stands for, by the catalog of the run.
pub(super) fn resolve<R: Realm>(realm: &R, name: &str) -> Result<Resolved, Thrown<R::Value>> {
    let handle = realm.shared().handle().ok_or(Thrown::Halt)?;
    handle.resolve(name).map_err(|_| Thrown::Halt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_for_is_sorted_for_the_search() {
        assert!(LOOKED_FOR.is_sorted());
    }
}
