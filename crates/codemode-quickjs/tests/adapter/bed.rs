//! A runner over a small host, and what a test asks of it.

use std::sync::Arc;
use std::time::Duration;

use codemode_core::{
    Answer, Budgets, Call, CallContext, Catalog, Content, Fault, FnHost, Json, Outcome, Profile, RunRequest, Runner, RunnerBuilder,
    ToolSpec, code,
};
use codemode_quickjs::QuickJs;
use serde_json::json;

/// How a program is run.
#[derive(Debug, Clone)]
pub(crate) struct Bed {
    pub(crate) engine: QuickJs,
    pub(crate) profile: Profile,
}

impl Default for Bed {
    fn default() -> Self {
        let profile = Profile::program();
        let budgets = Budgets { compute: Duration::from_secs(10), ..profile.budgets };
        Self { engine: QuickJs::new(), profile: profile.with_budgets(budgets) }
    }
}

impl Bed {
    /// Under other limits than the profile's.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Budgets)) -> Self {
        let mut budgets = self.profile.budgets;
        change(&mut budgets);
        self.profile = self.profile.with_budgets(budgets);
        self
    }

    /// The runner.
    pub(crate) fn runner(&self) -> Runner {
        self.builder().build().expect("a runner")
    }

    /// The runner before it is built.
    pub(crate) fn builder(&self) -> RunnerBuilder {
        let tools = ["echo", "fail", "deny", "lose", "unavailable", "structured", "a-b"].map(ToolSpec::new);
        let github = ToolSpec::new("github__issues").in_namespace("github", "issues");
        let catalog = Catalog::new(tools.into_iter().chain([github])).expect("distinct names");
        let host = FnHost::new(catalog, |_: CallContext, call: Call| async move { answer(&call) });
        Runner::builder(Arc::new(self.engine.clone()), self.profile.clone(), Arc::new(host))
    }

    /// Runs a program on a runtime of its own.
    pub(crate) fn run(&self, source: &str) -> Outcome {
        run(&self.runner(), RunRequest::new(source))
    }

    /// What a program returned as JSON; how it failed where it did.
    pub(crate) fn shows(&self, source: &str) -> String {
        let outcome = self.run(source);
        match (&outcome.failure, &outcome.value) {
            (None, Some(value)) => serde_json::to_string(value).expect("JSON"),
            (None, None) => String::new(),
            (Some(failure), _) => format!("{}: {}", failure.kind, failure.message),
        }
    }
}

/// Runs a program on this thread.
pub(crate) fn run(runner: &Runner, request: RunRequest) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(runner.run(request)).expect("an outcome")
}

fn answer(call: &Call) -> Answer {
    match &*call.tool.name {
        "echo" | "a-b" => Answer::text(call.arguments.text()),
        "fail" => Answer::failed("the tool failed"),
        "deny" => Answer::denied("the rules say no"),
        "lose" => Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, "no answer was seen")),
        "unavailable" => Answer::NotRun(Fault::new(code::UNAVAILABLE, "the server is away")),
        "structured" => Answer::Succeeded(Content { structured: Json::from_value(json!({"n": 1})).ok(), ..Content::default() }),
        name => Answer::text(name),
    }
}
