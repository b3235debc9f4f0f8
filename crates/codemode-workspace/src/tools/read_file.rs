//! `read_file`: the text of one file, or a range of its lines.

use std::io::BufReader;

use codemode_core::{Annotations, Content, ToolSpec};
use serde::Deserialize;
use serde_json::json;

use crate::limits::Limits;
use crate::lines::{NotText, Range, SliceError, decode, read_slice};
use crate::root::{Place, Root};
use crate::stop::Stop;
use crate::tool::{About, FileTool, Site, Work, whole};
use crate::trouble::{Trouble, code};

#[derive(Debug)]
pub(crate) struct ReadFile;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    path: String,
    #[serde(default, deserialize_with = "whole")]
    start_line: Option<u64>,
    #[serde(default, deserialize_with = "whole")]
    end_line: Option<u64>,
    #[serde(default)]
    lossy: bool,
}

impl FileTool for ReadFile {
    const NAME: &'static str = "read_file";
    type Input = Input;

    fn spec(limits: &Limits) -> ToolSpec {
        About {
            name: Self::NAME,
            title: "Read a file",
            description: format!(
                "Gives the text of one file of the workspace exactly as it is, or of the lines from start_line to end_line (counted from 1, both included; \
                 an end_line past the end is no error). Gives at most {} bytes; of a larger file ask for lines. Fails with code binary for a file that is \
                 no text and with not_utf8 for one in another encoding, unless lossy is true, which puts U+FFFD where bytes are not UTF-8.",
                limits.file_bytes
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Path of the file, relative to the workspace root"},
                    "start_line": {"type": "integer", "minimum": 1, "description": "First line to give; 1 if absent"},
                    "end_line": {"type": "integer", "minimum": 1, "description": "Last line to give; the file's last if absent"},
                    "lossy": {"type": "boolean", "description": "Read text that is not UTF-8 too, with replacement characters"},
                },
                "required": ["path"],
                "additionalProperties": false,
            }),
            output: None,
            annotations: Annotations::read_only(),
        }
        .into_spec()
    }

    fn run(site: &Site, input: Input, work: &Work) -> Result<Content, Trouble> {
        let range = range(input.start_line, input.end_line)?;
        let place = site.root.place(&input.path)?;
        let text = read_text(&site.root, &place, range, Reading { most: site.limits.file_bytes, lossy: input.lossy }, &work.stop)?;
        Ok(Content::text(text.text))
    }
}

/// How a file is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    /// The most bytes to give.
    pub(crate) most: usize,
    /// Whether bytes that are not UTF-8 are replaced.
    pub(crate) lossy: bool,
}

/// Text that was read.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// Whether it is all of the file.
    pub(crate) whole: bool,
}

/// The range that two optional arguments mean.
pub(crate) fn range(start: Option<u64>, end: Option<u64>) -> Result<Range, Trouble> {
    let start = start.unwrap_or(1);
    if start == 0 || end == Some(0) {
        return Err(Trouble::invalid("start_line and end_line are counted from 1; 0 is no line"));
    }
    if let Some(end) = end.filter(|end| *end < start) {
        return Err(Trouble::invalid(format!(
            "end_line {end} lies before start_line {start}; lines are given from start_line to end_line"
        )));
    }
    Ok(Range { start, end })
}

/// Reads a range of a text file through the root.
pub(crate) fn read_text(root: &Root, place: &Place, range: Range, reading: Reading, stop: &Stop) -> Result<Text, Trouble> {
    let (file, metadata) = root.open_file(place)?;
    let (path, size) = (place.shown(), metadata.len());
    let is_whole = range == Range::WHOLE;
    if is_whole && size > reading.most as u64 {
        return Err(too_large(&path, size, reading.most));
    }
    let slice = read_slice(BufReader::with_capacity(64 << 10, file), range, reading.most, stop).map_err(|error| match error {
        SliceError::TooLarge if is_whole => too_large(&path, size, reading.most),
        SliceError::TooLarge => Trouble::failed(
            code::TOO_LARGE,
            format!("the lines asked for of {path} hold more than {} bytes, which is the most; ask for fewer", reading.most),
        ),
        SliceError::NotText(why) => not_text(&path, size, why, range),
        SliceError::Stopped => Trouble::cancelled(),
        SliceError::Io(error) => root.trouble(place, &error),
    })?;
    if slice.bytes.is_empty() && range.start > 1 {
        return Err(Trouble::failed(
            code::OUT_OF_RANGE,
            format!("start_line {} lies past the end of {path}, which has {} lines", range.start, slice.lines_seen),
        ));
    }
    let text = decode(slice.bytes, reading.lossy).map_err(|why| not_text(&path, size, why, range))?;
    if text.len() > reading.most {
        // Replacement characters are longer than the bytes that they stand for.
        return Err(too_large(&path, size, reading.most));
    }
    Ok(Text { text, whole: slice.whole })
}

/// Says what kind of file it is that was not read.
pub(crate) fn not_text(path: &str, size: u64, why: NotText, range: Range) -> Trouble {
    match why {
        NotText::Utf16 => Trouble::failed(code::BINARY, format!("{path} is UTF-16 text ({size} bytes); only UTF-8 is read")),
        NotText::Binary => Trouble::failed(code::BINARY, format!("{path} is binary ({size} bytes)")),
        NotText::NotUtf8 { line } => {
            let line = range.start + line - 1;
            Trouble::failed(
                code::NOT_UTF8,
                format!(
                    "{path} is not UTF-8 text ({size} bytes, line {line} is the first); set lossy to true to read it with replacements"
                ),
            )
        }
    }
}

fn too_large(path: &str, size: u64, most: usize) -> Trouble {
    Trouble::failed(
        code::TOO_LARGE,
        format!("{path} has {size} bytes, and at most {most} are given; give start_line and end_line to read a part"),
    )
}
