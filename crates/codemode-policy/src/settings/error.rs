//! What is wrong with a settings file, with the file and the line.

use std::fmt;
use std::path::Path;

use codemode_core::text;

/// The most bytes of a path in a message.
const PATH_BYTES: usize = 300;
/// The most bytes of a message without its place.
const MESSAGE_BYTES: usize = 700;

/// What kind of thing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SettingsErrorKind {
    /// The file is not there, cannot be read, is too large or is no UTF-8.
    Unreadable,
    /// It is no TOML.
    Syntax,
    /// It has a key that is no setting.
    UnknownKey,
    /// A setting has a value that it cannot have.
    WrongValue,
    /// The settings do not go together.
    Conflict,
    /// The file cannot be written.
    Unwritable,
}

/// Settings that are of no use. Prints as `FILE:LINE: what was given; what is allowed`, on one line, without values of secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsError {
    /// What kind of thing is wrong.
    pub kind: SettingsErrorKind,
    /// The file, as it is shown: on one line, at most 300 bytes.
    pub file: String,
    /// The line, from 1, where it is about one.
    pub line: Option<usize>,
    /// What was given, what is allowed, what to do: at most 700 bytes.
    pub message: String,
}

impl SettingsError {
    pub(crate) fn new(kind: SettingsErrorKind, path: &Path, line: Option<usize>, message: &str) -> Self {
        let message = text::cut(&text::one_line(message), MESSAGE_BYTES).into_owned();
        Self { kind, file: shown_path(path), line, message }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(formatter, "{}:{line}: {}", self.file, self.message),
            None => write!(formatter, "{}: {}", self.file, self.message),
        }
    }
}

impl std::error::Error for SettingsError {}

/// A path on one line, cut.
pub(crate) fn shown_path(path: &Path) -> String {
    text::cut(&text::one_line(&path.to_string_lossy()), PATH_BYTES).into_owned()
}
