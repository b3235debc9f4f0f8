//! Sessions over HTTP: whose requests are told apart, and that are bounded.

use codemode::{Isolation, Profile};
use codemode_mcp::CodeServer;
use serde_json::{Value, json};

use crate::http::{ACCEPT, INITIALIZE, JSON, Listening, post};
use crate::local::Tools;

fn run(id: u64, code: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "run_code", "arguments": {"code": code}}}).to_string()
}

async fn begin(server: &Listening) -> String {
    server.ask(&post(&[JSON, ACCEPT], INITIALIZE)).await.session.expect("a session")
}

#[tokio::test]
async fn a_request_with_the_id_of_another_is_refused_and_the_other_is_answered() {
    let mut tools = Tools::new();
    let server = Listening::new(&tools, |_| {}).await;
    let session = begin(&server).await;
    let (address, waiting) = (server.address, session.clone());
    let first = tokio::spawn(async move {
        let headers = [JSON, ACCEPT, ("Mcp-Session-Id", waiting.as_str())];
        post(&headers, &run(7, "return await tools.wait({})")).send(address).await.message()
    });
    assert_eq!(tools.next().await, "wait");
    let headers = [JSON, ACCEPT, ("Mcp-Session-Id", session.as_str())];
    let second = server.ask(&post(&headers, &run(7, "return 2"))).await.message();
    let why = "another request of this id has no answer yet; give each request an id of its own";
    assert_eq!(second, json!({"jsonrpc": "2.0", "id": 7, "error": {"code": -32_600, "message": why}}));
    tools.local.release(1);
    let value = |answer: &Value| answer["result"]["structuredContent"]["value"].clone();
    assert_eq!(value(&first.await.expect("no panic")), json!("released"));
    assert_eq!(value(&server.ask(&post(&headers, &run(7, "return 3"))).await.message()), json!(3));
}

#[tokio::test]
async fn the_session_that_is_unused_for_longest_makes_room_and_none_at_work_does() {
    let mut tools = Tools::new();
    let server = Listening::new(&tools, |_| {}).await;
    let (working, unused, used) = (begin(&server).await, begin(&server).await, begin(&server).await);
    let (address, id) = (server.address, working.clone());
    let first = tokio::spawn(async move {
        let headers = [JSON, ACCEPT, ("Mcp-Session-Id", id.as_str())];
        post(&headers, &run(7, "return await tools.wait({})")).send(address).await.message()
    });
    assert_eq!(tools.next().await, "wait");
    let status = async |session: &str| {
        let headers = [JSON, ACCEPT, ("Mcp-Session-Id", session)];
        server.ask(&post(&headers, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)).await.status
    };
    assert_eq!(status(&used).await, 200);
    // 1,000 in all, and one more.
    for _ in 3..=1_000 {
        begin(&server).await;
    }
    assert_eq!((status(&unused).await, status(&used).await, status(&working).await), (404, 200, 200));
    tools.local.release(1);
    assert_eq!(first.await.expect("no panic")["result"]["structuredContent"]["value"], json!("released"));
}

#[tokio::test]
async fn a_request_says_once_where_it_comes_from_and_goes_to() {
    let tools = Tools::new();
    let server = Listening::new(&tools, |_| {}).await;
    for name in ["host", "origin", "mcp-session-id"] {
        // The host stands in each request already.
        let twice = [JSON, ACCEPT, (name, "localhost"), (name, "evil.example")];
        let refused = server.ask(&post(&twice, INITIALIZE)).await;
        assert_eq!((refused.status, refused.body), (400, format!("the header {name} stands twice in this request\n")));
    }
}

#[tokio::test]
async fn sessions_share_neither_scratch_nor_state() {
    let tools = Tools::new();
    let profile = Profile::cell().with_isolation(Isolation::Thread);
    let cells = CodeServer::builder(tools.host.clone()).profile(profile).build().expect("a server");
    let server = Listening::of(&cells, |_| {}).await;
    let (one, other) = (begin(&server).await, begin(&server).await);
    let count =
        "scratch.n = (scratch.n ?? 0) + 1; state.n = (state.n ?? 0) + 1; globalThis.n = (globalThis.n ?? 0) + 1; [scratch.n, state.n, n]";
    let mut seen = Vec::new();
    for (id, session) in [(1, &one), (2, &one), (3, &other), (4, &one), (5, &other)] {
        let headers = [JSON, ACCEPT, ("Mcp-Session-Id", session.as_str())];
        let answer = server.ask(&post(&headers, &run(id, count))).await.message();
        seen.push(answer["result"]["structuredContent"]["value"].clone());
    }
    assert_eq!(seen, [1, 2, 1, 3, 2].map(|n| json!([n, n, n])));
}
