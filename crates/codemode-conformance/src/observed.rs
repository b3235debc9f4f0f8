//! What was observed of one run, in a plain form that can be compared, shown and sent between processes.

use std::collections::BTreeMap;

use codemode_core::{Bound, HostError, Outcome};
use serde::{Deserialize, Serialize};

/// The tool's name under which outcomes are rendered.
pub(crate) const TOOL: &str = "run_code";

/// One run, without what differs from run to run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Observed {
    /// `ok`, a kind, `host-error` where the host was told that it broke, or `dropped`.
    pub(crate) status: String,
    pub(crate) bound: Option<Bound>,
    pub(crate) limit: Option<u64>,
    pub(crate) observed: Option<u64>,
    pub(crate) message: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) traceback: Option<String>,
    pub(crate) fix: Option<String>,
    pub(crate) value: Option<String>,
    /// Whether state was committed; nothing for a profile without state.
    pub(crate) state_committed: Option<bool>,
    /// The state that was committed.
    pub(crate) state: Option<String>,
    pub(crate) output: String,
    /// Bytes of output past the budget.
    pub(crate) dropped: u64,
    /// What was spilled.
    pub(crate) spill: Option<String>,
    pub(crate) effects: Option<String>,
    /// The ledger, one line a call: `tool arguments -> status`.
    pub(crate) calls: Vec<String>,
    /// The calls that the host saw.
    pub(crate) reached: Vec<String>,
    pub(crate) result_bytes: u64,
    pub(crate) warnings: Vec<String>,
    pub(crate) context: Vec<String>,
    pub(crate) changed_paths: Vec<String>,
    /// The binary parts that came with the outcome: `handle type size`.
    pub(crate) content: Vec<String>,
    /// The rendering for a model, `{compute}` in the place of the time.
    pub(crate) text: String,
    /// The rendering as JSON, indented, what differs from run to run in braces.
    pub(crate) json: String,
    /// Files of the folder after the run.
    pub(crate) files: BTreeMap<String, String>,
    /// Threads that were given up on.
    pub(crate) left_behind: usize,
    /// Promises about every outcome that this one breaks.
    pub(crate) broken: Vec<String>,
    /// How long the host waited for it, in milliseconds.
    pub(crate) took_ms: u64,
}

impl Observed {
    /// A run that gave no outcome.
    pub(crate) fn refused(error: &HostError) -> Self {
        Self { status: "host-error".to_owned(), message: Some(error.to_string()), ..Self::default() }
    }

    /// A run whose future was dropped.
    pub(crate) fn dropped() -> Self {
        Self { status: "dropped".to_owned(), ..Self::default() }
    }

    /// A run that ended.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let failure = outcome.failure.as_ref();
        let records = outcome.ledger.records();
        let mut observed = Self {
            status: outcome.status.as_str().to_owned(),
            bound: failure.and_then(|failure| failure.bound),
            limit: failure.and_then(|failure| failure.limit),
            observed: failure.and_then(|failure| failure.observed),
            message: failure.map(|failure| failure.message.clone()),
            line: failure.and_then(|failure| failure.location).map(|location| location.line),
            traceback: failure.and_then(|failure| failure.traceback.clone()),
            fix: failure.and_then(|failure| failure.fix.clone()),
            value: outcome.value.as_ref().map(|value| value.text().to_owned()),
            state_committed: outcome.state_committed,
            state: outcome.state.as_ref().map(|state| state.text().to_owned()),
            output: outcome.output.clone(),
            dropped: outcome.usage.output_dropped_bytes,
            effects: Some(crate::envelope::word(outcome.effects).to_owned()),
            calls: records.iter().map(|record| format!("{} {} -> {}", record.tool, record.arguments, record.status)).collect(),
            result_bytes: outcome.usage.result_bytes,
            warnings: outcome.warnings.clone(),
            context: outcome.context.clone(),
            changed_paths: outcome.changed_paths.clone(),
            content: outcome.content.iter().map(|blob| format!("{} {} {}", blob.handle, blob.media_type, blob.bytes)).collect(),
            text: crate::envelope::steady_text(&outcome.to_text(TOOL)),
            ..Self::default()
        };
        match crate::envelope::steady_json(&outcome.to_json()) {
            Ok(json) => observed.json = json,
            Err(error) => observed.broken.push(format!("the json of the outcome is not valid: {error}")),
        }
        observed.broken.extend(crate::envelope::broken_promises(outcome));
        observed
    }

    /// Every part that is compared, by its name.
    pub(crate) fn parts(&self) -> Vec<(&'static str, String)> {
        fn shown<T: std::fmt::Debug>(value: Option<T>) -> String {
            value.map_or_else(|| "none".to_owned(), |value| format!("{value:?}"))
        }
        fn text(value: Option<&String>) -> String {
            value.cloned().unwrap_or_else(|| "none".to_owned())
        }
        let files: Vec<String> = self.files.iter().map(|(name, content)| format!("{name}: {content}")).collect();
        vec![
            ("status", self.status.clone()),
            ("bound", shown(self.bound)),
            ("limit", shown(self.limit)),
            ("observed", shown(self.observed)),
            ("message", text(self.message.as_ref())),
            ("line", shown(self.line)),
            ("traceback", text(self.traceback.as_ref())),
            ("fix", text(self.fix.as_ref())),
            ("value", text(self.value.as_ref())),
            ("state_committed", shown(self.state_committed)),
            ("state", text(self.state.as_ref())),
            ("output", self.output.clone()),
            ("dropped", self.dropped.to_string()),
            ("spill", text(self.spill.as_ref())),
            ("effects", text(self.effects.as_ref())),
            ("calls", self.calls.join("\n")),
            ("reached", self.reached.join("\n")),
            ("result_bytes", self.result_bytes.to_string()),
            ("warnings", self.warnings.join("\n")),
            ("context", self.context.join("\n")),
            ("changed_paths", self.changed_paths.join("\n")),
            ("content", self.content.join("\n")),
            ("text", self.text.clone()),
            ("json", self.json.clone()),
            ("files", files.join("\n")),
            ("left_behind", self.left_behind.to_string()),
            ("broken promises", self.broken.join("\n")),
        ]
    }
}
