//! Schemas as every client takes them.

use codemode_catalog::{normalise_schema, normalised};
use serde_json::{Value, json};

use crate::data;

#[test]
fn a_schema_that_needs_nothing_stays_as_it_is() {
    let schema = json!({
        "type": "object",
        "properties": {"$ref": {"type": "string"}, "default": {"$ref": "#/$defs/a~1b"}, "required": {"enum": [true, null]}},
        "required": ["$ref"],
        "additionalProperties": false,
        "$defs": {"a/b": {"type": ["integer", "null"], "minimum": 1, "default": {"$ref": "nowhere"}, "x-own": [1]}},
    });
    assert_eq!((normalised(&schema).schema, normalised(&schema).problems), (schema, vec![]));
}

#[test]
fn other_forms_of_the_same_become_todays_without_a_problem() {
    for (given, expected) in [
        (json!(true), json!({"type": "object"})),
        (json!(false), json!({"type": "object", "not": {}})),
        (json!({}), json!({"type": "object"})),
        (json!({"type": ["null", "object"]}), json!({"type": "object"})),
        (json!({"properties": {"a": true, "b": false}}), json!({"type": "object", "properties": {"a": {}, "b": {"not": {}}}})),
        (
            json!({"type": "object", "properties": {"a": {"items": true, "additionalProperties": {"not": false}}}}),
            json!({"type": "object", "properties": {"a": {"items": {}, "additionalProperties": {"not": {"not": {}}}}}}),
        ),
        (
            json!({"type": "object", "properties": {"a": {"items": [true, {}], "additionalItems": false}}}),
            json!({"type": "object", "properties": {"a": {"prefixItems": [{}, {}], "items": {"not": {}}}}}),
        ),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"items": [true], "additionalItems": false}}}),
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {"a": {"items": [{}], "additionalItems": false}}}),
        ),
        (json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:a", "type": "object"}), json!({"type": "object"})),
        (
            json!({"type": "object", "properties": {"a": {"minimum": 1, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false}}}),
            json!({"type": "object", "properties": {"a": {"exclusiveMinimum": 1, "maximum": 5}}}),
        ),
    ] {
        let normal = normalised(&given);
        assert_eq!((&normal.schema, normal.problems), (&expected, vec![]), "{given}");
        assert_eq!(normalise_schema(&normal.schema), expected, "it is the same again");
    }
}

#[test]
fn what_no_client_takes_is_left_out_and_told() {
    let open = || json!({"type": "object"});
    let of = |field: Value| json!({"type": "object", "properties": {"a": field}});
    for (given, expected, problem) in [
        (json!([]), open(), "the schema is a list and no object"),
        (json!({"type": "string"}), open(), "the schema is for something else than an object"),
        (json!({"type": "object", "required": true}), open(), "\"required\" has a value that it cannot have"),
        (json!({"type": "object", "properties": []}), open(), "\"properties\" has a value that it cannot have"),
        (of(Value::Null), of(json!({})), "null stands where a schema should"),
        (of(json!({"type": "file"})), of(json!({})), "\"type\" has a value that it cannot have"),
        (of(json!({"enum": []})), of(json!({})), "\"enum\" has a value that it cannot have"),
        (of(json!({"minLength": -1})), of(json!({})), "\"minLength\" has a value that it cannot have"),
        (of(json!({"pattern": "(?i)a\u{1b}"})), of(json!({})), "the pattern \"(?i)a\\u{1b}\" is not read alike everywhere"),
        (of(json!({"$ref": "#/$defs/none"})), of(json!({})), "the reference \"#/$defs/none\" leads to nothing in the schema"),
        (
            of(json!({"$ref": "https://example.com/a"})),
            of(json!({})),
            "the reference \"https://example.com/a\" leads to nothing in the schema",
        ),
    ] {
        let normal = normalised(&given);
        assert_eq!((normal.schema, normal.problems), (expected, vec![problem.to_owned()]), "{given}");
    }
}

#[test]
fn references_that_only_lead_to_each_other_lead_nowhere() {
    let looped = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/X"}, "tree": {"$ref": "#"}},
        "$defs": {"X": {"$ref": "#/$defs/Y"}, "Y": {"$ref": "#/$defs/X"}},
    });
    let expected = json!({"type": "object", "properties": {"x": {}, "tree": {"$ref": "#"}}, "$defs": {"X": {}, "Y": {}}});
    assert_eq!(normalise_schema(&looped), expected);
}

#[test]
fn schemas_without_end_are_bounded() {
    let mut deep = json!({"type": "string"});
    for _ in 0..60 {
        deep = json!({"type": "object", "properties": {"a": deep}});
    }
    let normal = normalised(&deep);
    assert_eq!(normal.problems, ["the schema nests deeper than 48 levels"]);
    assert_eq!(normal.schema.to_string().matches("properties").count(), 49);
    let huge = json!({"type": "object", "description": "x".repeat(300_000)});
    let normal = normalised(&huge);
    let bytes = huge.to_string().len();
    assert_eq!(
        (normal.schema, normal.problems),
        (json!({"type": "object"}), vec![format!("the schema has {bytes} bytes, and at most 262144 are taken")])
    );
    let wrong: Vec<Value> = (0..20).map(|number| json!({"$ref": format!("urn:{number}")})).collect();
    let normal = normalised(&json!({"type": "object", "anyOf": wrong}));
    assert_eq!((normal.problems.len(), &*normal.problems[8]), (9, "and 12 more problems"));
}

/// What the official TypeScript client asks of a schema before it takes the list of tools.
#[test]
fn each_schema_of_the_test_catalog_comes_out_as_clients_take_it_and_stays_so() {
    for tool in data::catalog().tools() {
        for schema in [&tool.input_schema, &tool.output_schema].into_iter().flatten() {
            let normal = normalise_schema(schema.tree());
            assert_eq!(normal["type"], json!("object"), "{}", tool.name);
            let properties = normal.get("properties").map(|fields| fields.as_object().expect("an object"));
            assert!(properties.is_none_or(|fields| fields.values().all(Value::is_object)), "{}", tool.name);
            assert_eq!(normalise_schema(&normal), normal, "{}", tool.name);
        }
    }
}
