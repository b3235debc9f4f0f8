//! What every client plays in one connection, and what each must have got: the same for all.

use serde_json::{Value, json};

use crate::clients::Client;
use crate::place::Place;

/// The steps, in order.
fn steps() -> Value {
    json!([
        {"do": "list"},
        run("return 1 + 1"),
        run("console.log('seen'); const { temperature } = await tools.everything['get-structured-content']({ location: 'Chicago' })\nreturn [temperature, (await tools.team.add({ a: 2, b: 3 })).result]"),
        run("return await tools.everything['get-tiny-image']({})"),
        run("return [await tools.team.portrait({}), await tools.team.jingle({})]"),
        run("await tools.team.find_person({ name: 'nobody' })"),
        run("return 1 +"),
        run_with(json!({"code": "while (true) {}", "timeout_secs": 1})),
        {"do": "call", "name": "run_code", "arguments": {"code": 5}},
        {"do": "call", "name": "run_cod", "arguments": {}},
        run("await tools.team.add({ a: 1, b: 2 }); return await tools.team.wait({ seconds: 2, steps: 2 })"),
        // Cancelled at the third sign of progress: then the server has begun with it, for the second time.
        {"do": "call", "name": "run_code", "arguments": {"code": "await Promise.all([tools.team.wait({ seconds: 300, steps: 3000 }), tools.team.await_started({ count: 2 })])"}, "cancel_at": 3},
        run("return await tools.team.await_cancelled({ count: 1 })"),
        {"do": "together", "steps": [run("return await tools.team.meet({})"), run("return await tools.team.meet({})")]},
        {"do": "resources"},
        {"do": "read", "listed": 0},
        {"do": "read", "uri": "codemode://blob/none"},
    ])
}

fn run(code: &str) -> Value {
    run_with(json!({"code": code}))
}

fn run_with(arguments: Value) -> Value {
    json!({"do": "call", "name": "run_code", "arguments": arguments})
}

/// Plays all of it with this client over this server, and compares.
pub(crate) fn check(client: Client, place: &Place, server: &Value) {
    let played = client.play(place, server, &steps());
    assert_eq!((&played["server"]["name"], &played["protocol"]), (&json!("codemode"), &json!(client.protocol())));
    let results = played["results"].as_array().expect("a list");
    let shown: Vec<Value> = results.iter().map(shown).collect();
    let (listed, rest) = shown.split_first().expect("not empty");
    assert_eq!(listed[0], json!({"name": "run_code", "structured": true}), "{listed}");
    let expected = expected(client, &results[15]["contents"][0]["uri"]);
    // All that differ at once, since a run of this takes a while.
    let different: Vec<String> = rest
        .iter()
        .zip(&expected)
        .enumerate()
        .filter(|(_, (shown, expected))| shown != expected)
        .map(|(at, (shown, expected))| format!("step {}:\n  shown    {shown}\n  expected {expected}", at + 1))
        .collect();
    assert!(different.is_empty(), "{client:?}\n{}", different.join("\n"));
    assert_eq!(rest.len(), expected.len());
    check_progress(&results[10]["progress"]);
    check_pictures(results);
}

/// What must have come of the steps after the first; `listed` is the newest resource.
fn expected(client: Client, listed: &Value) -> Vec<Value> {
    // The newest protocol has given up the number of its own for a resource that is not there.
    let gone = if client.protocol() == "2026-07-28" { -32602 } else { -32002 };
    let ok = |value: Value, calls: Value, content: Value| json!({"status": "ok", "value": value, "calls": calls, "content": content});
    let text = json!(["text"]);
    let failed = |status: &str, message: &str, calls: Value| json!({"status": status, "failure": message, "calls": calls, "content": text});
    vec![
        ok(json!(2), json!([]), text.clone()),
        ok(json!([36, 5]), json!(["everything__get-structured-content ok", "team__add ok"]), text.clone()),
        ok(json!("a picture"), json!(["everything__get-tiny-image ok"]), json!(["text", "image/png"])),
        ok(json!("pictures"), json!(["team__portrait ok", "team__jingle ok"]), json!(["text", "image/png", "audio/wav"])),
        failed(
            "error",
            "ToolError: team__find_person: Error executing tool find_person: nobody is called nobody",
            json!(["team__find_person failed"]),
        ),
        failed("compile", "unexpected token", json!([])),
        failed("time", "the wall clock of 1000 ms ran out; it is never extended", json!([])),
        json!({"code": -32602, "message": "code is 5, and must be a string"}),
        json!({"code": -32602, "message": "there is no tool \"run_cod\"; did you mean \"run_code\"? tools/list has all"}),
        ok(json!({"result": "waited in 2 steps"}), json!(["team__add ok", "team__wait ok"]), text.clone()),
        json!({"given_up": true}),
        ok(json!({"result": "cancelled"}), json!(["team__await_cancelled ok"]), text.clone()),
        {
            let met = ok(json!({"result": "met"}), json!(["team__meet ok"]), text.clone());
            json!({"together": [met, met]})
        },
        json!({"resources": ["audio/wav 44", "image/png 70", "image/png"]}),
        json!({"contents": [{"uri": listed, "mimeType": "audio/wav", "bytes": 44}]}),
        json!({"code": gone, "message": "there is no resource \"codemode://blob/none\", or none any more; resources/list has what there is"}),
    ]
}

/// One result, without what differs from run to run and from client to client.
fn shown(result: &Value) -> Value {
    if let Some(tools) = result["tools"].as_array() {
        return tools.iter().map(|tool| json!({"name": tool["name"], "structured": tool["outputSchema"].is_object()})).collect();
    }
    if let Some(together) = result["together"].as_array() {
        return json!({"together": together.iter().map(shown).collect::<Vec<_>>()});
    }
    if let Some(resources) = result["resources"].as_array() {
        let shown = |resource: &Value| match &resource["size"] {
            // The logo's size is the server's to choose.
            Value::Number(size) if size.as_u64() < Some(100) => format!("{} {size}", text(&resource["mimeType"])),
            _ => text(&resource["mimeType"]).to_owned(),
        };
        return json!({"resources": resources.iter().map(shown).collect::<Vec<_>>()});
    }
    if let Some(contents) = result["contents"].as_array() {
        let shown = |part: &Value| json!({"uri": part["uri"], "mimeType": part["mimeType"], "bytes": decoded(&part["blob"]).len()});
        return json!({"contents": contents.iter().map(shown).collect::<Vec<_>>()});
    }
    if result["given_up"] == true {
        return json!({"given_up": true});
    }
    if let Some(error) = result["error"].as_object() {
        // The first generation of the TypeScript client puts the code before the message.
        let message = text(&error["message"]);
        let message = message.strip_prefix(&format!("MCP error {}: ", error["code"])).unwrap_or(message);
        return json!({"code": error["code"], "message": message});
    }
    outcome(&result["result"])
}

/// A result of `run_code`, from its structured content; its text must say the same.
fn outcome(result: &Value) -> Value {
    let outcome = &result["structuredContent"];
    let (status, content) = (text(&outcome["status"]), result["content"].as_array().expect("a list"));
    let header = text(&content[0]["text"]);
    assert!(header.starts_with(&format!("run_code {status}")), "{result}");
    assert_eq!(result["isError"].as_bool().unwrap_or(false), status != "ok", "{result}");
    let calls: Vec<String> = outcome["calls"]
        .as_array()
        .map(|calls| calls.iter().map(|call| format!("{} {}", text(&call["tool"]), text(&call["status"]))).collect())
        .unwrap_or_default();
    let content: Vec<&str> = content.iter().map(|part| text(part.get("mimeType").unwrap_or(&part["type"]))).collect();
    if status != "ok" {
        let message = text(&outcome["failure"]["message"]);
        return json!({"status": status, "failure": message, "calls": calls, "content": content});
    }
    // Handles differ each time; the content blocks show that they are right.
    let value = match &outcome["value"] {
        value if value["blobs"].is_array() => json!("a picture"),
        value if value[0]["handle"].is_string() => json!("pictures"),
        value => value.clone(),
    };
    json!({"status": status, "value": value, "calls": calls, "content": content})
}

/// Progress counts up and names each inner call. What comes together with the result a client may drop.
fn check_progress(progress: &Value) {
    let came: Vec<(u64, &str)> = progress
        .as_array()
        .expect("a list")
        .iter()
        .map(|step| (step["progress"].as_f64().map_or(0, |number| number as u64), text(&step["message"])))
        .collect();
    let all = [(1, "team__add: started"), (2, "team__add: ok"), (3, "team__wait: started"), (4, "team__wait: ok")];
    assert!(came.len() >= 3 && all.starts_with(&came), "{came:?}");
}

/// The pictures are pictures, and what is read as a resource is what was sent.
fn check_pictures(results: &[Value]) {
    let logo = decoded(&results[3]["result"]["content"][1]["data"]);
    assert!(logo.starts_with(b"\x89PNG\r\n\x1a\n") && logo.len() > 1_000, "{} bytes", logo.len());
    let content = &results[4]["result"]["content"];
    assert!(decoded(&content[1]["data"]).starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(content[2]["data"], results[15]["contents"][0]["blob"]);
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

pub(crate) fn decoded(base64: &Value) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for letter in text(base64).bytes().filter(|letter| *letter != b'=') {
        let six = LETTERS.iter().position(|known| *known == letter).expect("base64");
        bits = (bits << 6 | u32::try_from(six).expect("six bits")) & 0xffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).expect("eight bits"));
        }
    }
    bytes
}
