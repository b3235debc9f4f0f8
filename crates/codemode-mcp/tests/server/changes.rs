//! Servers behind the server: what a client is told when they come, and what it gets before.

use std::path::Path;
use std::sync::Arc;

use codemode_mcp::{CodeServer, McpHost, ServerConfig};
use codemode_policy::{Agent, Inventory, Mode, Settings};
use serde_json::{Value, json};

use crate::connected::{Client, PATIENCE, text};

/// A server behind ours whose list of tools is this.
fn upstream(tools: &Value) -> Arc<McpHost> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/server.py");
    let setup = json!({"tools": tools}).to_string();
    McpHost::builder().server(ServerConfig::stdio("up", "python3", [script.display().to_string(), setup])).start()
}

fn full(host: Arc<McpHost>) -> CodeServer {
    let inventory = Inventory::new(&Settings::default(), Some(Mode::Full), &Agent::default(), &|_| None).expect("an inventory");
    CodeServer::builder(host).inventory(inventory).build().expect("a server")
}

async fn names(client: &Client) -> Vec<String> {
    client.running.list_all_tools().await.expect("tools").into_iter().map(|tool| tool.name.into_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_told_when_the_tools_of_a_server_have_come() {
    let host = upstream(&json!([{"name": "echo", "inputSchema": {"type": "object"}}]));
    let mut client = Client::new(&full(Arc::clone(&host))).await;
    // The server takes a moment to start, and the answer does not wait for it.
    let before = names(&client).await;
    if before == ["run_code", "search_tools"] {
        tokio::time::timeout(PATIENCE, client.changed.recv()).await.expect("told in time").expect("told");
    }
    assert_eq!(names(&client).await, ["run_code", "search_tools", "up__echo"]);
    let direct = client.call("up__echo", json!({"text": "a"})).await;
    let through = client.run("return await tools.up.echo({ text: 'a' })").await;
    let value = &through.structured_content.as_ref().expect("an outcome")["value"];
    assert_eq!((text(&direct), direct.is_error), (value.as_str().expect("text").to_owned(), Some(false)));
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_client_ends_its_connection_and_no_other() {
    let host = McpHost::builder().start();
    let server = full(host);
    let (first, second) = (Client::new(&server).await, Client::new(&server).await);
    first.running.cancel().await.expect("closed");
    tokio::time::timeout(PATIENCE, first.serving).await.expect("ended in time").expect("no panic").expect("ended well");
    let outcome = second.run("return 1").await.structured_content.expect("an outcome");
    assert_eq!(outcome["value"], json!(1));
}
