//! Binary parts of results that a program gave back: found by their handles in what it returned or printed.

use std::collections::HashSet;

use serde_json::Value;

use crate::answer::Blob;
use crate::json::Json;
use crate::outcome::SHOWN_BLOBS;

/// The parts that `held` knows, in order, each once, and how many more there were.
///
/// In a value each text that is a handle counts; in what was printed, each line that is one.
pub(crate) fn given_back(value: Option<&Json>, output: &str, held: impl Fn(&str) -> Option<Blob>) -> (Vec<Blob>, usize) {
    let mut found = Found { held, seen: HashSet::new(), blobs: Vec::new(), omitted: 0 };
    // The tree is made only where a handle can be in it.
    if let Some(value) = value.filter(|value| value.text().contains(Blob::PREFIX)) {
        found.in_value(value.tree());
    }
    if output.contains(Blob::PREFIX) {
        output.lines().for_each(|line| found.text(line.trim()));
    }
    (found.blobs, found.omitted)
}

struct Found<F> {
    held: F,
    seen: HashSet<String>,
    blobs: Vec<Blob>,
    omitted: usize,
}

impl<F: Fn(&str) -> Option<Blob>> Found<F> {
    /// Recursion is bounded: a document nests at most [`MAX_JSON_DEPTH`](crate::MAX_JSON_DEPTH) levels.
    fn in_value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter().for_each(|item| self.in_value(item)),
            Value::Object(fields) => fields.values().for_each(|field| self.in_value(field)),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if !text.starts_with(Blob::PREFIX) || self.seen.contains(text) {
            return;
        }
        let Some(blob) = (self.held)(text) else { return };
        self.seen.insert(text.to_owned());
        if self.blobs.len() < SHOWN_BLOBS {
            self.blobs.push(blob);
        } else {
            self.omitted += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(handle: &str) -> Option<Blob> {
        let bytes = handle.strip_prefix("blob:")?.parse().ok()?;
        Some(Blob { handle: handle.into(), media_type: "image/png".into(), bytes })
    }

    fn sizes(value: &str, output: &str) -> (Vec<u64>, usize) {
        let value = Json::parse(value).expect("json");
        let (blobs, omitted) = given_back(Some(&value), output, held);
        (blobs.iter().map(|blob| blob.bytes).collect(), omitted)
    }

    #[test]
    fn handles_are_found_in_order_each_once() {
        let value = r#"{"image":{"handle":"blob:7"},"more":["blob:3","blob:7","a blob:1","blob:x"]}"#;
        assert_eq!(sizes(value, "see blob:2\n  blob:4\r\nblob:3\n"), (vec![7, 3, 4], 0));
        assert_eq!(sizes("null", ""), (vec![], 0));
    }

    #[test]
    fn past_the_limit_they_are_counted() {
        let output: String = (0..105).map(|number| format!("blob:{number}\n")).collect();
        let (shown, omitted) = sizes("1", &output);
        assert_eq!((shown.len(), omitted), (SHOWN_BLOBS, 5));
    }
}
