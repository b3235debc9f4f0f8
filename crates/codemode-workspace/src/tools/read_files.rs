//! `read_files`: the texts of many files in one call, each with its own success.

use codemode_core::{Annotations, Content, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::limits::Limits;
use crate::tool::{About, FileTool, Site, Work, json as to_json, whole};
use crate::tools::read_file::{Reading, Text, range, read_text};
use crate::trouble::{Trouble, code};

/// The most files that one call may name.
const MAX_FILES: usize = 1000;

#[derive(Debug)]
pub(crate) struct ReadFiles;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    paths: Vec<Wanted>,
    #[serde(default)]
    lossy: bool,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "each of paths is a path, or an object with path and, if wanted, start_line and end_line")]
enum Wanted {
    Path(String),
    Lines(Lines),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    path: String,
    #[serde(default, deserialize_with = "whole")]
    start_line: Option<u64>,
    #[serde(default, deserialize_with = "whole")]
    end_line: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Output {
    outcome: &'static str,
    files: Vec<File>,
}

#[derive(Debug, Serialize)]
struct File {
    path: String,
    text: String,
    success: bool,
    complete: bool,
    request_complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<FileError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<String>,
}

#[derive(Debug, Serialize)]
struct FileError {
    code: String,
    message: String,
}

impl FileTool for ReadFiles {
    const NAME: &'static str = "read_files";
    type Input = Input;

    fn spec(limits: &Limits) -> ToolSpec {
        About {
            name: Self::NAME,
            title: "Read many files",
            description: format!(
                "Reads many files of the workspace in one call. Each of paths is a path, or an object with path, start_line and end_line as in read_file. \
                 Gives {{outcome, files}}: one entry for each path, in order, with path, text, success, complete (text is the whole file) and request_complete \
                 (text is all that was asked for). A file that cannot be read has error {{code, message}} and fails alone; outcome is complete, partial or \
                 failed. All texts together hold at most {} bytes: the files from the first that does not fit have omitted, and can be asked for again.",
                limits.files_bytes
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "paths": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": MAX_FILES,
                        "description": "What to read: paths, or objects that name a range of lines",
                        "items": {"anyOf": [
                            {"type": "string"},
                            {
                                "type": "object",
                                "properties": {
                                    "path": {"type": "string", "description": "Path of the file, relative to the workspace root"},
                                    "start_line": {"type": "integer", "minimum": 1, "description": "First line to give; 1 if absent"},
                                    "end_line": {"type": "integer", "minimum": 1, "description": "Last line to give; the file's last if absent"},
                                },
                                "required": ["path"],
                                "additionalProperties": false,
                            },
                        ]},
                    },
                    "lossy": {"type": "boolean", "description": "Read text that is not UTF-8 too, with replacement characters"},
                },
                "required": ["paths"],
                "additionalProperties": false,
            }),
            output: Some(json!({
                "type": "object",
                "properties": {
                    "outcome": {"type": "string", "enum": ["complete", "partial", "failed"]},
                    "files": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "path": {"type": "string", "description": "The path as it was asked for"},
                                "text": {"type": "string", "description": "Empty where success is false"},
                                "success": {"type": "boolean"},
                                "complete": {"type": "boolean", "description": "text is the whole file"},
                                "request_complete": {"type": "boolean", "description": "text is all that was asked for"},
                                "error": {
                                    "type": "object",
                                    "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
                                    "required": ["code", "message"],
                                },
                                "omitted": {"type": "string", "description": "Why the file was not read"},
                            },
                            "required": ["path", "text", "success", "complete", "request_complete"],
                        },
                    },
                },
                "required": ["outcome", "files"],
            })),
            annotations: Annotations::read_only(),
        }
        .into_spec()
    }

    fn run(site: &Site, input: Input, work: &Work) -> Result<Content, Trouble> {
        if input.paths.is_empty() || input.paths.len() > MAX_FILES {
            return Err(Trouble::invalid(format!("paths has {} entries; 1 to {MAX_FILES} are allowed", input.paths.len())));
        }
        let mut left = site.limits.files_bytes;
        let mut omitting = false;
        let mut files = Vec::with_capacity(input.paths.len());
        for wanted in input.paths {
            work.stop.check()?;
            let lines = wanted.into_lines();
            if omitting {
                files.push(File::omitted(lines.path));
                continue;
            }
            match read(site, &lines, input.lossy, left, work) {
                Ok(text) => {
                    left = left.saturating_sub(text.text.len());
                    files.push(File::read(lines.path, text));
                }
                // A file that does not fit into what is left would fit into a call of its own.
                Err(trouble) if trouble.fault().code == code::TOO_LARGE && left < whole_call(site) => {
                    match read(site, &lines, input.lossy, whole_call(site), work) {
                        Ok(_) => {
                            omitting = true;
                            files.push(File::omitted(lines.path));
                        }
                        Err(trouble) => files.push(File::failed(lines.path, &trouble)),
                    }
                }
                Err(trouble) if trouble.fault().code == code::CANCELLED => return Err(trouble),
                Err(trouble) => files.push(File::failed(lines.path, &trouble)),
            }
        }
        let outcome = if files.iter().all(|file| file.request_complete) {
            "complete"
        } else if files.iter().any(|file| file.success) {
            "partial"
        } else {
            "failed"
        };
        Ok(Content { structured: Some(to_json(&Output { outcome, files })?), ..Content::default() })
    }
}

/// The most bytes that one file can have in a call of its own.
fn whole_call(site: &Site) -> usize {
    site.limits.files_bytes.min(site.limits.file_bytes)
}

fn read(site: &Site, lines: &Lines, lossy: bool, left: usize, work: &Work) -> Result<Text, Trouble> {
    let range = range(lines.start_line, lines.end_line)?;
    let place = site.root.place(&lines.path)?;
    read_text(&site.root, &place, range, Reading { most: left.min(site.limits.file_bytes), lossy }, &work.stop)
}

impl Wanted {
    fn into_lines(self) -> Lines {
        match self {
            Self::Path(path) => Lines { path, start_line: None, end_line: None },
            Self::Lines(lines) => lines,
        }
    }
}

impl File {
    fn read(path: String, text: Text) -> Self {
        Self { path, text: text.text, success: true, complete: text.whole, request_complete: true, error: None, omitted: None }
    }

    fn failed(path: String, trouble: &Trouble) -> Self {
        let fault = trouble.fault();
        let error = FileError { code: fault.code.to_string(), message: fault.message.clone() };
        Self { path, text: String::new(), success: false, complete: false, request_complete: false, error: Some(error), omitted: None }
    }

    fn omitted(path: String) -> Self {
        let why = "the texts before it filled the call; ask for it again".to_owned();
        Self { path, text: String::new(), success: false, complete: false, request_complete: false, error: None, omitted: Some(why) }
    }
}
