//! One piece of a binary part, as text or in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use codemode_core::{Answer, Blob, Fault, Json, code};
use serde::Serialize;

use super::BlobStore;

/// What a program gets of a piece.
#[derive(Serialize)]
struct Piece<'a> {
    #[serde(flatten)]
    blob: &'a Blob,
    offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
    next: Option<u64>,
}

/// A piece from `offset` on.
pub(super) fn open(blob: &Blob, bytes: &[u8], offset: u64, limit: u64) -> Answer {
    let most = BlobStore::MOST_OPENED;
    if limit == 0 {
        return invalid(format!("limit is 0, and a piece has 1 to {most} bytes"));
    }
    let rest = usize::try_from(offset).ok().and_then(|from| bytes.get(from..));
    let Some(rest) = rest else {
        return invalid(format!("offset is {offset}, and the part has {} bytes; begin at 0, or at the last piece's next", blob.bytes));
    };
    let limit = rest.len().min(usize::try_from(limit.min(most)).unwrap_or(usize::MAX));
    let text = if is_text(&blob.media_type) { text_at_start(rest, limit) } else { None };
    let taken = text.map_or(limit, str::len);
    let base64 = text.is_none().then(|| STANDARD.encode(&rest[..taken]));
    let next = (taken < rest.len()).then(|| offset + taken as u64);
    match Json::from_serialize(&Piece { blob, offset, text, base64, next }) {
        Ok(json) => Answer::structured(json),
        Err(error) => Answer::Failed(Fault::new(code::FAILED, error.to_string())),
    }
}

fn invalid(message: String) -> Answer {
    Answer::NotRun(Fault::new(code::INVALID_ARGUMENTS, message))
}

/// The longest text of at most `limit` bytes at the start of `bytes`, or one character where not even that fits.
///
/// Nothing where the start is no UTF-8 or lies within a character.
fn text_at_start(bytes: &[u8], limit: usize) -> Option<&str> {
    let text = valid_start(&bytes[..limit])?;
    if text.len() == limit {
        return Some(text);
    }
    // The last character is cut off: by the limit, or for good.
    if limit == bytes.len() {
        return None;
    }
    if !text.is_empty() {
        return Some(text);
    }
    let longest_character = bytes.len().min(4);
    let first = valid_start(&bytes[..longest_character])?.chars().next()?;
    std::str::from_utf8(&bytes[..first.len_utf8()]).ok()
}

/// The text before a character that is cut off at the end; nothing where anything else is no UTF-8.
fn valid_start(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

/// Whether a media type is one of text. Parameters do not matter.
fn is_text(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let Some((kind, subtype)) = essence.split_once('/') else { return false };
    kind == "text"
        || subtype.ends_with("+json")
        || subtype.ends_with("+xml")
        || subtype.ends_with("+yaml")
        || (kind == "application" && TEXT_SUBTYPES.contains(&subtype))
}

/// Subtypes of `application` that are text.
const TEXT_SUBTYPES: &[&str] = &[
    "ecmascript",
    "graphql",
    "javascript",
    "json",
    "json-seq",
    "jsonl",
    "ld+json",
    "rtf",
    "sql",
    "toml",
    "typescript",
    "x-javascript",
    "x-ndjson",
    "x-sh",
    "x-toml",
    "x-www-form-urlencoded",
    "x-yaml",
    "xml",
    "xml-dtd",
    "yaml",
];
