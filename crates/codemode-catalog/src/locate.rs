//! Finds what a reference of a JSON Schema leads to, within that schema alone: nothing is fetched from anywhere.

use std::collections::HashMap;

use serde_json::Value;

/// How many values are looked at in search of anchors and ids; further ones are not found.
const MOST_VALUES: usize = 20_000;

/// The places of one schema to which its references can lead.
///
/// Pointers, anchors and ids within the schema are known; the first 20,000 values are searched for anchors and ids.
#[derive(Debug)]
pub struct Locator<'a> {
    root: &'a Value,
    /// What `#name`, and each `$id`, leads to; made at the first reference that is no pointer.
    anchors: Option<HashMap<&'a str, &'a Value>>,
    /// The names under which targets were found, by address.
    names: HashMap<*const Value, String>,
}

impl<'a> Locator<'a> {
    /// The places of the schema `root`.
    #[must_use]
    pub fn new(root: &'a Value) -> Self {
        Self { root, anchors: None, names: HashMap::new() }
    }

    /// The schema to which `reference` leads; absent where it dangles or leads to another document.
    pub fn find(&mut self, reference: &str) -> Option<&'a Value> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = if document.is_empty() || self.root.get("$id").and_then(Value::as_str) == Some(document) {
            self.root
        } else {
            self.anchor(document)?
        };
        let target = if fragment.is_empty() {
            base
        } else if fragment.starts_with('/') {
            base.pointer(&percent_decoded(fragment))?
        } else {
            self.anchor(fragment)?
        };
        self.names.entry(std::ptr::from_ref(target)).or_insert_with(|| name_in(reference));
        Some(target)
    }

    /// The name by which a target was found first.
    pub(crate) fn name_of(&self, target: &Value) -> Option<String> {
        self.names.get(&std::ptr::from_ref(target)).cloned()
    }

    fn anchor(&mut self, name: &str) -> Option<&'a Value> {
        let root = self.root;
        self.anchors.get_or_insert_with(|| anchors_of(root)).get(name).copied()
    }
}

/// The last part of a reference, as a name.
fn name_in(reference: &str) -> String {
    let last = reference.rsplit(['/', '#']).find(|part| !part.is_empty()).unwrap_or("Definition");
    percent_decoded(last).replace("~1", "/").replace("~0", "~")
}

/// Every anchor and id of a schema. The walk keeps its own stack, since a value may nest deeper than a thread's.
fn anchors_of(root: &Value) -> HashMap<&str, &Value> {
    let mut anchors = HashMap::new();
    let mut open = vec![root];
    for _ in 0..MOST_VALUES {
        let Some(value) = open.pop() else { break };
        match value {
            Value::Array(items) => open.extend(items.iter().take(MOST_VALUES)),
            Value::Object(keywords) => {
                for keyword in ["$anchor", "$dynamicAnchor", "$id", "id"] {
                    if let Some(name) = keywords.get(keyword).and_then(Value::as_str) {
                        anchors.entry(name.trim_start_matches('#')).or_insert(value);
                    }
                }
                open.extend(keywords.values().take(MOST_VALUES));
            }
            _ => {}
        }
    }
    anchors
}

/// `text` with its `%xx` decoded; text that is then no UTF-8 stays as it is.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let decoded = (first == b'%').then(|| after.get(..2)).flatten().and_then(|pair| {
            let pair = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(pair, 16).ok()
        });
        bytes.push(decoded.unwrap_or(first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_lead_to_places_of_the_same_schema_only() {
        let schema = json!({
            "$id": "https://example.invalid/root",
            "$defs": {
                "a/b~c": {"type": "integer"},
                "with space": {"type": "null"},
                "P": {"$anchor": "point", "type": "number"},
                "Q": {"$id": "other.json", "$defs": {"R": {"type": "boolean"}}},
            },
        });
        let mut locator = Locator::new(&schema);
        for (reference, expected) in [
            ("#", Some(&schema)),
            ("#/$defs/a~1b~0c", schema.pointer("/$defs/a~1b~0c")),
            ("#/$defs/with%20space", schema.pointer("/$defs/with space")),
            ("#point", schema.pointer("/$defs/P")),
            ("https://example.invalid/root#/$defs/P", schema.pointer("/$defs/P")),
            ("other.json#/$defs/R", schema.pointer("/$defs/Q/$defs/R")),
            ("#/$defs/Missing", None),
            ("#nowhere", None),
            ("https://schemas.example.invalid/x.json", None),
            ("file:///no/such/schema.json", None),
            ("%", None),
        ] {
            assert_eq!(locator.find(reference), expected, "{reference}");
        }
        let target = locator.find("#/$defs/a~1b~0c").expect("it is there");
        assert_eq!(locator.name_of(target).as_deref(), Some("a/b~c"));
    }

    #[test]
    fn percent_signs_that_are_no_code_stay() {
        assert_eq!(percent_decoded("a%20b%2"), "a b%2");
        assert_eq!(percent_decoded("%zz%é"), "%zz%é");
        assert_eq!(percent_decoded("%ff"), "%ff");
    }
}
