//! The TypeScript declarations: their text for chosen tools, that a parser takes them for all, and their bounds.

use codemode_catalog::{TypeScriptForm, TypeScriptOptions, typescript};
use codemode_core::{Catalog, ToolSpec};
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde_json::json;

use crate::data;

fn printed(catalog: &Catalog, form: TypeScriptForm) -> String {
    typescript(catalog, &TypeScriptOptions { form, ..TypeScriptOptions::default() })
}

/// The tools of a file for these tools of one server of the test catalog, without what every file ends with.
fn tools(server: &str, names: &[&str]) -> String {
    let spec = |name: &&str| {
        let name = format!("{server}__{name}");
        ToolSpec::clone(data::catalog().get(&name).unwrap_or_else(|| panic!("no tool {name}")))
    };
    let text = printed(&Catalog::new(names.iter().map(spec)).expect("distinct names"), TypeScriptForm::Program);
    let (tools, _) = text.split_once("  /** Calls the tool of this name").expect("the surface follows the tools");
    tools.to_owned()
}

/// What a TypeScript parser has against this declaration file.
pub(crate) fn complaints(text: &str) -> Vec<String> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::d_ts()).parse();
    parsed.diagnostics.iter().map(ToString::to_string).collect()
}

fn some_tools() -> Catalog {
    Catalog::new([
        ToolSpec::new("read_file")
            .with_description("Reads a text file.\nLines are counted from 1.")
            .with_input_schema(data::read_file_input())
            .with_output_schema(data::schema(json!({
                "type": "object",
                "properties": {"text": {"type": "string"}, "lines": {"type": "integer"}, "rest": {}},
                "required": ["text", "lines"],
            }))),
        ToolSpec::new("list-roots"),
        ToolSpec::new("end").with_description("@param input */ number").with_input_schema(data::schema(json!({"type": "object"}))),
        ToolSpec::new("list").with_description("A tool that the surface hides."),
        ToolSpec::new("mail__send").in_namespace("mail", "send"),
        ToolSpec::new("search__find").in_namespace("search", "find"),
    ])
    .expect("distinct names")
    .with_unlisted(["calendar", "web-search"])
}

#[test]
fn a_whole_file_of_each_form() {
    insta::assert_snapshot!("program", printed(&some_tools(), TypeScriptForm::Program));
    insta::assert_snapshot!("batch", printed(&some_tools(), TypeScriptForm::Batch));
    let options = TypeScriptOptions { form: TypeScriptForm::Cell, namespace: "my host".to_owned(), ..TypeScriptOptions::default() };
    insta::assert_snapshot!("cell", typescript(&some_tools(), &options));
}

#[test]
fn a_batch_whose_calls_say_why_shows_where_the_intent_stands() {
    let path = data::schema(json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}));
    let catalog = Catalog::new([
        ToolSpec::new("read").with_input_schema(path.clone()),
        ToolSpec::new("srv__look").in_namespace("srv", "look").with_input_schema(path),
        ToolSpec::new("srv__rest").in_namespace("srv", "rest"),
    ])
    .expect("distinct names");
    let text = typescript(&catalog, &TypeScriptOptions { form: TypeScriptForm::Batch, call_intents: true, ..TypeScriptOptions::default() });
    let calls: Vec<&str> = text.lines().filter(|line| line.starts_with("  call(")).collect();
    let expected = [
        "  call(name: \"read\", input: { intent: string } & { path: string }): Result<any>;",
        "  call(name: \"srv__look\", input: { intent: string; arguments: { path: string } }): Result<any>;",
        "  call(name: \"srv__rest\", input: { intent: string; arguments?: Record<string, unknown> }): Result<any>;",
        "  call(name: string, input: { intent: string; [name: string]: any }): Result<any>;",
    ];
    assert_eq!(calls, expected);
    assert_eq!(complaints(&text), Vec::<String>::new());
}

#[test]
fn chosen_tools() {
    for (name, server, names) in data::CHOSEN {
        insta::assert_snapshot!(*name, tools(server, names));
    }
}

#[test]
fn a_type_that_is_at_once_itself_is_any_value() {
    let schema = |target: &str| {
        data::schema(json!({
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"anyOf": [{"$ref": target}, {"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/A"}}]}},
        }))
    };
    let catalog = Catalog::new([ToolSpec::new("loop").with_input_schema(schema("#/$defs/A"))]).expect("one name");
    let text = printed(&catalog, TypeScriptForm::Batch);
    let (types, _) = text.split_once("  /** Calls").expect("the surface follows the tools");
    assert_eq!(
        types,
        "type LoopA = unknown | string | LoopA[];\n\ndeclare const tools: {\n  call(name: \"loop\", input?: { a?: LoopA }): Result<any>;\n"
    );
}

#[test]
fn a_parser_takes_the_whole_catalog_and_finds_each_tool() {
    let catalog = data::catalog();
    for form in [TypeScriptForm::Batch, TypeScriptForm::Program, TypeScriptForm::Cell] {
        let text = printed(catalog, form);
        assert_eq!(text, printed(catalog, form), "the text is stable");
        assert_eq!(complaints(&text), Vec::<String>::new());
        let tool = |line: &&str| {
            let line = line.trim_start();
            line.starts_with("call(name: \"") || (line.starts_with("readonly ") && line.contains(": (input"))
        };
        assert_eq!(text.lines().filter(tool).count(), catalog.len());
        let hidden = |letter: char| letter != '\n' && (letter.is_control() || ('\u{202a}'..='\u{202e}').contains(&letter));
        assert!(!text.contains(hidden));
        let mut types: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("type ")?.split_once([' ', '<']).map(|(name, _)| name)).collect();
        let count = types.len();
        types.sort_unstable();
        types.dedup();
        assert_eq!(types.len(), count, "two types have one name");
        assert!(text.len() < 1_500_000, "{} bytes", text.len());
    }
}

#[test]
fn what_is_too_large_loses_its_descriptions_then_its_types_then_its_place() {
    let spec = ToolSpec::new("tool_of_size").with_input_schema(data::schema(json!({
        "type": "object",
        "properties": {"first": {"type": "string", "description": "The first of them."}, "second": {"type": "integer"}},
    })));
    let catalog = Catalog::new([spec]).expect("one name");
    let sized = |tool_bytes| {
        let text = typescript(&catalog, &TypeScriptOptions { tool_bytes, ..TypeScriptOptions::default() });
        let (tools, _) = text.split_once("  /** Calls the tool").expect("the surface follows the tools");
        tools.strip_prefix("declare const tools: {\n").expect("no types").to_owned()
    };
    let none = "  readonly tool_of_size: (input?: Record<string, unknown>) => Promise<any>;\n";
    let types = "  readonly tool_of_size: (input?: { first?: string; second?: number }) => Promise<any>;\n";
    let full = types.replace(
        "{ first?: string; second?: number }",
        "{\n    /** The first of them. */\n    first?: string;\n    /** (integer) */\n    second?: number;\n  }",
    );
    assert_eq!(sized(full.len()), full);
    assert_eq!(sized(full.len() - 1), types);
    assert_eq!(sized(types.len() - 1), none);
    assert_eq!(sized(none.len() - 1), "  // 1 more tools have no room in 8388608 bytes.\n");

    let small = TypeScriptOptions { total_bytes: 2_000, ..TypeScriptOptions::default() };
    let text = typescript(data::catalog(), &small);
    let surface = typescript(&Catalog::default(), &small);
    assert!(text.len() <= surface.len() + 2_100, "{}", text.len());
    assert_eq!(complaints(&text), Vec::<String>::new());
}
