//! A workspace over a folder of its own, and answers in a form that tests can compare whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use codemode_core::{Answer, Call, CallContext, Fault, Json, Note, ToolHost, ToolSpec};
use codemode_testbed::Notes;
use codemode_workspace::{Workspace, WorkspaceBuilder};
use serde_json::Value;

/// A folder with a workspace in it, and things outside of it.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
    pub(crate) workspace: Workspace,
    notes: Arc<Notes>,
}

/// What a failed or refused call says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Failed(String, String),
    NotRun(String, String),
    Other(String),
}

pub(crate) fn failed(code: &str, message: &str) -> Told {
    Told::Failed(code.to_owned(), message.to_owned())
}

pub(crate) fn not_run(code: &str, message: &str) -> Told {
    Told::NotRun(code.to_owned(), message.to_owned())
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(|builder| builder)
    }

    /// With settings; the root is the folder `root` in a temporary one.
    pub(crate) fn with(set: impl FnOnce(WorkspaceBuilder) -> WorkspaceBuilder) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join("root")).expect("a folder in it");
        let workspace = set(Workspace::builder(folder.path().join("root"))).build().expect("a workspace");
        Self { folder, workspace, notes: Notes::new() }
    }

    pub(crate) fn root(&self) -> &Path {
        self.workspace.root()
    }

    /// A path beside the root.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file beneath the root, with the folders above it.
    pub(crate) fn put(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().expect("a file beneath the root")).expect("its folder");
        std::fs::write(path, bytes).expect("the file");
        self
    }

    pub(crate) fn get(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).expect("a text file")
    }

    pub(crate) fn tool(&self, name: &str) -> Arc<ToolSpec> {
        let catalog = self.workspace.catalog();
        catalog.get(name).cloned().unwrap_or_else(|| Arc::new(ToolSpec::new(name)))
    }

    pub(crate) fn context(&self, tool: &str) -> CallContext {
        self.notes.context(tool)
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        let arguments = Json::from_value(arguments).expect("json that is not deep");
        self.workspace.call(&self.context(tool), Call { tool: self.tool(tool), arguments }).await
    }

    /// The text of a call that succeeds.
    pub(crate) async fn text(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments).await {
            Answer::Succeeded(content) => content.as_text().into_owned(),
            other => panic!("{tool} did not succeed: {other:?}"),
        }
    }

    /// The structured content of a call that succeeds.
    pub(crate) async fn data(&self, tool: &str, arguments: Value) -> Value {
        match self.call(tool, arguments).await {
            Answer::Succeeded(content) => content.structured.expect("structured content").tree().clone(),
            other => panic!("{tool} did not succeed: {other:?}"),
        }
    }

    /// What a call that does not succeed says.
    pub(crate) async fn told(&self, tool: &str, arguments: Value) -> Told {
        told(self.call(tool, arguments).await)
    }

    pub(crate) fn changed_paths(&self) -> Vec<String> {
        self.notes.all().into_iter().filter_map(|note| if let Note::ChangedPath(path) = note { Some(path) } else { None }).collect()
    }
}

pub(crate) fn told(answer: Answer) -> Told {
    let words = |fault: Fault| (fault.code.into_owned(), fault.message);
    match answer {
        Answer::Failed(fault) => {
            let (code, message) = words(fault);
            Told::Failed(code, message)
        }
        Answer::NotRun(fault) => {
            let (code, message) = words(fault);
            Told::NotRun(code, message)
        }
        other => Told::Other(format!("{other:?}")),
    }
}
