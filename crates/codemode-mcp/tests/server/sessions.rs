//! Programs of one connection: at once, and in a session one after the other.

use codemode::{Isolation, Profile};
use codemode_mcp::CodeServer;
use serde_json::{Value, json};

use crate::connected::Client;
use crate::local::Tools;

#[tokio::test]
async fn programs_of_one_connection_run_at_once() {
    let mut tools = Tools::new();
    let client = Client::new(&CodeServer::builder(tools.host.clone()).build().expect("a server")).await;
    let local = tools.local.clone();
    let both = async {
        // Both are out before either may end.
        assert_eq!((tools.next().await, tools.next().await), ("wait", "wait"));
        local.release(2);
    };
    let (one, other, ()) = tokio::join!(client.run("return await tools.wait({})"), client.run("return await tools.wait({})"), both);
    for result in [one, other] {
        assert_eq!(result.structured_content.expect("an outcome")["value"], json!("released"));
    }
}

#[tokio::test]
async fn a_connection_is_one_session_whose_programs_queue() {
    let tools = Tools::new();
    let profile = Profile::cell().with_isolation(Isolation::Thread);
    let server = CodeServer::builder(tools.host.clone()).profile(profile).build().expect("a server");
    let client = Client::new(&server).await;
    tools.local.release(4);
    let code = "scratch.seen = (scratch.seen ?? 0) + 1; const seen = scratch.seen; await host.wait({}); [seen, scratch.seen]";
    let (one, other) = tokio::join!(client.run(code), client.run(code));
    let mut seen: Vec<Value> = [one, other].map(|result| result.structured_content.expect("an outcome")["value"].clone()).into();
    seen.sort_by_key(ToString::to_string);
    assert_eq!(seen, [json!([1, 1]), json!([2, 2])]);
    let elsewhere = Client::new(&server).await.run(code).await;
    assert_eq!(elsewhere.structured_content.expect("an outcome")["value"], json!([1, 1]));
}

#[tokio::test]
async fn connections_share_neither_scratch_nor_state() {
    let tools = Tools::new();
    let profile = Profile::cell().with_isolation(Isolation::Thread);
    let server = CodeServer::builder(tools.host.clone()).profile(profile).build().expect("a server");
    let (one, other) = (Client::new(&server).await, Client::new(&server).await);
    let count =
        "scratch.n = (scratch.n ?? 0) + 1; state.n = (state.n ?? 0) + 1; globalThis.n = (globalThis.n ?? 0) + 1; [scratch.n, state.n, n]";
    let mut seen = Vec::new();
    for client in [&one, &one, &other, &one, &other] {
        seen.push(client.run(count).await.structured_content.expect("an outcome")["value"].clone());
    }
    assert_eq!(seen, [1, 2, 1, 3, 2].map(|n| json!([n, n, n])));
}
