//! Brings a JSON Schema of a tool into the form that every client takes.

use serde_json::{Value, json};

/// A schema in the form that every client takes, and what had to be changed for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The schema: always an object whose `type` is `object`.
    pub schema: Value,
    /// What was wrong with the schema, a sentence each; nothing for what only had another form.
    pub problems: Vec<String>,
}

/// The schema of a tool's arguments or structured result in the form that every client takes.
#[must_use]
pub fn normalise_schema(schema: &Value) -> Value {
    normalised(schema).schema
}

/// As [`normalise_schema`], with what was wrong.
#[must_use]
pub fn normalised(schema: &Value) -> Normalised {
    if schema.get("type").and_then(Value::as_str) == Some("object") {
        return Normalised { schema: schema.clone(), problems: Vec::new() };
    }
    Normalised { schema: json!({"type": "object"}), problems: vec!["the schema is no object's".to_owned()] }
}
