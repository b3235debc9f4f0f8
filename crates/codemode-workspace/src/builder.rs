//! Making a workspace: its root, its limits, and whether it runs commands.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::command::{Confinement, execute_confinement};
use crate::limits::Limits;
use crate::root::Root;
use crate::tool::Site;
use crate::tools::execute::Execute;
use crate::workspace::Workspace;

/// Why there is no workspace.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// A folder cannot be opened.
    #[error("the folder {} cannot be opened: {source}", path.display())]
    Folder {
        /// The folder, as it was given.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A limit is out of its range.
    #[error("{name} is {value}; {range} is allowed")]
    Limit {
        /// The limit's name.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is allowed.
        range: String,
    },
    /// Confinement was required, and this machine has none.
    #[error("commands cannot be confined here ({reason}); use a machine with Landlock, or do not require it")]
    Unconfined {
        /// Why not.
        reason: String,
    },
    /// The shell is not there.
    #[error("there is no shell {}; name one that exists", path.display())]
    Shell {
        /// The shell, as it was given.
        path: PathBuf,
    },
    /// Two tools of one name: a mistake of ours.
    #[error(transparent)]
    Catalog(#[from] codemode_core::DuplicateTool),
}

/// Makes a [`Workspace`].
#[derive(Debug, Clone)]
pub struct WorkspaceBuilder {
    root: PathBuf,
    limits: Limits,
    execute: bool,
    require_confinement: bool,
    shell: PathBuf,
    writable: Vec<PathBuf>,
}

impl WorkspaceBuilder {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            limits: Limits::default(),
            execute: false,
            require_confinement: false,
            shell: PathBuf::from("/bin/sh"),
            writable: Vec::new(),
        }
    }

    /// Sets sizes and times.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Whether there is a tool that runs shell commands. Default: no.
    #[must_use]
    pub fn execute(mut self, execute: bool) -> Self {
        self.execute = execute;
        self
    }

    /// Whether building fails where commands would run unconfined. Default: no.
    #[must_use]
    pub fn require_confinement(mut self, require: bool) -> Self {
        self.require_confinement = require;
        self
    }

    /// The program that gets `-c` and a command. Default: `/bin/sh`.
    #[must_use]
    pub fn shell(mut self, shell: impl Into<PathBuf>) -> Self {
        self.shell = shell.into();
        self
    }

    /// Lets commands write beneath one more folder, such as a build tool's cache. The file tools do not reach it.
    #[must_use]
    pub fn execute_writable(mut self, folder: impl Into<PathBuf>) -> Self {
        self.writable.push(folder.into());
        self
    }

    /// Opens the root.
    ///
    /// # Errors
    /// When a folder cannot be opened, a limit is out of its range, the shell is not there, or confinement was required and there is none.
    pub fn build(self) -> Result<Workspace, WorkspaceError> {
        self.limits.check()?;
        let root = Root::open(&self.root).map_err(|source| WorkspaceError::Folder { path: self.root.clone(), source })?;
        let execute = if self.execute { Some(self.execute_tool()?) } else { None };
        Ok(Workspace::assemble(Site { root, limits: self.limits }, execute)?)
    }

    fn execute_tool(&self) -> Result<Execute, WorkspaceError> {
        if !self.shell.is_file() {
            return Err(WorkspaceError::Shell { path: self.shell.clone() });
        }
        let confinement = execute_confinement();
        if let (true, Confinement::None { reason }) = (self.require_confinement, &confinement) {
            return Err(WorkspaceError::Unconfined { reason: reason.clone() });
        }
        let open = |path: &PathBuf| {
            Dir::open_ambient_dir(path, ambient_authority()).map_err(|source| WorkspaceError::Folder { path: path.clone(), source })
        };
        let writable = self.writable.iter().map(open).collect::<Result<_, _>>()?;
        Ok(Execute { shell: self.shell.clone(), writable, confinement })
    }
}
