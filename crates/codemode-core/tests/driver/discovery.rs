//! Discovery and the budget: what list, search, describe and budget give, and what they cost.

use std::sync::Arc;

use async_trait::async_trait;
use codemode_core::{
    Answer, Ask, Bound, Budgets, Catalog, FnHost, Handle, Journal, JournalError, Json, Outcome, Profile, Room, RunId, RunRequest, RunStart,
    Runner, RunnerBuilder, ToolHost, ToolSpec,
};

use crate::mock::{ClosureEngine, call, returned};

fn host() -> Arc<dyn ToolHost> {
    let tools =
        [ToolSpec::new("get-item").with_description("Gets an item"), ToolSpec::new("put_item").with_description("Puts an item back")];
    Arc::new(FnHost::new(Catalog::new(tools).expect("distinct"), |_, call| async move { Answer::text(call.arguments.text()) }))
}

fn batch(engine: Arc<ClosureEngine>) -> RunnerBuilder {
    Runner::builder(engine, Profile::batch(), host())
}

fn request() -> RunRequest {
    RunRequest::new("").with_intent("to see")
}

fn told(handle: &Handle, ask: Ask) -> String {
    match handle.call(ask).expect("not stopped").answer {
        Answer::Succeeded(content) => content.as_text().into_owned(),
        other => format!("{other:?}"),
    }
}

/// The budget as text, without the one figure that differs from run to run.
fn budget(handle: &Handle) -> String {
    let mut budget: serde_json::Value = serde_json::from_str(&told(handle, Ask::Budget)).expect("json");
    let spent = budget["runtime_ms"]["used"].as_u64().expect("a number");
    assert_eq!(budget["runtime_ms"]["remaining"].as_u64(), Some(60_000 - spent));
    budget["runtime_ms"] = "_".into();
    budget.to_string()
}

const LIST: &str = r#"[{"name":"get-item","description":"Gets an item"},{"name":"put_item","description":"Puts an item back"}]"#;

#[tokio::test]
async fn the_budget_has_its_fields_costs_nothing_and_discovery_counts_as_results() {
    let engine = ClosureEngine::new(|_, handle| {
        let expected = |calls: u64, bytes: u64, history: [&str; 2]| {
            format!(
                concat!(
                    r#"{{"inner_calls":{{"used":{},"limit":200,"remaining":{}}},"result_bytes":{{"used":{},"limit":8388608,"remaining":{}}},"#,
                    r#""runtime_ms":"_","memory_bytes":{{"used":0,"limit":33554432,"remaining":33554432}},"#,
                    r#""batch_history_bytes":{},"session_history_bytes":{},"inner_result_bytes_limit":1048576,"return_bytes_limit":262144}}"#
                ),
                calls,
                200 - calls,
                bytes,
                8_388_608 - bytes,
                history[0],
                history[1]
            )
        };
        let none = ["null", "null"];
        for _ in 0..300 {
            assert_eq!(budget(handle), expected(0, 0, none));
        }
        assert_eq!(told(handle, Ask::List), LIST);
        let listed = LIST.len() as u64;
        assert_eq!(budget(handle), expected(0, listed, none));
        call(handle, "get-item", r#"{"a":1}"#).expect("not stopped");
        assert_eq!(budget(handle), expected(1, listed + 7, none));
        Ok(returned())
    });
    let outcome = batch(engine).build().expect("a runner").run(request()).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
    assert_eq!((outcome.usage.calls, outcome.usage.result_bytes), (1, LIST.len() as u64 + 7));
}

struct Bounded;

#[async_trait]
impl Journal for Bounded {
    async fn run_started(&self, _start: &RunStart) -> Result<Option<Json>, JournalError> {
        Ok(None)
    }

    async fn committed(&self, _run: &RunId, _state: &Json) -> Result<(), JournalError> {
        Ok(())
    }

    async fn run_ended(&self, _outcome: &Outcome) -> Result<(), JournalError> {
        Ok(())
    }

    fn room(&self) -> Option<Room> {
        Some(Room { run_used: 10, run_limit: 100, session_used: 2000, session_limit: 1000 })
    }
}

#[tokio::test]
async fn the_budget_tells_the_room_of_a_journal() {
    let engine = ClosureEngine::new(|_, handle| {
        let budget: serde_json::Value = serde_json::from_str(&told(handle, Ask::Budget)).expect("json");
        assert_eq!(budget["batch_history_bytes"].to_string(), r#"{"used":10,"limit":100,"remaining":90}"#);
        assert_eq!(budget["session_history_bytes"].to_string(), r#"{"used":2000,"limit":1000,"remaining":0}"#);
        Ok(returned())
    });
    let outcome = batch(engine).journal(Arc::new(Bounded)).build().expect("a runner").run(request()).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
}

#[tokio::test]
async fn discovery_is_bounded_as_results_are() {
    let size = LIST.len() as u64;
    for (budgets, bound, limit, observed) in [
        (Budgets { call_result_bytes: size - 1, ..Profile::batch().budgets }, Bound::CallResult, size - 1, size),
        (Budgets { total_result_bytes: 2 * size, ..Profile::batch().budgets }, Bound::TotalResults, 2 * size, 3 * size),
    ] {
        let engine = ClosureEngine::new(|_, handle| {
            while handle.call(Ask::List).is_ok() {}
            Ok(returned())
        });
        let outcome = batch(engine).build().expect("a runner").run(request().with_budgets(budgets)).await.expect("no host error");
        let failure = outcome.failure.expect("stopped");
        assert_eq!((failure.bound, failure.limit, failure.observed), (Some(bound), Some(limit), Some(observed)));
    }
}

#[tokio::test]
async fn aliases_are_described_and_called_and_the_ledger_has_the_raw_name() {
    let engine = ClosureEngine::new(|_, handle| {
        let expected = r#"{"name":"get-item","alias":"get_item","description":"Gets an item","parameters":{"type":"object"}}"#;
        for name in ["get-item", "get_item"] {
            assert_eq!(told(handle, Ask::Describe { name: name.to_owned() }), expected);
            assert_eq!(call(handle, name, "{}").expect("not stopped").answer, Answer::text("{}"));
        }
        assert_eq!(told(handle, Ask::Describe { name: "item".to_owned() }), "null");
        let search = |all_words| told(handle, Ask::Search { query: "gets back item".to_owned(), all_words, offset: 0, limit: 50 });
        assert_eq!((search(true).as_str(), search(false).as_str()), ("[]", LIST));
        Ok(returned())
    });
    let outcome = batch(engine).build().expect("a runner").run(request()).await.expect("no host error");
    assert!(outcome.is_ok(), "{:?}", outcome.failure);
    let names: Vec<_> = outcome.ledger.records().iter().map(|record| &*record.tool).collect();
    assert_eq!(names, ["get-item", "get-item"]);
}
