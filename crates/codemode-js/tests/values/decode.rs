//! JSON to values and back.

use codemode_core::{Bound, Budgets, Json, Unit};
use codemode_js::{Crossing, EncodeBounds, Halt, Kind, Realm, Slot, from_json, to_json};
use proptest::prelude::*;

use crate::mock::MockRealm;

fn there_and_back(text: &str) -> String {
    let realm = MockRealm::default();
    let value = from_json(&realm, &Json::parse(text).expect(text)).expect("not stopped");
    let bounds = EncodeBounds::size(u64::MAX, Unit::Bytes);
    let encoded = to_json(&realm, &value, Crossing::State, &bounds).expect("what JSON made is lossless");
    assert_eq!(encoded.left_out, None);
    encoded.json.text().to_owned()
}

#[test]
fn numbers_are_doubles_and_the_last_of_two_alike_names_counts() {
    let cases = [
        ("[1,1.0,1e3,-0.5,0]", "[1,1,1000,-0.5,0]"),
        ("9007199254740993", "9007199254740992"),
        ("18446744073709551616", "18446744073709552000"),
        ("-9223372036854775808", "-9223372036854776000"),
        ("0.1e-10", "1e-11"),
        (r#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#),
        (r#"{"__proto__":{"x":1},"constructor":null}"#, r#"{"__proto__":{"x":1},"constructor":null}"#),
        (r#"{"\u0061\n":"\u00e4\ud83d\ude00\u0000"}"#, "{\"a\\n\":\"ä😀\\u0000\"}"),
        (" [ ] ", "[]"),
    ];
    for (text, expected) in cases {
        assert_eq!(there_and_back(text), expected);
    }
}

#[test]
fn proto_is_an_own_property_and_sets_no_prototype() {
    let realm = MockRealm::default();
    let value = from_json(&realm, &Json::parse(r#"{"__proto__":null}"#).expect("json")).expect("not stopped");
    assert!(matches!(realm.property(&value, "__proto__"), Ok(Slot::Data(own)) if realm.kind(&own) == Kind::Null));
    assert!(matches!(realm.prototype(&value), Ok(Some(prototype)) if realm.is_plain_prototype(&prototype)));
}

#[test]
fn the_deepest_json_is_made_and_written_again() {
    let depth = codemode_core::MAX_JSON_DEPTH;
    let text = "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(there_and_back(&text), text);
}

#[test]
fn a_list_that_does_not_fit_the_memory_budget_is_not_made() {
    let realm = MockRealm::with_memory(1 << 20);
    let text = format!("[{}0]", "0,".repeat(500_000));
    assert!(matches!(from_json(&realm, &Json::parse(text).expect("json")), Err(Halt)));
    assert_eq!(realm.guard().fired().map(|(bound, _)| bound), Some(Bound::Memory));
    realm.guard().arm(&Budgets::default());
    assert_eq!(realm.guard().held(), 0, "what was counted is given back");
}

#[test]
fn a_stopped_run_makes_nothing() {
    let realm = MockRealm::default();
    let text = format!("[{}0]", "0,".repeat(1000));
    realm.guard().fire(Bound::Wall, 1);
    assert!(matches!(from_json(&realm, &Json::parse(text).expect("json")), Err(Halt)));
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i32>().prop_map(Into::into),
        any::<f64>().prop_filter("json has no negative zero here", |number| *number != 0.0).prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(serde_json::Value::Array),
            prop::collection::vec((any::<String>(), inner), 0..8).prop_map(|entries| entries.into_iter().collect()),
        ]
    })
}

/// The tree with each number as the double that it is.
fn as_doubles(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(number) => number.as_f64().into(),
        serde_json::Value::Array(items) => items.iter().map(as_doubles).collect(),
        serde_json::Value::Object(entries) => entries.iter().map(|(name, value)| (name.clone(), as_doubles(value))).collect(),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn what_goes_in_comes_out(value in any_json()) {
        let text = there_and_back(&value.to_string());
        let back: serde_json::Value = serde_json::from_str(&text).expect("valid json");
        prop_assert_eq!(as_doubles(&back), as_doubles(&value));
    }
}
