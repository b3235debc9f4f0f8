//! The command line: subcommands, and what several of them share.

use std::fmt;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::check::CheckArgs;
use crate::completions::CompletionsArgs;
use crate::doctor::DoctorArgs;
use crate::init::InitArgs;
use crate::log::LogArgs;
use crate::run::RunArgs;
use crate::serve::ServeArgs;
use crate::tools::ToolsArgs;
use crate::trust::TrustArgs;

/// Run programs that call tools in loops and give back the few lines that matter
///
/// A program is small, is never trusted, and reaches a folder through tools: it reads, finds, searches and edits files there.
/// Each run is bounded in time, memory, calls and output, and gives back one outcome: what was printed, why it failed, and
/// every call it made.
#[derive(Debug, Parser)]
#[command(name = "codemode", version, max_term_width = 100, after_long_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) log: LogArgs,
}

const EXAMPLES: &str = "\
Examples:
  codemode run -e 'return (await tools.find_files({globs: [\"*.md\"]})).files'
      Run a program from the command line over the current folder.
  codemode tools signatures
      See what a program can call, as TypeScript declarations.
  codemode doctor
      See which engines are here and how well this machine bounds them.

Exit codes: 0 ok; 1 the program failed, and the outcome says how; 2 bad usage or configuration,
or the runtime itself broke; 130 interrupted.
Outcomes go to standard output; progress, logs and errors go to standard error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(Box<RunArgs>),
    Check(CheckArgs),
    Serve(Box<ServeArgs>),
    Tools(ToolsArgs),
    Init(InitArgs),
    Trust(TrustArgs),
    Doctor(DoctorArgs),
    Completions(CompletionsArgs),
}

/// How a result is written to standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputForm {
    /// Text for a person or a model; control characters are made visible
    Text,
    /// One JSON document on one line
    Json,
}

/// How a result is written.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// How the result is written to standard output
    #[arg(long, value_name = "FORM", value_enum, default_value_t = OutputForm::Text)]
    pub(crate) output: OutputForm,
}

impl fmt::Display for OutputForm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_holds_together() {
        Cli::command().debug_assert();
    }
}
