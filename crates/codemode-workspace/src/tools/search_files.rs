//! `search_files`: lines that match a regular expression, over files that globs and ignore rules leave.

use std::ops::ControlFlow;
use std::path::Path;

use codemode_core::text::{cut, one_line};
use codemode_core::{Annotations, Content, ToolSpec};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::globs::Globs;
use crate::limits::Limits;
use crate::matches::{FileSearch, Looked, Match, Search};
use crate::page::Records;
use crate::root::Place;
use crate::tool::{About, FileTool, Site, Work, content, whole};
use crate::trouble::Trouble;
use crate::walk::{Gaps, Walk};

const DEFAULT_MAX_MATCHES: u64 = 1000;
const MAX_MAX_MATCHES: u64 = 10_000;
const MAX_CONTEXT: u64 = 50;
/// The most bytes of a pattern, and of what it compiles to.
const MAX_PATTERN_BYTES: usize = 10_000;
const MAX_COMPILED_BYTES: usize = 10 << 20;

#[derive(Debug)]
pub(crate) struct SearchFiles;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    pattern: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    globs: Vec<String>,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    literal: bool,
    #[serde(default, deserialize_with = "whole")]
    context: Option<u64>,
    #[serde(default, deserialize_with = "whole")]
    max_matches: Option<u64>,
    #[serde(default)]
    include_ignored: bool,
}

#[derive(Debug, Serialize)]
struct Output {
    matches: Vec<Match>,
    complete: bool,
    files_searched: u64,
    files_matched: u64,
    binary_skipped: u64,
    unreadable: u64,
}

impl FileTool for SearchFiles {
    const NAME: &'static str = "search_files";
    type Input = Input;

    fn spec(limits: &Limits) -> ToolSpec {
        About {
            name: Self::NAME,
            title: "Search in files",
            description: format!(
                "Finds the lines that match pattern, a regular expression of Rust's regex crate (no look-around, no backreferences; literal: true takes it as \
                 plain text), in the file or beneath the folder path (the whole workspace if absent), in files that globs and ignore rules leave, as in \
                 find_files. Gives {{matches, complete, files_searched, files_matched, binary_skipped, unreadable}}; each match has path, line, column, text \
                 and, with context, before and after. As text path:line:text a line (path-line-text for context, -- between groups), and a last line in \
                 brackets where the answer is incomplete. Ends at max_matches (default {DEFAULT_MAX_MATCHES}) or {} bytes; a line over {} bytes is cut around its match.",
                limits.listing_bytes, crate::matches::MAX_LINE_BYTES
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "pattern": {"type": "string", "maxLength": MAX_PATTERN_BYTES, "description": "Regular expression, matched line by line"},
                    "path": {"type": "string", "description": "Folder or file to search, relative to the workspace root"},
                    "globs": {"type": "array", "items": {"type": "string"}, "description": "Such as *.rs, src/**/*.md or !target/**"},
                    "ignore_case": {"type": "boolean", "description": "Let upper and lower case be the same"},
                    "literal": {"type": "boolean", "description": "Take pattern as plain text"},
                    "context": {"type": "integer", "minimum": 0, "maximum": MAX_CONTEXT, "description": "Lines to give before and after each match"},
                    "max_matches": {"type": "integer", "minimum": 1, "maximum": MAX_MAX_MATCHES, "description": "Most matching lines to give"},
                    "include_ignored": {"type": "boolean", "description": "Search what ignore rules leave out, and .git, too"},
                },
                "required": ["pattern"],
                "additionalProperties": false,
            }),
            output: Some(json!({
                "type": "object",
                "properties": {
                    "matches": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "path": {"type": "string", "description": "Relative to the workspace root"},
                                "line": {"type": "integer", "description": "Counted from 1"},
                                "column": {"type": "integer", "description": "Of the first match in the line, in characters, counted from 1"},
                                "text": {"type": "string", "description": "The line without its end; U+FFFD where it is not UTF-8"},
                                "cut": {"type": "boolean", "description": "text is a part of a long line"},
                                "before": {"type": "array", "items": {"type": "string"}, "description": "Lines not given with the match before"},
                                "after": {"type": "array", "items": {"type": "string"}},
                            },
                            "required": ["path", "line", "column", "text"],
                        },
                    },
                    "complete": {"type": "boolean", "description": "Every match is here and nothing was unreadable"},
                    "files_searched": {"type": "integer"},
                    "files_matched": {"type": "integer"},
                    "binary_skipped": {"type": "integer", "description": "Files that are no text"},
                    "unreadable": {"type": "integer", "description": "Files and folders that could not be read, and names that are not UTF-8"},
                },
                "required": ["matches", "complete", "files_searched", "files_matched", "binary_skipped", "unreadable"],
            })),
            annotations: Annotations::read_only(),
        }
        .into_spec()
    }

    fn run(site: &Site, input: Input, work: &Work) -> Result<Content, Trouble> {
        let most = bounded("max_matches", input.max_matches.unwrap_or(DEFAULT_MAX_MATCHES), 1, MAX_MAX_MATCHES)?;
        let context = bounded("context", input.context.unwrap_or(0), 0, MAX_CONTEXT)?;
        let globs = Globs::new(&input.globs)?;
        let matcher = matcher(&input)?;
        let place = site.root.place(input.path.as_deref().unwrap_or("."))?;
        let start = site.root.real(&place)?;
        let mut search = Search::new(&matcher, context, most, site.limits.listing_bytes, &work.stop);
        let gaps = if site.root.metadata(&place)?.is_dir() {
            let walk = Walk {
                root: &site.root,
                globs: &globs,
                include_ignored: input.include_ignored,
                most_entries: site.limits.walk_entries,
                stop: &work.stop,
            };
            walk.files(&start, |found| {
                let place = Place { path: Path::new(found.name).to_owned(), names_folder: false };
                let looked = search.file(FileSearch { folder: found.folder, name: &place.path, path: found.path })?;
                Ok(if looked == Looked::Full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?
        } else {
            // A file that was named is searched whatever the rules say, and its trouble is the call's.
            site.root.open_file(&place)?;
            search.file(FileSearch { folder: site.root.dir(), name: &start, path: &start.to_string_lossy() })?;
            Gaps::default()
        };
        let found = search.finish();
        let unreadable = found.unreadable + gaps.unreadable;
        let mut missing = Vec::new();
        missing.extend(found.full.then(|| "there are more matches; narrow the search or raise max_matches".to_owned()));
        missing.extend(Gaps { unreadable, ..gaps }.as_text());
        let output = Output {
            complete: missing.is_empty(),
            files_searched: found.searched,
            files_matched: found.matched,
            binary_skipped: found.binary,
            unreadable,
            matches: found.matches,
        };
        content(as_lines(&output.matches, context > 0).finish(&missing), &output)
    }
}

/// The matches as a program that reads lines wants them.
fn as_lines(matches: &[Match], with_context: bool) -> Records {
    let mut records = Records::default();
    let mut last: Option<(&str, u64)> = None;
    for found in matches {
        let path = one_line(&found.path);
        let first_line = found.line - found.before.len() as u64;
        if with_context && last.is_some_and(|(path, line)| path != found.path || line + 1 < first_line) {
            records.push("--");
        }
        for (number, text) in (first_line..).zip(&found.before) {
            records.push(&format!("{path}-{number}-{}", one_line(text)));
        }
        records.push(&format!("{path}:{}:{}", found.line, one_line(&found.text)));
        for (number, text) in (found.line + 1..).zip(&found.after) {
            records.push(&format!("{path}-{number}-{}", one_line(text)));
        }
        last = Some((&found.path, found.line + found.after.len() as u64));
    }
    records
}

fn bounded(name: &str, value: u64, least: u64, most: u64) -> Result<u64, Trouble> {
    if value < least || value > most {
        return Err(Trouble::invalid(format!("{name} is {value}; {least} to {most} are allowed")));
    }
    Ok(value)
}

fn matcher(input: &Input) -> Result<RegexMatcher, Trouble> {
    if input.pattern.len() > MAX_PATTERN_BYTES {
        return Err(Trouble::invalid(format!("the pattern has {} bytes; at most {MAX_PATTERN_BYTES} are allowed", input.pattern.len())));
    }
    let mut builder = RegexMatcherBuilder::new();
    builder.case_insensitive(input.ignore_case).fixed_strings(input.literal).multi_line(true).crlf(true);
    builder.size_limit(MAX_COMPILED_BYTES).dfa_size_limit(MAX_COMPILED_BYTES);
    builder.build(&input.pattern).map_err(|error| {
        // A parse error draws the pattern as it was wrapped for matching; its last words say what is wrong.
        let error = error.to_string();
        let why = error.rsplit_once("error: ").map_or(error.as_str(), |(_, why)| why);
        Trouble::invalid(format!("the pattern {:?} cannot be used: {}", cut(&input.pattern, 100), cut(why, 400)))
    })
}
