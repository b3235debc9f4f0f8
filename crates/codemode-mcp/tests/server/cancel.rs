//! Cancellation, and clients that go away.

use codemode_mcp::CodeServer;
use serde_json::json;

use crate::direct::full;
use crate::local::Tools;
use crate::raw::Pipe;

async fn piped(server: &CodeServer) -> Pipe {
    let mut pipe = Pipe::new(server);
    pipe.initialize("2025-11-25").await;
    pipe
}

#[tokio::test]
async fn a_cancelled_program_is_stopped_with_its_calls_and_answers_nothing() {
    let mut tools = Tools::new();
    let mut pipe = piped(&CodeServer::builder(tools.host.clone()).build().expect("a server")).await;
    let params = json!({"name": "run_code", "arguments": {"code": "await tools.slow({}); await tools.wait({})"}});
    pipe.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})).await;
    assert_eq!(tools.next().await, "slow");
    pipe.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})).await;
    assert_eq!(tools.next().await, "cancelled");
    // The next message answers the next question.
    assert_eq!(pipe.ask(8, "ping", json!({})).await["result"], json!({}));
    assert!(tools.events.try_recv().is_err(), "nothing was called after it");
}

#[tokio::test]
async fn a_cancelled_direct_call_reaches_its_tool() {
    let mut tools = Tools::new();
    let mut pipe = piped(&full(&tools)).await;
    pipe.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "slow"}})).await;
    assert_eq!(tools.next().await, "slow");
    pipe.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})).await;
    assert_eq!(tools.next().await, "cancelled");
    assert_eq!(pipe.ask(8, "ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn a_program_that_only_computes_is_stopped_as_well() {
    let tools = Tools::new();
    let profile = codemode::Profile::cell().with_isolation(codemode::Isolation::Thread);
    let mut pipe = piped(&CodeServer::builder(tools.host.clone()).profile(profile).build().expect("a server")).await;
    let params = json!({"name": "run_code", "arguments": {"code": "for (;;) {}"}});
    pipe.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})).await;
    pipe.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})).await;
    // A session runs one program at a time, so that this one waits for the end of that one.
    let answer = pipe.ask(8, "tools/call", json!({"name": "run_code", "arguments": {"code": "1 + 1"}})).await;
    assert_eq!(answer["result"]["structuredContent"]["value"], json!(2));
}

#[tokio::test]
async fn the_end_of_the_input_stops_programs_and_gives_their_outcomes() {
    let mut tools = Tools::new();
    let mut pipe = piped(&CodeServer::builder(tools.host.clone()).build().expect("a server")).await;
    let params = json!({"name": "run_code", "arguments": {"code": "await tools.slow({})"}});
    pipe.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})).await;
    assert_eq!(tools.next().await, "slow");
    pipe.end().await;
    assert_eq!(tools.next().await, "cancelled");
    let answer = pipe.next().await;
    assert_eq!((&answer["id"], &answer["result"]["structuredContent"]["status"]), (&json!(7), &json!("interrupted")));
    assert!(pipe.is_over().await);
    pipe.serving.await.expect("no panic").expect("served");
}

#[tokio::test]
async fn what_was_asked_before_the_input_ended_is_answered() {
    let tools = Tools::new();
    let mut pipe = piped(&CodeServer::builder(tools.host.clone()).build().expect("a server")).await;
    let params = json!({"name": "run_code", "arguments": {"code": "return 7"}});
    pipe.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})).await;
    pipe.end().await;
    assert_eq!(pipe.next().await["result"]["structuredContent"]["value"], json!(7));
    assert!(pipe.is_over().await);
}

#[tokio::test]
async fn a_client_that_goes_before_it_said_anything_has_done_no_wrong() {
    let tools = Tools::new();
    let mut pipe = Pipe::new(&CodeServer::builder(tools.host.clone()).build().expect("a server"));
    pipe.end().await;
    assert!(pipe.is_over().await);
    pipe.serving.await.expect("no panic").expect("served");
}

#[tokio::test]
async fn what_is_said_before_the_beginning_hurts_nobody() {
    let tools = Tools::new();
    let mut pipe = Pipe::new(&CodeServer::builder(tools.host.clone()).build().expect("a server"));
    // Some clients ask which versions there are, and give the question up before they shake hands.
    let early = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    pipe.send(&early).await;
    pipe.send(&json!({"jsonrpc": "2.0", "id": 1, "result": {}})).await;
    assert_eq!(pipe.ask(2, "ping", json!({})).await["result"], json!({}));
    pipe.send(&early).await;
    let half = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}});
    for params in [json!({}), half] {
        assert_eq!(pipe.ask(3, "tools/list", params).await["error"]["code"], json!(-32_602));
    }
    pipe.send(&early).await;
    assert_eq!(pipe.initialize("2025-11-25").await["result"]["protocolVersion"], json!("2025-11-25"));
    assert_eq!(pipe.ask(4, "tools/list", json!({})).await["result"]["tools"][0]["name"], json!("run_code"));
}
