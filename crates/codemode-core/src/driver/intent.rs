//! The intent of one call, where the profile wants each call to say why it is made.

use serde_json::Value;

use crate::answer::{Fault, code};
use crate::json::Json;
use crate::tool::ToolSpec;

/// What a call's own arguments are, and why it is made.
///
/// # Errors
/// When there is no nonblank intent, or a server's tool has arguments elsewhere than in `arguments`.
pub(super) fn taken_from(tool: &ToolSpec, arguments: &Json) -> Result<(Json, Option<String>), Fault> {
    let invalid = |message: String| Fault::new(code::INVALID_ARGUMENTS, message);
    let shape = if tool.namespace.is_some() { "{intent: \"…\", arguments: {…}}" } else { "{intent: \"…\", …}" };
    let no_intent = || invalid(format!("the call says no intent; say in a few words what it is for: {shape}"));
    let Value::Object(mut fields) = arguments.tree().clone() else { return Err(no_intent()) };
    let intent = match fields.get("intent") {
        Some(Value::String(intent)) if !intent.trim().is_empty() => intent.clone(),
        _ => return Err(no_intent()),
    };
    if !takes_intent_itself(tool) {
        fields.shift_remove("intent");
    }
    let own = if tool.namespace.is_some() {
        let own = fields.shift_remove("arguments").unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        if let Some((name, _)) = fields.iter().find(|(name, _)| *name != "intent") {
            let name = crate::text::cut(&crate::text::one_line(name), 100).into_owned();
            return Err(invalid(format!("\"{name}\" stands beside the arguments of a server's tool; put it inside them: {shape}")));
        }
        own
    } else {
        Value::Object(fields)
    };
    let own = Json::from_value(own).map_err(|error| invalid(error.to_string()))?;
    Ok((own, Some(intent)))
}

/// Whether the tool has a parameter `intent` of its own: then it stays where it is as well. A server's tool has its parameters
/// in `arguments`, so that nothing can be mistaken there.
fn takes_intent_itself(tool: &ToolSpec) -> bool {
    tool.namespace.is_none()
        && tool
            .input_schema
            .as_ref()
            .is_some_and(|schema| schema.tree().get("properties").and_then(|fields| fields.get("intent")).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(tool: &ToolSpec, arguments: &str) -> Result<(String, Option<String>), String> {
        let arguments = Json::parse(arguments).expect("json");
        taken_from(tool, &arguments).map(|(own, intent)| (own.text().to_owned(), intent)).map_err(|fault| fault.message)
    }

    #[test]
    fn a_tool_gets_its_arguments_without_the_intent() {
        let plain = ToolSpec::new("read");
        let schema = Json::parse(r#"{"type":"object","properties":{"intent":{}}}"#).expect("json");
        let asks_itself = ToolSpec::new("plan").with_input_schema(schema);
        let served = ToolSpec::new("srv__look").in_namespace("srv", "look");
        let good = |arguments: &str| Ok((arguments.to_owned(), Some("to see".to_owned())));
        assert_eq!(taken(&plain, r#"{"b":1,"intent":"to see","a":2}"#), good(r#"{"b":1,"a":2}"#));
        assert_eq!(taken(&asks_itself, r#"{"intent":"to see"}"#), good(r#"{"intent":"to see"}"#));
        assert_eq!(taken(&served, r#"{"intent":"to see","arguments":{"intent":"own"}}"#), good(r#"{"intent":"own"}"#));
        assert_eq!(taken(&served, r#"{"intent":"to see"}"#), good("{}"));
    }

    #[test]
    fn a_call_without_an_intent_or_with_arguments_in_the_wrong_place_is_told_the_shape() {
        let plain = ToolSpec::new("read");
        let served = ToolSpec::new("srv__look").in_namespace("srv", "look");
        let none = r#"the call says no intent; say in a few words what it is for: {intent: "…", …}"#;
        for arguments in ["{}", "[]", r#"{"intent":" \n"}"#, r#"{"intent":1}"#] {
            assert_eq!(taken(&plain, arguments), Err(none.to_owned()), "{arguments}");
        }
        let none = r#"the call says no intent; say in a few words what it is for: {intent: "…", arguments: {…}}"#;
        assert_eq!(taken(&served, r#"{"arguments":{"intent":"inside"}}"#), Err(none.to_owned()));
        let beside = r#""q" stands beside the arguments of a server's tool; put it inside them: {intent: "…", arguments: {…}}"#;
        assert_eq!(taken(&served, r#"{"intent":"to see","q":1}"#), Err(beside.to_owned()));
    }
}
