//! A host with one tool, which keeps count.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use codemode_core::{
    Answer, Ask, Budgets, Call, CallContext, Catalog, Json, Outcome, Profile, RunRequest, Runner, ToolHost, ToolSpec, discover_plainly,
};
use codemode_worker::{Launch, Workers, WorkersBuilder};
use libtest_mimic::Trial;

/// What this program is given to be a worker.
pub(crate) const WORKER: &str = "serve-as-worker";

/// Workers that are this program.
pub(crate) fn workers() -> WorkersBuilder {
    Workers::builder(Launch::this_program(WORKER).expect("this program has a name"))
}

/// Remembers the arguments of each call, in the order in which they came in, and answers after a while.
#[derive(Debug)]
pub(crate) struct Counting {
    catalog: Arc<Catalog>,
    seen: Mutex<Vec<String>>,
    answer_after: Duration,
    pub(crate) out: AtomicUsize,
}

impl Counting {
    pub(crate) fn new(answer_after: Duration) -> Arc<Self> {
        let tool = ToolSpec::new("count");
        let catalog = Arc::new(Catalog::new(vec![tool]).expect("a catalog"));
        Arc::new(Self { catalog, seen: Mutex::default(), answer_after, out: AtomicUsize::new(0) })
    }

    pub(crate) fn take_seen(&self) -> Vec<String> {
        std::mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl ToolHost for Counting {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        discover_plainly(catalog, ask)
    }

    async fn call(&self, _context: &CallContext, call: Call) -> Answer {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(call.arguments.text().to_owned());
        self.out.fetch_add(1, Ordering::SeqCst);
        if !self.answer_after.is_zero() {
            tokio::time::sleep(self.answer_after).await;
        }
        self.out.fetch_sub(1, Ordering::SeqCst);
        Answer::structured(Json::parse("{\"ok\":true}").expect("json"))
    }
}

/// A runner of the profile `program` on QuickJS in these workers.
pub(crate) fn runner(workers: &Workers, host: &Arc<Counting>) -> Runner {
    runner_of(workers, host, Profile::program())
}

pub(crate) fn runner_of(workers: &Workers, host: &Arc<Counting>, profile: Profile) -> Runner {
    let engine = workers.engine("quickjs").expect("a worker starts");
    Runner::builder(engine, profile, Arc::clone(host) as Arc<dyn ToolHost>).build().expect("a runner")
}

pub(crate) fn budgets(change: impl FnOnce(&mut Budgets)) -> Budgets {
    let mut budgets = Profile::program().budgets;
    change(&mut budgets);
    budgets
}

/// A test that fails by a panic alone.
pub(crate) fn trial(name: &str, act: fn()) -> Trial {
    Trial::test(name, move || {
        act();
        Ok(())
    })
}

/// Runs something on a runtime of its own.
pub(crate) fn on_runtime<T>(act: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime").block_on(act)
}

/// The outcome of a program.
pub(crate) async fn outcome(runner: &Runner, source: &str) -> Outcome {
    runner.run(RunRequest::new(source)).await.expect("an outcome")
}

pub(crate) fn value(outcome: &Outcome) -> Option<&str> {
    outcome.value.as_ref().map(Json::text)
}
