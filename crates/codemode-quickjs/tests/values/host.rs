//! A runner without tools.

use codemode_core::{Budgets, Call, CallContext, Catalog, FnHost, Isolation, Outcome, Profile, RunRequest, Runner};
use codemode_quickjs::QuickJs;
use std::sync::Arc;

/// Runs a program, with room for what it prints.
pub(crate) fn run(profile: Profile, source: &str) -> Outcome {
    let budgets = Budgets { output: 1 << 20, source: 1 << 18, ..profile.budgets };
    let profile = profile.with_budgets(budgets).with_isolation(Isolation::Thread).with_intent_required(false);
    let host =
        FnHost::new(Catalog::default(), |_: CallContext, call: Call| async move { codemode_core::Answer::text(call.arguments.text()) });
    let runner = Runner::builder(Arc::new(QuickJs::new()), profile, Arc::new(host)).build().expect("a runner");
    codemode_testbed::run(&runner, RunRequest::new(source))
}

/// The returned value; or how the program failed. Warnings stand on lines of their own.
pub(crate) fn told(outcome: &Outcome) -> String {
    let mut told = match (&outcome.failure, &outcome.value) {
        (Some(failure), _) => format!("{}: {}", failure.kind, failure.message),
        (None, Some(value)) => value.to_string(),
        (None, None) => "nothing".to_owned(),
    };
    for warning in &outcome.warnings {
        told.push_str("\n! ");
        told.push_str(warning);
    }
    told
}
