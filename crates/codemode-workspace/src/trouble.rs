//! Why a tool did not succeed, on its way to being an answer.

use std::borrow::Cow;

use codemode_core::{Answer, Fault, code as core_code};

/// The codes of answers that are the workspace's own. The others are core's: `denied`, `invalid_arguments`, `unknown_tool`, `failed`.
pub mod code {
    /// Nothing of this name is there.
    pub const NOT_FOUND: &str = "not_found";
    /// It is there and is no regular file: a folder, a pipe, a socket or a device.
    pub const NOT_A_FILE: &str = "not_a_file";
    /// It, or a part of the path to it, is there and is no folder.
    pub const NOT_A_FOLDER: &str = "not_a_folder";
    /// The file holds a NUL byte, or is UTF-16: not text that is read here.
    pub const BINARY: &str = "binary";
    /// The file has no NUL byte and is not UTF-8 either.
    pub const NOT_UTF8: &str = "not_utf8";
    /// What was asked for is larger than the limit.
    pub const TOO_LARGE: &str = "too_large";
    /// `start_line` lies past the end of the file.
    pub const OUT_OF_RANGE: &str = "out_of_range";
    /// The text to replace is not in the file.
    pub const TEXT_NOT_FOUND: &str = "text_not_found";
    /// The text to replace is in the file more than once, and only one place was meant.
    pub const TEXT_AMBIGUOUS: &str = "text_ambiguous";
    /// The file changed between reading and writing; it was left as the other writer made it.
    pub const CHANGED: &str = "changed";
    /// The operating system refuses this user.
    pub const PERMISSION: &str = "permission";
    /// The command ended with another status than 0, or by a signal.
    pub const EXIT_STATUS: &str = "exit_status";
    /// The command ran longer than it was given, and was killed.
    pub const TIMEOUT: &str = "timeout";
    /// The call was cancelled; what it had done stays done.
    pub const CANCELLED: &str = "cancelled";
}

/// What a tool ends with when it does not succeed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Trouble {
    /// It ran and reports failure.
    Failed(Fault),
    /// It was refused before anything happened.
    NotRun(Fault),
    /// It broke, and nobody knows how far it came.
    Unknown(Fault),
}

impl Trouble {
    /// A failure that the tool reports.
    pub(crate) fn failed(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::Failed(Fault::new(code, message))
    }

    /// A path that leads out of the root.
    pub(crate) fn denied(message: impl Into<String>) -> Self {
        Self::NotRun(Fault::new(core_code::DENIED, message))
    }

    /// Arguments that the tool cannot use.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::NotRun(Fault::new(core_code::INVALID_ARGUMENTS, message))
    }

    /// What a loop ends with once the call is no longer wanted.
    pub(crate) fn cancelled() -> Self {
        Self::failed(code::CANCELLED, "the call was cancelled before it was done")
    }

    pub(crate) fn fault(&self) -> &Fault {
        match self {
            Self::Failed(fault) | Self::NotRun(fault) | Self::Unknown(fault) => fault,
        }
    }

    pub(crate) fn into_answer(self) -> Answer {
        match self {
            Self::Failed(fault) => Answer::Failed(fault),
            Self::NotRun(fault) => Answer::NotRun(fault),
            Self::Unknown(fault) => Answer::Unknown(fault),
        }
    }
}
