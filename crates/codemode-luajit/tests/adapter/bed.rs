//! A runner over a small host, and what a test asks of it.

use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Authority, Budgets, Outcome, Profile, RunRequest, Runner};
use codemode_luajit::LuaJit;
use codemode_testbed::{host, run};

/// How a program is run.
#[derive(Debug, Clone)]
pub(crate) struct Bed {
    pub(crate) engine: LuaJit,
    pub(crate) profile: Profile,
    pub(crate) cwd: String,
}

impl Default for Bed {
    fn default() -> Self {
        let budgets = Budgets { compute: Duration::from_secs(10), ..Budgets::default() };
        Self { engine: LuaJit::new(), profile: Profile::script().with_budgets(budgets), cwd: ".".to_owned() }
    }
}

impl Bed {
    /// With or without the compiler.
    pub(crate) fn with_jit(mut self, jit: bool) -> Self {
        self.engine = self.engine.with_jit(jit);
        self
    }

    pub(crate) fn with_budgets(mut self, budgets: Budgets) -> Self {
        self.profile = self.profile.with_budgets(budgets);
        self
    }

    pub(crate) fn without_authority(mut self) -> Self {
        self.profile = self.profile.with_authority(Authority::None);
        self
    }

    /// The runner.
    pub(crate) fn runner(&self) -> Runner {
        Runner::builder(Arc::new(self.engine.clone()), self.profile.clone(), host()).build().expect("a runner")
    }

    /// Runs a program on a runtime of its own.
    pub(crate) fn run(&self, source: &str) -> Outcome {
        run(&self.runner(), RunRequest::new(source).with_cwd(self.cwd.clone()))
    }

    /// What a program printed, or else returned; how it failed where it did.
    pub(crate) fn shows(&self, source: &str) -> String {
        let outcome = self.run(source);
        match &outcome.failure {
            None => outcome.output,
            Some(failure) => format!("{}: {}", failure.kind, failure.message),
        }
    }
}
