//! What a server's result becomes: content for programs, with binary parts kept on the host.

use std::sync::Arc;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use codemode_core::text::{cut, one_line, prefix};
use codemode_core::{Answer, Blob, Block, Content, Fault, Json, code};
use codemode_session::BlobStore;
use serde_json::{Map, Value};

/// Base64 as servers write it: with or without its padding.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent));
/// The most handles that a warning names.
const NAMED: usize = 10;
/// The shortest text that is taken for a repeated binary part, in bytes of base64: shorter ones may be words.
const LEAST_REPEATED: usize = 64;
/// The longest address, name or media type of a part, in bytes.
const LABEL_BYTES: usize = 2_000;

/// The answer that a result is, and what the run should know besides, a sentence each.
pub(crate) fn answer_of(result: Value, tool: &str, blobs: &BlobStore) -> (Answer, Vec<String>) {
    let Value::Object(mut result) = result else {
        return (Answer::failed("the server's result is no object, and cannot be read"), Vec::new());
    };
    if let Some(kind) = result.get("resultType").and_then(Value::as_str).filter(|kind| *kind != "complete") {
        let kind = cut(&one_line(prefix(kind, 200)), 60).into_owned();
        let message = format!(
            "the server did not complete the call: it answered \"{kind}\", as servers do that want to ask a person; a program cannot answer"
        );
        return (Answer::Failed(Fault::new(code::UNSUPPORTED, message)), Vec::new());
    }
    let has_value = result.get("structuredContent").is_some_and(|value| value.is_object() || value.is_array());
    let mut parts = Parts {
        blobs,
        texts: Vec::new(),
        kept: Vec::new(),
        blocks: Vec::new(),
        encoded: has_value.then(Vec::new),
        in_value: Vec::new(),
        withheld: false,
        warnings: Vec::new(),
    };
    let known = ["content", "structuredContent", "isError"].iter().any(|member| result.contains_key(*member));
    match result.remove("content") {
        Some(Value::Array(content)) => content.into_iter().for_each(|part| parts.take(part)),
        None | Some(Value::Null) if known => {}
        _ => return (Answer::failed("the server's result has no content, and cannot be read"), Vec::new()),
    }
    let mut value = result.remove("structuredContent").filter(|value| !value.is_null());
    if let Some(value) = &mut value {
        let encoded = parts.encoded.take().unwrap_or_default();
        replace_encoded(value, &encoded, &mut parts.in_value);
    }
    let structured = match value {
        None => None,
        Some(value) => match Json::from_value(value) {
            Ok(json) => Some(json),
            Err(error) => {
                parts.withhold(format!("the structured result of {} was withheld: {error}", shown(tool)));
                None
            }
        },
    };
    let failed = result.get("isError").and_then(Value::as_bool).unwrap_or(false);
    parts.answer(structured, failed, tool)
}

struct Parts<'a> {
    blobs: &'a BlobStore,
    texts: Vec<Arc<str>>,
    kept: Vec<Blob>,
    blocks: Vec<Block>,
    /// Binary parts as they were sent, with their handles, where there is a value that may repeat them.
    encoded: Option<Vec<(String, Arc<str>)>>,
    /// Handles that stand in the value.
    in_value: Vec<Arc<str>>,
    withheld: bool,
    warnings: Vec<String>,
}

impl Parts<'_> {
    fn take(&mut self, part: Value) {
        let Value::Object(mut part) = part else {
            self.withhold("a part of the result that is no object was withheld".to_owned());
            return;
        };
        match part.get("type").and_then(Value::as_str) {
            Some("text") => match part.remove("text") {
                Some(Value::String(text)) => self.text(text),
                _ => self.withhold("a text without its text was withheld".to_owned()),
            },
            Some("image" | "audio") => self.binary(&mut part, "data"),
            Some("resource") => match part.remove("resource") {
                Some(Value::Object(resource)) => self.resource(resource),
                _ => self.withhold("a resource without its content was withheld".to_owned()),
            },
            Some("resource_link") => self.link(&part),
            other => {
                let kind = other.map_or_else(|| "none".to_owned(), |kind| format!("\"{}\"", shown(kind)));
                self.withhold(format!("a part of the result was withheld, since its type is unknown: {kind}"));
            }
        }
    }

    fn text(&mut self, text: String) {
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.blocks.push(Block::Text(text));
    }

    fn resource(&mut self, mut resource: Map<String, Value>) {
        match resource.remove("text") {
            Some(Value::String(text)) => self.text(text),
            _ => self.binary(&mut resource, "blob"),
        }
    }

    fn binary(&mut self, part: &mut Map<String, Value>, member: &str) {
        let media_type = part.get("mimeType").and_then(Value::as_str).unwrap_or("application/octet-stream").to_owned();
        let kind = shown(&media_type);
        let Some(Value::String(data)) = part.remove(member) else {
            self.withhold(format!("a part of type {kind} without its data was withheld"));
            return;
        };
        let decoded = BASE64.decode(data.as_bytes()).or_else(|_| {
            // Some servers break the lines of base64.
            let joined: Vec<u8> = data.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            BASE64.decode(joined)
        });
        let Ok(bytes) = decoded else {
            self.withhold(format!("a part of type {kind} was withheld, since its data is no base64"));
            return;
        };
        let size = bytes.len();
        match self.blobs.keep(&media_type, bytes) {
            Some(blob) => {
                if let Some(encoded) = &mut self.encoded {
                    encoded.push((data, Arc::clone(&blob.handle)));
                }
                self.kept.push(blob.clone());
                self.blocks.push(Block::Blob(blob));
            }
            None => {
                let most = self.blobs.most_part_bytes();
                self.withhold(format!("a part of type {kind} was withheld, since it has {size} bytes, and at most {most} are held"));
            }
        }
    }

    fn link(&mut self, part: &Map<String, Value>) {
        let text = |member: &str| part.get(member).and_then(Value::as_str).map(label);
        let Some(uri) = text("uri") else {
            self.withhold("a link without its address was withheld".to_owned());
            return;
        };
        let name = text("name").unwrap_or_else(|| uri.clone());
        self.texts.push(if name == uri { format!("[{uri}]").into() } else { format!("[{name}: {uri}]").into() });
        let media_type = text("mimeType").map(Arc::from);
        self.blocks.push(Block::Link { uri: uri.into(), name: name.into(), media_type });
    }

    fn withhold(&mut self, why: String) {
        self.withheld = true;
        if self.warnings.len() < NAMED {
            self.warnings.push(why);
        }
    }

    fn answer(mut self, structured: Option<Json>, failed: bool, tool: &str) -> (Answer, Vec<String>) {
        let only_binary = self.texts.is_empty() && (structured.is_some() || !self.kept.is_empty());
        let text: Option<Arc<str>> = match self.texts.as_slice() {
            _ if only_binary => None,
            [text] => Some(Arc::clone(text)),
            texts => Some(texts.join("\n").into()),
        };
        let content = Content { text, structured, blobs: self.kept, blocks: Some(self.blocks.into()), withheld: self.withheld };
        if failed {
            let message = match content.text.as_deref() {
                Some(text) if !text.is_empty() => text.to_owned(),
                _ => format!("{} failed, and its server does not say why", shown(tool)),
            };
            let mut fault = Fault::new(code::FAILED, message);
            fault.data = content.structured_not_empty().cloned();
            if !content.blobs.is_empty() {
                fault = fault.with_content(content);
            }
            return (Answer::Failed(fault), self.warnings);
        }
        if content.structured_not_empty().is_some() {
            let hidden: Vec<&Blob> = content.blobs.iter().filter(|blob| !self.in_value.contains(&blob.handle)).collect();
            if !hidden.is_empty() {
                self.warnings.push(beside(tool, &hidden));
            }
        }
        (Answer::Succeeded(content), self.warnings)
    }
}

/// Puts handles in the place of texts that are a binary part once more: some servers send each part twice, and a program is not to pay for
/// it. A value nests no deeper than what was read.
fn replace_encoded(value: &mut Value, encoded: &[(String, Arc<str>)], in_value: &mut Vec<Arc<str>>) {
    match value {
        Value::String(text) => {
            if let Some((_, handle)) = encoded.iter().find(|(data, _)| data.len() >= LEAST_REPEATED && data == text) {
                *text = handle.to_string();
                in_value.push(Arc::clone(handle));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_encoded(item, encoded, in_value)),
        Value::Object(members) => members.values_mut().for_each(|member| replace_encoded(member, encoded, in_value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Tells of binary parts that a value of structured content does not show.
fn beside(tool: &str, blobs: &[&Blob]) -> String {
    let named: Vec<String> =
        blobs.iter().take(NAMED).map(|blob| format!("{} ({}, {} bytes)", blob.handle, shown(&blob.media_type), blob.bytes)).collect();
    let more = blobs.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("the structured result of {} does not show the binary parts that came with it: {}{more}", shown(tool), named.join(", "))
}

fn label(text: &str) -> String {
    cut(&one_line(prefix(text, 2 * LABEL_BYTES)), LABEL_BYTES).into_owned()
}

fn shown(text: &str) -> String {
    cut(&one_line(prefix(text, 400)), 100).into_owned()
}
