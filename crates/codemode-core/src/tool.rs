//! What a host says about one of its tools.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::json::Json;

/// One host capability, as it was admitted when a run started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolSpec {
    /// The raw name: what policy and routing see, and what the ledger records.
    pub name: Arc<str>,
    /// The server that the tool came from, if it came from one.
    pub namespace: Option<Arc<str>>,
    /// The tool's name within its namespace; the raw name where there is none.
    pub short_name: Arc<str>,
    /// A name for people.
    pub title: Option<String>,
    /// What the tool does, for a model.
    pub description: String,
    /// JSON Schema of the arguments; absent means any object.
    pub input_schema: Option<Json>,
    /// JSON Schema of the structured result, where the tool promises one.
    pub output_schema: Option<Json>,
    /// What is known about the tool's effects and timing.
    pub annotations: Annotations,
}

impl ToolSpec {
    /// A tool of this name that takes any object and may change the world.
    #[must_use]
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        let name = name.into();
        Self {
            short_name: Arc::clone(&name),
            name,
            namespace: None,
            title: None,
            description: String::new(),
            input_schema: None,
            output_schema: None,
            annotations: Annotations::default(),
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the schema of the arguments.
    #[must_use]
    pub fn with_input_schema(mut self, schema: Json) -> Self {
        self.input_schema = Some(schema);
        self
    }

    /// Sets the schema of the structured result.
    #[must_use]
    pub fn with_output_schema(mut self, schema: Json) -> Self {
        self.output_schema = Some(schema);
        self
    }

    /// Sets what is known about effects and timing.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// Puts the tool under a server's name; the raw name stays what it is.
    #[must_use]
    pub fn in_namespace(mut self, namespace: impl Into<Arc<str>>, short_name: impl Into<Arc<str>>) -> Self {
        self.namespace = Some(namespace.into());
        self.short_name = short_name.into();
        self
    }
}

/// What is known about a tool. Absent means not said, and then the careful reading holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "snake_case")]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy what was there.
    pub destructive: Option<bool>,
    /// Repeating it with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// What it changes is files alone, by their text: writing, editing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits_files: Option<bool>,
    /// It may overlap with other calls. Not said: as `read_only`.
    pub parallel: Option<bool>,
    /// How long one call may take, whatever the run's own clocks say. Not said: no own deadline.
    pub deadline: Option<Duration>,
}

impl Annotations {
    /// For a tool that only looks.
    #[must_use]
    pub fn read_only() -> Self {
        Self { read_only: Some(true), destructive: Some(false), idempotent: Some(true), ..Self::default() }
    }

    /// Whether a call may change the world. A tool that does not say so may.
    #[must_use]
    pub fn may_change_world(&self) -> bool {
        self.read_only != Some(true)
    }

    /// Whether calls may overlap: as declared, else as read-only.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.parallel.unwrap_or(self.read_only == Some(true))
    }
}
