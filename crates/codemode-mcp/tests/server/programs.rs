//! `run_code`: what it is offered as, and what comes back.

use codemode::{Isolation, Profile};
use codemode_core::{Json, ToolSpec};
use codemode_mcp::CodeServer;
use codemode_policy::Validate;
use rmcp::model::CallToolResult;
use serde_json::{Value, json};

use crate::connected::{Client, as_json, text};
use crate::local::{PAPER, PICTURE, SOUND, Tools};

fn server(tools: &Tools) -> CodeServer {
    CodeServer::builder(tools.host.clone()).build().expect("a server")
}

async fn client() -> Client {
    Client::new(&server(&Tools::new())).await
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[tokio::test]
async fn one_tool_is_offered_with_its_input() {
    let client = client().await;
    let tools = client.running.list_all_tools().await.expect("tools");
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["run_code"]);
    let expected = json!({
        "type": "object",
        "properties": {
            "code": {"type": "string", "description": "The program."},
            "timeout_secs": {
                "type": "integer", "minimum": 1, "maximum": 120,
                "description": "Stop the program after this many seconds; 120 where it is left out."
            },
            "language": {"type": "string", "enum": ["javascript", "typescript"], "description": "Either is read; need not be said."}
        },
        "required": ["code"]
    });
    assert_eq!(as_json(&*tools[0].input_schema), expected);
    let info = client.running.peer_info().expect("the server's own words");
    let implementation = info.server_info.as_ref().map(|info| (info.name.as_str(), info.version.as_str()));
    assert_eq!(implementation, Some(("codemode", env!("CARGO_PKG_VERSION"))));
}

#[tokio::test]
async fn a_profile_that_needs_an_intent_asks_for_it() {
    let tools = Tools::new();
    let server = CodeServer::builder(tools.host.clone()).profile(Profile::batch()).build().expect("a server");
    let client = Client::new(&server).await;
    let tools = client.running.list_all_tools().await.expect("tools");
    let schema = as_json(&*tools[0].input_schema);
    assert_eq!(schema["required"], json!(["code", "intent"]));
    assert_eq!(schema["properties"]["intent"], json!({"type": "string", "description": "What the program is for, in a few words."}));
    let arguments = json!({"code": "return tools.call('add', {a: 1, b: 2}).content", "intent": "to add"});
    let result = client.call("run_code", arguments).await;
    let structured = result.structured_content.expect("an outcome");
    assert_eq!((&structured["status"], &structured["intent"]), (&json!("ok"), &json!("to add")));
}

/// Whether the outcome is what `run_code` promises.
async fn assert_promised(client: &Client, result: &CallToolResult) -> Value {
    let tools = client.running.list_all_tools().await.expect("tools");
    let schema = as_json(tools[0].output_schema.as_deref().expect("a promise"));
    assert_no_boolean_schemas(&schema, "");
    let outcome = result.structured_content.clone().expect("an outcome");
    let promise = ToolSpec::new("outcome").with_input_schema(Json::from_value(schema).expect("json"));
    assert_eq!(Validate::new().warning(&promise), None);
    assert_eq!(Validate::new().check(&promise, &Json::from_value(outcome.clone()).expect("json")), Ok(()));
    outcome
}

fn assert_no_boolean_schemas(schema: &Value, place: &str) {
    match schema {
        Value::Bool(_) => panic!("a boolean at {place}"),
        Value::Array(items) => items.iter().for_each(|item| assert_no_boolean_schemas(item, place)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| assert_no_boolean_schemas(field, &format!("{place}/{name}"))),
        _ => {}
    }
}

#[tokio::test]
async fn an_outcome_comes_as_text_and_as_json() {
    let client = client().await;
    let result = client.run("console.log('hello'); return (await tools.add({a: 1, b: 2})).sum").await;
    assert_eq!(result.is_error, Some(false));
    let expected = concat!(
        "run_code ok (1 tool call, 0.00s compute)\n\nvalue:\n3\n\noutput:\nhello\n\n",
        "calls:\n  1 add {\"a\":1,\"b\":2} -> ok, 9 bytes"
    );
    assert_eq!(text(&result), expected);
    assert_eq!(result.content.len(), 1);
    let mut outcome = assert_promised(&client, &result).await;
    for measured in ["/calls/0/ms", "/usage", "/run", "/evidence/elapsed_ms"] {
        assert!(outcome.pointer(measured).is_some_and(|value| !value.is_null()), "{measured} in {outcome}");
        *outcome.pointer_mut(measured).expect("it is there") = Value::Null;
    }
    let expected = json!({
        "status": "ok", "value": 3, "output": "hello\n", "failure": null, "effects": "none",
        "calls": [{"seq": 1, "tool": "add", "arguments": {"a": 1, "b": 2}, "status": "ok", "bytes": 9, "ms": null}],
        "calls_omitted": 0, "usage": null, "warnings": [], "spill": null, "state_committed": null, "run": null, "engine": "quickjs",
        "profile": "program", "intent": null,
        "evidence": {
            "succeeded": 1, "failed": 0, "denied": 0, "unknown": 0, "elapsed_ms": null,
            "changed_paths": [], "changed_paths_count": 0, "changed_paths_incomplete": false
        },
        "recovery": null, "context": [], "content": [], "parked": null
    });
    assert_eq!(outcome, expected);
}

#[tokio::test]
async fn a_failed_program_is_an_error_that_says_what_ran() {
    let client = client().await;
    let result = client.run("await tools.fail({}); return 1").await;
    assert_eq!(result.is_error, Some(true));
    let outcome = assert_promised(&client, &result).await;
    assert_eq!((&outcome["status"], &outcome["calls"][0]["status"]), (&json!("error"), &json!("failed")));
    assert_eq!(outcome["failure"]["message"], json!("ToolError: fail: it cannot be done"));
    assert_eq!(text(&result).lines().next(), Some("run_code error: the program raised (after 1 tool call)"));
    let result = client.run("let let").await;
    assert_eq!(assert_promised(&client, &result).await["status"], json!("compile"));
}

#[tokio::test]
async fn pictures_sounds_and_papers_come_out_where_the_program_gives_them_back() {
    let client = client().await;
    let code = "const shot = await tools.shot({}); const parts = await tools.parts({}); return [shot, parts]";
    let result = client.run(code).await;
    let outcome = assert_promised(&client, &result).await;
    let handles: Vec<String> = (0..3)
        .map(|at| outcome["content"][at]["handle"].as_str().and_then(|handle| handle.strip_prefix("blob:")).expect("a handle").to_owned())
        .collect();
    let expected = json!([
        {"type": "image", "data": base64(PICTURE), "mimeType": "image/png"},
        {"type": "audio", "data": base64(SOUND), "mimeType": "audio/wav"},
        {"type": "resource", "resource": {
            "uri": format!("codemode://blob/{}", handles[2]), "mimeType": "application/pdf", "blob": base64(PAPER)
        }}
    ]);
    assert_eq!(as_json(&result.content[1..].to_vec()), expected);
    let nothing = client.run("await tools.shot({}); return 1").await;
    assert_eq!(nothing.content.len(), 1);
}

#[tokio::test]
async fn what_is_no_call_of_a_tool_is_refused() {
    let client = client().await;
    for (tool, arguments, message) in [
        ("run_code", json!({}), "run_code needs code: the program, as a string"),
        ("run_code", json!({"code": "1", "timeout_secs": 0}), "timeout_secs is 0, and must be a whole number from 1 to 120"),
        ("search_tools", json!({"query": 1}), "query is 1, and must be a string"),
        ("add", json!({"a": 1, "b": 2}), "tool \"add\" is not called directly; call it from a program, with run_code"),
        ("run_codes", json!({}), "there is no tool \"run_codes\"; did you mean \"run_code\"? tools/list has all"),
        ("zzz\n", json!({}), "there is no tool \"zzz\\n\"; tools/list has all"),
    ] {
        assert_eq!(client.refusal(tool, arguments).await, (-32602, message.to_owned()));
    }
    let (_, long) = client.refusal(&"x".repeat(1 << 16), json!({})).await;
    assert!(long.len() < 300, "{long}");
}

#[tokio::test]
async fn a_program_stops_at_the_seconds_that_it_was_given() {
    let client = client().await;
    let result = client.call("run_code", json!({"code": "await new Promise(() => setTimeout(() => {}, 60000))", "timeout_secs": 1})).await;
    let outcome = result.structured_content.expect("an outcome");
    assert_eq!(
        (&outcome["status"], &outcome["failure"]["bound"], &outcome["failure"]["limit"]),
        (&json!("time"), &json!("wall"), &json!(1000))
    );
}

#[tokio::test]
async fn what_cannot_be_run_here_is_said() {
    let tools = Tools::new();
    let error = CodeServer::builder(tools.host.clone()).profile(Profile::program()).build().expect_err("no worker");
    let expected = "profile \"program\" wants a worker process, and the runtime was given none; give it `workers`, which needs the cargo feature `workers` and a program that is the worker, or set the profile's isolation to `Thread`";
    assert_eq!(error.to_string(), expected);
    let error = CodeServer::builder(tools.host).engine("v8").build().expect_err("no engine");
    let expected = "engine \"v8\" is not here; this version has no such engine, only luajit, quickjs, boa; compiled in: luajit, quickjs";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_description_stays_for_a_connection_and_is_the_same_on_the_next() {
    let tools = Tools::new();
    let server =
        CodeServer::builder(tools.host.clone()).profile(Profile::cell().with_isolation(Isolation::Thread)).build().expect("a server");
    let mut seen = Vec::new();
    for _ in 0..2 {
        let client = Client::new(&server).await;
        for _ in 0..2 {
            seen.push(as_json(&client.running.list_all_tools().await.expect("tools")));
        }
    }
    assert!(seen.iter().all(|list| *list == seen[0]));
}
