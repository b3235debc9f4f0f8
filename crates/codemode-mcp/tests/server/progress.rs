//! Progress, for who asks for it.

use codemode_mcp::CodeServer;
use serde_json::json;

use crate::connected::Client;
use crate::direct::full;
use crate::local::Tools;

#[tokio::test]
async fn each_call_of_a_program_is_told_as_it_begins_and_ends() {
    let tools = Tools::new();
    let server = CodeServer::builder(tools.host.clone()).build().expect("a server");
    let mut client = Client::new(&server).await;
    client.run("await tools.add({a: 1, b: 2}); try { await tools.fail({}) } catch {} return 1").await;
    let mut told = Vec::new();
    for _ in 0..4 {
        told.push(client.progress.recv().await.expect("progress"));
    }
    let expected = [(1.0, "add: started"), (2.0, "add: ok"), (3.0, "fail: started"), (4.0, "fail: failed")];
    assert_eq!(told, expected.map(|(count, message)| (count, message.to_owned())));
    client.run("return 1").await;
    assert!(client.progress.try_recv().is_err());
}

#[tokio::test]
async fn what_a_tool_says_of_its_progress_is_passed_on_for_a_direct_call() {
    let tools = Tools::new();
    let mut client = Client::new(&full(&tools)).await;
    let result = client.call("far", json!({})).await;
    assert_eq!(client.progress.recv().await, Some((1.0, "half of it".to_owned())));
    let texts: Vec<&str> = result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.as_str()).collect();
    assert_eq!(texts, ["done", "read this as well"]);
}
