//! References: within the schema, to what is there, or nowhere.

use serde_json::Value;

use super::Problems;

/// Takes out each `$ref` that leads to another document or to nothing.
pub(super) fn drop_dangling(root: &mut Value, problems: &mut Problems) {
    let mut wrong = Vec::new();
    find(root, root, &mut String::new(), &mut wrong);
    for place in wrong {
        let Some(Value::Object(fields)) = root.pointer_mut(&place) else { continue };
        if let Some(reference) = fields.remove("$ref") {
            let shown = codemode_core::text::cut(codemode_core::text::prefix(reference.as_str().unwrap_or_default(), 200), 60);
            problems.add(format!("the reference \"{}\" leads to nothing in the schema", codemode_core::text::one_line(&shown)));
        }
    }
}

/// The keywords whose values are data, in which nothing is a reference.
const DATA: &[&str] = &["const", "default", "enum", "examples", "example"];

fn find(root: &Value, at: &Value, place: &mut String, wrong: &mut Vec<String>) {
    let length = place.len();
    match at {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref")
                && !leads_somewhere(root, reference)
            {
                wrong.push(place.clone());
            }
            // The names of properties are no keywords.
            let names =
                ["/properties", "/$defs", "/definitions", "/patternProperties", "/dependentSchemas"].iter().any(|map| place.ends_with(map));
            for (key, value) in fields.iter().filter(|(key, _)| names || !DATA.contains(&key.as_str())) {
                place.push('/');
                place.push_str(&key.replace('~', "~0").replace('/', "~1"));
                find(root, value, place, wrong);
                place.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, value) in items.iter().enumerate() {
                place.push_str(&format!("/{index}"));
                find(root, value, place, wrong);
                place.truncate(length);
            }
        }
        _ => {}
    }
}

/// References in a row, past which they are taken for a loop: validators follow one until their stack ends.
const MOST_IN_A_ROW: usize = 32;

fn leads_somewhere(root: &Value, reference: &str) -> bool {
    let mut reference = reference;
    for _ in 0..MOST_IN_A_ROW {
        let Some(target) = target(root, reference) else { return false };
        match target.get("$ref") {
            Some(Value::String(next)) => reference = next,
            _ => return true,
        }
    }
    false
}

/// What a reference within the schema leads to.
fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let pointer = decoded(reference.strip_prefix('#')?)?;
    root.pointer(&pointer).filter(|target| target.is_object())
}

/// A fragment without its `%2F` escapes.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}
