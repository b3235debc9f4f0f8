//! JSON as validated text whose tree is built at most once, by the first reader that asks for one.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// The deepest nesting of arrays and objects that crosses the boundary.
///
/// `serde_json` reads 127 levels with its own guard on; three less, since an outcome holds arguments that deep within itself
/// and must be read back as a tree as well.
pub const MAX_JSON_DEPTH: usize = 124;

/// One JSON document: validated text, shared, with a tree that is parsed lazily.
///
/// Cloning is cheap. Two values are equal when their texts are.
#[derive(Clone)]
pub struct Json(Arc<Document>);

struct Document {
    text: String,
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
    /// Validates `text`; a tree is built only where a number or an escape must be read to be judged.
    ///
    /// # Errors
    /// When the text is not one JSON document, nests deeper than [`MAX_JSON_DEPTH`], or has a number or half a surrogate pair
    /// that no reader can hold.
    pub fn parse(text: impl Into<String>) -> Result<Self, JsonError> {
        let text = text.into();
        let document = serde_json::from_str::<&RawValue>(&text).map_err(|error| JsonError::Invalid(error.to_string()))?.get();
        // Blanks around the document do not belong to it.
        let text = if document.len() < text.len() { document.to_owned() } else { text };
        Self::checked(text)
    }

    /// Takes text that a writer of JSON has just made: it is not read again, but in debug builds.
    ///
    /// For adapters, whose encoders write each value whole and at most [`MAX_JSON_DEPTH`] levels deep, finite numbers and no escapes
    /// of surrogates; reading it again was a tenth of a call's time. Whatever comes from elsewhere goes through [`Json::parse`].
    #[must_use]
    pub fn written(text: String) -> Self {
        debug_assert!(Self::parse(text.as_str()).is_ok_and(|json| json.bytes() == text.len()), "no json was written: {text}");
        Self::of(text)
    }

    /// Lets in what a tree can hold: then each reader of the text and each reader of the tree see the same document.
    fn checked(text: String) -> Result<Self, JsonError> {
        match look_at(&text) {
            Look::Plain => Ok(Self::of(text)),
            Look::TooDeep => Err(JsonError::TooDeep),
            Look::ReadWhole => {
                let tree = serde_json::from_str(&text).map_err(|error| JsonError::Invalid(error.to_string()))?;
                let json = Self::of(text);
                let _ = json.0.tree.set(tree);
                Ok(json)
            }
        }
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
        Self::of("null".to_owned())
    }

    /// The document's text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
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

    fn of(mut text: String) -> Self {
        /// What may be left over of a buffer: giving it back takes longer than a small document is held.
        const LEFT_OVER: usize = 256;
        if text.capacity() - text.len() > LEFT_OVER {
            text.shrink_to_fit();
        }
        Self(Arc::new(Document { text, tree: OnceLock::new() }))
    }
}

/// What a look at the text of a document shows.
enum Look {
    /// A tree can hold it.
    Plain,
    TooDeep,
    /// It has an escape of a surrogate, or a number that may be too large: validation lets them pass, and a reader may not.
    ReadWhole,
}

/// More digits than this in a row may be more than a number can hold.
const MANY_DIGITS: usize = 300;

/// Counts brackets outside strings, and looks for what only a reader can judge.
fn look_at(text: &str) -> Look {
    let bytes = text.as_bytes();
    let (mut depth, mut digits, mut place) = (0_usize, 0_usize, 0_usize);
    let mut suspicious = false;
    while let Some(byte) = bytes.get(place) {
        place += 1;
        if byte.is_ascii_digit() {
            digits += 1;
            suspicious |= digits > MANY_DIGITS;
            continue;
        }
        // An `e` after a digit is an exponent; elsewhere it belongs to `true` or `false`.
        suspicious |= digits > 0 && matches!(byte, b'e' | b'E');
        digits = 0;
        match byte {
            b'"' => {
                let (end, has_surrogate) = after_string(bytes, place);
                suspicious |= has_surrogate;
                place = end;
            }
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_JSON_DEPTH {
                    return Look::TooDeep;
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if suspicious { Look::ReadWhole } else { Look::Plain }
}

/// Where a string ends whose content begins at `place`, and whether it has an escape of a surrogate.
///
/// Most of a document is in strings, so that they are searched and not read.
fn after_string(bytes: &[u8], mut place: usize) -> (usize, bool) {
    let mut has_surrogate = false;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(place..).unwrap_or_default()) {
        place += found + 1;
        if bytes[place - 1] == b'"' {
            return (place, has_surrogate);
        }
        has_surrogate |= bytes[place..].starts_with(b"ud") || bytes[place..].starts_with(b"uD");
        // What is escaped is neither an end nor the start of an escape.
        place += 1;
    }
    (bytes.len(), has_surrogate)
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
        // Few documents are written out, and each once; that they are JSON is looked at then and not kept beside each.
        serde_json::from_str::<&RawValue>(self.text()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::checked(Box::<str>::from(raw).into_string()).map_err(serde::de::Error::custom)
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
    fn text_and_tree_are_one_document() {
        let digits = "9".repeat(400);
        for text in [r#"{"a":"\ud800"}"#, r#"{"a":1,"b":1e999}"#, digits.as_str(), r#"["\udc00\ud800"]"#] {
            assert!(matches!(Json::parse(text), Err(JsonError::Invalid(_))), "{text}");
            assert!(serde_json::from_str::<Json>(text).is_err(), "{text}");
        }
        for text in [r#""\ud83d\ude00""#, "1e300", "[true,false,null,-0.5e-3]", r#""1e999 \\ud800""#] {
            let json = Json::parse(text).expect(text);
            assert_eq!(Some(json.tree()), serde_json::from_str(text).ok().as_ref(), "{text}");
        }
    }

    #[test]
    fn numbers_of_a_tree_are_those_of_its_text() {
        // The last digit of this one is lost by a quick reading.
        let json = Json::parse("1.7976931348623155e308").expect("json");
        assert_eq!(json.tree().as_f64(), Some(1.797_693_134_862_315_5e308));
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        let error = Json::parse("{\"a\": }").expect_err("no value");
        assert_eq!(error.to_string(), "not valid json: expected value at line 1 column 7");
    }
}
