//! `find_files`: the paths of files, by globs and ignore rules, page by page.

use std::ops::ControlFlow;

use codemode_core::text::one_line;
use codemode_core::{Annotations, Content, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::globs::Globs;
use crate::limits::Limits;
use crate::page::{Page, Records};
use crate::tool::{About, FileTool, Site, Work, content, whole};
use crate::trouble::Trouble;
use crate::walk::Walk;

/// What the JSON of a path takes beside it.
const FILE_OVERHEAD_BYTES: usize = 3;

#[derive(Debug)]
pub(crate) struct FindFiles;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    #[serde(default)]
    globs: Vec<String>,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    include_ignored: bool,
    #[serde(default, deserialize_with = "whole")]
    limit: Option<u64>,
    #[serde(default, deserialize_with = "whole")]
    offset: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Output {
    files: Vec<String>,
    complete: bool,
    next_offset: Option<u64>,
    has_more: bool,
    unreadable: u64,
}

impl FileTool for FindFiles {
    const NAME: &'static str = "find_files";
    type Input = Input;

    fn spec(limits: &Limits) -> ToolSpec {
        About {
            name: Self::NAME,
            title: "Find files",
            description: format!(
                "Lists the files beneath path (a folder; the whole workspace if absent) whose paths match any of globs (all if absent), folder by folder in \
                 byte order. A glob without a slash matches names at any depth, with one the path relative to path; ** crosses folders, and a leading ! \
                 leaves out. Hidden files are listed; what .gitignore and .ignore name and version control's own folders are not, unless include_ignored is \
                 true; symbolic links are not followed. Gives {{files, complete, next_offset, has_more, unreadable}}; as text one path a line, and a last \
                 line in brackets where the list is incomplete. A page has at most limit files (default {}) and {} bytes; go on with offset = next_offset.",
                Page::DEFAULT_LIMIT, limits.listing_bytes
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "globs": {"type": "array", "items": {"type": "string"}, "description": "Such as *.rs, src/**/*.md or !target/**"},
                    "path": {"type": "string", "description": "Folder to look in, relative to the workspace root"},
                    "include_ignored": {"type": "boolean", "description": "Look at what ignore rules leave out, and into .git, too"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": Page::MAX_LIMIT, "description": "Most files to give"},
                    "offset": {"type": "integer", "minimum": 0, "description": "How many files to skip: next_offset of the page before"},
                },
                "additionalProperties": false,
            }),
            output: Some(json!({
                "type": "object",
                "properties": {
                    "files": {"type": "array", "items": {"type": "string"}, "description": "Paths relative to the workspace root"},
                    "complete": {"type": "boolean", "description": "Nothing comes after this page and nothing was unreadable"},
                    "next_offset": {"type": ["integer", "null"], "description": "offset of the next page, if there is one"},
                    "has_more": {"type": "boolean", "description": "There are files after this page"},
                    "unreadable": {"type": "integer", "description": "Folders that could not be looked into, and names that are not UTF-8"},
                },
                "required": ["files", "complete", "next_offset", "has_more", "unreadable"],
            })),
            annotations: Annotations::read_only(),
        }
        .into_spec()
    }

    fn run(site: &Site, input: Input, work: &Work) -> Result<Content, Trouble> {
        let page = Page::new(input.offset, input.limit)?;
        let globs = Globs::new(&input.globs)?;
        let start = site.root.real(&site.root.place(input.path.as_deref().unwrap_or("."))?)?;
        let walk = Walk {
            root: &site.root,
            globs: &globs,
            include_ignored: input.include_ignored,
            most_entries: site.limits.walk_entries,
            stop: &work.stop,
        };
        let (mut files, mut records, mut seen, mut has_more, mut bytes) = (Vec::new(), Records::default(), 0, false, 0);
        let gaps = walk.files(&start, |found| {
            seen += 1;
            if seen <= page.offset {
                return Ok(ControlFlow::Continue(()));
            }
            bytes += found.path.len() + FILE_OVERHEAD_BYTES;
            if seen > page.end() || (bytes > site.limits.listing_bytes && !files.is_empty()) {
                has_more = true;
                return Ok(ControlFlow::Break(()));
            }
            records.push(&one_line(found.path));
            files.push(found.path.to_owned());
            Ok(ControlFlow::Continue(()))
        })?;
        let next_offset = has_more.then(|| page.offset + files.len() as u64);
        let mut missing = Vec::new();
        missing.extend(next_offset.map(|next| format!("there are more; go on with offset {next}")));
        missing.extend(gaps.as_text());
        let output = Output { files, complete: !has_more && gaps.none(), next_offset, has_more, unreadable: gaps.unreadable };
        content(records.finish(&missing), &output)
    }
}
