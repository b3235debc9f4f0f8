//! `write_file`: makes a file, or replaces all of it.

use codemode_core::{Annotations, Content, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::limits::Limits;
use crate::replace::replace;
use crate::root::shown;
use crate::tool::{About, FileTool, Site, Work, content};
use crate::trouble::Trouble;

#[derive(Debug)]
pub(crate) struct WriteFile;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    path: String,
    content: String,
    #[serde(default)]
    create_folders: bool,
}

#[derive(Debug, Serialize)]
struct Output {
    path: String,
    bytes: usize,
    created: bool,
}

impl FileTool for WriteFile {
    const NAME: &'static str = "write_file";
    type Input = Input;

    fn spec(_limits: &Limits) -> ToolSpec {
        About {
            name: Self::NAME,
            title: "Write a file",
            description: "Makes a file of the workspace with this content, or replaces all that was in it, in one step that no reader sees half done. \
                          The folders above it must exist unless create_folders is true. A symbolic link is written through where it stays in the \
                          workspace. Gives {path, bytes, created}; as text a sentence. To change a part of a file use edit_file."
                .to_owned(),
            input: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Path of the file, relative to the workspace root"},
                    "content": {"type": "string", "description": "All of the file's new text"},
                    "create_folders": {"type": "boolean", "description": "Make the folders above the file where they are missing"},
                },
                "required": ["path", "content"],
                "additionalProperties": false,
            }),
            output: Some(json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Where it was written, relative to the workspace root, links resolved"},
                    "bytes": {"type": "integer", "description": "The file's size now"},
                    "created": {"type": "boolean", "description": "There was no such file before"},
                },
                "required": ["path", "bytes", "created"],
            })),
            annotations: Annotations {
                read_only: Some(false),
                destructive: Some(true),
                idempotent: Some(true),
                edits_files: Some(true),
                parallel: Some(false),
                ..Annotations::default()
            },
        }
        .into_spec()
    }

    fn run(site: &Site, input: Input, work: &Work) -> Result<Content, Trouble> {
        let place = site.root.place(&input.path)?;
        let target = site.root.target(&place, input.create_folders)?;
        work.stop.check()?;
        replace(&site.root, &place, &target, input.content.as_bytes())?;
        let path = target.path.to_string_lossy().into_owned();
        work.changed(&path);
        let (bytes, created) = (input.content.len(), target.existing.is_none());
        let text = format!("{} {} ({bytes} bytes)", if created { "created" } else { "replaced" }, shown(&path));
        content(text, &Output { path, bytes, created })
    }
}
