//! The tools as a client is told of them: `run_code`, `search_tools`, and the direct ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use codemode_catalog::{DescriptionOptions, describe_run_code, normalise_schema};
use codemode_core::{Catalog, Json, Language, Profile, ToolSpec};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::arguments::{LANGUAGES, MOST_FOUND, most_seconds};
use super::outcome_schema::outcome_schema;

/// The name under which a model runs a program.
pub(super) const RUN_CODE: &str = "run_code";
/// The name under which a model searches, where the description does not show every tool.
pub(super) const SEARCH_TOOLS: &str = "search_tools";

/// What is offered for programs: fixed for a connection.
#[derive(Debug, Default)]
pub(super) struct Offer {
    /// Absent where code mode is off.
    pub(super) run_code: Option<Tool>,
    /// Absent where the description shows every tool.
    pub(super) search_tools: Option<Tool>,
}

/// What an offer is made from, besides the tools.
pub(super) struct OfferOptions<'a> {
    pub(super) profile: &'a Profile,
    /// The most tokens of the description.
    pub(super) tokens: usize,
    /// Whether there are direct tools as well.
    pub(super) direct: bool,
}

impl Offer {
    pub(super) fn new(catalog: &Catalog, options: &OfferOptions<'_>) -> Self {
        let described = DescriptionOptions {
            budget_tokens: options.tokens,
            search_tool: true,
            direct_tools: options.direct,
            ..DescriptionOptions::new(options.profile)
        };
        let description = describe_run_code(catalog, &described);
        let run_code = Tool::new(RUN_CODE, description.text, run_code_input(options.profile))
            .with_title("Run code")
            .with_raw_output_schema(Arc::new(outcome_schema()));
        Self { run_code: Some(run_code), search_tools: (!description.complete).then(search_tools) }
    }
}

fn run_code_input(profile: &Profile) -> JsonObject {
    let most = most_seconds(profile);
    let mut properties = json!({
        "code": {"type": "string", "description": "The program."},
        "timeout_secs": {
            "type": "integer",
            "minimum": 1,
            "maximum": most,
            "description": format!("Stop the program after this many seconds; {most} where it is left out."),
        },
    });
    let mut required = vec!["code"];
    if profile.intent_required {
        properties["intent"] = json!({"type": "string", "description": "What the program is for, in a few words."});
        required.push("intent");
    }
    if profile.language == Language::JavaScript {
        properties["language"] = json!({"type": "string", "enum": LANGUAGES, "description": "Either is read; need not be said."});
    }
    object(json!({"type": "object", "properties": properties, "required": required}))
}

fn search_tools() -> Tool {
    let input = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words of what the tool does, or a part of its name."},
            "limit": {"type": "integer", "minimum": 1, "maximum": MOST_FOUND, "description": "The most tools to give; 10 where it is left out."},
        },
        "required": ["query"],
    });
    let output = json!({
        "type": "object",
        "properties": {
            "tools": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "description": {"type": "string"}, "signature": {"type": "string"}},
                    "required": ["name", "description"],
                },
            },
        },
        "required": ["tools"],
    });
    Tool::new(SEARCH_TOOLS, "Finds tools that programs of run_code can call, best first.", object(input))
        .with_title("Search tools")
        .with_raw_output_schema(Arc::new(object(output)))
        .with_annotations(ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false))
}

/// The tools that are called directly.
#[derive(Debug)]
pub(super) struct Direct {
    /// The catalog that they are of.
    pub(super) catalog: Arc<Catalog>,
    /// As a client is told of them, in the order of the catalog.
    pub(super) tools: Vec<Tool>,
    /// By name.
    specs: BTreeMap<Arc<str>, Arc<ToolSpec>>,
}

impl Direct {
    /// What would imitate our own tools is left out.
    pub(super) fn new(catalog: &Arc<Catalog>, specs: Vec<&Arc<ToolSpec>>) -> Self {
        let specs: Vec<&Arc<ToolSpec>> = specs.into_iter().filter(|spec| !is_ours(&spec.name)).collect();
        Self {
            catalog: Arc::clone(catalog),
            tools: specs.iter().map(|spec| direct_tool(spec)).collect(),
            specs: specs.into_iter().map(|spec| (Arc::clone(&spec.name), Arc::clone(spec))).collect(),
        }
    }

    /// The tool of this name.
    pub(super) fn get(&self, name: &str) -> Option<&Arc<ToolSpec>> {
        self.specs.get(name)
    }

    /// The names, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.specs.keys().map(|name| &**name)
    }
}

/// Whether a name is that of a tool of this server's own.
pub(super) fn is_ours(name: &str) -> bool {
    name == RUN_CODE || name == SEARCH_TOOLS
}

fn direct_tool(spec: &ToolSpec) -> Tool {
    let input = spec.input_schema.as_ref().map_or_else(|| json!({"type": "object"}), |schema| normalise_schema(schema.tree()));
    let mut tool = Tool::new(spec.name.to_string(), spec.description.clone(), object(input));
    tool.title.clone_from(&spec.title);
    // A result is structured where it is an object; clients refuse another promise.
    let output = spec.output_schema.as_ref().map(Json::tree).filter(|schema| schema.get("type").is_some_and(|kind| kind == "object"));
    tool.output_schema = output.map(|schema| Arc::new(object(normalise_schema(schema))));
    let annotations = &spec.annotations;
    if annotations.read_only.or(annotations.destructive).or(annotations.idempotent).is_some() {
        tool.annotations =
            Some(ToolAnnotations::from_raw(None, annotations.read_only, annotations.destructive, annotations.idempotent, None));
    }
    tool
}

/// The fields of an object; none of what is no object.
pub(super) fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}
