//! Names, descriptions, schemas and hints that servers send.

use std::sync::Arc;

use codemode_core::{Annotations, Answer, Call, CallContext, Catalog, FnHost, Json, Resolved, ToolHost, ToolSpec};
use codemode_mcp::{McpHost, ServerConfig};
use serde_json::{Value, json};

use crate::support::*;

/// A server whose list is longer than an argument of a process may be.
fn long(folder: &std::path::Path, setup: &Value) -> ServerConfig {
    let file = folder.join("setup");
    std::fs::write(&file, setup.to_string()).expect("written");
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/server.py");
    let line = format!("import sys; sys.argv = ['', open({file:?}).read()]; exec(open({script:?}).read())");
    ServerConfig::stdio("s", "python3", ["-c", &line])
}

fn names(catalog: &Catalog) -> Vec<String> {
    catalog.tools().map(|tool| tool.name.to_string()).collect()
}

#[tokio::test]
async fn tools_of_all_servers_have_names_of_their_own() {
    let local = Catalog::new([ToolSpec::new("read_file"), ToolSpec::new("a__mine")]).expect("distinct");
    let local = FnHost::new(local, |_: CallContext, call: Call| async move { Answer::text(format!("local {}", call.tool.name)) });
    let builder = McpHost::builder()
        .server(server("a", &with_tools(&["echo", "run_code", "mine"])))
        .server(server("a_", &with_tools(&["echo", "b__echo"])))
        .server(server("a__b", &with_tools(&["echo"])))
        .server(server("my server!", &with_tools(&["get-it"])))
        .server(server("a", &with_tools(&["other"])))
        .local(Arc::new(local));
    let host = listed(builder).await;
    let catalog = host.catalog();
    assert_eq!(
        names(&catalog),
        ["a_2__b__echo", "a_2__echo", "a__echo", "a__mine", "a__run_code", "a_b__echo", "my server!__get-it", "read_file"]
    );
    for (name, found) in [("a.echo", "a__echo"), ("my server!.get-it", "my server!__get-it"), ("my_server___get_it", "my server!__get-it")]
    {
        assert!(matches!(catalog.resolve(name), Resolved::Tool(tool) if &*tool.name == found), "{name}");
    }
    let get = catalog.get("a_2__b__echo").expect("a tool");
    assert_eq!((get.namespace.as_deref(), &*get.short_name), (Some("a_2"), "b__echo"));
    let caller = Caller::new();
    assert_eq!(text_of(&caller.call(&host, "a__mine", json!({})).await), "local a__mine");
    assert_eq!(text_of(&caller.call(&host, "read_file", json!({})).await), "local read_file");
    assert_eq!(text_of(&caller.call(&host, "a_b__echo", json!({"n": 1})).await), "{\"n\": 1}");
    assert_eq!(
        host.warnings(),
        [
            "two servers are named \"a\"; the first is kept",
            "the tool \"a__mine\" of a server is left out, since a tool of the host has its name"
        ]
    );
}

#[tokio::test]
async fn names_that_are_none_are_left_out_and_said() {
    let list = json!([
        {"name": "good", "inputSchema": {"type": "object"}},
        {"name": "", "inputSchema": {"type": "object"}},
        {"inputSchema": {"type": "object"}},
        {"name": 5},
        {"name": "esc\u{1b}[2J", "inputSchema": {"type": "object"}},
        {"name": "x".repeat(300), "inputSchema": {"type": "object"}},
        {"name": "good", "description": "another", "inputSchema": {"type": "object"}},
        "no tool",
        {"name": "größe of: it", "inputSchema": {"type": "object"}},
    ]);
    let host = host(&json!({"tools": list})).await;
    assert_eq!(names(&host.catalog()), ["s__good", "s__größe of: it"]);
    assert_eq!(host.catalog().get("s__good").expect("a tool").description, "");
    let cut = format!("{}…", "x".repeat(77));
    assert_eq!(
        status(&host, "s").problems,
        [
            "a tool without a name is left out".to_owned(),
            "a tool is left out, since its name has control characters: esc\\u{1b}[2J".to_owned(),
            format!("a tool is left out, since its name has 300 bytes, and at most 256 are allowed: {cut}"),
            "two of its tools are named \"good\"; the first is kept".to_owned(),
            "something in its list of tools is no tool, and is left out".to_owned(),
        ]
    );
}

#[tokio::test]
async fn a_schema_that_nests_too_deep_and_a_tool_that_is_a_task_cost_no_other_tool() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut deep = json!({"type": "object"});
    for _ in 0..90 {
        deep = json!({"type": "object", "properties": {"in": deep}});
    }
    let list = json!([
        {"name": "good", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "optional"}},
        {"name": "deep", "description": "Deep.", "inputSchema": deep},
        {"name": "task", "inputSchema": {"type": "object"}, "execution": {"taskSupport": "required"}},
    ]);
    let host = listed(McpHost::builder().server(long(folder.path(), &json!({"tools": list})))).await;
    let catalog = host.catalog();
    let names: Vec<&str> = catalog.tools().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["s__deep", "s__good"]);
    let deep = catalog.get("s__deep").expect("kept");
    assert_eq!((deep.input_schema.as_ref().map(Json::text), &*deep.description), (Some(r#"{"type":"object"}"#), "Deep."));
    assert_eq!(
        status(&host, "s").problems,
        [
            "\"inputSchema\" of its tool \"deep\" nests deeper than the 127 levels that are read, and is left out",
            "\"deep\" has no input schema, and takes any object",
            "\"task\" runs as a task alone, which this client does not do, and is left out",
        ]
    );
}

#[tokio::test]
async fn descriptions_and_schemas_are_bounded() {
    let folder = tempfile::tempdir().expect("a folder");
    let many: serde_json::Map<String, Value> = (0..20_000).map(|number| (format!("property{number}"), json!({"type": "string"}))).collect();
    let list = json!([
        {"name": "long", "description": "é".repeat(500_000), "title": "t".repeat(1_000), "inputSchema": {"type": "object"}},
        {"name": "huge", "inputSchema": {"type": "object", "properties": many}},
        {"name": "true", "inputSchema": true, "outputSchema": true},
        {"name": "false", "inputSchema": false},
        {"name": "text", "inputSchema": "object"},
        {"name": "none"},
        {"name": "cyclic", "inputSchema": {"type": "object", "properties": {"next": {"$ref": "#"}}}},
    ]);
    let host = listed(McpHost::builder().server(long(folder.path(), &json!({"tools": list})))).await;
    let catalog = host.catalog();
    let tool = |name: &str| Arc::clone(catalog.get(name).unwrap_or_else(|| panic!("no {name}: {:?}", host.status())));
    let input = |name: &str| tool(name).input_schema.as_ref().map(|schema| schema.text().to_owned());
    assert_eq!(catalog.len(), 7);
    let long = tool("s__long");
    assert_eq!(long.description, format!("{}…", "é".repeat(9_998)));
    assert_eq!(long.title.as_ref().map(String::len), Some(300));
    for name in ["s__huge", "s__true", "s__false", "s__text", "s__none"] {
        assert_eq!(input(name).as_deref(), Some(r#"{"type":"object"}"#), "{name}");
    }
    assert_eq!(tool("s__true").output_schema, None);
    assert_eq!(input("s__cyclic").as_deref(), Some(r##"{"type":"object","properties":{"next":{"$ref":"#"}}}"##));
    let problems = status(&host, "s").problems;
    let said = |part: &str| problems.iter().filter(|problem| problem.contains(part)).count();
    for part in [
        "\"long\" has 1000000 bytes, and is cut at 20000",
        "input schema of \"huge\" has",
        "\"false\"",
        "\"text\" is no object",
        "\"none\" has no input schema",
    ] {
        assert_eq!(said(part), 1, "{part} in {problems:#?}");
    }
    assert_eq!(said("\"true\""), 0, "{problems:#?}");
}

#[tokio::test]
async fn hints_are_believed_and_read_with_care_where_they_contradict() {
    let hints = |hints: Value| json!({"inputSchema": {"type": "object"}, "annotations": hints});
    let mut list = Vec::new();
    for (name, mut tool) in [
        ("reads", hints(json!({"readOnlyHint": true, "title": "Reads it"}))),
        ("both", hints(json!({"readOnlyHint": true, "destructiveHint": true}))),
        ("writes", hints(json!({"readOnlyHint": false, "destructiveHint": false, "idempotentHint": true}))),
        ("says nothing", hints(json!({}))),
        ("says nonsense", hints(json!({"readOnlyHint": "yes"}))),
    ] {
        tool["name"] = json!(name);
        list.push(tool);
    }
    let host = host(&json!({"tools": list})).await;
    let catalog = host.catalog();
    let of = |name: &str| catalog.get(&format!("s__{name}")).map(|tool| tool.annotations).expect("a tool");
    let deadline = Some(ServerConfig::MAX_TIMEOUT);
    let none = Annotations { deadline, ..Annotations::default() };
    assert_eq!(of("reads"), Annotations { read_only: Some(true), destructive: Some(false), ..none });
    assert_eq!(of("both"), Annotations { read_only: Some(false), destructive: Some(true), ..none });
    assert_eq!(of("writes"), Annotations { read_only: Some(false), destructive: Some(false), idempotent: Some(true), ..none });
    assert_eq!((of("says nothing"), of("says nonsense")), (none, none));
    assert!(of("reads").is_parallel() && !of("both").is_parallel() && !of("writes").is_parallel());
    assert_eq!(catalog.get("s__reads").and_then(|tool| tool.title.clone()).as_deref(), Some("Reads it"));
    assert_eq!(status(&host, "s").problems, ["\"both\" says that it changes nothing and that it destroys; it is taken for one that does"]);
}
