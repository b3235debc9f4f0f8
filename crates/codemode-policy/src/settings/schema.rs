//! The JSON Schema of a settings file, for editors.

use serde_json::{Map, Value, json};

use super::keys::{self, Key, Kind};
use crate::units::Unit;

/// The JSON Schema of `codemode.toml`, draft 2020-12, the same bytes each time. It is published as `docs/codemode.schema.json`.
#[must_use]
pub fn json_schema() -> Value {
    let mut code_mode = table("", keys::CODE_MODE);
    code_mode["properties"][keys::LIMITS_TABLE] = table(keys::LIMITS_WHAT, &keys::limits());
    let mut top = Map::new();
    for (name, what) in keys::TOP {
        let mut part = match *name {
            "code_mode" => code_mode.clone(),
            "tools" => table("", keys::TOOLS),
            "results" => table("", keys::RESULTS),
            _ => json!({"description": "", "type": "object", "additionalProperties": server()}),
        };
        part["description"] = json!(what);
        top.insert((*name).to_owned(), part);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "codemode.toml",
        "description": "The settings of codemode, of a user or of a project.",
        "type": "object",
        "properties": top,
        "additionalProperties": false,
    })
}

fn table(what: &str, keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    json!({"description": what, "type": "object", "properties": properties, "additionalProperties": false})
}

/// A server has a command or a url, and not both; what goes with the one goes not with the other.
fn server() -> Value {
    let mut server = table("One server. `${VAR}` and `${VAR:-default}` expand in command, args, env, url and headers.", keys::SERVER);
    server["dependentSchemas"] = json!({
        "command": {"not": {"anyOf": [{"required": ["url"]}, {"required": ["headers"]}]}},
        "url": {"not": {"anyOf": [{"required": ["args"]}, {"required": ["env"]}, {"required": ["cwd"]}]}},
    });
    server
}

fn property(key: &Key) -> Value {
    let mut schema = json!({"description": key.what});
    let form = match key.kind {
        Kind::Switch => json!({"type": "boolean"}),
        Kind::Names => json!({"type": "array", "items": {"type": "string", "minLength": 1}}),
        Kind::Number(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Kind::Quantity(Unit::Duration) => json!({"type": "string", "pattern": DURATION}),
        Kind::Quantity(Unit::Size) => json!({"type": ["integer", "string"], "minimum": 1, "pattern": SIZE}),
        Kind::Quantity(Unit::Count) => json!({"type": ["integer", "string"], "minimum": 1, "pattern": COUNT}),
        Kind::Text => json!({"type": "string", "minLength": 1}),
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::TextsByName => json!({"type": "object", "additionalProperties": {"type": "string"}}),
    };
    for (name, value) in form.as_object().into_iter().flatten() {
        schema[name] = value.clone();
    }
    if let Some(default) = key.default.and_then(|default| serde_json::from_str::<Value>(default).ok()) {
        schema["default"] = default;
    }
    schema
}

const DURATION: &str = r"^([0-9]*\.)?[0-9]+([mM]?[sS]|[mMhH])$";
const SIZE: &str = r"^([0-9]*\.)?[0-9]+([bB]|[kKmMgG][iI]?[bB])?$";
const COUNT: &str = r"^[0-9]+$";
