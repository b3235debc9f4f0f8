//! Random documents: text to Lua and back is the same document with its keys sorted.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Number, Value};

use super::Bench;

fn documents() -> impl Strategy<Value = Value> {
    let names = prop_oneof!["[a-c]{0,2}", "\\PC{0,6}", "[\\x00-\\x7f]{0,4}"];
    let texts = prop_oneof!["[ -~]{0,20}", "\\PC{0,10}", "[\\x00-\\x7f]{0,10}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-(1_i64 << 53)..=1 << 53).prop_map(|number| Value::Number(number.into())),
        (-100_i64..100).prop_map(|number| Value::Number(number.into())),
        any::<f64>().prop_filter_map("finite", |number| Number::from_f64(number).map(Value::Number)),
        texts.prop_map(Value::String),
    ];
    leaf.prop_recursive(6, 80, 12, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..12).prop_map(Value::Array),
            vec((names.clone(), inner), 0..12).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// The document as we write it: sorted keys, whole numbers without fraction.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "whole and at most 2^53")]
            Some(float) if float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_992.0 => Value::Number((float as i64).into()),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(canonical).collect(),
        Value::Object(entries) => {
            let mut sorted: Vec<_> = entries.iter().map(|(key, value)| (key.clone(), canonical(value))).collect();
            sorted.sort_by(|left, right| left.0.as_bytes().cmp(right.0.as_bytes()));
            Value::Object(sorted.into_iter().collect::<Map<_, _>>())
        }
        _ => value.clone(),
    }
}

/// Whether two trees are one, but for the last digit of fractions, which `serde_json` reads with less care.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            let (left, right) = (left.as_f64().unwrap_or(f64::NAN), right.as_f64().unwrap_or(f64::NAN));
            (left - right).abs() <= right.abs() * 1e-15
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.0 == right.0 && same(left.1, right.1))
        }
        _ => left == right,
    }
}

proptest! {
    #[test]
    fn a_document_survives(document in documents(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) }.expect("a tree is json");
        let expected = canonical(&document).to_string();
        prop_assert_eq!(Bench::new().round(&text), Ok(expected));
    }

    #[test]
    fn what_serde_json_refuses_is_refused_and_what_it_reads_is_read(document in documents(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>()) {
        let mut text = document.to_string().into_bytes();
        let at = at.index(text.len());
        if cut { text.truncate(at) } else { text[at] = byte }
        let ours = Bench::new().run("return host.json_encode(host.json_decode(...))", &text);
        match serde_json::from_slice::<Value>(&text) {
            Err(_) => prop_assert!(ours.is_err(), "{:?}", ours),
            Ok(value) => match ours {
                Ok(written) => {
                    let ours = serde_json::from_slice::<Value>(&written).expect("what we write is json");
                    prop_assert!(same(&ours, &canonical(&value)), "{} is not {}", ours, value);
                }
                Err(message) => prop_assert!(message.contains("past 2^53"), "{}", message),
            },
        }
    }

    #[test]
    fn any_bytes_end_in_a_value_or_an_error(text in prop_oneof![vec(any::<u8>(), 0..60), "[\\[\\]{}:,\"\\\\u0-9dDtrue.eE+ -]{0,60}".prop_map(String::into_bytes)]) {
        let ours = Bench::new().run("host.json_decode(...) return 'read'", &text);
        let theirs = serde_json::from_slice::<Value>(&text);
        match (ours, theirs) {
            (Ok(shown), Ok(_)) => prop_assert_eq!(shown, b"read"),
            (Err(message), Ok(value)) => prop_assert!(message.contains("past 2^53"), "{message} for {value}"),
            (ours, Err(_)) => prop_assert!(ours.is_err()),
        }
    }
}
