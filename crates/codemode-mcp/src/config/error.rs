//! Why a whole file gave no servers.

use std::fmt;

/// A configuration file that could not be read at all.
///
/// What is wrong with one server of a file is a warning of [`Read`](super::Read) instead, and the others work.
/// The message is at most 1,024 bytes, on one line, and shows nothing of what the file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    message: String,
}

impl ConfigError {
    pub(super) fn new(place: &str, what: &str) -> Self {
        let message = format!("{place}: {what}");
        Self { message: codemode_core::text::cut(&codemode_core::text::one_line(&message), 1024).into_owned() }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ConfigError {}
