//! The inspector's command line as a client, over both transports.

use serde_json::{Value, json};

use crate::place::{Place, TOKEN, peers};
use crate::scenario::{decoded, text};

/// One request of the inspector, and the answer.
fn inspect(place: &Place, arguments: &[&str]) -> Value {
    let inspector = peers().join("node_modules/.bin/mcp-inspector");
    let output = place.program(inspector).arg("--cli").args(arguments).output().expect("started");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn the_inspector_lists_and_calls_over_stdio() {
    let place = Place::new();
    place.write("inspector.json", &json!({"mcpServers": {"codemode": place.stdio(&[])}}).to_string());
    let server = ["--config", "inspector.json", "--server", "codemode"];
    let ask = |more: &[&str]| inspect(&place, &[&server[..], more].concat());
    let tools = ask(&["--method", "tools/list"]);
    assert_eq!(text(&tools["tools"][0]["name"]), "run_code");
    let code = "code=return (await tools.team.add({ a: 2, b: 3 })).result";
    let called = ask(&["--method", "tools/call", "--tool-name", "run_code", "--tool-arg", code]);
    let outcome = &called["structuredContent"];
    assert_eq!((&outcome["status"], &outcome["value"]), (&json!("ok"), &json!(5)), "{called}");
    let picture = ask(&["--method", "tools/call", "--tool-name", "run_code", "--tool-arg", "code=return await tools.team.portrait({})"]);
    assert_eq!(picture["content"][1]["type"], "image", "{picture}");
    assert_eq!(decoded(&picture["content"][1]["data"]).len(), 70);
}

#[test]
fn the_inspector_lists_and_calls_over_http() {
    let place = Place::new();
    let server = place.http(&[]);
    let authorization = format!("Authorization: Bearer {TOKEN}");
    let ask = |more: &[&str]| inspect(&place, &[&[&*server.url, "--transport", "http", "--header", &authorization], more].concat());
    let tools = ask(&["--method", "tools/list"]);
    assert_eq!(text(&tools["tools"][0]["name"]), "run_code");
    let code = "code=return await tools.everything['get-sum']({ a: 2, b: 3 })";
    let called = ask(&["--method", "tools/call", "--tool-name", "run_code", "--tool-arg", code]);
    assert_eq!(called["structuredContent"]["value"], json!("The sum of 2 and 3 is 5."), "{called}");
    assert_eq!(ask(&["--method", "resources/list"]), json!({"resources": []}));
}
