//! The test catalog, 2,500 invented tools of 40 servers, some of them hostile, and the searches that score against it.

use std::collections::HashSet;
use std::sync::OnceLock;

use codemode_core::{Catalog, Json, ToolSpec};
use serde_json::Value;

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
    let json = |value: &Value| (!value.is_null()).then(|| Json::from_value(value.clone()).expect("not too deep"));
    let name = tool["name"].as_str().expect("a name");
    let mut spec = ToolSpec::new(format!("{server}__{name}")).in_namespace(server, name);
    spec.title = text(&tool["title"]).or_else(|| text(&tool["annotations"]["title"]));
    spec.description = text(&tool["description"]).unwrap_or_default();
    spec.annotations.read_only = tool["annotations"]["readOnlyHint"].as_bool();
    spec.input_schema = json(&tool["inputSchema"]);
    spec.output_schema = json(&tool["outputSchema"]);
    spec
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
