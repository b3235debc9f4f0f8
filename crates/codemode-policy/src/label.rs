//! Names places in arguments: `rows[3].name`.

use codemode_core::text;
use serde_json::Value;

/// The most bytes of a label.
const MOST_BYTES: usize = 120;

/// One step into a value; sorts in the order of a reader.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Item(usize),
    Field(String),
}

/// The steps of a JSON pointer into `value`: whether a number is a name or a place depends on what it is a part of.
pub(crate) fn steps_of(pointer: &str, value: &Value) -> Vec<Step> {
    let mut here = Some(value);
    let parts = pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~"));
    parts
        .map(|part| match (here, part.parse::<usize>()) {
            (Some(Value::Array(items)), Ok(place)) => {
                here = items.get(place);
                Step::Item(place)
            }
            (Some(Value::Object(fields)), _) => {
                here = fields.get(&part);
                Step::Field(part)
            }
            _ => {
                here = None;
                Step::Field(part)
            }
        })
        .collect()
}

/// The steps as a reader would write them; of none, "the arguments". What is too long loses its beginning.
pub(crate) fn label(steps: &[Step]) -> String {
    if steps.is_empty() {
        return "the arguments".to_owned();
    }
    let mut label = String::new();
    for step in steps {
        match step {
            Step::Item(place) => label.push_str(&format!("[{place}]")),
            Step::Field(name) if is_plain(name) => {
                if !label.is_empty() {
                    label.push('.');
                }
                label.push_str(name);
            }
            Step::Field(name) => label.push_str(&format!("[{}]", shown(&Value::String(name.clone()), MOST_BYTES / 2))),
        }
    }
    if label.len() > MOST_BYTES {
        let mut start = label.len() - (MOST_BYTES - '…'.len_utf8());
        while !label.is_char_boundary(start) {
            start += 1;
        }
        label = format!("…{}", &label[start..]);
    }
    label
}

/// A name as it stands in a sentence.
pub(crate) fn name_shown(name: &str) -> String {
    if is_plain(name) { text::cut(name, MOST_BYTES).into_owned() } else { shown(&Value::String(name.to_owned()), MOST_BYTES) }
}

/// Whether a name needs no quotes.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$'))
}

/// A value as JSON of at most `bytes` bytes, without control characters; what is too long is cut.
pub(crate) fn shown(value: &Value, bytes: usize) -> String {
    let short = match value {
        // Not all of a long text is worth writing only to be cut.
        Value::String(string) if string.len() > 2 * bytes => Value::String(text::prefix(string, 2 * bytes).to_owned()).to_string(),
        Value::Array(items) if items.len() > bytes => Value::Array(items[..bytes].to_vec()).to_string(),
        other => other.to_string(),
    };
    text::cut(&text::one_line(&short), bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_are_named_as_a_reader_would() {
        let value = json!({"rows": [{"a b": 1, "0": {"~/": 2}}], "name": "x", "": 3});
        for (pointer, expected) in [
            ("", "the arguments"),
            ("/name", "name"),
            ("/rows/0", "rows[0]"),
            ("/rows/0/a b", "rows[0][\"a b\"]"),
            ("/rows/0/0/~0~1", "rows[0].0[\"~/\"]"),
            ("/", "[\"\"]"),
            ("/gone/0", "gone.0"),
        ] {
            assert_eq!(label(&steps_of(pointer, &value)), expected, "{pointer}");
        }
        let deep: Vec<Step> = (0..100).map(|number| Step::Field(format!("level_{number}"))).collect();
        assert!(label(&deep).len() <= MOST_BYTES);
        assert!(label(&deep).ends_with("level_98.level_99"));
        assert!(Step::Item(2) < Step::Item(10));
    }

    #[test]
    fn values_are_cut() {
        assert_eq!(shown(&json!({"a": ["x", null, 1.5]}), 60), "{\"a\":[\"x\",null,1.5]}");
        assert_eq!(shown(&json!("a long text that goes on and on"), 12), "\"a long t…");
        assert_eq!(shown(&json!("\u{202e}\n"), 40), "\"\\u{202e}\\n\"");
        assert!(shown(&json!(vec![7; 100_000]), 60).len() <= 60);
    }
}
