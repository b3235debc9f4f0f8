//! What the tools say about themselves, and what a builder refuses.

use std::time::Duration;

use codemode_core::{Annotations, ToolHost};
use codemode_workspace::{Limits, Workspace};
use serde_json::Value;

use crate::desk::Desk;

#[test]
fn every_tool_says_what_it_is() {
    let desk = Desk::with(|builder| builder.execute(true));
    let catalog = desk.workspace.catalog();
    let names: Vec<&str> = catalog.tools().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["edit_file", "execute", "find_files", "list_files", "read_file", "read_files", "search_files", "write_file"]);
    for tool in catalog.tools() {
        let input = tool.input_schema.as_ref().expect("an input schema").tree();
        assert_eq!(input["type"], "object", "{}", tool.name);
        no_loose_objects(input, &tool.name);
        assert_eq!(tool.output_schema.is_none(), &*tool.name == "read_file", "{}", tool.name);
        if let Some(output) = &tool.output_schema {
            no_boolean_schemas(output.tree(), &tool.name);
        }
        assert!(tool.title.as_ref().is_some_and(|title| !title.is_empty()), "{}", tool.name);
        assert!((100..1500).contains(&tool.description.len()), "{} has {} bytes", tool.name, tool.description.len());
    }
    let writing = |idempotent| Annotations {
        read_only: Some(false),
        destructive: Some(true),
        idempotent: Some(idempotent),
        edits_files: Some(true),
        parallel: Some(false),
        deadline: None,
    };
    let annotations = |name| catalog.get(name).expect("a tool").annotations;
    assert_eq!(annotations("read_file"), Annotations::read_only());
    assert_eq!(annotations("write_file"), writing(true));
    assert_eq!(annotations("edit_file"), writing(false));
    let running = Annotations { deadline: Some(Duration::from_secs(610)), edits_files: None, ..writing(false) };
    assert_eq!(annotations("execute"), running);
}

#[test]
fn the_longest_time_of_a_command_is_a_whole_number_where_it_is_one() {
    let maximum = |milliseconds| {
        let mut limits = Limits::default();
        limits.execute_timeout = Duration::from_millis(milliseconds);
        let desk = Desk::with(|builder| builder.execute(true).limits(limits));
        desk.tool("execute").input_schema.as_ref().expect("a schema").tree()["properties"]["timeout_seconds"]["maximum"].to_string()
    };
    assert_eq!((maximum(600_000), maximum(2_500)), ("600".to_owned(), "2.5".to_owned()));
}

/// Every object in an input schema says which names it takes, and each of its schemas is an object.
fn no_loose_objects(schema: &Value, tool: &str) {
    if schema["type"] == "object" {
        assert_eq!(schema["additionalProperties"], false, "{tool}: {schema}");
        for property in schema["properties"].as_object().expect("properties").values() {
            assert!(property.is_object(), "{tool}: {property}");
            no_loose_objects(property, tool);
        }
    }
    for inner in schema["anyOf"].as_array().into_iter().flatten().chain(schema.get("items")) {
        assert!(inner.is_object(), "{tool}: {inner}");
        no_loose_objects(inner, tool);
    }
}

fn no_boolean_schemas(schema: &Value, tool: &str) {
    assert!(schema.is_object(), "{tool}: {schema}");
    for inner in schema["properties"].as_object().into_iter().flat_map(|all| all.values()).chain(schema.get("items")) {
        no_boolean_schemas(inner, tool);
    }
}

#[test]
fn a_builder_names_what_it_refuses() {
    let refused = |builder: codemode_workspace::WorkspaceBuilder| builder.build().expect_err("refused").to_string();
    let folder = tempfile::tempdir().expect("a folder");
    let limited = |set: fn(&mut Limits)| {
        let mut limits = Limits::default();
        set(&mut limits);
        refused(Workspace::builder(folder.path()).limits(limits))
    };
    assert_eq!(limited(|limits| limits.file_bytes = 0), "file_bytes is 0; 1 to 1073741824 is allowed");
    assert_eq!(limited(|limits| limits.output_bytes = 1 << 30), "output_bytes is 1073741824; 1 to 67108864 is allowed");
    assert_eq!(limited(|limits| limits.execute_timeout = Duration::ZERO), "execute_timeout is 0ns; 1 ms to 24 h is allowed");
    let missing = folder.path().join("missing");
    let gone = "No such file or directory (os error 2)";
    assert_eq!(refused(Workspace::builder(&missing)), format!("the folder {} cannot be opened: {gone}", missing.display()));
    let shell = refused(Workspace::builder(folder.path()).execute(true).shell("/no/shell"));
    assert_eq!(shell, "there is no shell /no/shell; name one that exists");
}
