//! `edit_file`: replaces one exact piece of a file, or each occurrence of it.

use std::io::Read;

use codemode_core::{Annotations, Content, ToolSpec};
use memchr::memmem;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::limits::Limits;
use crate::lines::{Range, binary, lines_of};
use crate::replace::replace;
use crate::root::{Place, shown};
use crate::stop::{Stop, Stopping};
use crate::tool::{About, FileTool, Site, Work, content};
use crate::tools::read_file::not_text;
use crate::trouble::{Trouble, code};

/// The most line numbers that an answer or a message lists.
const MAX_LINES: usize = 100;
const MAX_LINES_IN_MESSAGE: usize = 10;

#[derive(Debug)]
pub(crate) struct EditFile;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    path: String,
    old_text: String,
    new_text: String,
    #[serde(default)]
    replace_all: bool,
}

#[derive(Debug, Serialize)]
struct Output {
    path: String,
    replacements: usize,
    lines: Vec<u64>,
    bytes: usize,
}

impl FileTool for EditFile {
    const NAME: &'static str = "edit_file";
    type Input = Input;

    fn spec(limits: &Limits) -> ToolSpec {
        About {
            name: Self::NAME,
            title: "Edit a file",
            description: format!(
                "Replaces old_text by new_text in one file of the workspace, byte for byte: spaces, tabs and line ends count. old_text must occur exactly once, \
                 else the call fails with text_not_found or text_ambiguous and changes nothing; with replace_all each occurrence is replaced, from the start \
                 and without overlap. Works on text in any encoding, up to {} bytes. Gives {{path, replacements, lines, bytes}}, where lines are those of the \
                 old file on which the replaced pieces began, at most {MAX_LINES}; as text a sentence.",
                limits.file_bytes
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Path of the file, relative to the workspace root"},
                    "old_text": {"type": "string", "minLength": 1, "description": "What to replace, exactly as it is in the file"},
                    "new_text": {"type": "string", "description": "What to put in its place; may be empty"},
                    "replace_all": {"type": "boolean", "description": "Replace each occurrence"},
                },
                "required": ["path", "old_text", "new_text"],
                "additionalProperties": false,
            }),
            output: Some(json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "What was edited, relative to the workspace root, links resolved"},
                    "replacements": {"type": "integer"},
                    "lines": {"type": "array", "items": {"type": "integer"}, "description": "Where the replaced pieces began in the old file"},
                    "bytes": {"type": "integer", "description": "The file's size now"},
                },
                "required": ["path", "replacements", "lines", "bytes"],
            })),
            annotations: Annotations {
                read_only: Some(false),
                destructive: Some(true),
                idempotent: Some(false),
                edits_files: Some(true),
                parallel: Some(false),
                ..Annotations::default()
            },
        }
        .into_spec()
    }

    fn run(site: &Site, input: Input, work: &Work) -> Result<Content, Trouble> {
        if input.old_text.is_empty() {
            return Err(Trouble::invalid("old_text is empty; give the text to replace, or use write_file to make a file"));
        }
        if input.old_text == input.new_text {
            return Err(Trouble::invalid("old_text and new_text are the same; there is nothing to change"));
        }
        let place = site.root.place(&input.path)?;
        // A file that is not there is told as such, and not as a folder to make.
        site.root.open_file(&place)?;
        let target = site.root.target(&place, false)?;
        let old = read(site, &place, &work.stop)?;
        let places: Vec<usize> = memmem::find_iter(&old, &input.old_text).collect();
        let mut lines = lines_of(&old, &places);
        match places.len() {
            0 => return Err(not_found(&place, &old, &input.old_text)),
            1 => {}
            _ if input.replace_all => {}
            _ => return Err(ambiguous(&place, &lines)),
        }
        let new = spliced(&old, input.old_text.len(), &input.new_text, &places);
        if new.len() > site.limits.file_bytes {
            return Err(too_large(&place, "would have", new.len() as u64, site.limits.file_bytes));
        }
        work.stop.check()?;
        replace(&site.root, &place, &target, &new)?;
        let path = target.path.to_string_lossy().into_owned();
        work.changed(&path);
        lines.truncate(MAX_LINES);
        let (count, noun) = (places.len(), if places.len() == 1 { "occurrence" } else { "occurrences" });
        let text = format!("replaced {count} {noun} in {}, {}", shown(&path), named(&lines, count));
        content(text, &Output { path, replacements: count, lines, bytes: new.len() })
    }
}

/// All bytes of the file.
fn read(site: &Site, place: &Place, stop: &Stop) -> Result<Vec<u8>, Trouble> {
    let (file, metadata) = site.root.open_file(place)?;
    let most = site.limits.file_bytes;
    let mut bytes = Vec::new();
    let limited = file.take(most as u64 + 1);
    Stopping { inner: limited, stop }
        .read_to_end(&mut bytes)
        .map_err(|error| stop.check().err().unwrap_or_else(|| site.root.trouble(place, &error)))?;
    if bytes.len() > most {
        return Err(too_large(place, "has", metadata.len(), most));
    }
    match binary(&bytes) {
        Some(why) => Err(not_text(&place.shown(), metadata.len(), why, Range::WHOLE)),
        None => Ok(bytes),
    }
}

/// `old` with `new_text` at each of these places, where a piece of `old_bytes` bytes was.
fn spliced(old: &[u8], old_bytes: usize, new_text: &str, places: &[usize]) -> Vec<u8> {
    let mut new = Vec::with_capacity(old.len() - places.len() * old_bytes + places.len() * new_text.len());
    let mut from = 0;
    for &place in places {
        new.extend_from_slice(&old[from..place]);
        new.extend_from_slice(new_text.as_bytes());
        from = place + old_bytes;
    }
    new.extend_from_slice(&old[from..]);
    new
}

/// Says what the file has instead, where that is easily seen.
fn not_found(place: &Place, file: &[u8], old_text: &str) -> Trouble {
    let path = place.shown();
    let hint = if memmem::find(file, old_text.replace("\r\n", "\n").replace('\n', "\r\n").as_bytes()).is_some() {
        "the file has it with \\r\\n line ends; write them as \\r\\n".to_owned()
    } else if let Some(line) = line_like(file, old_text) {
        format!("line {line} differs from its first line in spaces alone; read the file again and copy exactly")
    } else {
        "read the file again and copy exactly".to_owned()
    };
    Trouble::failed(code::TEXT_NOT_FOUND, format!("old_text was not found in {path}; {hint}"))
}

/// The first line of the file that is the first line of `text` but for its spaces.
fn line_like(file: &[u8], text: &str) -> Option<u64> {
    let squeezed = |line: &[u8]| -> Vec<u8> { line.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect() };
    let wanted = squeezed(text.lines().find(|line| !line.trim().is_empty())?.as_bytes());
    (1..).zip(file.split(|byte| *byte == b'\n')).find(|(_, line)| squeezed(line) == wanted).map(|(number, _)| number)
}

fn ambiguous(place: &Place, lines: &[u64]) -> Trouble {
    let path = place.shown();
    let message = format!(
        "old_text occurs {} times in {path}, {}; give more of its surroundings, or set replace_all to true",
        lines.len(),
        named(&lines[..lines.len().min(MAX_LINES_IN_MESSAGE)], lines.len())
    );
    Trouble::failed(code::TEXT_AMBIGUOUS, message)
}

/// `at line 3`, `at lines 3, 9 and 20`, or the first of many.
fn named(lines: &[u64], count: usize) -> String {
    let shown: Vec<String> = lines.iter().take(MAX_LINES_IN_MESSAGE).map(u64::to_string).collect();
    match shown.as_slice() {
        [line] if count == 1 => format!("at line {line}"),
        [first @ .., last] if shown.len() == count => format!("at lines {} and {last}", first.join(", ")),
        _ => format!("the first at lines {}", shown.join(", ")),
    }
}

fn too_large(place: &Place, has: &str, size: u64, most: usize) -> Trouble {
    Trouble::failed(code::TOO_LARGE, format!("{} {has} {size} bytes; a file is edited up to {most}", place.shown()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn splicing_is_what_replacing_in_a_string_gives(file in "[ab\n\u{e4}]{0,40}", old in "[ab\n]{1,3}", new in "[abc]{0,4}") {
            let places: Vec<usize> = memmem::find_iter(file.as_bytes(), &old).collect();
            prop_assert_eq!(places.len(), file.matches(&old).count());
            let got = spliced(file.as_bytes(), old.len(), &new, &places);
            prop_assert_eq!(String::from_utf8(got).expect("whole characters"), file.replace(&old, &new));
            let lines = lines_of(file.as_bytes(), &places);
            let expected: Vec<u64> = places.iter().map(|place| 1 + file[..*place].matches('\n').count() as u64).collect();
            prop_assert_eq!(lines, expected);
        }
    }
}
