//! The JSON Schema of a settings file, for editors.

use serde_json::{Value, json};

/// The JSON Schema of `codemode.toml`, draft 2020-12. It is published as `docs/codemode.schema.json`.
#[must_use]
pub fn json_schema() -> Value {
    json!({"type": "object"})
}
