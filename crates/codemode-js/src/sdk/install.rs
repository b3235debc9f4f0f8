//! The objects that a run's program sees: the tools, and the servers' own.

use std::collections::BTreeSet;
use std::sync::Arc;

use codemode_core::{Form, Resolved, ToolSpec};

use crate::native::Native;
use crate::realm::{AskingParts, Attributes, Halt, Realm, Slot, Thrown};
use crate::sdk::names::LONGEST_NAME;
use crate::sdk::{METHODS, Sdk, text_of};
use crate::shared::Surface;

/// Defines the surface of a run as globals: the object of the tools, and `ToolError`.
pub(crate) fn install<R: Realm>(realm: &R, surface: &Surface) -> Result<(), Halt> {
    let global = realm.global();
    let errors = realm.shared().tool_errors(realm)?;
    if surface.form != Form::Batch {
        realm.define(&global, "ToolError", errors.class, Attributes::Hidden)?;
    }
    let tools = tools(realm, surface, true)?;
    realm.define(&global, &surface.name, tools, Attributes::Hidden)
}

/// The object of the tools: frozen, without a prototype, with a function for each tool and an object for each server.
///
/// It is made anew for each run, since its functions are bound to the run. They are made when they are looked at: a run pays for
/// the tools that it uses, and not for those that there are. Without `with_then` there is no `then`.
pub(crate) fn tools<R: Realm>(realm: &R, surface: &Surface, with_then: bool) -> Result<R::Value, Halt> {
    realm.guard().check().map_err(|_| Halt)?;
    let target = realm.make_object(false)?;
    for (name, sdk) in METHODS {
        realm.define(&target, name, function(realm, sdk, name, Vec::new())?, Attributes::Fixed)?;
    }
    if surface.form == Form::Batch {
        realm.freeze(&target)?;
        let made = realm.make_object(false)?;
        let get = function(realm, Sdk::Touch, "get", vec![realm.make_text("")?, realm.make_boolean(with_then), made.clone()])?;
        return realm.make_asking(AskingParts { target, made, get, fill: None });
    }
    asking(realm, target, "", with_then)
}

/// The object of a server. It is kept: each touch of the name asks for it.
pub(crate) fn server<R: Realm>(realm: &R, server: &str) -> Result<R::Value, Halt> {
    if let Some(object) = realm.shared().with(|run| run.servers.get(server).cloned()).flatten() {
        return Ok(object);
    }
    let object = asking(realm, realm.make_object(false)?, server, true)?;
    let kept = object.clone();
    realm.shared().with(|run| run.servers.insert(server.to_owned(), kept));
    Ok(object)
}

/// The same without `then`, for who looked whether it is a promise.
pub(crate) fn server_without_then<R: Realm>(realm: &R, server: &str) -> Result<R::Value, Halt> {
    asking(realm, realm.make_object(false)?, server, false)
}

/// What a function of an unknown name has all the same: a program that looks whether it is a function finds one.
const OF_A_FUNCTION: [&str; 5] = ["apply", "bind", "call", "constructor", "toString"];

/// Lets the function of an unknown name answer for names too, as a server's object would: they are unknown as well.
pub(super) fn ask_further<R: Realm>(realm: &R, function: &R::Value, name: &str) -> Result<(), Halt> {
    let target = realm.make_object(false)?;
    if let Some(functions) = realm.prototype(function)? {
        for method in OF_A_FUNCTION {
            if let Slot::Data(value) = realm.property(&functions, method)? {
                realm.define(&target, method, value, Attributes::Fixed)?;
            }
        }
    }
    realm.freeze(&target)?;
    let made = realm.make_object(false)?;
    let get = self::function(realm, Sdk::Touch, "get", vec![realm.make_text(name)?, realm.make_boolean(true), made.clone()])?;
    let asking = realm.make_asking(AskingParts { target, made, get, fill: None })?;
    realm.set_prototype(function, &asking)
}

/// The function of a tool, made once a run; under a name of a server's where it is reached there.
pub(super) fn tool<R: Realm>(realm: &R, raw: &str, name: &str, server: &str) -> Result<R::Value, Halt> {
    let key = (name == THEN, raw.to_owned());
    if let Some(made) = realm.shared().with(|run| run.functions.get(&key).cloned()).flatten() {
        return Ok(made);
    }
    let bound = realm.make_text(raw)?;
    let made = if name == THEN {
        function(realm, Sdk::Then, name, vec![bound, realm.make_text(server)?])?
    } else {
        function(realm, Sdk::Tool, raw, vec![bound])?
    };
    let kept = made.clone();
    realm.shared().with(|run| run.functions.insert(key, kept));
    Ok(made)
}

/// Gives an object of tools the properties that were not made yet, and freezes it. Bound as [`Sdk::Touch`], to that object.
pub(super) fn fill<R: Realm>(realm: &R, bound: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    let [server, with_then, target, ..] = bound else { return Ok(realm.undefined()) };
    let with_then = realm.boolean(with_then);
    match text_of(realm, Some(server), LONGEST_NAME)?.as_deref() {
        None | Some("") => fill_tools(realm, target, with_then)?,
        Some(server) => fill_server(realm, target, server, with_then)?,
    }
    realm.freeze(target)?;
    Ok(realm.undefined())
}

fn fill_tools<R: Realm>(realm: &R, target: &R::Value, with_then: bool) -> Result<(), Halt> {
    let is_taken = |name: &str| METHODS.iter().any(|(method, _)| *method == name) || (!with_then && name == THEN);
    let mut servers = BTreeSet::new();
    let mut names = BTreeSet::new();
    each_tool(realm, |spec| {
        if !is_taken(&spec.name) {
            realm.define(target, &spec.name, tool(realm, &spec.name, &spec.name, "")?, Attributes::Fixed)?;
        }
        names.insert(Arc::clone(&spec.name));
        servers.extend(spec.namespace.clone());
        Ok(())
    })?;
    // A tool has its name before a server does.
    for name in servers.iter().filter(|name| !is_taken(name) && !names.contains(*name)) {
        realm.define(target, name, server(realm, name)?, Attributes::Fixed)?;
    }
    Ok(())
}

/// Where two tools of a server have one short name, the first by raw name has it.
fn fill_server<R: Realm>(realm: &R, target: &R::Value, server: &str, with_then: bool) -> Result<(), Halt> {
    let mut seen = BTreeSet::new();
    each_tool(realm, |spec| {
        let short = &spec.short_name;
        if spec.namespace.as_deref() == Some(server) && seen.insert(Arc::clone(short)) && (with_then || &**short != THEN) {
            realm.define(target, short, tool(realm, &spec.name, short, server)?, Attributes::Fixed)?;
        }
        Ok(())
    })
}

/// Looks at each tool of the run's catalog, by raw name.
pub(super) fn each_tool<R: Realm>(realm: &R, mut look: impl FnMut(&ToolSpec) -> Result<(), Halt>) -> Result<(), Halt> {
    let handle = realm.shared().handle().ok_or(Halt)?;
    for name in handle.names().map_err(|_| Halt)? {
        if let Resolved::Tool(tool) = handle.resolve(&name).map_err(|_| Halt)? {
            look(&tool)?;
        }
    }
    Ok(())
}

/// A tool of this name makes what has it look like a promise.
pub(super) const THEN: &str = "then";

/// Puts an object behind what answers for names that it does not have yet, and fills it.
fn asking<R: Realm>(realm: &R, target: R::Value, server: &str, with_then: bool) -> Result<R::Value, Halt> {
    let made = realm.make_object(false)?;
    let bound = |object: &R::Value| Ok::<_, Halt>(vec![realm.make_text(server)?, realm.make_boolean(with_then), object.clone()]);
    let get = function(realm, Sdk::Touch, "get", bound(&made)?)?;
    let fill = function(realm, Sdk::Fill, "fill", bound(&target)?)?;
    realm.make_asking(AskingParts { target, made, get, fill: Some(fill) })
}

/// A function of the surface; the number of its run is bound last.
pub(super) fn function<R: Realm>(realm: &R, sdk: Sdk, name: &str, mut bound: Vec<R::Value>) -> Result<R::Value, Halt> {
    bound.push(realm.make_number(f64::from(realm.shared().number())));
    realm.make_function(Native::Sdk(sdk), codemode_core::text::prefix(name, 100), bound)
}
