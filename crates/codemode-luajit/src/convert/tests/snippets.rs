//! Random Lua tables, written as Lua: what is encoded says the same, and is stable under decoding.

use proptest::collection::vec;
use proptest::prelude::*;

use super::Bench;

/// A Lua expression, and the JSON text it must become; nothing where it must be refused.
#[derive(Debug, Clone)]
struct Snippet {
    lua: String,
    json: Option<String>,
}

fn snippets() -> impl Strategy<Value = Snippet> {
    let plain = |lua: &str, json: &str| Just(Snippet { lua: lua.to_owned(), json: Some(json.to_owned()) });
    let refused = |lua: &str| Just(Snippet { lua: lua.to_owned(), json: None });
    let leaf = prop_oneof![
        8 => (-1000_i32..1000).prop_map(|number| Snippet { lua: format!("({number})"), json: Some(number.to_string()) }),
        8 => "[a-z ]{0,12}".prop_map(|text| Snippet { lua: format!("'{text}'"), json: Some(format!("\"{text}\"")) }),
        4 => plain("true", "true"),
        4 => plain("host.json_null", "null"),
        4 => plain("{}", "{}"),
        4 => plain("host.json_array()", "[]"),
        1 => refused("print"),
        1 => refused("0/0"),
        1 => refused("'\\255'"),
        1 => refused("{1, nil, 3}"),
        1 => refused("{1, x = 2}"),
        1 => refused("{[true] = 1}"),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        let all = |items: &[Snippet]| items.iter().map(|item| item.json.clone()).collect::<Option<Vec<_>>>();
        let array = vec(inner.clone(), 1..8).prop_map(move |items| {
            let lua: Vec<_> = items.iter().map(|item| item.lua.as_str()).collect();
            Snippet { lua: format!("{{{}}}", lua.join(", ")), json: all(&items).map(|items| format!("[{}]", items.join(","))) }
        });
        // Positions that are set from the last to the first lie in the hash part.
        let backwards = vec(inner.clone(), 1..8).prop_map(move |items| {
            let lua: Vec<_> = items.iter().enumerate().rev().map(|(at, item)| format!("[{}] = {}", at + 1, item.lua)).collect();
            Snippet { lua: format!("{{{}}}", lua.join(", ")), json: all(&items).map(|items| format!("[{}]", items.join(","))) }
        });
        let object = prop::collection::btree_map("[a-z]{1,6}", inner, 1..8).prop_map(move |entries| {
            let lua: Vec<_> = entries.iter().rev().map(|(key, item)| format!("['{key}'] = {}", item.lua)).collect();
            let json: Option<Vec<_>> = entries.iter().map(|(key, item)| Some(format!("\"{key}\":{}", item.json.as_ref()?))).collect();
            Snippet { lua: format!("{{{}}}", lua.join(", ")), json: json.map(|json| format!("{{{}}}", json.join(","))) }
        });
        prop_oneof![array, backwards, object]
    })
}

proptest! {
    #[test]
    fn a_table_is_encoded_or_refused_as_a_whole(snippet in snippets()) {
        let bench = Bench::new();
        let once = bench.text(&format!("return (host.json_encode({}))", snippet.lua), "");
        match snippet.json {
            Some(json) => {
                prop_assert_eq!(&once, &Ok(json.clone()));
                prop_assert_eq!(bench.round(&json), Ok(json));
            }
            None => {
                let message = once.expect_err("it has a part without json form");
                prop_assert!(message.starts_with("t:1: json_encode: $"), "{}", message);
            }
        }
    }
}
