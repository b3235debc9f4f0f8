//! The definition file for the Lua language server: its text for chosen tools, and its bounds for any.

use codemode_catalog::{LualsOptions, luals, luals_tool, signature_line};
use codemode_core::{Catalog, ToolSpec};
use serde_json::json;

use crate::data;

/// The block of one tool of the test catalog.
fn block(name: &str) -> String {
    let catalog = data::catalog();
    let spec = catalog.get(name).unwrap_or_else(|| panic!("no tool {name}"));
    luals_tool(catalog, spec, &LualsOptions::default())
}

/// The blocks of several tools of one server.
fn blocks(server: &str, names: &[&str]) -> String {
    names.iter().map(|name| block(&format!("{server}__{name}"))).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_whole_file() {
    let catalog = Catalog::new([
        ToolSpec::new("read_file")
            .with_description("Reads a text file.\nLines are counted from 1.")
            .with_input_schema(data::read_file_input()),
        ToolSpec::new("list-roots"),
        ToolSpec::new("end").with_description("@param input number").with_input_schema(data::schema(json!({"type": "object"}))),
    ])
    .expect("distinct names");
    insta::assert_snapshot!(luals(&catalog, &LualsOptions { namespace: "host tools".to_owned(), ..LualsOptions::default() }));
}

#[test]
fn chosen_tools() {
    for (name, server, names) in data::CHOSEN {
        insta::assert_snapshot!(*name, blocks(server, names));
    }
}

#[test]
fn every_line_of_the_whole_catalog_is_one_of_few_kinds() {
    let catalog = data::catalog();
    let text = luals(catalog, &LualsOptions::default());
    assert_eq!(text, luals(catalog, &LualsOptions::default()), "the text is stable");
    let mut classes = std::collections::HashSet::new();
    let mut functions = 0;
    for line in text.lines() {
        assert!(!line.chars().any(|letter| letter.is_control() || ('\u{202a}'..='\u{202e}').contains(&letter)), "{line:?}");
        if let Some(class) = line.strip_prefix("---@class ") {
            assert!(classes.insert(class.to_owned()), "{class} is there twice");
        } else if line.starts_with("function tool.") || line.starts_with("tool[\"") {
            functions += 1;
            assert!(line.ends_with("(input) end"), "{line:?}");
        } else {
            let known = ["", "---@meta", "tool = {}"].contains(&line)
                || ["--- ", "---@field ", "---@param input", "---@return ", "---@alias "].iter().any(|start| line.starts_with(start));
            assert!(known, "{line:?}");
        }
    }
    assert_eq!(functions, catalog.len());
    assert!(text.len() < 1_500_000, "{} bytes", text.len());
}

#[test]
fn what_is_too_large_loses_its_descriptions_then_its_classes_then_its_place() {
    let spec = ToolSpec::new("tool_of_size").with_input_schema(data::schema(json!({
        "type": "object",
        "properties": {"first": {"type": "string", "description": "The first of them."}, "second": {"type": "integer"}},
    })));
    let catalog = Catalog::new([spec.clone()]).expect("one name");
    let sized = |tool_bytes| luals_tool(&catalog, &spec, &LualsOptions { tool_bytes, ..LualsOptions::default() });
    let end = "---@return string|nil text\n---@return string? message\nfunction tool.tool_of_size(input) end\n";
    let class = "tool.tool_of_size.Input";
    let bare = format!("---@param input? table\n{end}");
    let types = format!("---@class {class}\n---@field first? string\n---@field second? integer\n\n---@param input? {class}\n{end}");
    let full = types.replace("---@field first", "--- The first of them.\n---@field first");
    assert_eq!(sized(full.len()), full);
    assert_eq!(sized(full.len() - 1), types);
    assert_eq!(sized(types.len() - 1), bare);

    let text = luals(data::catalog(), &LualsOptions { total_bytes: 2_000, ..LualsOptions::default() });
    assert!(text.len() <= 2_000, "{}", text.len());
    assert_eq!(text.lines().last(), Some("-- 2491 more tools have no room in 2000 bytes."));
}

#[test]
fn a_signature_is_one_line() {
    let catalog = data::catalog();
    let line = |name: &str| signature_line(catalog.get(name).unwrap_or_else(|| panic!("no tool {name}")));
    insta::assert_snapshot!(
        [
            "filesystem__read_file",
            "githarbor__create_issue",
            "paymint__create_refund",
            "polyglot__correct-grammar",
            "attic__no_schema",
            "attic__recursive_tree",
            "attic__self_reference",
            "attic__exponential_references",
            "attic__deep_schema",
            "attic__wide_schema",
            "attic__huge_enum",
            "attic__odd_property_names",
            "attic__odd_enum_values",
            "attic__type_list",
            "attic__pattern_properties",
            "attic__top_level_one_of",
            "attic__boolean_subschemas",
            "attic__zero\u{200b}width",
        ]
        .map(line)
        .join("\n")
    );
    for spec in catalog.tools() {
        let line = signature_line(spec);
        assert!(line.len() <= 600 && !line.contains(char::is_control), "{line:?}");
    }
}
