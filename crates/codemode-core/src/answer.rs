//! What a call produced.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use crate::json::Json;

/// What a call produced: exactly one of these, for every call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It ran and succeeded.
    Succeeded(Content),
    /// It ran and reported failure.
    Failed(Fault),
    /// It was not run: nothing happened.
    NotRun(Fault),
    /// It was started and no answer was seen: it may have run.
    Unknown(Fault),
}

impl Answer {
    /// A success whose content is this text.
    #[must_use]
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Succeeded(Content::text(text))
    }

    /// A success whose content is structured only.
    #[must_use]
    pub fn structured(json: Json) -> Self {
        Self::Succeeded(Content { structured: Some(json), ..Content::default() })
    }

    /// A failure that the tool itself reports.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed(Fault::new(code::FAILED, message))
    }

    /// A refusal: nothing happened, and trying again is of no use.
    #[must_use]
    pub fn denied(message: impl Into<String>) -> Self {
        Self::NotRun(Fault::new(code::DENIED, message))
    }
}

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// The text, if there is any.
    pub text: Option<Arc<str>>,
    /// Structured content, if there is any; JSON is never guessed from text.
    pub structured: Option<Json>,
    /// Binary parts, which stay on the host: the program sees handles.
    pub blobs: Vec<Blob>,
    /// The parts in the order in which a server gave them, where one did: the profile `batch` shows these.
    pub blocks: Option<Arc<[Block]>>,
    /// Whether anything was withheld by the host.
    pub withheld: bool,
}

impl Content {
    /// Content that is this text alone.
    #[must_use]
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// Text and structured content together.
    #[must_use]
    pub fn text_and_structured(text: impl Into<Arc<str>>, structured: Json) -> Self {
        Self { text: Some(text.into()), structured: Some(structured), ..Self::default() }
    }

    /// The structured content where there is some and it is not empty (`null`, `{}`, `[]`), else nothing.
    #[must_use]
    pub fn structured_not_empty(&self) -> Option<&Json> {
        self.structured.as_ref().filter(|json| !matches!(json.text(), "null" | "{}" | "[]"))
    }

    /// The size of text or of structured content, the larger: a program sees one of them. What a program sees besides counts in
    /// [`bytes_in`](Self::bytes_in).
    #[must_use]
    pub fn bytes(&self) -> usize {
        let text = self.text.as_ref().map_or(0, |text| text.len());
        text.max(self.structured.as_ref().map_or(0, Json::bytes))
    }
}

/// One part of a server's result, as the server gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Block {
    /// Text.
    Text(Arc<str>),
    /// Something binary, by its handle.
    Blob(Blob),
    /// The address of something that the server keeps.
    Link {
        /// Where it is.
        uri: Arc<str>,
        /// What it is called.
        name: Arc<str>,
        /// Its media type, where the server says it.
        media_type: Option<Arc<str>>,
    },
}

/// A binary part of a result. Its bytes stay on the host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Blob {
    /// The name by which the program may return or read it.
    pub handle: Arc<str>,
    /// Its media type.
    #[serde(rename = "type")]
    pub media_type: Arc<str>,
    /// Its size in bytes.
    pub bytes: u64,
}

impl Blob {
    /// What every handle begins with, so that a text that is none is quickly told from one.
    pub const PREFIX: &str = "blob:";
}

/// What went wrong with one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A short word that a program can compare; see [`code`].
    pub code: Cow<'static, str>,
    /// What happened and what to do, for a reader.
    pub message: String,
    /// What the tool sent along, if it is structured.
    pub data: Option<Json>,
    /// What the tool produced before it failed, where it says so.
    pub content: Option<Box<Content>>,
    /// How to mend the call, where the host knows: a signature, a nearest name, a range.
    pub fix: Option<String>,
}

impl Fault {
    /// A fault of this code and message.
    #[must_use]
    pub fn new(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), data: None, content: None, fix: None }
    }

    /// Adds how to mend it.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// Adds what the tool produced before it failed.
    #[must_use]
    pub fn with_content(mut self, content: Content) -> Self {
        self.content = Some(Box::new(content));
        self
    }

    /// Adds structured data.
    #[must_use]
    pub fn with_data(mut self, data: Json) -> Self {
        self.data = Some(data);
        self
    }
}

/// The codes that core and our layers use. A tool may use others of its own.
pub mod code {
    /// The tool ran and reported failure.
    pub const FAILED: &str = "failed";
    /// A person, a rule or a hook refused the call.
    pub const DENIED: &str = "denied";
    /// No tool of this name can be called by a program.
    pub const UNKNOWN_TOOL: &str = "unknown_tool";
    /// The arguments do not fit the tool.
    pub const INVALID_ARGUMENTS: &str = "invalid_arguments";
    /// The server behind the tool is not there.
    pub const UNAVAILABLE: &str = "unavailable";
    /// The call was started and no answer was seen.
    pub const OUTCOME_UNKNOWN: &str = "outcome_unknown";
    /// Nothing is held under this handle, or nothing any more.
    pub const UNKNOWN_HANDLE: &str = "unknown_handle";
    /// What was asked for is not supported here.
    pub const UNSUPPORTED: &str = "unsupported";
}
