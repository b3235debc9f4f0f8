//! Direct tools: relayed beside `run_code`, through the same layers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use codemode_core::{Answer, Call, CallContext, Fault, Json, Layer, Rest, Stage, ToolSpec, code};
use codemode_mcp::CodeServer;
use codemode_policy::{Agent, Inventory, Mode, Settings, Validate};
use serde_json::{Value, json};

use crate::connected::{Client, as_json, text};
use crate::local::{PAPER, PICTURE, SOUND, Tools};

/// An inventory of this mode, with these settings.
pub(crate) fn inventory(mode: Mode, change: impl FnOnce(&mut Settings)) -> Inventory {
    let mut settings = Settings::default();
    change(&mut settings);
    Inventory::new(&settings, Some(mode), &Agent::default(), &|_| None).expect("an inventory")
}

/// A server with all tools on both surfaces.
pub(crate) fn full(tools: &Tools) -> CodeServer {
    CodeServer::builder(tools.host.clone()).inventory(inventory(Mode::Full, |_| {})).build().expect("a server")
}

async fn names(client: &Client) -> Vec<String> {
    client.running.list_all_tools().await.expect("tools").into_iter().map(|tool| tool.name.into_owned()).collect()
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[tokio::test]
async fn a_full_inventory_has_the_direct_tools_and_none_that_imitates_ours() {
    let client = Client::new(&full(&Tools::new())).await;
    assert_eq!(names(&client).await, ["run_code", "add", "fail", "far", "parts", "shot", "slow", "wait"]);
    let tools = client.running.list_all_tools().await.expect("tools");
    let expected = json!({
        "name": "add", "description": "Adds two numbers.",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]},
        "outputSchema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
        "annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true}
    });
    assert_eq!(as_json(&tools[1]), expected);
    assert_eq!(as_json(&tools[2]), json!({"name": "fail", "description": "Fails.", "inputSchema": {"type": "object"}}));
}

#[tokio::test]
async fn results_are_given_on_as_they_came() {
    let client = Client::new(&full(&Tools::new())).await;
    let sum = client.call("add", json!({"a": 1, "b": 2})).await;
    assert_eq!(
        as_json(&sum),
        json!({"content": [{"type": "text", "text": "{\"sum\":3}"}], "structuredContent": {"sum": 3}, "isError": false})
    );
    let shot = client.call("shot", json!({})).await;
    let expected = json!([
        {"type": "text", "text": "the screen"},
        {"type": "image", "data": base64(PICTURE), "mimeType": "image/png"}
    ]);
    assert_eq!(as_json(&shot.content), expected);
    let parts = as_json(&client.call("parts", json!({})).await.content);
    let uri = parts[1]["resource"]["uri"].clone();
    let expected = json!([
        {"type": "audio", "data": base64(SOUND), "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": uri, "mimeType": "application/pdf", "blob": base64(PAPER)}},
        {"type": "resource_link", "uri": "file:///a", "name": "a", "mimeType": "text/plain"}
    ]);
    assert_eq!(parts, expected);
    let read = client.read(uri.as_str().expect("an address")).await;
    assert_eq!(read, Ok(json!([{"uri": uri, "mimeType": "application/pdf", "blob": base64(PAPER)}])));
    let failed = client.call("fail", json!({})).await;
    let expected = json!({
        "content": [{"type": "text", "text": "it cannot be done\nfix: do not"}], "structuredContent": {"why": "no"}, "isError": true
    });
    assert_eq!(as_json(&failed), expected);
}

#[tokio::test]
async fn the_lists_of_the_two_surfaces_hold_apart() {
    let tools = Tools::new();
    let inventory = inventory(Mode::Compact, |settings| {
        settings.code_mode.direct = Some(vec!["add".to_owned(), "shot".to_owned()]);
        settings.code_mode.disabled = vec!["shot".to_owned()];
        settings.tools.disabled = vec!["add".to_owned()];
    });
    let client = Client::new(&CodeServer::builder(tools.host.clone()).inventory(inventory).build().expect("a server")).await;
    assert_eq!(names(&client).await, ["run_code", "shot"]);
    let message = "tool \"add\" is not called directly; call it from a program, with run_code";
    assert_eq!(client.refusal("add", json!({"a": 1, "b": 2})).await, (-32602, message.to_owned()));
    let outcome = client.run("return (await tools.list()).map(tool => tool.name)").await.structured_content.expect("an outcome");
    assert_eq!(outcome["value"], json!(["add", "fail", "far", "parts", "search_tools", "slow", "wait"]));
    let outcome = client.run("return await tools.shot({})").await.structured_content.expect("an outcome");
    assert_eq!(outcome["status"], json!("error"));
}

#[tokio::test]
async fn without_code_mode_there_are_direct_tools_alone() {
    let tools = Tools::new();
    let mut settings = Settings::default();
    settings.code_mode.enabled = Some(false);
    let inventory = Inventory::new(&settings, None, &Agent::default(), &|_| None).expect("an inventory");
    let client = Client::new(&CodeServer::builder(tools.host.clone()).inventory(inventory).build().expect("a server")).await;
    assert_eq!(names(&client).await, ["add", "fail", "far", "parts", "shot", "slow", "wait"]);
    let message = "there is no tool \"run_code\"; tools/list has all";
    assert_eq!(client.refusal("run_code", json!({"code": "1"})).await, (-32602, message.to_owned()));
}

#[tokio::test]
async fn plan_mode_refuses_programs_before_anything_runs() {
    let tools = Tools::new();
    let agent = Agent { plan_mode: Some("call exit_plan_mode".to_owned()), ..Agent::default() };
    let inventory = Inventory::new(&Settings::default(), None, &agent, &|_| None).expect("an inventory");
    let client = Client::new(&CodeServer::builder(tools.host.clone()).inventory(inventory).build().expect("a server")).await;
    let result = client.run("return await tools.add({a: 1, b: 2})").await;
    let message = "code mode is refused whole in plan mode, and nothing was run; to leave it, call exit_plan_mode";
    assert_eq!(as_json(&result), json!({"content": [{"type": "text", "text": message}], "isError": true}));
}

/// Counts calls, and refuses to add zero.
#[derive(Default)]
struct Counting {
    admitted: AtomicUsize,
    called: AtomicUsize,
}

#[async_trait]
impl Layer for Counting {
    fn stage(&self) -> Stage {
        Stage::Rules
    }

    fn admit(&self, _tool: &ToolSpec, _arguments: &Json) -> Result<(), Fault> {
        self.admitted.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }

    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        self.called.fetch_add(1, Ordering::SeqCst);
        if call.arguments.tree()["b"] == 0 {
            return Answer::NotRun(Fault::new(code::DENIED, "nobody adds nothing"));
        }
        rest.call(context, call).await
    }
}

#[tokio::test]
async fn programs_and_direct_calls_pass_through_the_same_layers() {
    let tools = Tools::new();
    let counting = Arc::new(Counting::default());
    let server = CodeServer::builder(tools.host.clone())
        .inventory(inventory(Mode::Full, |_| {}))
        .layer(Arc::clone(&counting) as _)
        .layer(Arc::new(Validate::new()))
        .build()
        .expect("a server");
    let client = Client::new(&server).await;
    let count = || (counting.admitted.load(Ordering::SeqCst), counting.called.load(Ordering::SeqCst));
    client.run("return await tools.add({a: 1, b: 2})").await;
    assert_eq!(count(), (1, 1));
    client.call("add", json!({"a": 1, "b": 2})).await;
    assert_eq!(count(), (2, 2));
    let denied = client.call("add", json!({"a": 1, "b": 0})).await;
    assert_eq!((text(&denied), denied.is_error), ("nobody adds nothing".to_owned(), Some(true)));
    assert_eq!(count(), (3, 3));
    // Validation stands before the rules, and refuses what is not admitted before any layer is called.
    let invalid = client.call("add", json!({"a": "one", "b": 2})).await;
    assert_eq!((count().1, invalid.is_error), (3, Some(true)));
    let expected =
        Validate::new().check(tools.host_tool("add"), &Json::parse(r#"{"a":"one","b":2}"#).expect("json")).expect_err("no number");
    assert_eq!(text(&invalid), format!("{}\nfix: {}", expected.message, expected.fix.expect("a signature")));
}

impl Tools {
    fn host_tool(&self, name: &str) -> &'static ToolSpec {
        let tool = self.host.known().get(name).expect("a tool").as_ref().clone();
        Box::leak(Box::new(tool))
    }
}

#[tokio::test]
async fn a_direct_call_reaches_its_tool_whole() {
    let client = Client::new(&full(&Tools::new())).await;
    let nothing = client.call("add", Value::Null).await;
    assert_eq!(nothing.structured_content, Some(json!({"sum": 0})));
}
