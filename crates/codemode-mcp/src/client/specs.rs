//! Tools as a server describes them, made into ours: one that is badly described spoils no other.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use codemode_catalog::normalised;
use codemode_core::text::{cut, one_line, prefix};
use codemode_core::{Annotations, Json, ToolSpec};
use serde_json::{Map, Value, json};

use super::problems::Problems;

/// The longest name of a tool, in bytes.
const NAME_BYTES: usize = 256;
/// The longest title, in bytes.
const TITLE_BYTES: usize = 300;
/// The longest description, in bytes.
const DESCRIPTION_BYTES: usize = 20_000;
/// The largest schema, in bytes of JSON.
const SCHEMA_BYTES: usize = 256 << 10;

/// The tools of a server as a catalog has them.
pub(crate) fn specs_of(tools: Vec<Value>, server: &Arc<str>, deadline: Duration, problems: &Problems) -> Vec<Arc<ToolSpec>> {
    let mut names = HashSet::new();
    tools
        .into_iter()
        .filter_map(|tool| {
            let spec = spec(tool, server, deadline, problems)?;
            if names.insert(Arc::clone(&spec.short_name)) {
                return Some(Arc::new(spec));
            }
            problems.note(&format!("two of its tools are named \"{}\"; the first is kept", shown(&spec.short_name)));
            None
        })
        .collect()
}

/// The name of a tool of a server, among those of all servers.
pub(crate) fn full_name(server: &str, tool: &str) -> String {
    format!("{server}__{tool}")
}

/// Whether a tool may be called this.
pub(crate) fn name_problem(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("a tool without a name is left out".to_owned());
    }
    if name.len() > NAME_BYTES {
        return Some(format!(
            "a tool is left out, since its name has {} bytes, and at most {NAME_BYTES} are allowed: {}",
            name.len(),
            shown(name)
        ));
    }
    if one_line(name) != name {
        return Some(format!("a tool is left out, since its name has control characters: {}", shown(name)));
    }
    None
}

fn spec(tool: Value, server: &Arc<str>, deadline: Duration, problems: &Problems) -> Option<ToolSpec> {
    let Value::Object(mut tool) = tool else {
        problems.note("something in its list of tools is no tool, and is left out");
        return None;
    };
    let Some(Value::String(name)) = tool.remove("name") else {
        problems.note("a tool without a name is left out");
        return None;
    };
    if let Some(problem) = name_problem(&name) {
        problems.note(&problem);
        return None;
    }
    if tool.get("execution").and_then(|execution| execution.get("taskSupport")).and_then(Value::as_str) == Some("required") {
        problems.note(&format!("\"{}\" runs as a task alone, which this client does not do, and is left out", shown(&name)));
        return None;
    }
    let mut spec = ToolSpec::new(full_name(server, &name)).in_namespace(Arc::clone(server), name.as_str());
    let hints = tool.remove("annotations");
    spec.title =
        text_of(tool.remove("title")).or_else(|| text_of(hints.as_ref()?.get("title").cloned())).map(|title| bounded(&title, TITLE_BYTES));
    let description = text_of(tool.remove("description")).unwrap_or_default();
    if description.len() > DESCRIPTION_BYTES {
        problems.note(&format!(
            "the description of \"{}\" has {} bytes, and is cut at {DESCRIPTION_BYTES}",
            shown(&name),
            description.len()
        ));
    }
    spec.description = cut(&description, DESCRIPTION_BYTES).into_owned();
    let open = || json!({"type": "object"});
    let input = match tool.remove("inputSchema") {
        None | Some(Value::Null) => {
            problems.note(&format!("\"{}\" has no input schema, and takes any object", shown(&name)));
            open()
        }
        Some(schema) => schema_of(schema, &name, "input", problems).unwrap_or_else(open),
    };
    spec.input_schema = Json::from_value(input).ok();
    spec.output_schema = match tool.remove("outputSchema") {
        None | Some(Value::Null) => None,
        Some(schema) => schema_of(schema, &name, "output", problems).and_then(|schema| Json::from_value(schema).ok()),
    };
    spec.annotations = annotations(hints.as_ref(), &name, problems);
    spec.annotations.deadline = Some(deadline);
    Some(spec)
}

/// A schema in the form that every client takes; nothing where it is of no use.
fn schema_of(schema: Value, tool: &str, which: &str, problems: &Problems) -> Option<Value> {
    let tool = shown(tool);
    let without = "and is taken for any object";
    let bytes = schema.to_string().len();
    if bytes > SCHEMA_BYTES {
        problems.note(&format!("the {which} schema of \"{tool}\" has {bytes} bytes, over the {SCHEMA_BYTES} that are read, {without}"));
        return None;
    }
    if !schema.is_object() {
        // `true` allows anything, and says it in a form that many clients refuse.
        if schema != Value::Bool(true) {
            problems.note(&format!("the {which} schema of \"{tool}\" is no object, {without}"));
        }
        return None;
    }
    let made = normalised(&schema);
    for problem in &made.problems {
        problems.note(&format!("the {which} schema of \"{tool}\": {problem}"));
    }
    if Json::from_value(made.schema.clone()).is_err() {
        problems.note(&format!("the {which} schema of \"{tool}\" nests too deep, {without}"));
        return None;
    }
    Some(made.schema)
}

/// What the server hints at; where hints contradict each other, the careful reading.
fn annotations(hints: Option<&Value>, tool: &str, problems: &Problems) -> Annotations {
    let none = Map::new();
    let hints = hints.and_then(Value::as_object).unwrap_or(&none);
    let hint = |name: &str| hints.get(name).and_then(Value::as_bool);
    let (mut read_only, mut destructive) = (hint("readOnlyHint"), hint("destructiveHint"));
    if read_only == Some(true) && destructive == Some(true) {
        problems.note(&format!("\"{}\" says that it changes nothing and that it destroys; it is taken for one that does", shown(tool)));
        read_only = Some(false);
    }
    if read_only == Some(true) {
        destructive = Some(false);
    }
    Annotations { read_only, destructive, idempotent: hint("idempotentHint"), ..Annotations::default() }
}

fn text_of(value: Option<Value>) -> Option<String> {
    match value {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn bounded(text: &str, bytes: usize) -> String {
    cut(&one_line(prefix(text, 2 * bytes)), bytes).into_owned()
}

/// A name in a problem.
pub(super) fn shown(name: &str) -> String {
    bounded(name, 80)
}
