//! What a program sees of a result, by the form of its profile, and how large that is.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Serialize, Serializer};

use crate::answer::{Answer, Blob, Block, Content};
use crate::json::Json;
use crate::profile::Form;
use crate::text::{cut, one_line, prefix};

/// How structured content is written in a server's result, between what stands around it.
const STRUCTURED_KEY: &str = ",\"structuredContent\":";
/// The longest media type that is shown in text, in bytes.
const MEDIA_TYPE_BYTES: usize = 100;

impl Answer {
    /// The size of what a program of this form is delivered, in bytes of encoded JSON or of text. Result budgets count it.
    #[must_use]
    pub fn bytes_in(&self, form: Form) -> usize {
        match self {
            Self::Succeeded(content) => content.bytes_in(form),
            Self::Failed(fault) | Self::NotRun(fault) | Self::Unknown(fault) => {
                // Data and content are two forms of one thing; a program sees one of them.
                let data = fault.data.as_ref().map_or(0, Json::bytes);
                fault.message.len() + data.max(fault.content.as_ref().map_or(0, |content| content.bytes_in(form)))
            }
        }
    }
}

impl Content {
    /// What a program that wants text gets: the text, else structured content as JSON text, else nothing; then two lines for each
    /// binary part, its type and size in brackets and its handle alone.
    ///
    /// A program that prints or returns this text gives the parts back.
    #[must_use]
    pub fn as_text(&self) -> Cow<'_, str> {
        let text = self.text_without_parts();
        if self.blobs.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}{}", self.part_lines())) }
    }

    /// [`as_text`](Self::as_text) without the lines of the binary parts.
    #[must_use]
    pub fn text_without_parts(&self) -> &str {
        match (&self.text, &self.structured) {
            (Some(text), _) => text,
            (None, Some(json)) => json.text(),
            (None, None) => "",
        }
    }

    /// The lines with which [`as_text`](Self::as_text) ends; nothing where there are no binary parts.
    #[must_use]
    pub fn part_lines(&self) -> String {
        let mut lines = String::new();
        let text = self.text_without_parts();
        for blob in &self.blobs {
            if !lines.is_empty() || !(text.is_empty() || text.ends_with('\n')) {
                lines.push('\n');
            }
            let media_type = one_line(prefix(&blob.media_type, MEDIA_TYPE_BYTES * 2));
            // Writing to a string cannot fail.
            let _ = write!(lines, "[{}, {} bytes]\n{}", cut(&media_type, MEDIA_TYPE_BYTES), blob.bytes, blob.handle);
        }
        lines
    }

    /// What a `batch` gets. Of a result that a server gave in blocks it is `{content: [blocks], structuredContent, complete}`, where
    /// `structuredContent` is there if the server gave some and `complete` says that nothing was withheld. Of any other it is
    /// structured content where there is some and it is not empty, else `{text}`, with `blobs` beside it where there are binary
    /// parts.
    #[must_use]
    pub fn in_batch(&self) -> Json {
        match (&self.blocks, self.structured_not_empty()) {
            (None, Some(json)) => json.clone(),
            // What nests too deep to stand inside of something is withheld.
            (Some(blocks), _) => Json::from_serialize(&self.of_server(blocks))
                .or_else(|_| Json::from_serialize(&OfServer { structured: None, complete: false, ..self.of_server(blocks) }))
                .unwrap_or_else(|_| Json::null()),
            (None, None) => {
                let (text, blobs) = (self.text.as_deref().unwrap_or_default(), &*self.blobs);
                Json::from_serialize(&OfTool { text, blobs }).unwrap_or_else(|_| Json::null())
            }
        }
    }

    /// The size of what a program of this form sees of it.
    ///
    /// Of text and structured content the larger counts, where no blocks show both.
    #[must_use]
    pub fn bytes_in(&self, form: Form) -> usize {
        match (form, &self.blocks) {
            (Form::Batch, Some(blocks)) => {
                let structured = self.structured.as_ref().map_or(0, |json| STRUCTURED_KEY.len() + json.bytes());
                size_of_json(&OfServer { structured: None, ..self.of_server(blocks) }) + structured
            }
            (Form::Script, _) if !self.blobs.is_empty() => self.text_without_parts().len() + self.part_lines().len(),
            (Form::Batch | Form::Program | Form::Cell, _) if !self.blobs.is_empty() && self.structured_not_empty().is_none() => {
                self.bytes() + size_of_json(&self.blobs)
            }
            _ => self.bytes(),
        }
    }

    fn of_server<'a>(&'a self, blocks: &'a [Block]) -> OfServer<'a> {
        OfServer { blocks, structured: self.structured.as_ref(), complete: !self.withheld }
    }
}

/// A server's result in `batch`.
struct OfServer<'a> {
    blocks: &'a [Block],
    structured: Option<&'a Json>,
    complete: bool,
}

impl Serialize for OfServer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("OfServer", 3)?;
        fields.serialize_field("content", self.blocks)?;
        if let Some(structured) = self.structured {
            fields.serialize_field("structuredContent", structured)?;
        }
        fields.serialize_field("complete", &self.complete)?;
        fields.end()
    }
}

/// The words are those of the protocol of servers (MCP).
impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        match self {
            Self::Text(text) => {
                fields.serialize_entry("type", "text")?;
                fields.serialize_entry("text", &**text)?;
            }
            Self::Blob(blob) => {
                let kind = match blob.media_type.split('/').next() {
                    Some("image") => "image",
                    Some("audio") => "audio",
                    _ => "resource",
                };
                fields.serialize_entry("type", kind)?;
                fields.serialize_entry("mimeType", &*blob.media_type)?;
                fields.serialize_entry("handle", &*blob.handle)?;
                fields.serialize_entry("bytes", &blob.bytes)?;
            }
            Self::Link { uri, name, media_type } => {
                fields.serialize_entry("type", "resource_link")?;
                fields.serialize_entry("uri", &**uri)?;
                fields.serialize_entry("name", &**name)?;
                if let Some(media_type) = media_type {
                    fields.serialize_entry("mimeType", &**media_type)?;
                }
            }
        }
        fields.end()
    }
}

/// A tool's result in `batch`, where the tool has no structured content.
#[derive(Serialize)]
struct OfTool<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "<[Blob]>::is_empty")]
    blobs: &'a [Blob],
}

/// The size of a value as JSON, which is written nowhere.
fn size_of_json(value: &impl Serialize) -> usize {
    let mut counted = Counted(0);
    match serde_json::to_writer(&mut counted, value) {
        Ok(()) => counted.0,
        Err(_) => usize::MAX,
    }
}

struct Counted(usize);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob(media_type: &str) -> Blob {
        Blob { handle: "blob:1".into(), media_type: media_type.into(), bytes: 3 }
    }

    fn of_server(structured: Option<&str>) -> Content {
        let link = Block::Link { uri: "file:///a".into(), name: "a".into(), media_type: None };
        let blocks = [Block::Text("said \"so\"".into()), Block::Blob(blob("image/png")), Block::Blob(blob("a/b")), link];
        Content {
            text: Some("said \"so\"".into()),
            structured: structured.map(|text| Json::parse(text).expect("json")),
            blobs: vec![blob("image/png"), blob("a/b")],
            blocks: Some(blocks.into()),
            withheld: structured.is_none(),
        }
    }

    #[test]
    fn a_batch_gets_a_servers_blocks_in_their_order_and_whether_they_are_all() {
        let content = concat!(
            r#"{"content":[{"type":"text","text":"said \"so\""},{"type":"image","mimeType":"image/png","handle":"blob:1","bytes":3},"#,
            r#"{"type":"resource","mimeType":"a/b","handle":"blob:1","bytes":3},{"type":"resource_link","uri":"file:///a","name":"a"}]"#
        );
        for (structured, end) in [(None, r#","complete":false}"#), (Some("{}"), r#","structuredContent":{},"complete":true}"#)] {
            let delivered = of_server(structured);
            let expected = format!("{content}{end}");
            assert_eq!(delivered.in_batch().text(), expected);
            assert_eq!(delivered.bytes_in(Form::Batch), expected.len());
        }
    }

    #[test]
    fn structured_content_that_can_stand_inside_of_nothing_is_withheld() {
        let deep = format!("{}{}", "[".repeat(crate::MAX_JSON_DEPTH), "]".repeat(crate::MAX_JSON_DEPTH));
        let mut content = of_server(Some(&deep));
        content.blocks = Some([Block::Text("a".into())].into());
        assert_eq!(content.in_batch().text(), r#"{"content":[{"type":"text","text":"a"}],"complete":false}"#);
    }

    #[test]
    fn text_ends_with_two_lines_for_each_part_and_its_size_counts_them() {
        let lines = "[image/png, 3 bytes]\nblob:1\n[a/b, 3 bytes]\nblob:1";
        let mut content = of_server(None);
        assert_eq!(content.as_text(), format!("said \"so\"\n{lines}"));
        content.text = None;
        assert_eq!(content.as_text(), lines);
        content.text = Some("a line\n".into());
        assert_eq!(content.as_text(), format!("a line\n{lines}"));
        assert_eq!(content.bytes_in(Form::Script), content.as_text().len());
        content.blobs[0].media_type = "x\nblob:2".into();
        assert_eq!(content.as_text(), "a line\n[x\\nblob:2, 3 bytes]\nblob:1\n[a/b, 3 bytes]\nblob:1");
    }

    #[test]
    fn parts_beside_text_count_in_each_form_and_structured_content_hides_them() {
        let mut content = Content { blobs: vec![blob("a/b")], ..Content::text("abc") };
        let part = r#"[{"handle":"blob:1","type":"a/b","bytes":3}]"#.len();
        for form in [Form::Batch, Form::Program, Form::Cell] {
            assert_eq!(content.bytes_in(form), 3 + part);
        }
        assert_eq!(content.in_batch().text(), r#"{"text":"abc","blobs":[{"handle":"blob:1","type":"a/b","bytes":3}]}"#);
        content.structured = Some(Json::parse("[1]").expect("json"));
        for form in [Form::Batch, Form::Program, Form::Cell] {
            assert_eq!(content.bytes_in(form), 3);
        }
        assert_eq!(content.in_batch().text(), "[1]");
    }
}
