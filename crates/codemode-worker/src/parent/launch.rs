//! Which process to start as a worker.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// A program whose `main` calls [`crate::serve`], and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Launch {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl Launch {
    /// This program, given `argument` so that it serves. The binary that is running now is meant, even if another has taken its place.
    ///
    /// # Errors
    /// When the system does not tell which program this is.
    pub fn this_program(argument: impl Into<OsString>) -> io::Result<Self> {
        let program = if cfg!(target_os = "linux") { PathBuf::from("/proc/self/exe") } else { std::env::current_exe()? };
        Ok(Self { program, arguments: vec![argument.into()] })
    }

    /// Another program.
    #[must_use]
    pub fn program(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: Vec::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// The program, in messages.
    pub(super) fn shown(&self) -> String {
        super::process::shown(&self.program.display().to_string())
    }

    pub(super) fn path(&self) -> &Path {
        &self.program
    }

    pub(super) fn arguments(&self) -> &[OsString] {
        &self.arguments
    }
}
