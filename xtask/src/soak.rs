//! `cargo xtask soak`: the sweeps and soaks, whole.

use clap::Args;

use crate::failure::Failure;
use crate::workspace::Workspace;
use crate::{nextest, process};

/// Run the sweeps and soaks whole; this takes long.
///
/// A test whose name has `sweep` or `soak` in it runs a sample elsewhere, drawn from the seed that is printed (`CODEMODE_SEED`).
/// Here the environment has `CODEMODE_SOAK=1`, and each of them runs all of its cases.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Further arguments of `cargo nextest run`, such as `-p codemode-luajit`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let mut arguments = vec!["-E", "test(soak) or test(sweep)"];
    if options.arguments.is_empty() {
        arguments.push("--workspace");
    }
    arguments.extend(options.arguments.iter().map(String::as_str));
    process::run(nextest::command(workspace, "soak", &arguments).env(nextest::SOAK, "1"))
}
