//! A runner over a small host, and what a test asks of it.

use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Budgets, Outcome, Profile, RunRequest, Runner};
use codemode_quickjs::QuickJs;
use codemode_testbed::{host, run};

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
        Runner::builder(Arc::new(self.engine.clone()), self.profile.clone(), host()).build().expect("a runner")
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
