//! Deadlines, progress, cancellation, and what comes back from one call.

use std::time::{Duration, Instant};

use codemode_core::{Answer, Note, ToolHost};
use codemode_mcp::McpHost;
use serde_json::{Value, json};

use crate::support::*;

async fn impatient(setup: &Value, idle: u64, total: u64) -> std::sync::Arc<McpHost> {
    let mut config = server("s", setup);
    config.timeout = Some(Duration::from_millis(idle));
    config.max_timeout = Some(Duration::from_millis(total));
    listed(McpHost::builder().server(config)).await
}

#[tokio::test]
async fn calls_overlap() {
    let host = host(&with_tools(&["progress", "echo"])).await;
    let slow = json!({"times": 1, "every": 0.3});
    let began = Instant::now();
    let calls = (0..8).map(|_| call(&host, "progress", slow.clone()));
    let answers = futures_util::future::join_all(calls).await;
    assert_eq!(answers.iter().map(text_of).collect::<Vec<_>>(), vec!["done"; 8]);
    assert!(began.elapsed() < Duration::from_millis(8 * 600), "{:?}", began.elapsed());
}

#[tokio::test]
async fn silence_ends_a_call_and_the_server_is_told() {
    let (_folder, log) = log_file();
    let host = impatient(&json!({"log": log, "tools": tools(&["hang", "echo"])}), 300, 60_000).await;
    let answer = call(&host, "hang", json!({})).await;
    let message = "what the call did is unknown, and it may have run; server \"s\": it gave no sign for 300 ms, and the call was cancelled";
    assert_eq!(fault_of(&answer), fault("unknown", "outcome_unknown", message));
    let line: Value = serde_json::from_str(&logged(&log, "notifications/cancelled").await).expect("json");
    assert_eq!(line["params"]["reason"], "the call was silent for too long");
    assert_eq!(text_of(&call(&host, "echo", json!({})).await), "{}");
}

#[tokio::test]
async fn progress_is_a_sign_of_life_and_is_noted() {
    let host = impatient(&with_tools(&["progress"]), 1_000, 60_000).await;
    let caller = Caller::new();
    let answer = caller.call(&host, "s__progress", json!({"times": 4, "every": 0.4})).await;
    assert_eq!(text_of(&answer), "done");
    let expected: Vec<Note> = (1..=4).map(|step| Note::Progress(format!("s__progress: {step}/4 step\\u{{1b}}[31m"))).collect();
    assert_eq!(caller.notes(), expected);
}

#[tokio::test]
async fn no_progress_goes_past_the_longest_time() {
    let (_folder, log) = log_file();
    let host = impatient(&json!({"log": log, "tools": tools(&["progress"])}), 1_000, 700).await;
    let answer = call(&host, "progress", json!({"times": 600, "every": 0.1})).await;
    let (kind, code, message) = fault_of(&answer);
    assert_eq!((kind, code.as_str()), ("unknown", "outcome_unknown"));
    assert!(message.ends_with("ms, which is as long as it may take"), "{message}");
    logged(&log, "notifications/cancelled").await;
    let deadline = host.catalog().get("s__progress").expect("a tool").annotations.deadline;
    assert_eq!(deadline, Some(Duration::from_millis(700)));
}

#[tokio::test]
async fn the_deadline_of_who_asks_holds() {
    let host = host(&with_tools(&["hang"])).await;
    let mut caller = Caller::new();
    caller.context.deadline = Some(Instant::now() + Duration::from_millis(400));
    let answer = tokio::time::timeout(LONG, caller.call(&host, "s__hang", json!({}))).await.expect("an answer");
    assert_eq!(fault_of(&answer).0, "unknown");
}

#[tokio::test]
async fn a_stopped_run_cancels_its_calls_and_late_answers_hurt_nobody() {
    let (_folder, log) = log_file();
    let host = host(&json!({"log": log, "tools": tools(&["late", "echo"])})).await;
    let caller = Caller::new();
    let stop = async {
        logged(&log, "hanging").await;
        caller.context.cancelled.cancel();
    };
    let (answer, ()) = tokio::join!(caller.call(&host, "s__late", json!({})), stop);
    let message = "what the call did is unknown, and it may have run; server \"s\": the run was stopped while the call was out";
    assert_eq!(fault_of(&answer), fault("unknown", "outcome_unknown", message));
    logged(&log, "answered late").await;
    assert_eq!(text_of(&call(&host, "echo", json!({"n": 2})).await), "{\"n\": 2}");
    assert_eq!(status(&host, "s").problems, Vec::<String>::new());
}

#[tokio::test]
async fn a_call_that_is_dropped_is_cancelled() {
    let (_folder, log) = log_file();
    let host = host(&json!({"log": log, "tools": tools(&["hang"])})).await;
    let calling = tokio::spawn({
        let host = std::sync::Arc::clone(&host);
        async move { call(&host, "hang", json!({})).await }
    });
    logged(&log, "hanging").await;
    calling.abort();
    let line: Value = serde_json::from_str(&logged(&log, "notifications/cancelled").await).expect("json");
    assert_eq!(line["params"]["reason"], "nobody waits for the answer any more");
}

#[tokio::test]
async fn an_error_of_the_protocol_is_a_failure_with_its_data() {
    let host = host(&with_tools(&["error", "unknown"])).await;
    let Answer::Failed(failed) = call(&host, "error", json!({})).await else { panic!("no failure") };
    assert_eq!((failed.code.as_ref(), failed.message.as_str()), ("failed", "no such page"));
    assert_eq!(failed.data.map(|data| data.text().to_owned()).as_deref(), Some(r#"{"page":9}"#));
    assert_eq!(fault_of(&call(&host, "unknown", json!({})).await), fault("failed", "failed", "unknown tool unknown"));
}

#[tokio::test]
async fn a_server_that_asks_gets_nothing() {
    let host = host(&with_tools(&["ask"])).await;
    let answers = text_of(&call(&host, "ask", json!({})).await);
    assert_eq!(answers, r#"[{"action": "decline"}, -32601, -32601, -32601, {}]"#);
}
