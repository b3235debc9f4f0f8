//! A call on its way through the layers, and what surrounds it.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::json::Json;
use crate::kind::Bound;
use crate::tool::ToolSpec;

/// The name of one run: unique, sortable by time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(Arc<str>);

impl RunId {
    /// A name that no other run has (a version 7 UUID, RFC 9562).
    #[must_use]
    pub fn fresh() -> Self {
        Self(Arc::from(uuid::Uuid::now_v7().simple().to_string()))
    }

    /// A name that was given before.
    #[must_use]
    pub fn from_text(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One use of one tool.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool.
    pub tool: Arc<ToolSpec>,
    /// One JSON object. A hook may have rewritten it.
    pub arguments: Json,
}

/// What surrounds a call: who asks, on whose behalf, until when.
#[derive(Clone)]
pub struct CallContext {
    /// The run that asks; absent for a direct call.
    pub run: Option<RunId>,
    /// The session that the run belongs to.
    pub session: Option<Arc<str>>,
    /// The turn of the agent that started the run.
    pub parent_turn: Option<Arc<str>>,
    /// The call's place in the ledger, counted from 1; zero for a direct call.
    pub seq: u64,
    /// Why, in the program's words.
    pub intent: Option<Arc<str>>,
    /// The tool's raw name.
    pub tool: Arc<str>,
    /// When the call's own time is up. It begins when the call reaches its tool: a layer above sees none.
    pub deadline: Option<Instant>,
    /// Cancelled when the run stops.
    pub cancelled: CancellationToken,
    /// How a layer acts on the run.
    pub control: Arc<dyn Control>,
}

impl CallContext {
    /// The context of a call that no run makes: it cannot be stopped but by its caller.
    #[must_use]
    pub fn direct(tool: impl Into<Arc<str>>) -> Self {
        Self {
            run: None,
            session: None,
            parent_turn: None,
            seq: 0,
            intent: None,
            tool: tool.into(),
            deadline: None,
            cancelled: CancellationToken::new(),
            control: Arc::new(NoRun),
        }
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CallContext")
            .field("run", &self.run)
            .field("seq", &self.seq)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

/// What a layer may do to the run that a call belongs to.
#[async_trait]
pub trait Control: Send + Sync {
    /// Latches a bound; `why` becomes the failure's message.
    fn stop(&self, bound: Bound, why: String);

    /// Puts something on record for the outcome.
    fn note(&self, note: Note);

    /// Sets the run aside until a person has decided. Resolves on resume.
    async fn park(&self, request: ParkRequest) -> Decision;
}

/// Something for the outcome that is not part of any answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The reader should know.
    Warning(String),
    /// For the model, after the outcome, in order.
    Context(String),
    /// A path that a call changed.
    ChangedPath(String),
    /// How far a call is.
    Progress(String),
}

/// What a person is asked while the run is set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParkRequest {
    /// The question.
    pub question: String,
    /// The tool in question.
    pub tool: Arc<str>,
    /// Its arguments.
    pub arguments: Json,
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Go on.
    Allowed,
    /// Go on, and with every such call of this run.
    AllowedForRun,
    /// Do not.
    Denied {
        /// Why.
        reason: String,
    },
    /// Nobody can be asked here: the host parks no runs.
    Unparkable,
}

/// The control of a call that no run makes.
struct NoRun;

#[async_trait]
impl Control for NoRun {
    fn stop(&self, _bound: Bound, _why: String) {}

    fn note(&self, _note: Note) {}

    async fn park(&self, _request: ParkRequest) -> Decision {
        Decision::Unparkable
    }
}
