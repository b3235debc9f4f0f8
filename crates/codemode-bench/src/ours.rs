//! Our side of each workload: one runtime, one runner, and tools that cost nothing.

use std::sync::Arc;
use std::time::Duration;

use codemode_core::{
    Annotations, Answer, Budgets, Catalog, Ceilings, Engine, FnHost, Json, Outcome, Profile, RunRequest, Runner, ToolSpec,
};

/// Tools in the catalog: as many as an agent's host has.
pub(crate) const TOOLS: usize = 30;
/// How long the tool `nap` takes.
pub(crate) const NAP: Duration = Duration::from_millis(20);

/// A runner of one engine.
pub(crate) struct Ours {
    pub(crate) engine: &'static str,
    tokio: tokio::runtime::Runtime,
    runner: Runner,
}

impl Ours {
    /// LuaJIT in the profile `script`.
    pub(crate) fn luajit() -> Self {
        Self::new(Arc::new(codemode_luajit::LuaJit::new()), Profile::script())
    }

    /// QuickJS in the profile `program`.
    pub(crate) fn quickjs() -> Self {
        Self::new(Arc::new(codemode_quickjs::QuickJs::new()), Profile::program())
    }

    /// QuickJS in the profile `program` with its own budgets but this one.
    pub(crate) fn quickjs_within(compute: Duration) -> Self {
        let profile = Profile::program();
        let budgets = Budgets { compute, ..profile.budgets };
        Self::bounded(Arc::new(codemode_quickjs::QuickJs::new()), profile.with_budgets(budgets), false)
    }

    /// A runner whose next interpreter is made while nothing runs, as a server's is.
    pub(crate) fn ahead(engine: Arc<dyn Engine>, profile: Profile) -> Self {
        Self::bounded(engine, Self::wide(profile), true)
    }

    /// A runner with budgets that nothing here reaches.
    fn new(engine: Arc<dyn Engine>, profile: Profile) -> Self {
        Self::bounded(engine, Self::wide(profile), false)
    }

    fn wide(mut profile: Profile) -> Profile {
        let wide = |budgets| Budgets { calls: 1 << 30, memory_bytes: 1 << 30, compute: Duration::from_secs(120), ..budgets };
        profile.ceilings = Ceilings(wide(profile.ceilings.0));
        profile.budgets = wide(profile.budgets);
        profile
    }

    fn bounded(engine: Arc<dyn Engine>, profile: Profile, ahead: bool) -> Self {
        let id = engine.id();
        let named = |name: &str| ToolSpec::new(name).with_annotations(Annotations::read_only());
        let tools = ["echo", "rows", "nap"].into_iter().map(named).chain((3..TOOLS).map(|number| named(&format!("tool_{number}"))));
        let catalog = Catalog::new(tools).expect("no two tools share a name");
        let rows = Json::parse(crate::rows::text()).expect("valid json");
        let host = FnHost::new(catalog, move |_context, call| {
            let rows = rows.clone();
            async move {
                match &*call.tool.name {
                    "rows" => Answer::structured(rows),
                    "nap" => {
                        tokio::time::sleep(NAP).await;
                        Answer::text("slept")
                    }
                    _ => Answer::text("a hundred bytes at most"),
                }
            }
        });
        let runner = Runner::builder(engine, profile, Arc::new(host)).ahead(ahead).build().expect("budgets within their ceilings");
        let tokio = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        Self { engine: id, tokio, runner }
    }

    /// Runs one program, however it ends.
    pub(crate) fn outcome(&self, source: &str) -> Outcome {
        self.tokio.block_on(self.runner.run(RunRequest::new(source))).expect("the host is whole")
    }

    /// Runs one program, which must end well.
    pub(crate) fn run(&self, source: &str) -> Outcome {
        let outcome = self.outcome(source);
        assert!(outcome.is_ok(), "{}", outcome.to_text("run_code"));
        outcome
    }

    /// What a program gives back: its value as JSON, else what it printed.
    pub(crate) fn gives(&self, source: &str) -> String {
        let outcome = self.run(source);
        outcome.value.map_or(outcome.output, |value| value.text().to_owned())
    }
}
