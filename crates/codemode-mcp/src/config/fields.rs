//! One server's entry in a JSON file becomes a draft; what has a wrong type is a named fault of that server.

use std::collections::BTreeMap;
use std::time::Duration;

use codemode_core::text::{cut, one_line};
use jsonc_parser::ast::Value;

use super::draft::Draft;

/// From this number on a `timeout` is milliseconds, as Claude Code and Gemini write it, else seconds, as Cline and Roo do.
const MILLISECONDS_FROM: f64 = 10_000.0;

/// What is written for the server `name`.
pub(super) fn draft(name: &str, entry: &Value<'_>) -> Draft {
    let mut draft = Draft { name: name.to_owned(), ..Draft::default() };
    let Value::Object(object) = entry else {
        draft.faults.push(format!("it is {}, and must be an object with a `command` or a `url`", kind_of(entry)));
        return draft;
    };
    // Of two fields with one name the last counts, as it does for every client; null is the same as not there.
    let mut fields: BTreeMap<&str, &Value<'_>> = object.properties.iter().map(|field| (field.name.as_str(), &field.value)).collect();
    fields.retain(|_, value| !matches!(value, Value::NullKeyword(_)));
    Fields { fields, draft: &mut draft }.read();
    draft
}

struct Fields<'a> {
    fields: BTreeMap<&'a str, &'a Value<'a>>,
    draft: &'a mut Draft,
}

impl Fields<'_> {
    fn read(mut self) {
        let disabled = self.flag("disabled");
        let enabled = self.flag("enabled");
        self.draft.off = disabled == Some(true) || enabled == Some(false);
        self.draft.kind = self.text(&["type", "transport"]);
        self.draft.command = self.text(&["command"]);
        self.draft.args = self.list("args");
        self.draft.env = self.map("env", true);
        self.draft.cwd = self.text(&["cwd"]);
        // The second is Gemini's word for the streamable transport, the third Windsurf's.
        self.draft.url = self.text(&["url", "httpUrl", "serverUrl"]);
        self.draft.headers = self.map("headers", false);
        self.draft.timeout = self.timeout();
        if self.fields.contains_key("envFile") {
            self.draft.notes.push("`envFile` is not read: write its variables under `env`, or set them before codemode starts".to_owned());
        }
    }

    fn wrong(&mut self, name: &str, value: &Value<'_>, allowed: &str) {
        self.draft.faults.push(format!("`{}` is {}, and must be {allowed}", cut(&one_line(name), 100), kind_of(value)));
    }

    fn flag(&mut self, name: &str) -> Option<bool> {
        match self.fields.get(name).copied()? {
            Value::BooleanLit(flag) => Some(flag.value),
            other => {
                self.wrong(name, other, "true or false");
                None
            }
        }
    }

    /// The first of `names` that is there.
    fn text(&mut self, names: &[&str]) -> Option<String> {
        let (name, value) = names.iter().find_map(|name| Some((name, *self.fields.get(name)?)))?;
        match value {
            Value::StringLit(text) => Some(text.value.to_string()),
            other => {
                self.wrong(name, other, "text");
                None
            }
        }
    }

    fn list(&mut self, name: &str) -> Vec<String> {
        match self.fields.get(name).copied() {
            None => Vec::new(),
            Some(Value::Array(list)) => {
                let mut texts = Vec::with_capacity(list.elements.len());
                for (index, element) in list.elements.iter().enumerate() {
                    match element {
                        Value::StringLit(text) => texts.push(text.value.to_string()),
                        other => {
                            self.wrong(&format!("{name}[{index}]"), other, "text");
                            break;
                        }
                    }
                }
                texts
            }
            Some(other) => {
                self.wrong(name, other, "a list of text");
                Vec::new()
            }
        }
    }

    /// An object of text; with `numbers` also of numbers, which VS Code takes for variables of the environment.
    fn map(&mut self, name: &str, numbers: bool) -> BTreeMap<String, String> {
        let object = match self.fields.get(name).copied() {
            None => return BTreeMap::new(),
            Some(Value::Object(object)) => object,
            Some(other) => {
                self.wrong(name, other, "an object of text");
                return BTreeMap::new();
            }
        };
        let mut texts = BTreeMap::new();
        for field in &object.properties {
            let key = field.name.as_str();
            let value = match &field.value {
                Value::StringLit(text) => text.value.to_string(),
                Value::NumberLit(number) if numbers => number.value.to_owned(),
                // Nothing is the same as not there.
                Value::NullKeyword(_) => {
                    texts.remove(key);
                    continue;
                }
                other => {
                    self.wrong(&format!("{name}.{key}"), other, "text");
                    break;
                }
            };
            texts.insert(key.to_owned(), value);
        }
        texts
    }

    /// How long a call may be silent. What is no time is told and not used, since the server works without it.
    fn timeout(&mut self) -> Option<Duration> {
        let value = self.fields.get("timeout").copied()?;
        let timeout = match value {
            Value::NumberLit(number) => number.value.parse().ok().and_then(duration),
            _ => None,
        };
        if timeout.is_none() {
            self.draft.notes.push(
                "`timeout` is not used: it must be a number of seconds (from 10000 on of milliseconds), over 0 and at \
                 most a day"
                    .to_owned(),
            );
        }
        timeout
    }
}

fn duration(number: f64) -> Option<Duration> {
    let seconds = if number < MILLISECONDS_FROM { number } else { number / 1000.0 };
    Duration::try_from_secs_f64(seconds).ok().filter(|duration| !duration.is_zero() && *duration <= Duration::from_secs(86_400))
}

/// What a value is, in the words of messages.
pub(super) fn kind_of(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "text",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "true or false",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}
