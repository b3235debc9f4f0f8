//! The outcome: everything a run gives back, and its JSON form.

use std::time::Duration;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::answer::Blob;
use crate::call::RunId;
use crate::engine::Location;
use crate::evidence::Evidence;
use crate::json::Json;
use crate::kind::{Bound, FailureKind};
use crate::ledger::{CallRecord, Effects, Ledger};
use crate::text::cut;

/// The most calls that JSON and text show; the whole ledger is on [`Outcome`].
pub const SHOWN_CALLS: usize = 100;
/// The most bytes of one call's arguments that JSON and text show.
pub const SHOWN_ARGUMENTS_BYTES: usize = 512;
/// The most binary parts that one outcome gives back.
pub const SHOWN_BLOBS: usize = 100;
/// The most bytes of a failure's message that are kept (2,048 characters would be more in some scripts).
pub const MESSAGE_BYTES: usize = 2048;
/// The most bytes of a traceback that are kept.
pub const TRACEBACK_BYTES: usize = 4096;

/// How a run ended: well, or with this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The program came to its end and no bound fired.
    Ok,
    /// It did not.
    Failed(FailureKind),
}

impl Status {
    /// The status's word: `ok`, or the kind's.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed(kind) => kind.as_str(),
        }
    }
}

/// Why a run did not end well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// What happened; at most [`MESSAGE_BYTES`].
    pub message: String,
    /// The traceback; at most [`TRACEBACK_BYTES`].
    pub traceback: Option<String>,
    /// Where in the program.
    pub location: Option<Location>,
    /// The bound that fired, if one did: it tells the compute budget from the wall clock.
    pub bound: Option<Bound>,
    /// The limit that was passed, in the bound's unit.
    pub limit: Option<u64>,
    /// What was observed when it was passed.
    pub observed: Option<u64>,
    /// How to mend it, where the host can know.
    pub fix: Option<String>,
}

/// What a run used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Time that the program did not wait.
    pub compute: Duration,
    /// What the processor spent on it, where the program had a process of its own: less than `compute` on a busy machine.
    pub processor: Option<Duration>,
    /// Time from start to end.
    pub wall: Duration,
    /// The most memory held, in bytes.
    pub memory_peak_bytes: u64,
    /// Calls dispatched.
    pub calls: u64,
    /// Results delivered, in bytes.
    pub result_bytes: u64,
    /// Output held, in bytes.
    pub output_bytes: u64,
    /// Output dropped past the budget, in bytes; at least, since what cannot be held need not be made.
    pub output_dropped_bytes: u64,
}

/// Everything a run gives back.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What the program returned, where its profile gives that back as a value.
    pub value: Option<Json>,
    /// What the program printed, as far as it was held.
    pub output: String,
    /// The most bytes of output that are shown.
    pub shown_bytes: u64,
    /// Why it did not end well.
    pub failure: Option<Failure>,
    /// Whether anything that could change the world was started.
    pub effects: Effects,
    /// Every dispatched call.
    pub ledger: Ledger,
    /// What it used.
    pub usage: Usage,
    /// What the reader should know.
    pub warnings: Vec<String>,
    /// Where all that was held is, if only a part is shown.
    pub spill: Option<String>,
    /// Whether state was committed; absent for a profile without state.
    pub state_committed: Option<bool>,
    /// The state after the run, where it was committed.
    pub state: Option<Json>,
    /// The run.
    pub run: RunId,
    /// The engine's id.
    pub engine: &'static str,
    /// The profile's name.
    pub profile: &'static str,
    /// Why it was run.
    pub intent: Option<String>,
    /// For the model, after the outcome, in order.
    pub context: Vec<String>,
    /// The binary parts of results that the program gave back by their handles, in order, each once; at most [`SHOWN_BLOBS`].
    pub content: Vec<Blob>,
    /// Paths that calls said they changed: the first 50 of them, each once. What a command or another machine changed may not be
    /// among them.
    pub changed_paths: Vec<String>,
    /// How many different paths calls said they changed; at most 1,000 are counted.
    pub changed_paths_count: usize,
    /// Whether there are more than were counted.
    pub changed_paths_incomplete: bool,
}

impl Outcome {
    /// Whether the run ended well.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.status == Status::Ok
    }

    /// The kind of failure, if it failed.
    #[must_use]
    pub fn kind(&self) -> Option<FailureKind> {
        self.failure.as_ref().map(|failure| failure.kind)
    }

    /// The part of the output that is shown.
    #[must_use]
    pub fn shown_output(&self) -> &str {
        crate::text::prefix(&self.output, usize::try_from(self.shown_bytes).unwrap_or(usize::MAX))
    }

    /// The outcome as compact JSON, keys in their documented order.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Every part writes itself and no map has a key that is not text, so that this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Whole milliseconds, rounded up, so that what took time never reads as none.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (calls, omitted) = self.ledger.sample(SHOWN_CALLS);
        let calls: Vec<_> = calls.into_iter().map(ShownCall).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("status", self.status.as_str())?;
        map.serialize_entry("value", &self.value)?;
        map.serialize_entry("output", self.shown_output())?;
        map.serialize_entry("failure", &self.failure)?;
        map.serialize_entry("effects", &self.effects)?;
        map.serialize_entry("calls", &calls)?;
        map.serialize_entry("calls_omitted", &omitted)?;
        map.serialize_entry("usage", &self.usage)?;
        map.serialize_entry("warnings", &self.warnings)?;
        map.serialize_entry("spill", &self.spill)?;
        map.serialize_entry("state_committed", &self.state_committed)?;
        map.serialize_entry("run", &self.run)?;
        map.serialize_entry("engine", self.engine)?;
        map.serialize_entry("profile", self.profile)?;
        map.serialize_entry("intent", &self.intent.as_ref().map(|intent| cut(intent, MESSAGE_BYTES)))?;
        map.serialize_entry("evidence", &Evidence::of(self))?;
        map.serialize_entry("recovery", &self.recovery())?;
        map.serialize_entry("context", &self.context)?;
        map.serialize_entry("content", &self.content)?;
        map.serialize_entry("parked", &None::<String>)?;
        map.end()
    }
}

impl Outcome {
    /// What to do after a failure, in one sentence; nothing where the run ended well.
    #[must_use]
    pub fn recovery(&self) -> Option<String> {
        let kind = self.kind()?;
        let effects = match self.effects {
            Effects::None => "no call that could change anything was started, so that running it again is safe",
            Effects::Some => "calls that already ran stay applied; look at them before running it again",
            Effects::Unknown => "it touched raw functions that no ledger covers; look at what changed before running it again",
        };
        Some(format!("{}; {effects}", kind.advice()))
    }
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(8))?;
        map.serialize_entry("kind", &self.kind)?;
        map.serialize_entry("message", &self.message)?;
        map.serialize_entry("traceback", &self.traceback)?;
        map.serialize_entry("location", &self.location)?;
        map.serialize_entry("limit", &self.limit)?;
        map.serialize_entry("observed", &self.observed)?;
        map.serialize_entry("fix", &self.fix)?;
        map.serialize_entry("bound", &self.bound)?;
        map.end()
    }
}

impl Serialize for Usage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(7 + usize::from(self.processor.is_some())))?;
        map.serialize_entry("compute_ms", &millis(self.compute))?;
        map.serialize_entry("wall_ms", &millis(self.wall))?;
        map.serialize_entry("memory_peak_bytes", &self.memory_peak_bytes)?;
        map.serialize_entry("calls", &self.calls)?;
        map.serialize_entry("result_bytes", &self.result_bytes)?;
        map.serialize_entry("output_bytes", &self.output_bytes)?;
        map.serialize_entry("output_dropped_bytes", &self.output_dropped_bytes)?;
        if let Some(processor) = self.processor {
            map.serialize_entry("processor_ms", &millis(processor))?;
        }
        map.end()
    }
}

/// A call as JSON shows it: arguments as JSON where they are short, else as cut text.
struct ShownCall<'a>(&'a CallRecord);

impl Serialize for ShownCall<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = self.0;
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("seq", &record.seq)?;
        map.serialize_entry("tool", &*cut(&record.tool, 200))?;
        if record.arguments.bytes() <= SHOWN_ARGUMENTS_BYTES {
            map.serialize_entry("arguments", &record.arguments)?;
        } else {
            map.serialize_entry("arguments", &*cut(record.arguments.text(), SHOWN_ARGUMENTS_BYTES))?;
        }
        map.serialize_entry("status", &record.status)?;
        map.serialize_entry("bytes", &record.bytes)?;
        map.serialize_entry("ms", &millis(record.took))?;
        map.end()
    }
}
