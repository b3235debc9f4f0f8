//! The plain answers to list, search and describe, for a host that has no index of its own.

use std::cmp::Reverse;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::answer::{Answer, Fault, code};
use crate::catalog::{Catalog, Resolved};
use crate::handle::Ask;
use crate::json::Json;
use crate::tool::ToolSpec;

/// The plain answers to list, search and describe.
///
/// List and search give `{name, description}` objects, search those that have all words or any word of the query in name or
/// description: those with most words first, then those that have them in the name, then by name. Describe gives name, alias
/// where there is one, description, parameters (any object, where the tool does not say) and output schema where there is one;
/// `null` where nothing has this name or alias.
#[must_use]
pub fn discover_plainly(catalog: &Catalog, ask: &Ask) -> Answer {
    let value = match ask {
        Ask::List => catalog.tools().map(|tool| entry(tool)).collect(),
        Ask::Search { query, all_words, offset, limit } => {
            found(catalog, query, *all_words).into_iter().skip(*offset).take(*limit).map(|tool| entry(tool)).collect()
        }
        Ask::Describe { name } => match catalog.resolve(name) {
            Resolved::Tool(tool) => description(catalog, &tool),
            Resolved::Namespace(_) | Resolved::Missing(_) => Value::Null,
        },
        _ => return Answer::NotRun(Fault::new(code::UNSUPPORTED, "this host answers list, search and describe only")),
    };
    match Json::from_value(value) {
        Ok(json) => Answer::structured(json),
        Err(error) => Answer::Failed(Fault::new(code::FAILED, error.to_string())),
    }
}

fn entry(tool: &ToolSpec) -> Value {
    json!({"name": &*tool.name, "description": tool.description})
}

fn description(catalog: &Catalog, tool: &ToolSpec) -> Value {
    let mut described = json!({"name": &*tool.name});
    if let Some(alias) = catalog.alias(&tool.name) {
        described["alias"] = json!(&**alias);
    }
    described["description"] = json!(tool.description);
    described["parameters"] = tool.input_schema.as_ref().map_or_else(|| json!({"type": "object"}), |schema| schema.tree().clone());
    if let Some(schema) = &tool.output_schema {
        described["output_schema"] = schema.tree().clone();
    }
    described
}

/// The most words of a query that are looked at.
const MOST_WORDS: usize = 32;

fn found<'a>(catalog: &'a Catalog, query: &str, all_words: bool) -> Vec<&'a Arc<ToolSpec>> {
    let mut words: Vec<String> = query.split_whitespace().take(MOST_WORDS).map(str::to_lowercase).collect();
    words.sort();
    words.dedup();
    let needed = if all_words { words.len().max(1) } else { 1 };
    let mut fitting: Vec<_> = catalog
        .tools()
        .filter_map(|tool| {
            let (name, description) = (tool.name.to_lowercase(), tool.description.to_lowercase());
            let in_name = words.iter().filter(|word| name.contains(*word)).count();
            let anywhere = words.iter().filter(|word| name.contains(*word) || description.contains(*word)).count();
            (anywhere >= needed).then_some((Reverse((anywhere, in_name)), tool))
        })
        .collect();
    // Tools come sorted by name, and the sort is stable.
    fitting.sort_by_key(|(rank, _)| *rank);
    fitting.into_iter().map(|(_, tool)| tool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalog() -> Catalog {
        let number = Json::parse(r#"{"type":"object","required":["n"]}"#).expect("json");
        let text = Json::parse(r#"{"type":"string"}"#).expect("json");
        Catalog::new([
            ToolSpec::new("find-issue").with_description("Searches issues").with_input_schema(number).with_output_schema(text),
            ToolSpec::new("list_issues").with_description("All open issues of a project"),
            ToolSpec::new("read_file").with_description("Reads a file of the project"),
        ])
        .expect("distinct")
    }

    fn names(query: &str, all_words: bool) -> Vec<String> {
        found(&catalog(), query, all_words).into_iter().map(|tool| tool.name.to_string()).collect()
    }

    fn answer(ask: &Ask) -> String {
        match discover_plainly(&catalog(), ask) {
            Answer::Succeeded(content) => content.as_text().into_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_search_gives_the_best_first_for_all_words_or_for_any() {
        assert_eq!(names("Issues project", true), ["list_issues"]);
        assert_eq!(names("Issues project", false), ["list_issues", "find-issue", "read_file"]);
        assert_eq!(names("issue", true), ["find-issue", "list_issues"]);
        assert_eq!((names("", true), names(" ", false)), (vec![], vec![]));
    }

    #[test]
    fn a_description_is_found_by_name_and_by_alias_and_is_null_for_what_is_not_there() {
        let expected = concat!(
            r#"{"name":"find-issue","alias":"find_issue","description":"Searches issues","#,
            r#""parameters":{"type":"object","required":["n"]},"output_schema":{"type":"string"}}"#
        );
        for name in ["find-issue", "find_issue"] {
            assert_eq!(answer(&Ask::Describe { name: name.to_owned() }), expected);
        }
        let plain = r#"{"name":"read_file","description":"Reads a file of the project","parameters":{"type":"object"}}"#;
        assert_eq!(answer(&Ask::Describe { name: "read_file".to_owned() }), plain);
        assert_eq!(answer(&Ask::Describe { name: "find".to_owned() }), "null");
    }
}
