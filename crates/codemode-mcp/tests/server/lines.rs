//! Whatever a client puts on the pipe: a request gets its one answer, and nothing else is lost.

use codemode_mcp::CodeServer;
use serde_json::{Value, json};

use crate::local::Tools;
use crate::raw::Pipe;

const MESSAGE: &str = "a message is an object with jsonrpc \"2.0\", a method, params that are an object, and for a request an id that is a \
string or a whole number";

async fn piped(tools: &Tools) -> Pipe {
    let mut pipe = Pipe::new(&CodeServer::builder(tools.host.clone()).build().expect("a server"));
    pipe.initialize("2025-06-18").await;
    pipe
}

fn refusal(id: Option<Value>, code: i64, message: &str) -> Value {
    let mut answer = json!({"jsonrpc": "2.0", "error": {"code": code, "message": message}});
    if let Some(id) = id {
        answer["id"] = id;
    }
    answer
}

#[tokio::test]
async fn what_is_no_request_is_answered_with_why() {
    let mut pipe = piped(&Tools::new()).await;
    let call = "the params of tools/call cannot be read; it takes name (a string), and arguments (an object) where the tool has any";
    let nothing = "there is no method \"no\\nsuch\"; this server has tools/list, tools/call, resources/list and resources/read";
    let deep = format!(r#"{{"jsonrpc":"2.0","method":"ping","params":{}1{},"id":"deep"}}"#, "[".repeat(500), "]".repeat(500));
    for (line, answer) in [
        ("hello", refusal(None, -32_700, "this line is no json: expected value at line 1 column 1")),
        (
            r#"{"id":3,"method":"ping","#,
            refusal(Some(json!(3)), -32_700, "this line is no json: EOF while parsing a value at line 1 column 24"),
        ),
        (&deep, refusal(Some(json!("deep")), -32_700, "this line is no json: recursion limit exceeded at line 1 column 169")),
        ("5", refusal(None, -32_600, MESSAGE)),
        ("{}", refusal(None, -32_600, MESSAGE)),
        (r#"{"id":4,"method":"ping"}"#, refusal(Some(json!(4)), -32_600, MESSAGE)),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, refusal(None, -32_600, MESSAGE)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, refusal(None, -32_600, MESSAGE)),
        (r#"{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}"#, refusal(None, -32_600, MESSAGE)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":5}}"#, refusal(Some(json!(5)), -32_602, call)),
        (r#"{"jsonrpc":"2.0","id":6,"method":"tools/call"}"#, refusal(Some(json!(6)), -32_602, call)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"no\nsuch"}"#, refusal(Some(json!(7)), -32_601, nothing)),
        (
            r#"{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"cursor":"2"}}"#,
            refusal(Some(json!(8)), -32_602, "there is one page, which is given without a cursor"),
        ),
        ("[]", refusal(None, -32_600, &format!("an array without a message; {MESSAGE}"))),
    ] {
        pipe.send_bytes(format!("{line}\n").as_bytes()).await;
        assert_eq!(pipe.next().await, answer, "{}", &line[..line.len().min(80)]);
    }
    // What wants no answer gets none, however it looks: the next question is answered next.
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}"#,
        r#"{"method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":9,"result":5}"#,
        r#"{"jsonrpc":"2.0","id":9,"error":"no"}"#,
        "",
        "  \r",
    ] {
        pipe.send_bytes(format!("{line}\n").as_bytes()).await;
        assert_eq!(pipe.ask(10, "ping", json!({})).await["result"], json!({}), "{line}");
    }
}

#[tokio::test]
async fn an_initialize_that_cannot_be_read_says_what_it_takes() {
    let mut pipe = Pipe::new(&CodeServer::builder(Tools::new().host.clone()).build().expect("a server"));
    let answer = pipe.ask(1, "initialize", json!({"protocolVersion": "2025-06-18"})).await;
    let why = "the params of initialize cannot be read; it takes protocolVersion (a string), capabilities (an object) and clientInfo (an \
        object with name and version)";
    assert_eq!(answer, refusal(Some(json!(1)), -32_602, why));
    assert_eq!(pipe.initialize("2025-06-18").await["result"]["protocolVersion"], json!("2025-06-18"));
}

#[tokio::test]
async fn several_messages_in_an_array_are_answered_one_by_one() {
    let mut pipe = piped(&Tools::new()).await;
    let ping = |id: u64| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    pipe.send(&json!([ping(1), {"jsonrpc": "2.0", "method": "notifications/initialized"}, 5, ping(2)])).await;
    let mut answers = [pipe.next().await, pipe.next().await, pipe.next().await];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    let result = |id: u64| json!({"jsonrpc": "2.0", "id": id, "result": {}});
    assert_eq!(answers, [refusal(None, -32_600, MESSAGE), result(1), result(2)]);
}

#[tokio::test]
async fn a_line_that_is_too_long_ends_its_own_request_alone() {
    let mut pipe = piped(&Tools::new()).await;
    let code = "x".repeat(17 << 20);
    let params = json!({"name": "run_code", "arguments": {"code": code}});
    let request = json!({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": params});
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params});
    pipe.send(&notification).await;
    pipe.send(&request).await;
    let why = format!("this message has {} bytes, and at most 16777216 are read; send less at once", request.to_string().len() + 1);
    assert_eq!(pipe.next().await, refusal(Some(json!("long")), -32_600, &why));
    assert_eq!(pipe.ask(2, "ping", json!({})).await["result"], json!({}));
}

#[tokio::test]
async fn a_request_with_the_id_of_another_is_refused_and_the_other_goes_on() {
    let mut tools = Tools::new();
    let mut pipe = piped(&tools).await;
    let run = |code: &str| json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "run_code", "arguments": {"code": code}}});
    pipe.send(&run("return await tools.wait({})")).await;
    assert_eq!(tools.next().await, "wait");
    pipe.send(&run("return 2")).await;
    let why = "another request of this id has no answer yet; give each request an id of its own";
    assert_eq!(pipe.next().await, refusal(Some(json!(7)), -32_600, why));
    tools.local.release(1);
    assert_eq!(pipe.next().await["result"]["structuredContent"]["value"], json!("released"));
    pipe.send(&run("return 3")).await;
    assert_eq!(pipe.next().await["result"]["structuredContent"]["value"], json!(3));
}

#[tokio::test]
async fn a_last_line_without_its_end_is_a_message() {
    let mut pipe = piped(&Tools::new()).await;
    pipe.send_bytes(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    pipe.end().await;
    assert_eq!(pipe.next().await, json!({"jsonrpc": "2.0", "id": 1, "result": {}}));
    assert!(pipe.is_over().await);
}

#[tokio::test]
async fn who_asked_for_progress_has_the_outcome_after_the_end_of_the_input() {
    let mut tools = Tools::new();
    let mut pipe = piped(&tools).await;
    let code = "return [await tools.wait({}), await tools.add({a: 1, b: 2})]";
    let params = json!({"name": "run_code", "arguments": {"code": code}, "_meta": {"progressToken": 1}});
    pipe.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})).await;
    assert_eq!(tools.next().await, "wait");
    assert_eq!(pipe.next().await["params"]["message"], json!("wait: started"));
    pipe.end().await;
    tools.local.release(1);
    let mut answer = pipe.next().await;
    // Whether progress still goes out depends on which is seen first.
    while answer["method"] == json!("notifications/progress") {
        answer = pipe.next().await;
    }
    assert_eq!((&answer["id"], &answer["result"]["structuredContent"]["value"]), (&json!(7), &json!(["released", {"sum": 3}])));
    assert!(pipe.is_over().await);
}
