//! A runner without tools, and what a test asks of it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Answer, Authority, Budgets, Call, CallContext, Catalog, FailureKind, FnHost, Outcome, Profile, RunRequest, Runner};
use codemode_luajit::LuaJit;

/// How a program is run.
#[derive(Debug, Clone)]
pub(crate) struct Bed {
    pub(crate) engine: LuaJit,
    pub(crate) profile: Profile,
    pub(crate) seed: Option<u64>,
    folder: Arc<tempfile::TempDir>,
}

impl Bed {
    /// A bed whose programs run in an empty folder of their own.
    pub(crate) fn new() -> Self {
        let budgets = Budgets { compute: Duration::from_secs(10), wall: Duration::from_secs(20), ..Budgets::default() };
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        Self { engine: LuaJit::new(), profile: Profile::script().with_budgets(budgets), seed: None, folder }
    }

    pub(crate) fn with_budgets(mut self, change: impl FnOnce(&mut Budgets)) -> Self {
        change(&mut self.profile.budgets);
        self
    }

    pub(crate) fn with_authority(mut self, authority: Authority) -> Self {
        self.profile.authority = authority;
        self
    }

    pub(crate) fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Puts a file into the folder.
    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.folder().join(name), bytes).expect("a file");
    }

    /// What is in a file of the folder.
    pub(crate) fn get(&self, name: &str) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder().join(name)).expect("a file")).into_owned()
    }

    pub(crate) fn run(&self, source: &str) -> Outcome {
        let catalog = Catalog::new([]).expect("an empty catalog");
        let host = FnHost::new(catalog, |_: CallContext, _: Call| async move { Answer::text("") });
        let mut builder = Runner::builder(Arc::new(self.engine.clone()), self.profile.clone(), Arc::new(host));
        if let Some(seed) = self.seed {
            builder = builder.deterministic(seed);
        }
        let runner = builder.build().expect("a runner");
        codemode_testbed::run(&runner, RunRequest::new(source).with_cwd(self.folder().to_string_lossy()))
    }

    /// What a program printed, or else returned; how it failed where it did.
    pub(crate) fn shows(&self, source: &str) -> String {
        let outcome = self.run(source);
        match &outcome.failure {
            None => outcome.output,
            Some(failure) => format!("{}: {}", failure.kind, failure.message),
        }
    }

    /// The kind of failure that a program ends in, and how long that took.
    pub(crate) fn ends(&self, source: &str) -> (Option<FailureKind>, Duration) {
        let began = std::time::Instant::now();
        let outcome = self.run(source);
        (outcome.failure.map(|failure| failure.kind), began.elapsed())
    }
}
