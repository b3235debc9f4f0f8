//! Brings a JSON Schema of a tool into the form that every client takes.

mod keywords;
mod pattern;
mod references;

use serde_json::{Map, Value, json};

/// Bytes of a schema as JSON; a larger one becomes an open object.
const MOST_BYTES: usize = 256 * 1024;
/// Sentences on what was wrong; others are counted.
const MOST_PROBLEMS: usize = 8;

/// A schema in the form that every client takes, and what had to be changed for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Normalised {
    /// The schema: an object whose `type` is `object`.
    pub schema: Value,
    /// What was wrong with the schema, at most nine sentences; none for what only had another form.
    pub problems: Vec<String>,
}

/// The schema of a tool's arguments or structured result in the form that every client takes; see [`normalised`].
#[must_use]
pub fn normalise_schema(schema: &Value) -> Value {
    normalised(schema).schema
}

/// The schema of a tool's arguments or structured result in the form that every client takes, and what was wrong with it.
///
/// The official TypeScript client refuses the whole list of tools for one schema whose root is not of `type` `object`, whose
/// `properties` hold anything but objects, or whose `required` is no list of strings, and for one output schema that its
/// validator cannot compile. So this holds for what is published, and for what servers send, since it is forwarded:
///
/// - A boolean in the place of a schema becomes `{}` or `{"not": {}}`. `additionalProperties`, `unevaluatedProperties`,
///   `additionalItems` and `unevaluatedItems` keep theirs: every client takes it there, and some models' interfaces want it.
/// - A keyword whose value is of the wrong kind is left out, and so are references to other documents and to what is not
///   there, patterns that not all engines read, and identifiers of schemas, by which clients confuse one tool's with another's.
/// - `exclusiveMinimum` and its kin of draft 4, and `items` with a list where no older draft is named, are written as today.
/// - A schema of more than 256 KiB, and one whose root is no object's, becomes `{"type": "object"}`; more than 48 levels
///   become `{}`.
///
/// What is left out only makes the schema wider. A schema that comes out is the same when it goes in again.
#[must_use]
pub fn normalised(schema: &Value) -> Normalised {
    let mut problems = Problems::default();
    let schema = root(schema, &mut problems);
    Normalised { schema, problems: problems.told() }
}

fn root(schema: &Value, problems: &mut Problems) -> Value {
    let open = || json!({"type": "object"});
    match schema {
        Value::Bool(true) => return open(),
        Value::Bool(false) => return json!({"type": "object", "not": {}}),
        Value::Object(_) => {}
        other => {
            problems.add(format!("the schema is {} and no object", kind(other)));
            return open();
        }
    }
    // Measured as it came: what is cleaned is no larger but by a few bytes for each boolean.
    let bytes = schema.to_string().len();
    if bytes > MOST_BYTES {
        problems.add(format!("the schema has {bytes} bytes, and at most {MOST_BYTES} are taken"));
        return open();
    }
    let is_object = match schema.get("type") {
        None => true,
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        Some(_) => true,
    };
    if !is_object {
        problems.add("the schema is for something else than an object".to_owned());
        return open();
    }
    let older = schema.get("$schema").and_then(Value::as_str).filter(|name| keywords::is_older_draft(name));
    let mut cleaned = keywords::cleaned(schema, older.is_some(), 0, problems);
    references::drop_dangling(&mut cleaned, problems);
    let mut fields = Map::new();
    if let Some(name) = older {
        fields.insert("$schema".to_owned(), json!(name));
    }
    fields.insert("type".to_owned(), json!("object"));
    if let Value::Object(rest) = cleaned {
        fields.extend(rest.into_iter().filter(|(key, _)| key != "type"));
    }
    Value::Object(fields)
}

/// What a value is, in a message.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// What was wrong, bounded.
#[derive(Debug, Default)]
struct Problems {
    told: Vec<String>,
    more: usize,
}

impl Problems {
    fn add(&mut self, problem: String) {
        if self.told.contains(&problem) {
            return;
        }
        if self.told.len() < MOST_PROBLEMS { self.told.push(problem) } else { self.more += 1 }
    }

    fn told(mut self) -> Vec<String> {
        if self.more > 0 {
            self.told.push(format!("and {} more problems", self.more));
        }
        self.told
    }
}
