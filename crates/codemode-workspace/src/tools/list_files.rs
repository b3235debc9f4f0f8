//! `list_files`: what is in one folder.

use codemode_core::text::one_line;
use codemode_core::{Annotations, Content, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::limits::Limits;
use crate::page::{Page, Records};
use crate::tool::{About, FileTool, Site, Work, content, whole};
use crate::trouble::Trouble;

/// About what the JSON of an entry takes beside its name.
const ENTRY_OVERHEAD_BYTES: usize = 48;

#[derive(Debug)]
pub(crate) struct ListFiles;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    #[serde(default)]
    path: Option<String>,
    #[serde(default, deserialize_with = "whole")]
    limit: Option<u64>,
    #[serde(default, deserialize_with = "whole")]
    offset: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Output {
    entries: Vec<Entry>,
    total: u64,
    complete: bool,
    next_offset: Option<u64>,
    has_more: bool,
    unreadable: u64,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    kind: &'static str,
    size: Option<u64>,
}

impl FileTool for ListFiles {
    const NAME: &'static str = "list_files";
    type Input = Input;

    fn spec(limits: &Limits) -> ToolSpec {
        About {
            name: Self::NAME,
            title: "List a folder",
            description: format!(
                "Lists everything in one folder (path; the workspace root if absent), hidden and ignored entries too, in byte order of their names. \
                 Gives {{entries, total, complete, next_offset, has_more, unreadable}}, each entry with name, kind (file, folder, symlink or other) and size \
                 in bytes (files only). As text one entry a line: kind, size or -, name, with a space between, and a last line in brackets where the list is \
                 incomplete. A page has at most limit entries (default {}) and {} bytes; go on with offset = next_offset. find_files looks deeper.",
                Page::DEFAULT_LIMIT, limits.listing_bytes
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Folder to list, relative to the workspace root"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": Page::MAX_LIMIT, "description": "Most entries to give"},
                    "offset": {"type": "integer", "minimum": 0, "description": "How many entries to skip: next_offset of the page before"},
                },
                "additionalProperties": false,
            }),
            output: Some(json!({
                "type": "object",
                "properties": {
                    "entries": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "name": {"type": "string"},
                                "kind": {"type": "string", "enum": ["file", "folder", "symlink", "other"]},
                                "size": {"type": ["integer", "null"], "description": "In bytes; files only"},
                            },
                            "required": ["name", "kind", "size"],
                        },
                    },
                    "total": {"type": "integer", "description": "How many entries the folder has"},
                    "complete": {"type": "boolean", "description": "Nothing comes after this page and nothing was unreadable"},
                    "next_offset": {"type": ["integer", "null"], "description": "offset of the next page, if there is one"},
                    "has_more": {"type": "boolean", "description": "There are entries after this page"},
                    "unreadable": {"type": "integer", "description": "Entries whose names are not UTF-8"},
                },
                "required": ["entries", "total", "complete", "next_offset", "has_more", "unreadable"],
            })),
            annotations: Annotations::read_only(),
        }
        .into_spec()
    }

    fn run(site: &Site, input: Input, work: &Work) -> Result<Content, Trouble> {
        let page = Page::new(input.offset, input.limit)?;
        let place = site.root.place(input.path.as_deref().unwrap_or("."))?;
        let folder = site.root.open_folder(&place)?;
        let (mut names, mut unreadable) = (Vec::new(), 0);
        for entry in folder.entries().map_err(|error| site.root.trouble(&place, &error))? {
            work.stop.check()?;
            match entry.ok().and_then(|entry| entry.file_name().into_string().ok()) {
                Some(name) => names.push(name),
                None => unreadable += 1,
            }
        }
        names.sort_unstable();
        let total = names.len() as u64;
        let (mut entries, mut records, mut has_more, mut bytes) = (Vec::new(), Records::default(), false, 0);
        for (index, name) in (0_u64..).zip(names).skip(usize::try_from(page.offset).unwrap_or(usize::MAX)) {
            work.stop.check()?;
            bytes += name.len() + ENTRY_OVERHEAD_BYTES;
            if index >= page.end() || (bytes > site.limits.listing_bytes && !entries.is_empty()) {
                has_more = true;
                break;
            }
            // An entry that went away meanwhile is of no known kind.
            let metadata = folder.symlink_metadata(&name).ok();
            let kind = metadata.as_ref().map_or("other", |metadata| match metadata.file_type() {
                kind if kind.is_file() => "file",
                kind if kind.is_dir() => "folder",
                kind if kind.is_symlink() => "symlink",
                _ => "other",
            });
            let size = metadata.filter(|metadata| metadata.is_file()).map(|metadata| metadata.len());
            let shown_size = size.map_or_else(|| "-".to_owned(), |size| size.to_string());
            records.push(&format!("{kind} {shown_size} {}", one_line(&name)));
            entries.push(Entry { name, kind, size });
        }
        let next_offset = has_more.then(|| page.offset + entries.len() as u64);
        let mut missing = Vec::new();
        missing.extend(next_offset.map(|next| format!("{total} entries in all; go on with offset {next}")));
        missing.extend((unreadable > 0).then(|| format!("{unreadable} names could not be read")));
        let output = Output { entries, total, complete: !has_more && unreadable == 0, next_offset, has_more, unreadable };
        content(records.finish(&missing), &output)
    }
}
