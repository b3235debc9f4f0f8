//! Hints: when a host may suggest to its model that it batch its direct calls in a program.

use std::collections::HashMap;
use std::sync::Arc;

use codemode_core::{ToolSpec, text};
use serde::{Deserialize, Serialize};

/// So many calls of mechanical tools in a turn.
const MECHANICAL_CALLS: usize = 6;
/// So many calls of one mechanical tool in a turn.
const CALLS_OF_ONE_TOOL: usize = 4;
/// So many bytes of output of direct calls in a turn.
const OUTPUT_BYTES: usize = 65_536;
/// The most bytes of a tool's name in a hint.
const NAME_BYTES: usize = 120;

/// Counts a turn's direct calls, and says when there is something to suggest.
///
/// There is at most one hint a turn, and none once the model has used code mode.
/// A mechanical tool is one annotated as read-only or as editing files, and any tool of a server.
#[derive(Debug, Clone)]
pub struct Hints {
    enabled: bool,
    turn: Turn,
}

/// What happened in a turn.
#[derive(Debug, Clone, Default)]
struct Turn {
    mechanical: usize,
    by_tool: HashMap<Arc<str>, usize>,
    output_bytes: usize,
    hinted: bool,
}

/// A suggestion to the model: a message of its own, which the host records beside the results. No result is changed by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hint {
    /// Why it is given.
    pub reason: HintReason,
    /// What the model reads: one line, at most 400 bytes.
    pub message: String,
}

/// Why a hint is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HintReason {
    /// So many calls of mechanical tools.
    MechanicalCalls(usize),
    /// So many calls of one mechanical tool.
    CallsOfOneTool {
        /// The tool's raw name.
        tool: Arc<str>,
        /// How many.
        calls: usize,
    },
    /// So many bytes of output.
    OutputBytes(usize),
}

impl Hints {
    /// Hints, or none at all: a host gives them where code mode is offered to the agent and `nudges_enabled` is on.
    #[must_use]
    pub fn new(enabled: bool) -> Self {
        Self { enabled, turn: Turn::default() }
    }

    /// A turn begins: counts begin anew.
    pub fn turn_started(&mut self) {
        self.turn = Turn::default();
    }

    /// The model used code mode, and so knows it: no hint from now on.
    pub fn code_mode_used(&mut self) {
        self.enabled = false;
    }

    /// A direct call is done and gave `output_bytes` bytes; perhaps there is something to suggest.
    pub fn direct_call(&mut self, tool: &ToolSpec, output_bytes: usize) -> Option<Hint> {
        if !self.enabled || self.turn.hinted {
            return None;
        }
        self.turn.output_bytes = self.turn.output_bytes.saturating_add(output_bytes);
        let reason = self
            .mechanical(tool)
            .or_else(|| (self.turn.output_bytes >= OUTPUT_BYTES).then_some(HintReason::OutputBytes(self.turn.output_bytes)))?;
        self.turn.hinted = true;
        Some(Hint { message: reason.message(), reason })
    }

    fn mechanical(&mut self, tool: &ToolSpec) -> Option<HintReason> {
        if !is_mechanical(tool) {
            return None;
        }
        self.turn.mechanical += 1;
        let calls = self.turn.by_tool.entry(Arc::clone(&tool.name)).or_default();
        *calls += 1;
        if *calls >= CALLS_OF_ONE_TOOL {
            return Some(HintReason::CallsOfOneTool { tool: Arc::clone(&tool.name), calls: *calls });
        }
        (self.turn.mechanical >= MECHANICAL_CALLS).then_some(HintReason::MechanicalCalls(self.turn.mechanical))
    }
}

/// Whether calls of a tool are mechanical steps, which a program can make as well.
fn is_mechanical(tool: &ToolSpec) -> bool {
    tool.namespace.is_some() || tool.annotations.read_only == Some(true) || tool.annotations.edits_files == Some(true)
}

impl HintReason {
    fn message(&self) -> String {
        let seen = match self {
            Self::MechanicalCalls(calls) => format!("{calls} mechanical tool calls in this turn"),
            Self::CallsOfOneTool { tool, calls } => {
                let name = text::one_line(text::prefix(tool, NAME_BYTES));
                format!("{calls} calls of {} in this turn", text::cut(&name, NAME_BYTES))
            }
            Self::OutputBytes(bytes) => format!("{bytes} bytes of tool output in this turn"),
        };
        format!(
            "{seen}: where the next steps are mechanical, one program in run_code can make such calls together and return only what \
             matters"
        )
    }
}
