//! Shapes that are learned from results: types and keys, within bounds, by version.

use codemode_catalog::ObservedShapes;
use codemode_core::ToolSpec;
use serde_json::{Map, Value, json};

fn learned(results: &[Value]) -> Option<Value> {
    let shapes = ObservedShapes::new();
    results.iter().for_each(|result| shapes.learn("srv", "1", "look", result));
    shapes.schema(&look())
}

fn look() -> ToolSpec {
    ToolSpec::new("srv__look").in_namespace("srv", "look")
}

#[test]
fn results_merge_into_one_shape_without_their_values() {
    let results = [json!({"id": 1, "tags": ["a"], "owner": null}), json!({"id": 2.5, "tags": [], "owner": {"name": "x"}, "extra": true})];
    let expected = json!({
        "type": "object",
        "properties": {
            "extra": {"type": "boolean"},
            "id": {"type": "number"},
            "owner": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}]},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["id", "owner", "tags"],
    });
    assert_eq!(learned(&results), Some(expected));
    assert_eq!(
        learned(&[json!("text"), json!([1, null])]),
        Some(json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": ["null", "integer"]}}]}))
    );
    assert_eq!(learned(&[]), None);
}

#[test]
fn keys_that_are_data_are_not_kept() {
    let map = json!({"type": "object", "additionalProperties": {"type": "integer"}});
    for key in ["ann@example.com", "2024-05-06", "a/b", "user_8412345", "", "x\ny"] {
        assert_eq!(learned(&[json!({"plain": 1, key: 2})]), Some(map.clone()), "{key:?}");
    }
    let many: Map<String, Value> = (0..100).map(|number| (format!("k{number}"), json!(number))).collect();
    assert_eq!(learned(&[Value::Object(many)]), Some(map.clone()));
    // What was taken for keys is forgotten when later results show that it is data.
    assert_eq!(learned(&[json!({"first": 1}), json!({"a b/c": 2})]), Some(map));
}

#[test]
fn what_is_known_changes_nothing_and_another_version_forgets() {
    let shapes = ObservedShapes::new();
    let result = json!({"a": [{"b": 1}, {"b": 2, "c": "x"}]});
    shapes.learn("srv", "1", "look", &result);
    assert_eq!(shapes.changes(), 1);
    shapes.learn("srv", "1", "look", &result);
    shapes.serves("srv", "1");
    assert_eq!(shapes.changes(), 1);
    let kept = ObservedShapes::from_json(&shapes.to_json());
    assert_eq!(kept.schema(&look()), shapes.schema(&look()));
    kept.serves("srv", "2");
    assert_eq!((kept.schema(&look()), kept.changes()), (None, 1));
    shapes.learn("srv", "2", "other", &json!({}));
    assert_eq!(shapes.schema(&look()), None);
    assert_eq!(ObservedShapes::from_json(&json!({"srv": 1, "x": {"tools": {"look": {"string": 3}}}})).schema(&look()), None);
}

#[test]
fn deep_and_large_results_cost_and_keep_little() {
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!({"in": [deep]});
    }
    let wide = Value::Array((0..100_000).map(|number| json!({"n": number})).collect());
    let shapes = ObservedShapes::new();
    shapes.learn("srv", "1", "look", &json!({"deep": deep, "wide": wide}));
    shapes.learn("srv", "1", "look", &json!({"deep": deep, "wide": wide}));
    let text = shapes.to_json().to_string();
    assert!(shapes.changes() == 1 && text.len() < 1_000, "{} {text}", shapes.changes());
}
