//! How the command ends: its exit codes, and the errors that are the user's to mend.

use std::fmt;
use std::process::ExitCode;

use codemode::{FailureKind, Outcome};

/// How the command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well.
    Ok,
    /// The program failed: the outcome says how.
    Failed,
    /// Bad usage or configuration, or the runtime itself broke: standard error says what.
    Usage,
    /// The user stopped it.
    Interrupted,
}

impl Exit {
    /// The exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Interrupted => 130,
        }
    }

    /// How the command ends after a run with this outcome.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match outcome.kind() {
            None => Self::Ok,
            Some(FailureKind::Interrupted) => Self::Interrupted,
            Some(_) => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// What kept the command from doing what it was asked for: what was given, what is allowed, what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CliError(String);

impl CliError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// An error of a library of ours, whose message is complete.
    pub(crate) fn of(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for CliError {}
