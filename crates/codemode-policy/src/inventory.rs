//! The inventory: which tools a model calls directly, which its programs call, and whether it has code mode at all.

mod agent;
mod offer;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::{Catalog, Fault, ToolSpec, code, text};

pub use self::agent::{Agent, HandedOn};
pub use self::offer::{InventoryError, Mode, NotOffered};
use crate::hints::Hints;
use crate::settings::{Environment, Settings};
use crate::tool_names::ToolNames;

/// The most bytes of what a host says about leaving plan mode.
const LEAVE_BYTES: usize = 300;

/// What one agent's model is given: decided once, when the agent starts.
///
/// | | direct tools | code mode |
/// |---|---|---|
/// | full | all | yes |
/// | compact | those that are listed, and those that are for direct calls alone | yes |
/// | code-only | none | yes |
/// | not offered | all | no |
///
/// `tools.disabled` takes away from the direct tools, `code_mode.disabled` and `code_mode.direct_only` from those of programs, and what
/// the agent may not use is on neither surface.
#[derive(Debug)]
pub struct Inventory {
    mode: Mode,
    not_offered: Option<NotOffered>,
    nudges: bool,
    handed_on: HandedOn,
    warnings: Vec<String>,
    /// The direct tools of a compact inventory.
    listed: ToolNames,
    direct_only: ToolNames,
    not_direct: ToolNames,
    not_for_programs: ToolNames,
    denied: ToolNames,
    allowed: Option<ToolNames>,
    /// How plan mode is left, while the agent is in it.
    plan_mode: Mutex<Option<String>>,
    last: Last,
}

/// The catalog that was last asked about, with what programs have of it: a run pays for no other.
#[derive(Default)]
struct Last(Mutex<Option<(Arc<Catalog>, Arc<Catalog>)>>);

impl fmt::Debug for Last {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Last")
    }
}

impl Inventory {
    /// Decides what this agent is given. `mode` is what was asked for at this invocation, and is saved nowhere; without it, the settings
    /// say whether the inventory is compact.
    ///
    /// `CODEMODE_CODE_MODE=1` or `0` in the environment turns code mode on or off whatever the settings say; any other value changes
    /// nothing. An agent that was started by a code-only one is code-only, whatever `mode` says.
    ///
    /// # Errors
    /// Where a compact or code-only inventory is asked for and code mode is off or cannot be given to this agent.
    pub fn new(settings: &Settings, mode: Option<Mode>, agent: &Agent, environment: Environment<'_>) -> Result<Self, InventoryError> {
        let offer = offer::decide(settings, mode, agent, environment)?;
        let code_mode = &settings.code_mode;
        let disabled = code_mode.disabled.iter().chain(&code_mode.direct_only);
        Ok(Self {
            mode: offer.mode,
            not_offered: offer.not_offered,
            nudges: code_mode.nudges_enabled,
            handed_on: HandedOn { code_only: offer.mode == Mode::CodeOnly || agent.handed_on.code_only },
            warnings: offer.warnings,
            listed: ToolNames::new(code_mode.direct.as_ref().unwrap_or(&agent.compact_direct)),
            direct_only: ToolNames::new(&code_mode.direct_only),
            not_direct: ToolNames::new(&settings.tools.disabled),
            not_for_programs: ToolNames::new(disabled),
            denied: ToolNames::new(&agent.denied),
            allowed: agent.allowed.as_ref().map(ToolNames::new),
            plan_mode: Mutex::new(agent.plan_mode.clone()),
            last: Last::default(),
        })
    }

    /// Whether the model has code mode among its tools.
    #[must_use]
    pub fn offers_code_mode(&self) -> bool {
        self.not_offered.is_none()
    }

    /// Which inventory it is; full where code mode is not offered.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What a person should know, one line each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The tools that the model calls directly, sorted by name.
    #[must_use]
    pub fn direct<'a>(&self, catalog: &'a Catalog) -> Vec<&'a Arc<ToolSpec>> {
        catalog.tools().filter(|tool| self.is_direct(tool)).collect()
    }

    /// Whether the model may call this tool directly: also to be asked when such a call comes in.
    #[must_use]
    pub fn is_direct(&self, tool: &ToolSpec) -> bool {
        let in_mode = match self.mode {
            Mode::Full => true,
            // What programs may not call has nowhere else to be.
            Mode::Compact => self.listed.hold(tool) || self.direct_only.hold(tool),
            Mode::CodeOnly => false,
        };
        in_mode && !self.not_direct.hold(tool) && self.may_use(tool)
    }

    /// The catalog that programs have: the same one where nothing is kept from them. The last answer is remembered.
    ///
    /// What a server lists later is held to the same lists.
    #[must_use]
    pub fn for_programs(&self, catalog: &Arc<Catalog>) -> Arc<Catalog> {
        if self.not_for_programs.is_empty() && self.denied.is_empty() && self.allowed.is_none() {
            return Arc::clone(catalog);
        }
        let mut last = self.last.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((asked, given)) if Arc::ptr_eq(asked, catalog) => Arc::clone(given),
            _ => {
                let given = self.narrowed(catalog);
                *last = Some((Arc::clone(catalog), Arc::clone(&given)));
                given
            }
        }
    }

    /// Whether a program may run now.
    ///
    /// # Errors
    /// The refusal, before anything of the program runs: code mode is not offered to this agent, or it is in plan mode; then the
    /// message names how plan mode is left.
    pub fn may_run(&self) -> Result<(), Fault> {
        if let Some(reason) = self.not_offered {
            return Err(Fault::new(code::DENIED, format!("code mode is not offered here, and nothing was run: {reason}")));
        }
        match &*self.plan_mode.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(leave) => {
                let leave = text::one_line(text::prefix(leave, LEAVE_BYTES));
                let leave = text::cut(&leave, LEAVE_BYTES);
                Err(Fault::new(code::DENIED, format!("code mode is refused whole in plan mode, and nothing was run; to leave it, {leave}")))
            }
        }
    }

    /// The agent is in plan mode from now on. `how_to_leave` ends a sentence that begins "to leave it,": "call exit_plan_mode".
    pub fn enter_plan_mode(&self, how_to_leave: impl Into<String>) {
        *self.plan_mode.lock().unwrap_or_else(PoisonError::into_inner) = Some(how_to_leave.into());
    }

    /// The agent is in plan mode no longer.
    pub fn leave_plan_mode(&self) {
        *self.plan_mode.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// What agents that are started from this one have to be told, in [`Agent::handed_on`].
    #[must_use]
    pub fn handed_on(&self) -> HandedOn {
        self.handed_on
    }

    /// Hints for this agent: none where code mode is not offered or `nudges_enabled` is off.
    #[must_use]
    pub fn hints(&self) -> Hints {
        Hints::new(self.nudges && self.offers_code_mode())
    }

    /// What the agent may use at all, on either surface.
    fn may_use(&self, tool: &ToolSpec) -> bool {
        !self.denied.hold(tool) && self.allowed.as_ref().is_none_or(|allowed| allowed.hold(tool))
    }

    fn narrowed(&self, catalog: &Arc<Catalog>) -> Arc<Catalog> {
        let kept_away: BTreeSet<Arc<str>> =
            [&self.not_for_programs, &self.denied].into_iter().flat_map(|names| names.raw(catalog)).collect();
        let nothing_comes = catalog.unlisted().next().is_none();
        let all_stay = self.allowed.is_none() && kept_away.iter().all(|name| catalog.get(name).is_none());
        if nothing_comes && all_stay {
            return Arc::clone(catalog);
        }
        let narrowed = Catalog::clone(catalog).excluding(kept_away);
        Arc::new(match &self.allowed {
            Some(allowed) => {
                let names = allowed.raw(catalog);
                narrowed.restricted_to(names)
            }
            None => narrowed,
        })
    }
}
