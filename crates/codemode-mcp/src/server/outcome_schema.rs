//! The schema of an outcome: what `run_code` promises as structured content.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::offer::object;

/// JSON Schema of an outcome, without boolean schemas, in words that drafts 7 and 2020-12 share.
///
/// An outcome may have further keys in later versions, so that none is ruled out.
pub(super) fn outcome_schema() -> JsonObject {
    let (text, count) = (json!({"type": "string"}), json!({"type": "integer", "minimum": 0}));
    let (text_or_null, count_or_null) = (json!({"type": ["string", "null"]}), json!({"type": ["integer", "null"], "minimum": 0}));
    let texts = json!({"type": "array", "items": text});
    object(record(&[
        ("status", json!({"type": "string", "description": "ok, or the kind of the failure"})),
        ("value", json!({"description": "what the program returned"})),
        ("output", json!({"type": "string", "description": "what the program printed, as far as it is shown"})),
        ("failure", failure(&text, &text_or_null, &count_or_null)),
        ("effects", json!({"type": "string", "enum": ["none", "some", "unknown"]})),
        ("calls", json!({"type": "array", "items": call(&text, &count)})),
        ("calls_omitted", count.clone()),
        ("usage", counts(&["compute_ms", "wall_ms", "memory_peak_bytes", "calls", "result_bytes", "output_bytes", "output_dropped_bytes"])),
        ("warnings", texts.clone()),
        ("spill", text_or_null.clone()),
        ("state_committed", json!({"type": ["boolean", "null"]})),
        ("run", text.clone()),
        ("engine", text.clone()),
        ("profile", text.clone()),
        ("intent", text_or_null.clone()),
        ("evidence", json!({"type": "object"})),
        ("recovery", text_or_null.clone()),
        ("context", texts),
        ("content", json!({"type": "array", "items": record(&[("handle", text.clone()), ("type", text.clone()), ("bytes", count)])})),
        ("parked", text_or_null),
    ]))
}

fn failure(text: &Value, text_or_null: &Value, count_or_null: &Value) -> Value {
    let mut failure = record(&[
        ("kind", text.clone()),
        ("message", text.clone()),
        ("traceback", text_or_null.clone()),
        ("location", json!({"type": ["object", "null"]})),
        ("limit", count_or_null.clone()),
        ("observed", count_or_null.clone()),
        ("fix", text_or_null.clone()),
        ("bound", text_or_null.clone()),
    ]);
    failure["type"] = json!(["object", "null"]);
    failure
}

fn call(text: &Value, count: &Value) -> Value {
    record(&[
        ("seq", count.clone()),
        ("tool", text.clone()),
        ("arguments", json!({"description": "as JSON, or as text where they are long"})),
        ("status", json!({"type": "string", "enum": ["ok", "failed", "denied", "unknown"]})),
        ("bytes", count.clone()),
        ("ms", count.clone()),
    ])
}

fn counts(names: &[&str]) -> Value {
    let fields: Vec<(&str, Value)> = names.iter().map(|name| (*name, json!({"type": "integer", "minimum": 0}))).collect();
    record(&fields)
}

/// An object in which each of these fields is there.
fn record(fields: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: JsonObject = fields.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": "object", "properties": properties, "required": names})
}
