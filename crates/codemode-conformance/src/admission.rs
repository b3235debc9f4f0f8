//! A validator of arguments, just large enough for the scripted tools: required names, plain types, no other names.

use codemode_core::{Fault, Json, ToolSpec, code};
use serde_json::Value;

/// The layer that admits calls whose arguments fit.
pub(crate) struct Admission;

/// Checks arguments against the tool's schema.
pub(crate) fn validate(tool: &ToolSpec, arguments: &Json) -> Result<(), Fault> {
    let Some(given) = arguments.tree().as_object() else {
        return Err(invalid(tool, "the arguments are no object".to_owned()));
    };
    let Some(schema) = tool.input_schema.as_ref().map(Json::tree) else { return Ok(()) };
    let properties = schema["properties"].as_object();
    for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !given.contains_key(required) {
            return Err(invalid(tool, format!("argument \"{required}\" is missing")));
        }
    }
    for (name, value) in given {
        let Some(property) = properties.and_then(|properties| properties.get(name)) else {
            return Err(invalid(tool, format!("there is no argument \"{name}\"")));
        };
        let wanted = property["type"].as_str().unwrap_or_default();
        if !fits(value, wanted) {
            return Err(invalid(tool, format!("argument \"{name}\" is not of type {wanted}")));
        }
    }
    Ok(())
}

fn invalid(tool: &ToolSpec, message: String) -> Fault {
    let names = tool.input_schema.as_ref().and_then(|schema| schema.tree()["properties"].as_object());
    let names: Vec<String> =
        names.into_iter().flatten().map(|(name, schema)| format!("{name}: {}", schema["type"].as_str().unwrap_or("any"))).collect();
    Fault::new(code::INVALID_ARGUMENTS, message).with_fix(format!("{} takes {{{}}}", tool.name, names.join(", ")))
}

fn fits(value: &Value, wanted: &str) -> bool {
    match wanted {
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        _ => true,
    }
}
