//! Answers that nest deeper than JSON is read here: what can be kept of a list of tools, and words for the rest.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::problems::Problems;
use super::specs::shown;

/// How deep JSON may nest, in arrays and objects: `serde_json` refuses more, since readers of it recurse.
pub(super) const MOST_LEVELS: usize = 127;

/// What can be read of an answer that cannot be read as a whole, where it is a list of tools: each tool without those of its parts which
/// nest too deep, and a problem for each.
pub(super) fn shallow_list(result: &str, problems: &Problems) -> Option<Value> {
    let fields: BTreeMap<&str, &RawValue> = serde_json::from_str(result).ok()?;
    let tools: Vec<&RawValue> = serde_json::from_str(fields.get("tools")?.get()).ok()?;
    let tools = tools.into_iter().map(|tool| serde_json::from_str(tool.get()).or_else(|_| shallow_tool(tool.get(), problems)));
    let tools: Vec<Value> = tools.collect::<Result<_, _>>().ok()?;
    let rest = fields.into_iter().filter(|(name, _)| *name != "tools");
    let mut list: Map<String, Value> =
        rest.filter_map(|(name, field)| Some((name.to_owned(), serde_json::from_str(field.get()).ok()?))).collect();
    list.insert("tools".to_owned(), Value::Array(tools));
    Some(Value::Object(list))
}

fn shallow_tool(tool: &str, problems: &Problems) -> serde_json::Result<Value> {
    /// What a tool is called, whatever else it has.
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        name: Option<std::borrow::Cow<'a, str>>,
    }
    let name = serde_json::from_str::<Named<'_>>(tool)?.name.unwrap_or_default();
    let fields: BTreeMap<std::borrow::Cow<'_, str>, &RawValue> = serde_json::from_str(tool)?;
    let mut kept = Map::new();
    for (field, value) in fields {
        match serde_json::from_str(value.get()) {
            Ok(value) => {
                kept.insert(field.into_owned(), value);
            }
            Err(_) => {
                problems.note(&format!(
                    "\"{}\" of its tool \"{}\" nests deeper than the {MOST_LEVELS} levels that are read, and is left out",
                    shown(&field),
                    shown(&name)
                ));
            }
        }
    }
    Ok(Value::Object(kept))
}

/// Why an answer cannot be read, in words that say what to do where it nests too deep.
pub(super) fn why_unreadable(result: &str, error: &serde_json::Error) -> String {
    // A reader that skips what it reads does not recurse: what it takes is JSON, and too deep.
    if serde_json::from_str::<&RawValue>(result).is_ok() && error.is_syntax() {
        return format!(
            "its answer nests deeper than the {MOST_LEVELS} levels of arrays and objects that are read; ask it for less, or for a part of it"
        );
    }
    format!("its answer cannot be read: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(levels: usize) -> String {
        format!("{}{}", "[".repeat(levels), "]".repeat(levels))
    }

    #[test]
    fn a_tool_loses_what_nests_too_deep_and_the_list_loses_nothing_else() {
        let problems = Problems::default();
        let list =
            format!(r#"{{"nextCursor":"2","tools":[{{"name":"a"}},{{"name":"b\u0021","inputSchema":{},"title":"B"}},5]}}"#, nested(200));
        let kept = shallow_list(&list, &problems).expect("a list");
        assert_eq!(kept, serde_json::json!({"nextCursor": "2", "tools": [{"name": "a"}, {"name": "b!", "title": "B"}, 5]}));
        let problem = "\"inputSchema\" of its tool \"b!\" nests deeper than the 127 levels that are read, and is left out";
        assert_eq!(problems.list(), [problem]);
        assert_eq!(shallow_list(r#"{"content":[]}"#, &problems), None);
    }

    #[test]
    fn the_levels_are_those_of_the_reader() {
        let read = |levels: usize| serde_json::from_str::<Value>(&nested(levels)).map_err(|error| why_unreadable(&nested(levels), &error));
        assert!(read(MOST_LEVELS).is_ok());
        let why = "its answer nests deeper than the 127 levels of arrays and objects that are read; ask it for less, or for a part of it";
        assert_eq!(read(MOST_LEVELS + 1), Err(why.to_owned()));
        let broken = serde_json::from_str::<Value>("{]").expect_err("no JSON");
        assert_eq!(why_unreadable("{]", &broken), "its answer cannot be read: key must be a string at line 1 column 2");
    }
}
