//! Whether code mode is offered, and in which inventory.

use std::fmt;

use super::agent::Agent;
use crate::settings::{Environment, Settings};

/// The variable that turns code mode on (`1`) or off (`0`) for one process.
const SWITCH: &str = "CODEMODE_CODE_MODE";

/// Which tools the model calls directly beside code mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// All.
    Full,
    /// Those that are listed.
    Compact,
    /// None. Asked for at one invocation, and never a setting.
    CodeOnly,
}

impl Mode {
    /// The inventory's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Compact => "compact",
            Self::CodeOnly => "code-only",
        }
    }
}

/// Why code mode is not offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NotOffered {
    /// `code_mode.enabled` is false.
    Disabled,
    /// No setting enables it, and the host has it off by default.
    OffByDefault,
    /// `CODEMODE_CODE_MODE=0`.
    Environment,
    /// The agent may only inspect.
    InspectionOnly,
    /// The model does not call tools natively.
    NoNativeToolCalling,
}

impl fmt::Display for NotOffered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Disabled => "code_mode.enabled is false",
            Self::OffByDefault => "it is off by default here, and code_mode.enabled is not set",
            Self::Environment => "CODEMODE_CODE_MODE=0 turns it off for this process",
            Self::InspectionOnly => "this agent may only inspect",
            Self::NoNativeToolCalling => "this model has no native tool calling",
        })
    }
}

/// An inventory that needs code mode, without code mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InventoryError {
    /// The inventory that was asked for.
    pub mode: Mode,
    /// Why there is no code mode.
    pub reason: NotOffered,
    /// Whether the settings ask for the inventory, and not this invocation.
    pub by_settings: bool,
}

impl fmt::Display for InventoryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a {} inventory needs code mode, which is not offered: {}; ", self.mode.name(), self.reason)?;
        formatter.write_str(match self.reason {
            NotOffered::Disabled | NotOffered::OffByDefault => "set code_mode.enabled to true, or ",
            NotOffered::Environment => "unset the variable, or ",
            NotOffered::InspectionOnly | NotOffered::NoNativeToolCalling => "",
        })?;
        formatter.write_str(if self.by_settings { "clear code_mode.compact_direct_tools" } else { "choose the full inventory" })
    }
}

impl std::error::Error for InventoryError {}

/// What was decided.
pub(super) struct Offer {
    pub(super) mode: Mode,
    pub(super) not_offered: Option<NotOffered>,
    pub(super) warnings: Vec<String>,
}

pub(super) fn decide(
    settings: &Settings,
    mode: Option<Mode>,
    agent: &Agent,
    environment: Environment<'_>,
) -> Result<Offer, InventoryError> {
    let asked = if agent.handed_on.code_only { Some(Mode::CodeOnly) } else { mode };
    let wanted = asked.unwrap_or(if settings.code_mode.compact_direct_tools { Mode::Compact } else { Mode::Full });
    let Some(reason) = not_offered(settings, agent, environment) else {
        return Ok(Offer { mode: wanted, not_offered: None, warnings: Vec::new() });
    };
    let full = |warnings| Ok(Offer { mode: Mode::Full, not_offered: Some(reason), warnings });
    let inherited = asked.is_none() || agent.handed_on.code_only;
    match (wanted, reason) {
        (Mode::Full, _) => full(Vec::new()),
        // What it inherits says nothing about an agent that cannot have code mode: hidden tools would be out of its reach.
        (_, NotOffered::InspectionOnly | NotOffered::NoNativeToolCalling) if inherited => full(Vec::new()),
        // The variable is there so that nobody has to change the settings for one process.
        (Mode::Compact, NotOffered::Environment) if inherited => {
            full(vec![format!("a compact inventory needs code mode, and {reason}: the model gets all direct tools")])
        }
        _ => Err(InventoryError { mode: wanted, reason, by_settings: asked.is_none() }),
    }
}

/// What the agent can never have comes first: no setting would help it.
fn not_offered(settings: &Settings, agent: &Agent, environment: Environment<'_>) -> Option<NotOffered> {
    if agent.inspection_only {
        return Some(NotOffered::InspectionOnly);
    }
    if !agent.native_tool_calling {
        return Some(NotOffered::NoNativeToolCalling);
    }
    match (environment(SWITCH).as_deref(), settings.code_mode.enabled) {
        (Some("1"), _) => None,
        (Some("0"), _) => Some(NotOffered::Environment),
        (_, Some(true)) => None,
        (_, Some(false)) => Some(NotOffered::Disabled),
        (_, None) => (!agent.code_mode_by_default).then_some(NotOffered::OffByDefault),
    }
}
