//! `cargo xtask bench`: the workloads of codemode-bench, in release.

use clap::Args;

use crate::failure::Failure;
use crate::process;
use crate::workspace::Workspace;

/// Run the workloads over all engines side by side, in release; arguments are passed on.
///
/// `cargo xtask bench --help` shows this page; `cargo xtask bench -- --help` shows what the workloads take.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Arguments of codemode-bench.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    // The workloads of `serve` start the command, which lies beside the benchmark.
    process::run(&mut workspace.cargo(["build", "--release", "-p", "codemode-cli"]))?;
    let mut command = workspace.cargo(["run", "--release", "-p", "codemode-bench", "--"]);
    command.args(&options.arguments);
    process::run(&mut command)
}
