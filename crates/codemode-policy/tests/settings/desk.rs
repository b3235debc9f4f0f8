//! A user's and a project's settings file in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};

use codemode_policy::{LoadOptions, Loaded, Trust, load};
use tempfile::TempDir;

pub(crate) struct Desk {
    folder: TempDir,
    named: Vec<PathBuf>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for inner in ["user", "project", "state"] {
            fs::create_dir(folder.path().join(inner)).expect("a folder within");
        }
        Self { folder, named: Vec::new() }
    }

    pub(crate) fn user(self, text: &str) -> Self {
        fs::write(self.user_file(), text).expect("the user's file");
        self
    }

    pub(crate) fn project(self, text: &str) -> Self {
        fs::write(self.project_file(), text).expect("the project's file");
        self
    }

    /// A file that is named on the command line.
    pub(crate) fn named(mut self, name: &str, text: &str) -> Self {
        let path = self.path().join(name);
        fs::write(&path, text).expect("the named file");
        self.named.push(path);
        self
    }

    pub(crate) fn name(mut self, path: PathBuf) -> Self {
        self.named.push(path);
        self
    }

    /// The project's file is trusted as it is.
    pub(crate) fn trusted(self) -> Self {
        let content = fs::read(self.project_file()).expect("the project's file");
        self.trust().trust(&self.project_file(), &content).expect("the list can be written");
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn user_file(&self) -> PathBuf {
        self.path().join("user/codemode.toml")
    }

    pub(crate) fn project_file(&self) -> PathBuf {
        self.path().join("project/codemode.toml")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path().join("state")
    }

    pub(crate) fn trust(&self) -> Trust {
        Trust::new(self.state())
    }

    /// The loaded settings, or the message with this folder left out of it.
    pub(crate) fn load(&self) -> Result<Loaded, String> {
        let trust = self.trust();
        let options =
            LoadOptions { user: Some(self.user_file()), project: Some(self.project_file()), extra: self.named.clone(), trust: &trust };
        load(&options).map_err(|error| self.shown(&error.to_string()))
    }

    pub(crate) fn loaded(&self) -> Loaded {
        self.load().expect("settings of use")
    }

    /// The warnings, with this folder left out of them.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.loaded().warnings.iter().map(|warning| self.shown(warning)).collect()
    }

    pub(crate) fn shown(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.path().display()), "")
    }
}

/// The names of a list.
pub(crate) fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}
