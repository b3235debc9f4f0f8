//! Over a catalog of 2,500 tools, some of them hostile: which schemas are of no use, what others say, and what it costs.
#![expect(clippy::print_stderr, reason = "a reader of the test's output wants to know the figures")]

use std::time::Instant;

use codemode_core::{Json, ToolSpec};
use codemode_policy::Validate;
use serde_json::{Value, json};

/// The tools of the test catalog, each under `server__name`.
fn tools() -> Vec<ToolSpec> {
    let data: Value = serde_json::from_str(include_str!("../../codemode-catalog/tests/data/catalog.json")).expect("the data is JSON");
    let servers = data["servers"].as_array().expect("a list of servers");
    let tools = servers.iter().flat_map(|server| {
        let tools = server["tools"].as_array().expect("a list of tools");
        tools.iter().map(move |tool| {
            let name = format!("{}__{}", server["name"].as_str().expect("a name"), tool["name"].as_str().expect("a name"));
            ToolSpec::new(name).with_input_schema(Json::from_value(tool["inputSchema"].clone()).expect("not too deep"))
        })
    });
    tools.collect()
}

#[test]
fn all_schemas_but_five_are_of_use() {
    let validate = Validate::new();
    let warnings: Vec<String> = tools().iter().filter_map(|tool| validate.warning(tool)).collect();
    let reasons = [
        ("dangling_reference", "it refers to what is not in it"),
        ("remote_reference", "it refers to what is not in it"),
        ("file_reference", "it refers to what is not in it"),
        ("catastrophic_pattern", "\"(\" is not a \"regex\""),
        // It mixes the lists of two drafts.
        ("type_list", "[{\"type\":\"string\"},{\"type\":\"integer\"}] is not of types \"boolean\", \"object\""),
    ];
    let expected =
        reasons.map(|(name, why)| format!("the arguments of attic__{name} are not checked, since its input schema is of no use: {why}"));
    assert_eq!(warnings, expected);
}

#[test]
fn hostile_tools_are_answered_in_the_same_way() {
    let validate = Validate::new();
    let tools = tools();
    let message = |name: &str, arguments: Value| {
        let name = format!("attic__{name}");
        let tool = tools.iter().find(|tool| *tool.name == *name).unwrap_or_else(|| panic!("no tool {name}"));
        let arguments = Json::from_value(arguments).expect("not too deep");
        validate
            .check(tool, &arguments)
            .map_or_else(|fault| fault.message.replace(&format!("invalid arguments for {name}: "), ""), |()| "fits".to_owned())
    };
    for (name, arguments, expected) in [
        ("recursive_tree", json!({"root": {"value": "a", "children": [{"value": 1}]}}), "root.children[0].value is 1; allowed: string"),
        ("mutual_recursion", json!({"a": {"b": {}}}), "a.b.a is missing; allowed: {b?: {a: object}}"),
        ("self_reference", json!({"again": {"again": 1}}), "again.again is 1; allowed: {again?: object}"),
        ("reference_loop", json!({"x": 1}), "fits"),
        ("escaped_reference", json!({"x": "a"}), "x is \"a\"; allowed: integer"),
        ("anchored_reference", json!({"x": "a"}), "x is \"a\"; allowed: number"),
        (
            "exponential_references",
            json!({"x": {"l": {"r": 1}}}),
            "x.l.r is 1; allowed: {l?: {l?: {l?: {l?: object, r?: object}, r?: {…}}, r?: {l?: {…}, …}}, r?: {l?: {l?: {l?: object, …}, …}, …}}",
        ),
        ("wide_schema", json!({"option_00": 1}), "fits"),
        ("odd_property_names", json!({}), "[\"*/\"] is missing; allowed: string"),
        (
            "odd_enum_values",
            json!({"x": "\u{202e}"}),
            "x is \"\\u{202e}\"; allowed: \"*/\"|\"`\"|\"${1}\"|\"a\\nb\"|\"\"|\"\\\\\"|\"\\\"\"|1|…|null",
        ),
        (
            "huge_enum",
            json!({"x": "value-10000"}),
            "x is \"value-10000\"; allowed: \"value-0000\"|\"value-0001\"|\"value-0002\"|\"value-0003\"|\"value-0004\"|\"value-0005\"|\"value-0006\"|\"value-0007\"|…; did you mean \"value-0000\"?",
        ),
        ("contradictory_schema", json!({"x": "a"}), "2 problems\n- z is missing\n- x is \"a\"; allowed: never"),
        ("type_list", json!({"p": [1, 2], "q": 1}), "fits"),
        ("pattern_properties", json!({"y-a": 1}), "y-a is no parameter; allowed: names that match ^x- or ^n-"),
        ("top_level_one_of", json!({}), "id is missing; allowed: string, or name is missing; allowed: string"),
        (
            "boolean_subschemas",
            json!({"nothing": 1, "other": 2}),
            "2 problems\n- other is no parameter; there are anything, nothing, items\n- nothing is 1; it must be left out",
        ),
    ] {
        assert_eq!(message(name, arguments), expected, "{name}");
    }
}

#[test]
fn a_check_costs_little() {
    let validate = Validate::keeping(4_096);
    let tools = tools();
    let start = Instant::now();
    for tool in &tools {
        let _ = validate.check(tool, &Json::empty_object());
    }
    let first = start.elapsed();
    let start = Instant::now();
    let misfits = tools.iter().filter(|tool| validate.check(tool, &Json::empty_object()).is_err()).count();
    let again = start.elapsed();
    eprintln!("{} tools: first check with compiling {first:?}, second {again:?}, of which {misfits} give a message", tools.len());
    assert!(misfits > 1_000);
    // An unoptimised build on a busy machine takes about a tenth of this.
    assert!(first.as_secs() < 30 && again.as_secs() < 15, "{first:?} {again:?}");
}
