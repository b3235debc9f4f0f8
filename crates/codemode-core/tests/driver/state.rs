//! State of the profile `cell`: committed on success, rolled back otherwise, bounded, and given to the next run.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use codemode_core::{
    Bound, Budgets, End, Ended, FailureKind, Input, Journal, JournalError, Json, Outcome, Profile, Raised, Room, RunId, RunRequest,
    RunStart, Runner, RunnerBuilder, Value,
};

use crate::mock::{self, ClosureEngine, call, returned};

fn json(text: &str) -> Json {
    Json::parse(text).expect("json")
}

/// A cell that counts its runs in its state, and whose source says how it ends.
fn counting() -> Arc<ClosureEngine> {
    ClosureEngine::reading(|_, input: &Input, handle| {
        let before = input.state.as_ref().map_or(0, |state| state.tree()["n"].as_u64().unwrap_or(0));
        let state = Some(json(&format!(r#"{{"n":{}}}"#, before + 1)));
        let value = Some(Value::Json(json(&before.to_string())));
        Ok(match &*input.source {
            "raise" => Ended { state, value, ..Ended::new(End::Raised(Raised { message: "no".to_owned(), ..Raised::default() })) },
            "loop" => {
                while call(handle, "echo", "{}").is_ok() {}
                Ended { state, value, ..returned() }
            }
            _ => Ended { state, value, ..returned() },
        })
    })
}

fn cell(engine: Arc<ClosureEngine>) -> RunnerBuilder {
    Runner::builder(engine, Profile::cell(), mock::host().0)
}

/// How a run ended, its value (the count that it began with), its state, and whether that was committed.
fn seen(outcome: &Outcome) -> (Option<FailureKind>, Option<&str>, Option<&str>, Option<bool>) {
    (outcome.kind(), outcome.value.as_ref().map(Json::text), outcome.state.as_ref().map(Json::text), outcome.state_committed)
}

#[tokio::test]
async fn state_commits_on_success_alone_and_outlives_its_interpreter() {
    let engine = counting();
    let opened = Arc::clone(&engine.opened);
    let session = cell(engine).build().expect("a runner").session();
    let committed = |before, state| (None, Some(before), Some(state), Some(true));
    for (source, expected) in [
        ("", committed("0", r#"{"n":1}"#)),
        ("raise", (Some(FailureKind::Error), None, None, Some(false))),
        ("", committed("1", r#"{"n":2}"#)),
        ("loop", (Some(FailureKind::Calls), None, None, Some(false))),
        ("", committed("2", r#"{"n":3}"#)),
    ] {
        // What a request brings counts until something was committed.
        let mut request = RunRequest::new(source);
        request.state = Some(json(r#"{"n":0}"#));
        let outcome = session.run(request).await.expect("no host error");
        assert_eq!(seen(&outcome), expected);
    }
    assert_eq!(opened.load(Ordering::SeqCst), 2, "the bound ended an interpreter, the error did not");
}

#[tokio::test]
async fn a_run_of_its_own_begins_with_the_state_of_its_request() {
    let runner = cell(counting()).build().expect("a runner");
    let mut request = RunRequest::new("");
    request.state = Some(json(r#"{"n":41}"#));
    let outcome = runner.run(request).await.expect("no host error");
    assert_eq!(seen(&outcome), (None, Some("41"), Some(r#"{"n":42}"#), Some(true)));
    let outcome = runner.run(RunRequest::new("")).await.expect("no host error");
    assert_eq!(seen(&outcome), (None, Some("0"), Some(r#"{"n":1}"#), Some(true)));
}

#[tokio::test]
async fn state_over_its_budget_is_results_and_is_rolled_back() {
    let exact = Budgets { state_bytes: 26, state_depth: 3, state_nodes: 6, ..Profile::cell().budgets };
    for (budgets, expected) in [
        (exact, None),
        (
            Budgets { state_bytes: 25, ..exact },
            Some((Bound::StateBytes, 25, 26, "the state has 26 bytes or more as json, and its budget is 25 bytes; it was not committed")),
        ),
        (
            Budgets { state_depth: 2, ..exact },
            Some((Bound::StateDepth, 2, 3, "the state nests 3 levels deep or more, and its budget is 2 levels; it was not committed")),
        ),
        (
            Budgets { state_nodes: 5, ..exact },
            Some((Bound::StateNodes, 5, 6, "the state has 6 values or more, and its budget is 5 values; it was not committed")),
        ),
    ] {
        let engine = ClosureEngine::new(|_, _| {
            let state = Some(json(r#"{"a":[1,{"b":"é"}],"c":0}"#));
            Ok(Ended { state, value: Some(Value::Json(Json::null())), ..returned() })
        });
        let runner = cell(engine).build().expect("a runner");
        let outcome = runner.run(RunRequest::new("").with_budgets(budgets)).await.expect("no host error");
        let failure = outcome.failure.as_ref().map(|failure| {
            assert_eq!(failure.kind, FailureKind::Results);
            let field = |value: Option<u64>| value.unwrap_or_default();
            (failure.bound.expect("a bound"), field(failure.limit), field(failure.observed), failure.message.as_str())
        });
        assert_eq!(failure, expected);
        let good = expected.is_none();
        assert_eq!((outcome.value.is_some(), outcome.state.is_some(), outcome.state_committed), (good, good, Some(good)));
    }
}

#[tokio::test]
async fn a_bound_that_the_adapter_fires_for_state_is_told_in_the_same_words() {
    let engine = ClosureEngine::new(|_, handle| {
        handle.guard().fire(Bound::StateNodes, 16_385);
        Ok(Ended::new(End::Stopped))
    });
    let outcome = cell(engine).build().expect("a runner").run(RunRequest::new("")).await.expect("no host error");
    let failure = outcome.failure.expect("stopped");
    let message = "the state has 16385 values or more, and its budget is 16384 values; it was not committed";
    assert_eq!((failure.kind, failure.message.as_str(), outcome.state_committed), (FailureKind::Results, message, Some(false)));
}

/// A journal in memory, which can refuse to commit.
#[derive(Default)]
struct Kept {
    state: Mutex<Option<Json>>,
    refuses: bool,
    log: Mutex<Vec<String>>,
}

#[async_trait]
impl Journal for Kept {
    async fn run_started(&self, start: &RunStart) -> Result<Option<Json>, JournalError> {
        self.log.lock().expect("not poisoned").push(format!("started {}", start.run));
        Ok(self.state.lock().expect("not poisoned").clone())
    }

    async fn committed(&self, run: &RunId, state: &Json) -> Result<(), JournalError> {
        if self.refuses {
            return Err(JournalError("the disk is full".to_owned()));
        }
        self.log.lock().expect("not poisoned").push(format!("committed {run} {state}"));
        *self.state.lock().expect("not poisoned") = Some(state.clone());
        Ok(())
    }

    async fn run_ended(&self, outcome: &Outcome) -> Result<(), JournalError> {
        self.log.lock().expect("not poisoned").push(format!("ended {} {:?}", outcome.run, outcome.state_committed));
        Ok(())
    }

    fn room(&self) -> Option<Room> {
        None
    }
}

#[tokio::test]
async fn a_journal_gives_the_state_and_takes_what_is_committed() {
    let kept = Arc::new(Kept { state: Mutex::new(Some(json(r#"{"n":7}"#))), ..Kept::default() });
    let runner = cell(counting()).journal(Arc::clone(&kept) as Arc<dyn Journal>).build().expect("a runner");
    for (run, expected) in [("r1", "7"), ("r2", "8")] {
        // Each in an interpreter of its own: the journal alone keeps the state.
        let mut request = RunRequest::new("");
        request.run = Some(RunId::from_text(run));
        request.state = Some(json(r#"{"n":100}"#));
        let outcome = runner.run(request).await.expect("no host error");
        assert_eq!(outcome.value.as_ref().map(Json::text), Some(expected));
    }
    let expected =
        ["started r1", r#"committed r1 {"n":8}"#, "ended r1 Some(true)", "started r2", r#"committed r2 {"n":9}"#, "ended r2 Some(true)"];
    assert_eq!(*kept.log.lock().expect("not poisoned"), expected);
}

#[tokio::test]
async fn state_that_the_journal_cannot_keep_is_not_committed_in_the_session_either() {
    let kept = Arc::new(Kept { refuses: true, ..Kept::default() });
    let session = cell(counting()).journal(kept as Arc<dyn Journal>).build().expect("a runner").session();
    for _ in 0..2 {
        let outcome = session.run(RunRequest::new("")).await.expect("no host error");
        assert_eq!(seen(&outcome), (None, Some("0"), None, Some(false)));
        assert_eq!(outcome.warnings, ["state was not committed: journal: the disk is full"]);
    }
}

#[tokio::test]
async fn a_request_that_is_refused_leaves_the_interpreter_as_it_was() {
    let engine = ClosureEngine::new(|earlier, handle| {
        let _ = handle.print(&earlier.to_string());
        Ok(returned())
    });
    let session = cell(engine).build().expect("a runner").session();
    let none = Budgets { calls: 0, ..Profile::cell().budgets };
    let mut outputs = Vec::new();
    for request in [RunRequest::new(""), RunRequest::new("").with_budgets(none), RunRequest::new("")] {
        outputs.push(session.run(request).await.map(|outcome| outcome.output).map_err(|error| error.to_string()));
    }
    let refused = "budget calls is 0 calls, and must be 1 to 10000; zero never means unlimited";
    assert_eq!(outputs, [Ok("0".to_owned()), Err(refused.to_owned()), Ok("1".to_owned())]);
}
