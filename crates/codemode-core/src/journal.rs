//! The journal's callbacks and the recorder: what a run leaves for recovery and replay.

use async_trait::async_trait;

use crate::call::RunId;
use crate::handle::{Ask, CallId, Delivered, Next};
use crate::json::Json;
use crate::outcome::Outcome;

/// The journal could not write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("journal: {0}")]
pub struct JournalError(
    /// What went wrong.
    pub String,
);

/// A run that begins.
#[derive(Debug, Clone)]
pub struct RunStart {
    /// The run.
    pub run: RunId,
    /// The engine's id.
    pub engine: &'static str,
    /// The profile's name.
    pub profile: &'static str,
    /// The program.
    pub source: std::sync::Arc<str>,
    /// Why it is run.
    pub intent: Option<String>,
}

/// Room left in the journal, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Used by this run.
    pub run_used: u64,
    /// The run's limit.
    pub run_limit: u64,
    /// Used by the session.
    pub session_used: u64,
    /// The session's limit.
    pub session_limit: u64,
}

/// What the driver tells a journal, and waits for.
#[async_trait]
pub trait Journal: Send + Sync {
    /// A run begins; gives the committed state of its session, if there is one.
    ///
    /// # Errors
    /// When it cannot be recorded: then the run does not start.
    async fn run_started(&self, start: &RunStart) -> Result<Option<Json>, JournalError>;

    /// State is committed.
    ///
    /// # Errors
    /// When it cannot be recorded: then it is not committed.
    async fn committed(&self, run: &RunId, state: &Json) -> Result<(), JournalError>;

    /// A run ended. Not called when the run's future was dropped: recovery reports that.
    ///
    /// # Errors
    /// When it cannot be recorded: the outcome then carries a warning.
    async fn run_ended(&self, outcome: &Outcome) -> Result<(), JournalError>;

    /// The room that is left, where it is bounded.
    fn room(&self) -> Option<Room>;
}

/// Whether an ask is answered from a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replayed {
    /// It goes to the host.
    Live,
    /// It was answered before.
    Answer(Delivered),
}

/// Sees every ask and every delivery of a run, in order.
pub trait Recorder: Send + Sync {
    /// The program asks.
    fn asked(&self, id: CallId, ask: &Ask) -> Replayed;

    /// The program is about to see this.
    fn delivered(&self, next: &Next);
}
