//! The keywords of a schema, each by the kind of value that it must have.

use serde_json::{Map, Value, json};

use super::pattern::is_portable;
use super::{Problems, kind};

/// Levels of schemas within schemas.
const MOST_DEPTH: usize = 48;

/// Whether `$schema` names a draft whose rules differ from today's, and which validators know.
pub(super) fn is_older_draft(name: &str) -> bool {
    let name = name.trim_end_matches('#').trim_end_matches('/');
    ["draft-04/schema", "draft-06/schema", "draft-07/schema", "draft/2019-09/schema"]
        .iter()
        .any(|draft| name.ends_with(&format!("json-schema.org/{draft}")))
}

/// A schema whose keywords all have values of their kind. `older` is whether lists under `items` keep their place.
pub(super) fn cleaned(schema: &Value, older: bool, depth: usize, problems: &mut Problems) -> Value {
    let fields = match schema {
        Value::Bool(true) => return json!({}),
        Value::Bool(false) => return json!({"not": {}}),
        Value::Object(_) if depth > MOST_DEPTH => {
            problems.add(format!("the schema nests deeper than {MOST_DEPTH} levels"));
            return json!({});
        }
        Value::Object(fields) => fields,
        other => {
            problems.add(format!("{} stands where a schema should", kind(other)));
            return json!({});
        }
    };
    let mut within = Within { older, depth: depth + 1, problems };
    let mut cleaned = Map::new();
    for (keyword, value) in fields {
        if let Some((keyword, value)) = within.keyword(keyword, value, fields) {
            cleaned.insert(keyword.to_owned(), value);
        }
    }
    Value::Object(cleaned)
}

/// Inside one schema.
struct Within<'p> {
    older: bool,
    depth: usize,
    problems: &'p mut Problems,
}

impl Within<'_> {
    /// What a keyword becomes; nothing where it is left out.
    fn keyword<'k>(&mut self, keyword: &'k str, value: &Value, all: &Map<String, Value>) -> Option<(&'k str, Value)> {
        let kept = match keyword {
            // By an identifier clients take one tool's schema for another's; references go by place.
            "$id" | "$schema" => None,
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => self.map(keyword, value),
            "dependencies" => self.dependencies(value),
            "prefixItems" | "allOf" | "anyOf" | "oneOf" => self.list(keyword, value),
            "items" if value.is_array() && !self.older => return self.list(keyword, value).map(|list| ("prefixItems", list)),
            "items" if value.is_array() => self.list(keyword, value),
            // Where `items` is a list it says what the rest is.
            "additionalItems" if !self.older => {
                let list = all.get("items").is_some_and(Value::is_array);
                return if list { Some(("items", self.schema(value))) } else { None };
            }
            "additionalProperties" | "unevaluatedProperties" | "additionalItems" | "unevaluatedItems" if value.is_boolean() => {
                Some(value.clone())
            }
            "additionalProperties"
            | "unevaluatedProperties"
            | "additionalItems"
            | "unevaluatedItems"
            | "items"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "contentSchema" => Some(self.schema(value)),
            "required" => self.only(keyword, value, value.as_array().is_some_and(|names| names.iter().all(Value::is_string))),
            "dependentRequired" => self.only(keyword, value, value.as_object().is_some_and(|names| names.values().all(is_list_of_strings))),
            "enum" => self.only(keyword, value, value.as_array().is_some_and(|values| !values.is_empty())),
            "type" => self.types(value),
            "minimum" | "maximum" => {
                let exclusive = if keyword == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
                let is_exclusive = all.get(exclusive) == Some(&Value::Bool(true));
                self.only(keyword, value, value.is_number()).filter(|_| !is_exclusive)
            }
            "exclusiveMinimum" | "exclusiveMaximum" if value.is_boolean() => {
                // Draft 4 says here only that the limit itself is not meant.
                let limit = all.get(if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" });
                limit.filter(|limit| limit.is_number() && *value == Value::Bool(true)).cloned()
            }
            "exclusiveMinimum" | "exclusiveMaximum" => self.only(keyword, value, value.is_number()),
            "multipleOf" => self.only(keyword, value, value.as_f64().is_some_and(|number| number > 0.0)),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains" | "maxContains" => {
                self.only(keyword, value, value.is_u64())
            }
            "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => self.only(keyword, value, value.is_boolean()),
            "nullable" => self.only(keyword, value, value.is_boolean()).filter(|_| all.contains_key("type")),
            "pattern" => self.pattern(value),
            "title" | "description" | "format" | "$comment" | "$ref" | "$anchor" | "$dynamicRef" | "$dynamicAnchor" | "contentEncoding"
            | "contentMediaType" => self.only(keyword, value, value.is_string()),
            _ => Some(value.clone()),
        };
        kept.map(|kept| (keyword, kept))
    }

    fn schema(&mut self, value: &Value) -> Value {
        cleaned(value, self.older, self.depth, self.problems)
    }

    /// The value where it is of the right kind.
    fn only(&mut self, keyword: &str, value: &Value, is_right: bool) -> Option<Value> {
        if !is_right {
            self.problems.add(format!("\"{keyword}\" has a value that it cannot have"));
        }
        is_right.then(|| value.clone())
    }

    fn map(&mut self, keyword: &str, value: &Value) -> Option<Value> {
        self.only(keyword, value, value.is_object())?;
        let mut map = Map::new();
        for (name, schema) in value.as_object()? {
            if keyword == "patternProperties" && !is_portable(name) {
                self.unportable(name);
                continue;
            }
            map.insert(name.clone(), self.schema(schema));
        }
        Some(Value::Object(map))
    }

    fn list(&mut self, keyword: &str, value: &Value) -> Option<Value> {
        // An empty list of alternatives is no schema; an empty list of items says nothing.
        self.only(keyword, value, value.as_array().is_some_and(|list| !list.is_empty()))?;
        Some(value.as_array()?.iter().map(|schema| self.schema(schema)).collect())
    }

    fn dependencies(&mut self, value: &Value) -> Option<Value> {
        self.only("dependencies", value, value.is_object())?;
        let entries = value.as_object()?.iter();
        let kept =
            entries.map(|(name, needed)| (name.clone(), if is_list_of_strings(needed) { needed.clone() } else { self.schema(needed) }));
        Some(Value::Object(kept.collect()))
    }

    fn types(&mut self, value: &Value) -> Option<Value> {
        let is_type = |name: &Value| {
            name.as_str().is_some_and(|name| ["array", "boolean", "integer", "null", "number", "object", "string"].contains(&name))
        };
        if is_type(value) {
            return Some(value.clone());
        }
        let mut known: Vec<Value> = Vec::new();
        let names = value.as_array().map(Vec::as_slice).unwrap_or_default();
        for name in names.iter().filter(|name| is_type(name)) {
            if !known.contains(name) {
                known.push(name.clone());
            }
        }
        // With a name that nobody knows the list says too little: what it meant would be refused.
        self.only("type", value, !known.is_empty() && names.iter().all(is_type))?;
        Some(Value::Array(known))
    }

    fn pattern(&mut self, value: &Value) -> Option<Value> {
        let pattern = self.only("pattern", value, value.is_string())?;
        if pattern.as_str().is_some_and(is_portable) {
            return Some(pattern);
        }
        self.unportable(pattern.as_str().unwrap_or_default());
        None
    }

    fn unportable(&mut self, pattern: &str) {
        let shown = codemode_core::text::cut(codemode_core::text::prefix(pattern, 200), 60);
        self.problems.add(format!("the pattern \"{}\" is not read alike everywhere", codemode_core::text::one_line(&shown)));
    }
}

fn is_list_of_strings(value: &Value) -> bool {
    value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
}
