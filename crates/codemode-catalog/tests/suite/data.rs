//! The test catalog, 2,500 invented tools of 40 servers, some of them hostile, and the searches that score against it.

use std::collections::HashSet;
use std::sync::OnceLock;

use codemode_core::{Catalog, Json, ToolSpec};
use serde_json::{Value, json};

/// The servers of the test catalog as an MCP client would see them.
fn servers() -> Vec<Value> {
    let data: Value = serde_json::from_str(include_str!("../data/catalog.json")).expect("the data is JSON");
    data["servers"].as_array().expect("a list of servers").clone()
}

/// The whole test catalog, each tool under `server__name`; read once.
pub(crate) fn catalog() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let mut names = HashSet::new();
        let mut tools = Vec::new();
        for server in servers() {
            for tool in server["tools"].as_array().expect("a list of tools") {
                let mut spec = tool_spec(server["name"].as_str().expect("a name"), tool);
                // Two servers join to one name on purpose; the first keeps it.
                if !names.insert(spec.name.clone()) {
                    spec.name = format!("{}_2", spec.name).into();
                }
                tools.push(spec);
            }
        }
        Catalog::new(tools).expect("names are distinct")
    })
}

fn tool_spec(server: &str, tool: &Value) -> ToolSpec {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let json = |value: &Value| (!value.is_null()).then(|| schema(value.clone()));
    let name = tool["name"].as_str().expect("a name");
    let mut spec = ToolSpec::new(format!("{server}__{name}")).in_namespace(server, name);
    spec.title = text(&tool["title"]).or_else(|| text(&tool["annotations"]["title"]));
    spec.description = text(&tool["description"]).unwrap_or_default();
    spec.annotations.read_only = tool["annotations"]["readOnlyHint"].as_bool();
    spec.input_schema = json(&tool["inputSchema"]);
    spec.output_schema = json(&tool["outputSchema"]);
    spec
}

/// What the printers of signatures are shown for: the name of a snapshot, a server of the test catalog, and tools of it.
pub(crate) const CHOSEN: &[(&str, &str, &[&str])] = &[
    ("polyglot", "polyglot", &["correct-grammar", "list-glossaries"]),
    ("paymint", "paymint", &["create_refund", "create_payment_link"]),
    ("githarbor", "githarbor", &["create_issue", "merge_pull_request"]),
    (
        "hostile_texts",
        "attic",
        &["comment_end", "line_comment", "control_characters", "bidirectional", "prompt_injection", "title_trick", "only_spaces"],
    ),
    ("hostile_parameters", "attic", &["odd_property_names", "odd_enum_values", "hostile_parameter_text", "__proto__"]),
    ("hostile_names", "attic", &["end", "--", "$", "2fa_enable", "get item", "zero\u{200b}width", "раyment_send"]),
    (
        "references",
        "attic",
        &[
            "recursive_tree",
            "mutual_recursion",
            "self_reference",
            "reference_loop",
            "dangling_reference",
            "remote_reference",
            "escaped_reference",
            "anchored_reference",
        ],
    ),
    (
        "forms",
        "attic",
        &[
            "no_schema",
            "schema_without_type",
            "boolean_subschemas",
            "any_of_booleans",
            "type_list",
            "conditional_schema",
            "pattern_properties",
            "top_level_one_of",
            "contradictory_schema",
            "recursive_output",
            "huge_enum",
        ],
    ),
    ("deep_schema", "attic", &["deep_schema"]),
    ("exponential_references", "attic", &["exponential_references"]),
];

/// The input schema of a tool that reads files.
pub(crate) fn read_file_input() -> Json {
    schema(json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Where it is, relative to the root."},
            "start_line": {"type": "integer", "minimum": 1, "default": 1, "description": "The first line."},
            "end_line": {"type": ["integer", "null"], "minimum": 1},
            "encoding": {"enum": ["utf-8", "latin-1", null]},
        },
        "required": ["path"],
        "additionalProperties": false,
    }))
}

/// A schema of a test's own.
pub(crate) fn schema(value: Value) -> Json {
    Json::from_value(value).expect("not too deep")
}

/// A search with the tools that a fair reader accepts, as pairs of server and name.
pub(crate) type Query = (String, Vec<(String, String)>);

/// The searches that score.
pub(crate) fn queries() -> Vec<Query> {
    read_queries(include_str!("../data/queries.json"))
}

/// Other searches over the same catalog, by which the weights of the search were chosen.
pub(crate) fn tuning_queries() -> Vec<Query> {
    read_queries(include_str!("../data/tuning_queries.json"))
}

fn read_queries(text: &str) -> Vec<Query> {
    let data: Value = serde_json::from_str(text).expect("the data is JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let queries = data["queries"].as_array().expect("a list of queries").iter();
    queries
        .map(|query| {
            let tools = query["tools"].as_array().expect("a list of tools");
            (text(&query["query"]), tools.iter().map(|tool| (text(&tool["server"]), text(&tool["name"]))).collect())
        })
        .collect()
}
