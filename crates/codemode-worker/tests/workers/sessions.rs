//! Cells: a session owns its worker, and loses it where a bound or a death ends it.

use std::time::Duration;

use codemode_core::{FailureKind, Profile, RunRequest, Session};
use libtest_mimic::Trial;

use crate::host::{Counting, on_runtime, runner_of, value, workers};
use crate::machine::{children_of, kill};

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("a_session_keeps_its_worker_until_something_ends_it", || {
        on_runtime(keeps_its_worker());
        Ok(())
    })]
}

async fn run(session: &Session, source: &str) -> codemode_core::Outcome {
    let mut budgets = Profile::cell().budgets;
    budgets.compute = Duration::from_millis(300);
    session.run(RunRequest::new(source).with_budgets(budgets)).await.expect("an outcome")
}

const LOOK: &str = "return [scratch.kept ?? null, state.kept ?? null]";

async fn keeps_its_worker() {
    let workers = workers().waiting_most(0).build();
    let runner = runner_of(&workers, &Counting::new(Duration::ZERO), Profile::cell());
    let session = runner.session();
    assert!(run(&session, "scratch.kept = 1; state.kept = 'a'").await.is_ok());
    assert_eq!(value(&run(&session, LOOK).await), Some("[1,\"a\"]"));
    assert_eq!(workers.count(), 1);

    // An ordinary failure keeps scratch.
    assert_eq!(run(&session, "throw new Error('x')").await.kind(), Some(FailureKind::Error));
    assert_eq!(value(&run(&session, LOOK).await), Some("[1,\"a\"]"));

    // A fired bound replaces the worker; what was committed goes on.
    assert_eq!(run(&session, "state.kept = 'lost'; for (;;) {}").await.kind(), Some(FailureKind::Time));
    assert_eq!(value(&run(&session, LOOK).await), Some("[null,\"a\"]"));
    assert!(run(&session, "scratch.kept = 2; state.kept = 'b'").await.is_ok());

    // So does a death, between runs as within one.
    let own: Vec<u32> = children_of(std::process::id());
    own.into_iter().for_each(kill);
    let outcome = run(&session, LOOK).await;
    assert_eq!(outcome.kind(), Some(FailureKind::Crashed), "{outcome:?}");
    assert_eq!(value(&run(&session, LOOK).await), Some("[null,\"b\"]"));
    assert_eq!(workers.count(), 1);
    drop(session);
}
