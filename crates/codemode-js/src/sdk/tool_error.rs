//! `ToolError`: what a call rejects with, known again by itself.

use codemode_core::{Fault, Form};

use crate::realm::{Attributes, ErrorClass, Halt, Kind, Realm, Slot, Thrown};
use crate::sdk::answer::value_of;
use crate::values::text_of;

/// The class `ToolError`.
#[derive(Debug, Clone)]
pub(crate) struct ToolErrors<V> {
    pub(crate) class: V,
    prototype: V,
}

/// What an error says of its call.
pub(crate) struct Report<'a> {
    /// The tool, by its raw name where it has one.
    pub(crate) tool: &'a str,
    pub(crate) fault: &'a Fault,
    /// Whether it ran, as far as is known.
    pub(crate) ran: bool,
}

impl<V: Clone> ToolErrors<V> {
    /// Makes the class, before any code of a program's runs.
    pub(crate) fn make<R: Realm<Value = V>>(realm: &R) -> Result<Self, Halt> {
        let class = realm.evaluate("tool_error", "(class ToolError extends Error {})").map_err(|_| Halt)?;
        let Slot::Data(prototype) = realm.property(&class, "prototype")? else { return Err(Halt) };
        realm.define(&prototype, "name", realm.make_text("ToolError")?, Attributes::Hidden)?;
        Ok(Self { class, prototype })
    }

    /// Makes the error of a call: of `site`, an error without a message that was made where the call was, if there is one.
    pub(crate) fn error<R: Realm<Value = V>>(&self, realm: &R, site: Option<V>, report: &Report<'_>) -> Result<V, Halt> {
        let Report { tool, fault, ran } = report;
        let error = site.map_or_else(|| realm.make_unthrown_error(), Ok)?;
        let text = |text: &str| realm.make_text(text);
        realm.set_prototype(&error, &self.prototype)?;
        realm.define(&error, "message", text(&fault.message)?, Attributes::Hidden)?;
        realm.define(&error, "tool", text(tool)?, Attributes::Plain)?;
        if realm.shared().form() == Some(Form::Cell) {
            realm.define(&error, "toolName", text(tool)?, Attributes::Plain)?;
        }
        realm.define(&error, "code", text(&fault.code)?, Attributes::Plain)?;
        let data = match (&fault.data, &fault.content) {
            (Some(data), _) => Some(realm.make_json(data)?),
            (None, Some(content)) => Some(value_of(realm, content)?),
            (None, None) => None,
        };
        if let Some(data) = data {
            realm.define(&error, "data", data, Attributes::Plain)?;
        }
        realm.define(&error, "ran", realm.make_boolean(*ran), Attributes::Plain)?;
        if let Some(fix) = &fault.fix {
            realm.define(&error, "fix", text(fix)?, Attributes::Plain)?;
        }
        Ok(error)
    }
}

/// An error made where the program is now, to become a `ToolError` if need be.
pub(crate) fn site<R: Realm>(realm: &R) -> Result<R::Value, Halt> {
    realm.make_error(ErrorClass::Error, "")
}

/// The `ToolError` of a call that is not made.
pub(crate) fn not_run<R: Realm>(realm: &R, tool: &str, fault: &Fault) -> Result<R::Value, Halt> {
    realm.shared().tool_errors(realm)?.error(realm, Some(site(realm)?), &Report { tool, fault, ran: false })
}

/// Throws one, for functions that give values and no promises.
pub(crate) fn throw<R: Realm, T>(realm: &R, tool: &str, fault: &Fault) -> Result<T, Thrown<R::Value>> {
    Err(Thrown::Value(not_run(realm, tool, fault)?))
}

/// What a `ToolError` that ended the program says besides its message: the tool, and how to mend the call.
pub(crate) fn raised_tool<R: Realm>(realm: &R, value: &R::Value) -> Result<Option<(String, Option<String>)>, Halt> {
    if realm.kind(value) != Kind::Error {
        return Ok(None);
    }
    let errors = realm.shared().tool_errors(realm)?;
    let is_one = realm.prototype(value)?.is_some_and(|prototype| realm.identity(&prototype) == realm.identity(&errors.prototype));
    if !is_one {
        return Ok(None);
    }
    let text = |name: &str| -> Result<Option<String>, Halt> {
        let Slot::Data(value) = realm.property(value, name)? else { return Ok(None) };
        text_of(realm, &value, MOST_BYTES)
    };
    match text("tool")? {
        Some(tool) => Ok(Some((tool, text("fix")?))),
        None => Ok(None),
    }
}

/// The most of a field that is told, in bytes.
const MOST_BYTES: usize = 2048;
