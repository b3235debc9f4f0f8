//! The objects that a run's program sees: the tools, and the servers' own.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use codemode_core::{Form, Resolved};

use crate::native::Native;
use crate::realm::{Attributes, Halt, Realm};
use crate::sdk::{METHODS, Sdk};
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
/// It is made anew for each run, since its functions are bound to the run. Without `with_then` there is no `then`.
pub(crate) fn tools<R: Realm>(realm: &R, surface: &Surface, with_then: bool) -> Result<R::Value, Halt> {
    let maker = Maker::new(realm)?;
    let target = realm.make_object(false)?;
    for (name, sdk) in METHODS {
        realm.define(&target, name, maker.function(sdk, name, Vec::new())?, Attributes::Fixed)?;
    }
    if surface.form == Form::Batch {
        return maker.finished(target, "");
    }
    let mut servers: BTreeMap<Arc<str>, Vec<Served<R>>> = BTreeMap::new();
    let handle = realm.shared().handle().ok_or(Halt)?;
    for name in handle.names().map_err(|_| Halt)? {
        let Resolved::Tool(tool) = handle.resolve(&name).map_err(|_| Halt)? else { continue };
        let function = maker.tool(&name, &name, None)?;
        if let Some(server) = &tool.namespace {
            // A tool's name within its server may be `then` as well.
            let short = if &*tool.short_name == THEN { maker.tool(&name, THEN, Some(server))? } else { function.clone() };
            servers.entry(Arc::clone(server)).or_default().push((Arc::clone(&tool.short_name), short));
        }
        let is_method = METHODS.iter().any(|(method, _)| **method == *name);
        if !is_method && (with_then || &*name != THEN) {
            realm.define(&target, &name, function, Attributes::Fixed)?;
        }
    }
    for (server, functions) in servers {
        let object = maker.server(&server, functions, true)?;
        // A tool has its name before a server does.
        let is_taken = METHODS.iter().any(|(method, _)| **method == *server)
            || matches!(handle.resolve(&server).map_err(|_| Halt)?, Resolved::Tool(_))
            || (!with_then && &*server == THEN);
        if !is_taken {
            realm.define(&target, &server, object, Attributes::Fixed)?;
        }
    }
    maker.finished(target, "")
}

/// The object of a server that was not listed when the run began. It is kept: each touch of the name asks for it.
pub(crate) fn server<R: Realm>(realm: &R, server: &str) -> Result<R::Value, Halt> {
    if let Some(object) = realm.shared().with(|run| run.servers.get(server).cloned()).flatten() {
        return Ok(object);
    }
    let object = listed_server(realm, server, true)?;
    let kept = object.clone();
    realm.shared().with(|run| run.servers.insert(server.to_owned(), kept));
    Ok(object)
}

/// The same without `then`, for who looked whether it is a promise.
pub(crate) fn server_without_then<R: Realm>(realm: &R, server: &str) -> Result<R::Value, Halt> {
    listed_server(realm, server, false)
}

fn listed_server<R: Realm>(realm: &R, server: &str, with_then: bool) -> Result<R::Value, Halt> {
    let maker = Maker::new(realm)?;
    let handle = realm.shared().handle().ok_or(Halt)?;
    let mut functions = Vec::new();
    for name in handle.names().map_err(|_| Halt)? {
        let Resolved::Tool(tool) = handle.resolve(&name).map_err(|_| Halt)? else { continue };
        if tool.namespace.as_deref() == Some(server) {
            functions.push((Arc::clone(&tool.short_name), maker.tool(&name, &tool.short_name, Some(server))?));
        }
    }
    maker.server(server, functions, with_then)
}

/// A tool of a server: its name there, and its function.
type Served<R> = (Arc<str>, <R as Realm>::Value);

/// A tool of this name makes what has it look like a promise.
const THEN: &str = "then";

/// Makes functions that know their run.
struct Maker<'r, R: Realm> {
    realm: &'r R,
    run: R::Value,
}

impl<'r, R: Realm> Maker<'r, R> {
    fn new(realm: &'r R) -> Result<Self, Halt> {
        realm.guard().check().map_err(|_| Halt)?;
        Ok(Self { realm, run: realm.make_number(f64::from(realm.shared().number())) })
    }

    fn function(&self, sdk: Sdk, name: &str, mut bound: Vec<R::Value>) -> Result<R::Value, Halt> {
        bound.push(self.run.clone());
        self.realm.make_function(Native::Sdk(sdk), codemode_core::text::prefix(name, 100), bound)
    }

    /// The function of a tool, under the name by which it is reached.
    fn tool(&self, raw: &str, name: &str, server: Option<&str>) -> Result<R::Value, Halt> {
        let raw = self.realm.make_text(raw)?;
        if name == THEN {
            let server = self.realm.make_text(server.unwrap_or_default())?;
            return self.function(Sdk::Then, name, vec![raw, server]);
        }
        self.function(Sdk::Tool, name, vec![raw])
    }

    /// A server's object. Where two tools have one short name, the first by raw name has it.
    fn server(&self, server: &str, functions: Vec<Served<R>>, with_then: bool) -> Result<R::Value, Halt> {
        let target = self.realm.make_object(false)?;
        let mut seen = HashSet::with_capacity(functions.len());
        for (short, function) in functions {
            if seen.insert(Arc::clone(&short)) && (with_then || &*short != THEN) {
                self.realm.define(&target, &short, function, Attributes::Fixed)?;
            }
        }
        self.finished(target, &format!("{server}."))
    }

    /// Freezes an object and puts it behind what answers for names that it does not have.
    fn finished(&self, target: R::Value, prefix: &str) -> Result<R::Value, Halt> {
        self.realm.freeze(&target)?;
        let get = self.function(Sdk::Touch, "get", vec![self.realm.make_text(prefix)?])?;
        self.realm.make_asking(target, get)
    }
}
