//! Run events: what a live display or a trace needs.

use std::time::Duration;

use crate::call::RunId;
use crate::json::Json;
use crate::ledger::CallStatus;
use crate::outcome::Outcome;

/// Something that happened in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run began.
    Started {
        /// The run.
        run: &'a RunId,
        /// The engine's id.
        engine: &'static str,
        /// The profile's name.
        profile: &'static str,
    },
    /// A call was dispatched.
    CallStarted {
        /// Its place in the ledger.
        seq: u64,
        /// The tool's raw name.
        tool: &'a str,
        /// Its arguments.
        arguments: &'a Json,
    },
    /// A dispatched call has its answer.
    CallFinished {
        /// Its place in the ledger.
        seq: u64,
        /// The tool's raw name.
        tool: &'a str,
        /// How it ended.
        status: CallStatus,
        /// The size of its answer.
        bytes: u64,
        /// How long it took.
        took: Duration,
    },
    /// The program printed, and this was kept.
    Printed {
        /// What was kept.
        text: &'a str,
    },
    /// The run ended.
    Ended {
        /// All of it.
        outcome: &'a Outcome,
    },
}

/// Sees what happens in a run, while it happens. Called from several threads; must not block.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn event(&self, event: &Event<'_>);
}
