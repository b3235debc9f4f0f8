//! `cargo xtask`: every job that is done on this workspace, each in a module of its own.
#![forbid(unsafe_code)]

mod bench;
mod ci;
mod deny;
mod docs;
mod examples;
mod failure;
mod features;
mod nextest;
mod peers;
mod process;
mod progress;
mod soak;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// The automation of the codemode workspace.
///
/// `cargo xtask ci` is the one command before a commit: it is what the continuous integration runs.
/// Progress goes to standard error; what a job finds or prints goes to standard output.
/// `CARGO_TARGET_DIR` and `CARGO_BUILD_JOBS` are respected by every job.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    job: Job,
}

#[derive(Debug, Subcommand)]
enum Job {
    Ci(ci::Options),
    Tidy(tidy::Options),
    Features(features::Options),
    Bench(bench::Options),
    Docs(docs::Options),
    Soak(soak::Options),
    Peers(peers::Options),
}

fn main() -> ExitCode {
    match perform(Arguments::parse().job) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            progress::say(&format!("error: {failure}"));
            ExitCode::FAILURE
        }
    }
}

fn perform(job: Job) -> Result<(), Failure> {
    let workspace = Workspace::load()?;
    match job {
        Job::Ci(options) => ci::run(&workspace, &options),
        Job::Tidy(options) => tidy::run(&workspace, &options),
        Job::Features(options) => features::run(&workspace, &options),
        Job::Bench(options) => bench::run(&workspace, &options),
        Job::Docs(options) => docs::run(&workspace, &options),
        Job::Soak(options) => soak::run(&workspace, &options),
        Job::Peers(options) => peers::run(&workspace, &options),
    }
}
