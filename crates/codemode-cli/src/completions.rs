//! `codemode completions`: a script that teaches a shell the command's options.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::args::Cli;
use crate::exit::{CliError, Exit};
use crate::stdout;

/// Print a completion script for a shell
///
/// Bash: codemode completions bash > ~/.local/share/bash-completion/completions/codemode
/// Zsh: codemode completions zsh > "${fpath[1]}/_codemode"
/// Fish: codemode completions fish > ~/.config/fish/completions/codemode.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "codemode", &mut script);
    stdout::write_script(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Ok)
}
