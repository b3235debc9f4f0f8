//! Answers on the wire.

use std::borrow::Cow;

use codemode_core::{Answer, Blob, Block, Content, Fault, Json};
use serde::{Deserialize, Serialize};

/// An [`Answer`], with its texts where they are.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WireAnswer<'a> {
    Succeeded(#[serde(borrow)] WireContent<'a>),
    Failed(#[serde(borrow)] WireFault<'a>),
    NotRun(#[serde(borrow)] WireFault<'a>),
    Unknown(#[serde(borrow)] WireFault<'a>),
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireContent<'a> {
    text: Option<&'a str>,
    structured: Option<&'a str>,
    #[serde(borrow)]
    blobs: Vec<WireBlob<'a>>,
    #[serde(borrow)]
    blocks: Option<Vec<WireBlock<'a>>>,
    withheld: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireBlob<'a> {
    handle: &'a str,
    media_type: &'a str,
    bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WireBlock<'a> {
    Text(&'a str),
    Blob(#[serde(borrow)] WireBlob<'a>),
    Link { uri: &'a str, name: &'a str, media_type: Option<&'a str> },
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireFault<'a> {
    code: &'a str,
    message: &'a str,
    data: Option<&'a str>,
    #[serde(borrow)]
    content: Option<Box<WireContent<'a>>>,
    fix: Option<&'a str>,
}

impl<'a> WireAnswer<'a> {
    pub(crate) fn of(answer: &'a Answer) -> Self {
        match answer {
            Answer::Succeeded(content) => Self::Succeeded(WireContent::of(content)),
            Answer::Failed(fault) => Self::Failed(WireFault::of(fault)),
            Answer::NotRun(fault) => Self::NotRun(WireFault::of(fault)),
            Answer::Unknown(fault) => Self::Unknown(WireFault::of(fault)),
        }
    }

    pub(crate) fn read(self) -> Answer {
        match self {
            Self::Succeeded(content) => Answer::Succeeded(content.read()),
            Self::Failed(fault) => Answer::Failed(fault.read()),
            Self::NotRun(fault) => Answer::NotRun(fault.read()),
            Self::Unknown(fault) => Answer::Unknown(fault.read()),
        }
    }
}

impl<'a> WireContent<'a> {
    fn of(content: &'a Content) -> Self {
        Self {
            text: content.text.as_deref(),
            structured: content.structured.as_ref().map(Json::text),
            blobs: content.blobs.iter().map(WireBlob::of).collect(),
            blocks: content.blocks.as_deref().map(|blocks| blocks.iter().filter_map(WireBlock::of).collect()),
            withheld: content.withheld,
        }
    }

    /// A worker believes its host that JSON is JSON.
    fn read(self) -> Content {
        Content {
            text: self.text.map(Into::into),
            structured: self.structured.map(|text| Json::written(text.to_owned())),
            blobs: self.blobs.into_iter().map(WireBlob::read).collect(),
            blocks: self.blocks.map(|blocks| blocks.into_iter().map(WireBlock::read).collect()),
            withheld: self.withheld,
        }
    }
}

impl<'a> WireBlob<'a> {
    fn of(blob: &'a Blob) -> Self {
        Self { handle: &blob.handle, media_type: &blob.media_type, bytes: blob.bytes }
    }

    fn read(self) -> Blob {
        Blob { handle: self.handle.into(), media_type: self.media_type.into(), bytes: self.bytes }
    }
}

impl<'a> WireBlock<'a> {
    /// Nothing for a kind of block that this version does not know.
    fn of(block: &'a Block) -> Option<Self> {
        Some(match block {
            Block::Text(text) => Self::Text(text),
            Block::Blob(blob) => Self::Blob(WireBlob::of(blob)),
            Block::Link { uri, name, media_type } => Self::Link { uri, name, media_type: media_type.as_deref() },
            _ => return None,
        })
    }

    fn read(self) -> Block {
        match self {
            Self::Text(text) => Block::Text(text.into()),
            Self::Blob(blob) => Block::Blob(blob.read()),
            Self::Link { uri, name, media_type } => {
                Block::Link { uri: uri.into(), name: name.into(), media_type: media_type.map(Into::into) }
            }
        }
    }
}

impl<'a> WireFault<'a> {
    fn of(fault: &'a Fault) -> Self {
        Self {
            code: &fault.code,
            message: &fault.message,
            data: fault.data.as_ref().map(Json::text),
            content: fault.content.as_deref().map(|content| Box::new(WireContent::of(content))),
            fix: fault.fix.as_deref(),
        }
    }

    fn read(self) -> Fault {
        Fault {
            code: Cow::Owned(self.code.to_owned()),
            message: self.message.to_owned(),
            data: self.data.map(|text| Json::written(text.to_owned())),
            content: self.content.map(|content| Box::new(content.read())),
            fix: self.fix.map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_out_as_they_went_in() {
        let blob = Blob { handle: "blob:1".into(), media_type: "image/png".into(), bytes: 7 };
        let content = Content {
            text: Some("text\n\"".into()),
            structured: Some(Json::parse(r#"{"a":[1,2.50,"\u0000"]}"#).expect("json")),
            blobs: vec![blob.clone()],
            blocks: Some(
                [Block::Text("t".into()), Block::Blob(blob), Block::Link { uri: "file:///x".into(), name: "x".into(), media_type: None }]
                    .into(),
            ),
            withheld: true,
        };
        let fault =
            Fault::new("own_code", "message").with_fix("fix").with_data(Json::parse("[1]").expect("json")).with_content(content.clone());
        for answer in [
            Answer::text(""),
            Answer::Succeeded(content),
            Answer::Failed(fault.clone()),
            Answer::NotRun(fault.clone()),
            Answer::Unknown(fault),
        ] {
            let bytes = postcard::to_stdvec(&WireAnswer::of(&answer)).expect("a message");
            assert_eq!(postcard::from_bytes::<WireAnswer<'_>>(&bytes).expect("read").read(), answer);
        }
    }
}
