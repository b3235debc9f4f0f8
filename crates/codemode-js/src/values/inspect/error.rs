//! Errors: their class and message, without the stack, then what hangs on them.

use super::Inspector;
use crate::realm::{Halt, Kind, Realm, Slot};
use crate::values::lookup::text_property;

/// The longest name or message of an error that is read, in bytes.
const MESSAGE_BYTES: usize = 64 << 10;

impl<R: Realm> Inspector<'_, R> {
    /// What an error is and says, in brackets as Node shows an error without a stack.
    pub(super) fn error(
        &mut self,
        value: &R::Value,
        class: Option<&str>,
        extra: &mut Vec<(&'static str, R::Value)>,
        hidden: &mut Vec<&'static str>,
    ) -> Result<String, Halt> {
        let realm = self.realm;
        let most = MESSAGE_BYTES.min(self.allowance.left);
        let name = text_property(realm, value, "name", most)?.unwrap_or_else(|| "Error".to_owned());
        let message = text_property(realm, value, "message", most)?.unwrap_or_default();
        hidden.push("stack");
        // What the header says already is not said again.
        for own in ["name", "message"] {
            if let Slot::Data(own_value) = realm.property(value, own)?
                && realm.kind(&own_value) == Kind::Text
            {
                hidden.push(own);
            }
        }
        for own in ["cause", "errors"] {
            if let Slot::Data(own_value) = realm.property(value, own)?
                && (own == "cause" || realm.kind(&own_value) == Kind::Array)
                && !self.is_enumerable(value, own)?
            {
                extra.push((own, own_value));
            }
        }
        let header = match (error_name(&name, class), message.as_str()) {
            (name, "") => name,
            (name, message) if name.is_empty() => message.to_owned(),
            (name, message) => format!("{name}: {message}"),
        };
        let shown = format!("[{header}]");
        let indentation = format!("\n{}", " ".repeat(self.indentation));
        Ok(if self.indentation > 0 { shown.replace('\n', &indentation) } else { shown })
    }
}

/// An error's name, with its class where the name does not tell it.
fn error_name(name: &str, class: Option<&str>) -> String {
    match class {
        Some(class) if name.ends_with("Error") && class != name => {
            if class.contains(name) {
                class.to_owned()
            } else {
                format!("{class} [{name}]")
            }
        }
        None if name.ends_with("Error") => format!("[{name}: null prototype]"),
        _ => name.to_owned(),
    }
}
