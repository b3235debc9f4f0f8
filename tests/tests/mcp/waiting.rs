//! Calls that take long: limits of time, cancellation, and progress, over a server that says what became of its calls.

use std::time::Duration;

use codemode::{FailureKind, RunRequest};
use codemode_mcp::ServerConfig;
use serde_json::json;

use crate::bench;

/// Short for a call that never ends, and long for one that is answered at once, also on a loaded machine.
const SHORT: Duration = Duration::from_secs(5);

/// The call is given up, the server is told, and it stops: it counts what was cancelled.
#[tokio::test]
async fn a_silent_call_is_cancelled_at_the_server() {
    let host = bench::host([ServerConfig { timeout: Some(SHORT), ..bench::team() }]);
    let program = r#"
        let failure
        try { await tools.team.wait({ seconds: 300, steps: 1 }) } catch (error) { failure = [error.code, error.ran, error.message] }
        return [failure, await tools.team.await_cancelled({ count: 1 }), await tools.team.count_waits({})]"#;
    let outcome = bench::run(&host, program).await;
    let message = "what the call did is unknown, and it may have run; server \"team\": it gave no sign for 5 s, and the call was cancelled";
    assert_eq!(
        bench::value_of(&outcome),
        json!([["outcome_unknown", true, message], {"result": "cancelled"}, {"started": 1, "finished": 0, "cancelled": 1}])
    );
    let statuses: Vec<&str> = bench::calls(&outcome).into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, ["unknown", "ok", "ok"]);
    host.close().await;
}

/// Each step of progress begins the limit anew: the call takes longer than it may be silent, and is answered.
#[tokio::test]
async fn progress_keeps_a_long_call_alive() {
    let host = bench::host([ServerConfig { timeout: Some(Duration::from_secs(4)), ..bench::team() }]);
    let outcome = bench::run(&host, "return await tools.team.wait({ seconds: 6, steps: 12 })").await;
    assert_eq!(bench::value_of(&outcome), json!({"result": "waited in 12 steps"}));
    host.close().await;
}

/// Progress does not keep a call alive for ever.
#[tokio::test]
async fn a_call_with_progress_has_a_limit_as_well() {
    let server = ServerConfig { timeout: Some(Duration::from_secs(60)), max_timeout: Some(SHORT), ..bench::team() };
    let host = bench::host([server]);
    let program = r#"
        try { await tools.team.wait({ seconds: 300, steps: 3000 }) } catch (error) { return [error.code, error.ran, await tools.team.await_cancelled({ count: 1 })] }"#;
    assert_eq!(bench::value(&host, program).await, json!(["outcome_unknown", true, {"result": "cancelled"}]));
    host.close().await;
}

/// A run that is stopped from outside stops its calls at their servers as well.
#[tokio::test]
async fn stopping_a_run_cancels_its_calls_at_the_server() {
    let host = bench::host([bench::team()]);
    let runtime = bench::runtime(&host);
    let run = runtime.run(RunRequest::new("await tools.team.wait({ seconds: 300, steps: 3000 })"));
    let stopper = run.stopper();
    let stopped = tokio::spawn(run);
    // A second run waits until the first one's call is at the server, and only then is the first stopped.
    assert_eq!(bench::value(&host, "return await tools.team.await_started({ count: 1 })").await, json!({"result": "started"}));
    stopper.stop();
    let outcome = stopped.await.expect("no panic").expect("the host is whole");
    assert_eq!((outcome.kind(), bench::calls(&outcome)), (Some(FailureKind::Interrupted), vec![("team__wait".to_owned(), "unknown")]));
    assert_eq!(bench::value(&host, "return await tools.team.await_cancelled({ count: 1 })").await, json!({"result": "cancelled"}));
    host.close().await;
}
