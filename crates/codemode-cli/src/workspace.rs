//! The tools that a program gets: which, and over which folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use codemode::{Catalog, ClosureHost, ToolHost};
use codemode_workspace::Workspace;

use crate::exit::CliError;
use crate::servers::absolute;
use crate::source::shown;

/// The tool for shell commands, which is there only where it was asked for.
pub(crate) const EXECUTE: &str = "execute";

/// The folder and the tools over it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Tools")]
pub(crate) struct WorkspaceArgs {
    /// The folder that the tools are confined to, and where the program's relative paths begin
    #[arg(long, value_name = "DIR", default_value = ".", global = true, value_hint = clap::ValueHint::DirPath)]
    root: PathBuf,

    /// The tools: `workspace` (files), `workspace,execute` (and shell commands), or `none`
    #[arg(long, value_name = "TOOLS", default_value = "workspace", global = true, value_parser = parse_tools)]
    tools: ToolSet,
}

/// Which tools there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolSet {
    /// None.
    None,
    /// Those that work on files.
    Files,
    /// Those, and `execute`.
    FilesAndExecute,
}

impl WorkspaceArgs {
    /// The same root with other tools.
    pub(crate) fn with_tools(&self, tools: ToolSet) -> Self {
        Self { root: self.root.clone(), tools }
    }

    /// Which tools there are.
    pub(crate) fn tools(&self) -> ToolSet {
        self.tools
    }

    /// What brings the tool of this name, where it is one that was not asked for.
    pub(crate) fn what_brings(&self, name: &str) -> Option<&'static str> {
        (name == EXECUTE && self.tools != ToolSet::FilesAndExecute).then_some("it comes with --tools workspace,execute")
    }

    /// Whether another root than the working directory was named.
    pub(crate) fn has_root(&self) -> bool {
        self.root != Path::new(".")
    }

    /// The same flags as arguments of another start of the command, in another folder, where no tools are the default.
    pub(crate) fn as_arguments(&self) -> Result<Vec<String>, CliError> {
        let mut arguments = Vec::new();
        if self.has_root() {
            arguments.extend(["--root".to_owned(), absolute(&self.root)?]);
        }
        let tools = match self.tools {
            ToolSet::None => return Ok(arguments),
            ToolSet::Files => "workspace",
            ToolSet::FilesAndExecute => "workspace,execute",
        };
        arguments.extend(["--tools".to_owned(), tools.to_owned()]);
        Ok(arguments)
    }

    /// Opens the root and makes the host of the tools.
    pub(crate) fn host(&self) -> Result<Arc<dyn ToolHost>, CliError> {
        match self.tools {
            // Without tools nothing is called, so that the closure never runs.
            ToolSet::None => Ok(Arc::new(ClosureHost::new(Catalog::default(), |name, _| Err(format!("there is no tool {name}"))))),
            ToolSet::Files => self.open(false),
            ToolSet::FilesAndExecute => self.open(true),
        }
    }

    /// The root: absolute, without symbolic links.
    pub(crate) fn absolute_root(&self) -> Result<PathBuf, CliError> {
        let root = self.root.canonicalize().map_err(|error| self.cannot_open(&error))?;
        if root.is_dir() { Ok(root) } else { Err(CliError::new(format!("--root {} is no folder; name one", shown(&self.root)))) }
    }

    /// Makes the root the working directory, so that relative paths mean the same to the tools, to the servers that are started
    /// and to the program's own functions.
    pub(crate) fn enter(&self) -> Result<PathBuf, CliError> {
        let root = self.absolute_root()?;
        std::env::set_current_dir(&root).map_err(|error| CliError::new(format!("cannot work in the folder {}: {error}", shown(&root))))?;
        Ok(root)
    }

    fn open(&self, execute: bool) -> Result<Arc<dyn ToolHost>, CliError> {
        // Looked at first for a message that names the flag.
        self.absolute_root()?;
        let workspace = Workspace::builder(&self.root).execute(execute).build().map_err(CliError::of)?;
        Ok(Arc::new(workspace))
    }

    fn cannot_open(&self, error: &std::io::Error) -> CliError {
        CliError::new(format!("--root {} cannot be opened: {error}; name a folder that exists and can be read", shown(&self.root)))
    }
}

fn parse_tools(text: &str) -> Result<ToolSet, String> {
    let mut names: Vec<&str> = text.split(',').map(str::trim).collect();
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        ["none"] => Ok(ToolSet::None),
        ["workspace"] => Ok(ToolSet::Files),
        ["execute", "workspace"] => Ok(ToolSet::FilesAndExecute),
        ["execute"] => Err("execute comes with the file tools; write workspace,execute".to_owned()),
        _ => Err("the tools are workspace, workspace,execute or none".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_named_in_any_order() {
        assert_eq!(parse_tools("workspace"), Ok(ToolSet::Files));
        assert_eq!(parse_tools("execute, workspace"), Ok(ToolSet::FilesAndExecute));
        assert_eq!(parse_tools("none"), Ok(ToolSet::None));
        assert_eq!(parse_tools("execute"), Err("execute comes with the file tools; write workspace,execute".to_owned()));
        for wrong in ["", "all", "none,workspace", "workspace,mcp"] {
            assert_eq!(parse_tools(wrong), Err("the tools are workspace, workspace,execute or none".to_owned()), "{wrong:?}");
        }
    }

    #[test]
    fn a_root_that_cannot_be_opened_is_named_with_its_flag() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        std::fs::write(&file, "").expect("written");
        let args = |root: PathBuf| WorkspaceArgs { root, tools: ToolSet::Files };
        let message = |root: PathBuf| args(root).host().err().map(|error| error.to_string());
        assert_eq!(message(folder.path().to_owned()), None);
        assert_eq!(message(file.clone()), Some(format!("--root \"{}\" is no folder; name one", file.display())));
        let none = folder.path().join("none");
        assert_eq!(
            message(none.clone()),
            Some(format!(
                "--root \"{}\" cannot be opened: No such file or directory (os error 2); name a folder that exists and can be read",
                none.display()
            ))
        );
    }
}
