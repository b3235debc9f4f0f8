//! A run that is waited for.

use codemode_core::{Outcome, RunRequest, Runner};

/// Runs a program, with a runtime of its own on this thread.
///
/// # Panics
///
/// Where the host or the adapter broke, so that there is no outcome.
pub fn run(runner: &Runner, request: RunRequest) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(runner.run(request)).expect("an outcome")
}
