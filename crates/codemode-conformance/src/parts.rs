//! The binary parts that the scripted host holds: a picture and notes, under handles that cases can write.

use std::sync::Arc;

use codemode_core::{Answer, Blob, Block, Content, Fault, Json, code, text};
use serde_json::{Value, json};

/// What is held, besides the notes' bytes: handle, type, size, and all of it in base64.
const PICTURE: (&str, &str, u64, &str) = ("blob:picture", "image/png", 4, "iVBORw==");
/// Seven bytes, of which two characters have two.
const NOTES: (&str, &str, &str) = ("blob:notes", "text/plain", "größe");

/// What a handle names.
pub(crate) fn held(handle: &str) -> Option<Blob> {
    [picture(), notes()].into_iter().find(|blob| &*blob.handle == handle)
}

fn picture() -> Blob {
    let (handle, media_type, bytes, _) = PICTURE;
    Blob { handle: handle.into(), media_type: media_type.into(), bytes }
}

fn notes() -> Blob {
    let (handle, media_type, text) = NOTES;
    Blob { handle: handle.into(), media_type: media_type.into(), bytes: text.len() as u64 }
}

/// The result of a tool that gives both, beside text where it is asked for.
pub(crate) fn of_a_tool(given: &Value) -> Answer {
    let text = given["text"].as_str().map(Arc::from);
    Answer::Succeeded(Content { text, blobs: vec![picture(), notes()], ..Content::default() })
}

/// The result of a server's tool, in blocks: text alone where it is asked for, else text, both parts and a link. It may have
/// structured content, be incomplete, or be what came before a failure.
pub(crate) fn of_a_server(given: &Value) -> Answer {
    let said: Arc<str> = given["text"].as_str().unwrap_or("a picture").into();
    let mut content = Content { text: Some(Arc::clone(&said)), withheld: given["withheld"] == true, ..Content::default() };
    content.structured = given.get("structured").and_then(|structured| Json::from_value(structured.clone()).ok());
    let mut blocks = vec![Block::Text(said)];
    if given.get("text").is_none() {
        content.blobs = vec![picture(), notes()];
        let link = Block::Link { uri: "file:///more".into(), name: "more".into(), media_type: Some("text/html".into()) };
        blocks.extend(content.blobs.iter().cloned().map(Block::Blob).chain([link]));
    }
    content.blocks = Some(blocks.into());
    if given["fail"] == true {
        Answer::Failed(Fault::new(code::FAILED, "it failed").with_content(content))
    } else {
        Answer::Succeeded(content)
    }
}

/// A piece of a part: the picture is opened whole, and the notes at characters.
pub(crate) fn open(handle: &str, offset: u64, limit: u64) -> Answer {
    let Some(blob) = held(handle) else {
        let shown = text::one_line(text::prefix(handle, 100));
        return Answer::Failed(Fault::new(code::UNKNOWN_HANDLE, format!("nothing is held under the handle \"{shown}\"")));
    };
    let mut piece = json!(blob);
    piece["offset"] = json!(offset);
    let (from, limit) = (usize::try_from(offset).unwrap_or(usize::MAX), usize::try_from(limit).unwrap_or(usize::MAX));
    if handle == PICTURE.0 {
        piece["base64"] = json!(PICTURE.3);
        piece["next"] = Value::Null;
    } else {
        let rest = NOTES.2.get(from..).unwrap_or_default();
        let taken = text::prefix(rest, limit);
        piece["text"] = json!(taken);
        piece["next"] = if taken.len() < rest.len() { json!(from + taken.len()) } else { Value::Null };
    }
    Json::from_value(piece).map_or_else(|error| Answer::failed(error.to_string()), Answer::structured)
}
