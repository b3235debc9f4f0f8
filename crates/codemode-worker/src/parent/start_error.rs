//! Why a worker process cannot be started.

use crate::wire::FrameError;

/// A worker process cannot be started, or is not what was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot start a worker process: {message}")]
pub struct StartError {
    message: String,
    may_pass: bool,
}

impl StartError {
    /// It is no worker, or lacks what was asked for: so does the next.
    pub(super) fn lasting(message: impl Into<String>) -> Self {
        Self { message: message.into(), may_pass: false }
    }

    /// It died as it began.
    pub(super) fn death(message: impl Into<String>) -> Self {
        Self { message: message.into(), may_pass: true }
    }

    /// Whether another one may do better.
    pub(super) fn may_pass(&self) -> bool {
        self.may_pass
    }
}

impl From<FrameError> for StartError {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Pipe(_) => Self::death(error.to_string()),
            _ => Self::lasting(error.to_string()),
        }
    }
}
