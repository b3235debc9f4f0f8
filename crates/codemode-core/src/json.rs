//! JSON as validated text whose tree is built at most once, by the first reader that asks for one.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The deepest nesting of arrays and objects that crosses the boundary.
///
/// It is what `serde_json` reads with its own guard on, so that text which was let in can always be made a tree.
pub const MAX_JSON_DEPTH: usize = 127;

/// One JSON document: validated text, shared, with a tree that is parsed lazily.
///
/// Cloning is cheap. Two values are equal when their texts are.
#[derive(Clone)]
pub struct Json(Arc<Document>);

struct Document {
    text: Box<RawValue>,
    tree: OnceLock<serde_json::Value>,
}

/// Why a text is no JSON document that may cross the boundary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text does not parse; the message has line and column.
    #[error("not valid json: {0}")]
    Invalid(String),
    /// The text nests deeper than [`MAX_JSON_DEPTH`].
    #[error("json nests deeper than {MAX_JSON_DEPTH} levels; flatten it")]
    TooDeep,
}

impl Json {
    /// Validates `text` in one pass that builds nothing.
    ///
    /// # Errors
    /// When the text is not one JSON document, or nests deeper than [`MAX_JSON_DEPTH`].
    pub fn parse(text: impl Into<String>) -> Result<Self, JsonError> {
        let raw = RawValue::from_string(text.into()).map_err(|error| JsonError::Invalid(error.to_string()))?;
        if deeper_than_allowed(raw.get()) {
            return Err(JsonError::TooDeep);
        }
        Ok(Self::from_raw(raw))
    }

    /// Writes a tree as text, and keeps the tree.
    ///
    /// # Errors
    /// When the tree nests deeper than [`MAX_JSON_DEPTH`].
    pub fn from_value(value: serde_json::Value) -> Result<Self, JsonError> {
        let json = Self::parse(value.to_string())?;
        let _ = json.0.tree.set(value);
        Ok(json)
    }

    /// Writes anything that serializes.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, or nests too deep.
    pub fn from_serialize(value: &impl Serialize) -> Result<Self, JsonError> {
        let text = serde_json::to_string(value).map_err(|error| JsonError::Invalid(error.to_string()))?;
        Self::parse(text)
    }

    /// The empty object, which is what a call without arguments sends.
    #[must_use]
    pub fn empty_object() -> Self {
        static EMPTY: OnceLock<Json> = OnceLock::new();
        EMPTY.get_or_init(|| Self::parse("{}").unwrap_or_else(|_| Self::null())).clone()
    }

    /// The document `null`.
    #[must_use]
    pub fn null() -> Self {
        Self::from_raw(RawValue::NULL.to_owned())
    }

    /// The document's text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.text.get()
    }

    /// The document's length as text, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.text().len()
    }

    /// The document as a tree; the first call parses, later ones share the result.
    #[must_use]
    pub fn tree(&self) -> &serde_json::Value {
        // The text was validated and its depth checked, so that parsing cannot fail.
        self.0.tree.get_or_init(|| serde_json::from_str(self.text()).unwrap_or_default())
    }

    fn from_raw(text: Box<RawValue>) -> Self {
        Self(Arc::new(Document { text, tree: OnceLock::new() }))
    }
}

/// Counts brackets outside strings; runs only on text long enough to hold that many.
fn deeper_than_allowed(text: &str) -> bool {
    if text.len() <= 2 * MAX_JSON_DEPTH {
        return false;
    }
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_JSON_DEPTH {
                    return true;
                }
            }
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    false
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Json {}

impl fmt::Debug for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Json({})", crate::text::cut(self.text(), 200))
    }
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.text())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        if deeper_than_allowed(raw.get()) {
            return Err(serde::de::Error::custom(JsonError::TooDeep));
        }
        Ok(Self::from_raw(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_what_a_tree_can_hold() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let deepest = Json::parse(nested(MAX_JSON_DEPTH)).expect("the deepest allowed");
        assert!(deepest.tree().is_array());
        assert_eq!(Json::parse(nested(MAX_JSON_DEPTH + 1)), Err(JsonError::TooDeep));
        let in_a_string = format!("\"\\\"{}\"", "[".repeat(500));
        assert_eq!(Json::parse(in_a_string.clone()).map(|json| json.text().to_owned()), Ok(in_a_string));
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        let error = Json::parse("{\"a\": }").expect_err("no value");
        assert_eq!(error.to_string(), "not valid json: expected value at line 1 column 7");
    }
}
