//! What a client of `codemode serve` sees beside `run_code`.

use clap::Args;
use codemode_policy::Mode;

/// Which tools a client sees.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "What the client sees")]
pub(crate) struct ModeArgs {
    /// run_code alone; the tools are reached from programs [default, unless the settings say compact]
    #[arg(long, group = "mode")]
    code_only: bool,

    /// run_code, and the tools that the settings name in code_mode.direct
    #[arg(long, group = "mode")]
    compact: bool,

    /// run_code, and every tool as it is
    #[arg(long, group = "mode")]
    full: bool,
}

impl ModeArgs {
    /// The mode that was asked for, if one was.
    pub(crate) fn mode(self) -> Option<Mode> {
        match self {
            Self { code_only: true, .. } => Some(Mode::CodeOnly),
            Self { compact: true, .. } => Some(Mode::Compact),
            Self { full: true, .. } => Some(Mode::Full),
            Self { .. } => None,
        }
    }

    /// The same flags as arguments of another start of the command.
    pub(crate) fn as_arguments(self) -> Option<String> {
        self.mode().map(|mode| format!("--{}", mode.name()))
    }
}
