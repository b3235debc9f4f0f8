//! The direct tools beside `run_code`, relayed to official clients.

use serde_json::{Value, json};

use crate::clients::Client;
use crate::place::Place;
use crate::scenario::{decoded, text};

/// Each tool is there under its whole name, its result is what its own server gave, and the client's own validation takes it.
fn relays(client: Client) {
    let place = Place::new();
    // The first connection learns the tools, so that the second one is told of them at once.
    let steps =
        json!([{"do": "call", "name": "run_code", "arguments": {"code": "return [typeof tools.team.add, typeof tools.everything.echo]"}}]);
    client.play(&place, &place.stdio(&["--full"]), &steps);
    let steps = json!([
        {"do": "list"},
        {"do": "call", "name": "team__find_person", "arguments": {"name": "grace"}},
        {"do": "call", "name": "everything__get-tiny-image", "arguments": {}},
        {"do": "call", "name": "team__find_person", "arguments": {"name": "nobody"}},
        {"do": "call", "name": "team__add", "arguments": {"a": 1, "b": "x"}},
        {"do": "call", "name": "run_code", "arguments": {"code": "return (await tools.team.add({ a: 1, b: 2 })).result"}},
    ]);
    let played = client.play(&place, &place.stdio(&["--full"]), &steps);
    let results = &played["results"];
    let names: Vec<&str> = results[0]["tools"].as_array().expect("a list").iter().map(|tool| text(&tool["name"])).collect();
    for name in ["run_code", "everything__get-tiny-image", "team__find_person", "team__add"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let found = &results[1]["result"];
    assert_eq!(found["structuredContent"], json!({"name": "grace", "team": "compilers", "level": 5}));
    assert_eq!(kinds(&results[2]["result"]), ["text", "image", "text"]);
    assert!(decoded(&results[2]["result"]["content"][1]["data"]).starts_with(b"\x89PNG\r\n\x1a\n"));
    let failed = &results[3]["result"];
    assert_eq!(
        (&failed["isError"], &failed["content"][0]["text"]),
        (&json!(true), &json!("Error executing tool find_person: nobody is called nobody"))
    );
    let refused = &results[4]["result"];
    let why = "invalid arguments for team__add: b is \"x\"; allowed: integer\nfix: team__add takes {a: integer, b: integer}";
    assert_eq!((&refused["isError"], &refused["content"]), (&json!(true), &json!([{"type": "text", "text": why}])));
    assert_eq!(results[5]["result"]["structuredContent"]["value"], json!(3));
}

fn kinds(result: &Value) -> Vec<&str> {
    result["content"].as_array().expect("a list").iter().map(|part| text(&part["type"])).collect()
}

#[test]
fn typescript_calls_tools_directly() {
    relays(Client::TypeScript);
}

#[test]
fn python_calls_tools_directly() {
    relays(Client::PythonNewest);
}
