//! A host with a few tools, and what is left of a program run on it.

use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use codemode_core::{
    Answer, Ask, Call, CallContext, Catalog, Isolation, Outcome, Profile, RunRequest, Runner, ToolHost, ToolSpec, discover_plainly,
};
use codemode_quickjs::QuickJs;

pub(crate) struct Tools(pub(crate) Arc<Catalog>);

#[async_trait]
impl ToolHost for Tools {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.0)
    }

    async fn admit(&self, _: &str) -> Vec<Arc<ToolSpec>> {
        Vec::new()
    }

    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        discover_plainly(catalog, ask)
    }

    async fn call(&self, _: &CallContext, call: Call) -> Answer {
        Answer::text(call.arguments.to_string())
    }
}

pub(crate) fn runner(profile: Profile) -> Runner {
    let tools = ["execute", "read_file", "web-fetch"].map(ToolSpec::new);
    let catalog = Catalog::new(tools).expect("distinct names");
    let profile = profile.with_isolation(Isolation::Thread).with_intent_required(false);
    Runner::builder(Arc::new(QuickJs::new()), profile, Arc::new(Tools(Arc::new(catalog)))).build().expect("a runner")
}

/// Runs each program by itself, shows all that came out otherwise, and fails where any did.
pub(crate) async fn check(cases: &[(&str, &str)]) {
    check_on(&runner(Profile::program()), cases).await;
}

/// The same on a runner of the test's.
pub(crate) async fn check_on(runner: &Runner, cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (source, expected) in cases {
        let outcome = runner.run(RunRequest::new(*source)).await.expect("the host is well");
        let told = told(&outcome);
        if told != *expected {
            let _ = write!(wrong, "\n{source}\n  gives    {told}\n  expected {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// How a run ended, and what it printed.
fn told(outcome: &Outcome) -> String {
    let mut told = match (&outcome.failure, &outcome.value) {
        (Some(failure), _) => {
            let fix = failure.fix.as_ref().map(|fix| format!(" (fix: {fix})")).unwrap_or_default();
            format!("{}: {}{fix}", failure.kind, failure.message)
        }
        (None, Some(value)) => value.to_string(),
        (None, None) => "nothing".to_owned(),
    };
    for line in outcome.output.lines() {
        let _ = write!(told, "\n> {line}");
    }
    for warning in &outcome.warnings {
        let _ = write!(told, "\n! {warning}");
    }
    told
}
