//! What a program printed and what is not shown, read by official clients as a resource.

use serde_json::json;

use crate::clients::Client;
use crate::place::Place;
use crate::scenario::text;

/// Far more is printed than is shown; the result links to all of it, and the client reads the whole.
fn reads_all_that_was_printed(client: Client) {
    let place = Place::new();
    let steps = json!([
        {"do": "call", "name": "run_code", "arguments": {"code": "for line = 1, 20000 do print(line) end"}},
        {"do": "resources"},
        {"do": "read", "listed": 0},
    ]);
    let played = client.play(&place, &place.stdio(&["--profile", "script"]), &steps);
    let results = &played["results"];
    let printed: String = (1..=20_000).map(|line| format!("{line}\n")).collect();
    let outcome = &results[0]["result"]["structuredContent"];
    let shown = text(&outcome["output"]);
    assert!(shown.len() < printed.len() && printed.starts_with(shown), "{} bytes are shown", shown.len());
    let link = &results[0]["result"]["content"][1];
    let uri = format!("codemode://spill/{}", text(&outcome["run"]));
    assert_eq!((&link["type"], &link["uri"], &link["size"]), (&json!("resource_link"), &json!(uri), &json!(printed.len())));
    assert_eq!((&results[1]["resources"][0]["uri"], &results[1]["resources"][0]["size"]), (&json!(uri), &json!(printed.len())));
    assert_eq!(results[2]["contents"], json!([{"uri": uri, "mimeType": "text/plain", "text": printed}]));
}

#[test]
fn typescript_reads_all_that_was_printed() {
    reads_all_that_was_printed(Client::TypeScript);
}

#[test]
fn python_reads_all_that_was_printed() {
    reads_all_that_was_printed(Client::PythonNewest);
}
