//! Any JSON value may be a schema, and any text a name: nothing panics, and what is made of it is bounded.

use codemode_catalog::{
    LualsOptions, SearchIndex, SearchMode, Shape, ShapeLimits, TypeScriptForm, TypeScriptOptions, luals, signature_line, typescript,
};
use codemode_core::{Catalog, Json, ToolSpec};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::typescript::complaints;

/// Keywords that a reader of schemas acts on.
const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "items",
    "prefixItems",
    "additionalItems",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "$ref",
    "$dynamicRef",
    "$defs",
    "definitions",
    "$anchor",
    "$id",
    "description",
    "default",
    "format",
    "minimum",
    "maximum",
    "nullable",
    "deprecated",
    "A",
    "B",
];

/// Texts that mean something in a schema.
const TEXTS: &[&str] = &[
    "string",
    "integer",
    "number",
    "boolean",
    "null",
    "array",
    "object",
    "#",
    "#/$defs/A",
    "#/$defs/B",
    "#/properties/A",
    "#A",
    "A",
    "B",
    "*/ ]] \" \\ \n\r\u{2028}\u{202e}\0",
    "@class",
    "",
    "日本語",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![4 => prop::sample::select(TEXTS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        4 => text().prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 200, 8, |inner| {
        let key = prop_oneof![8 => prop::sample::select(KEYWORDS).prop_map(str::to_owned), 1 => text()];
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            3 => prop::collection::vec((key, inner), 0..8).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// The catalog of one tool with this name, description and schema.
fn catalog_of(name: &str, description: &str, schema: &Value) -> Catalog {
    let json = Json::from_value(schema.clone()).expect("not too deep");
    let spec = ToolSpec::new(name).with_description(description).with_input_schema(json.clone()).with_output_schema(json);
    Catalog::new([spec]).expect("one name")
}

/// Checks what is promised for every schema.
fn check(name: &str, description: &str, schema: &Value) {
    let catalog = catalog_of(name, description, schema);
    let options = LualsOptions { tool_bytes: 8_000, total_bytes: 10_000, ..LualsOptions::default() };
    let printed = luals(&catalog, &options);
    assert!(printed.len() <= options.total_bytes, "{} bytes", printed.len());
    let hidden = |letter: char| letter != '\n' && (letter.is_control() || ('\u{202a}'..='\u{202e}').contains(&letter));
    assert!(!printed.contains(hidden), "{printed:?}");
    let starts = ["--", "tool = {}", "tool[\"", "function tool."];
    for line in printed.lines().filter(|line| !line.is_empty()) {
        assert!(starts.iter().any(|start| line.starts_with(start)), "{line:?}");
    }
    for form in [TypeScriptForm::Batch, TypeScriptForm::Program] {
        let options = TypeScriptOptions { form, tool_bytes: 8_000, total_bytes: 8_000, ..TypeScriptOptions::default() };
        let printed = typescript(&catalog, &options);
        // What is around the tools is a fixed text.
        assert!(printed.len() <= options.total_bytes + 2_500, "{} bytes", printed.len());
        assert!(!printed.contains(hidden), "{printed:?}");
        assert_eq!(complaints(&printed), Vec::<String>::new(), "{printed}");
    }
    if let Some(spec) = catalog.tools().next() {
        let line = signature_line(spec);
        assert!(line.len() <= 600 && !line.contains(|letter| letter == '\n' || hidden(letter)), "{line:?}");
    }
    let shape = Shape::read(schema, "Input", &ShapeLimits::default());
    for room in [0, 1, 10, 100, 1_000] {
        assert!(shape.line(room).len() <= room);
    }
    assert!(SearchIndex::new(&catalog).search(description, SearchMode::AnyWords, 5).len() <= 1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_value_is_a_schema_that_is_printed_within_bounds(name in text(), description in text(), schema in schema()) {
        check(&name, &description, &schema);
    }
}

#[test]
fn schemas_that_explode_when_they_are_written_out_stay_small() {
    let all = |keyword: &str, count: usize| {
        let mut definitions = serde_json::Map::new();
        for level in 0..count {
            let next = json!({"$ref": format!("#/$defs/D{}", level + 1)});
            definitions.insert(format!("D{level}"), json!({keyword: [next, next], "properties": {format!("p{level}"): next}}));
        }
        definitions.insert(format!("D{count}"), json!({"type": "object", "properties": {"end": {"type": "string"}}}));
        json!({"$ref": "#/$defs/D0", "$defs": definitions})
    };
    let wide = |count: usize| {
        let pair =
            |number: usize| json!({"anyOf": [{"properties": {format!("a{number}"): {}}}, {"properties": {format!("b{number}"): {}}}]});
        json!({"allOf": (0..count).map(pair).collect::<Vec<_>>()})
    };
    let mut deep = json!({"type": "string"});
    for _ in 0..60 {
        deep = json!({"allOf": [deep]});
    }
    let mut nested = json!({"type": "string"});
    for _ in 0..40 {
        nested = json!({"anyOf": [nested, {"type": "null"}]});
    }
    let long_enum: Vec<String> = (0..100_000).map(|number| format!("value {number}")).collect();
    let long_union: Vec<Value> = (0..50_000).map(|number| json!({"const": number})).collect();
    let schemas = [
        all("allOf", 30),
        all("anyOf", 30),
        all("oneOf", 30),
        wide(40),
        deep,
        nested,
        json!({"enum": long_enum}),
        json!({"oneOf": long_union}),
        json!({"type": "object", "properties": {"x".repeat(100_000): {"type": "string"}}, "description": "y ".repeat(100_000)}),
        json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}], "anyOf": [{"$ref": "#"}, {"$ref": "#"}]}),
    ];
    let start = std::time::Instant::now();
    for schema in &schemas {
        check("tool", "a tool", schema);
    }
    // An unoptimised build takes about a hundredth of this.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
