//! `read_files`: each file with its own success, and one outcome.

use codemode_core::Answer;
use codemode_workspace::Limits;
use serde_json::{Value, json};

use crate::desk::{Desk, not_run};

fn read(path: &str, text: &str, complete: bool) -> Value {
    json!({"path": path, "text": text, "success": true, "complete": complete, "request_complete": true})
}

fn error(path: &str, code: &str, message: &str) -> Value {
    let error = json!({"code": code, "message": message});
    json!({"path": path, "text": "", "success": false, "complete": false, "request_complete": false, "error": error})
}

fn omitted(path: &str) -> Value {
    let why = "the texts before it filled the call; ask for it again";
    json!({"path": path, "text": "", "success": false, "complete": false, "request_complete": false, "omitted": why})
}

#[tokio::test]
async fn every_path_has_its_entry_and_fails_alone() {
    let desk = Desk::new();
    desk.put("a", "1\n2\n3\n").put("b.bin", b"\0");
    let paths = json!(["./a", {"path": "a", "start_line": 2, "end_line": 2}, "b.bin", "none", "../x", {"path": "a", "end_line": 9}]);
    let files = json!([
        read("./a", "1\n2\n3\n", true),
        read("a", "2\n", false),
        error("b.bin", "binary", "b.bin is binary (1 bytes)"),
        error("none", "not_found", "none does not exist"),
        error("../x", "denied", "../x leads out of the workspace root; only paths beneath it are allowed"),
        read("a", "1\n2\n3\n", true),
    ]);
    assert_eq!(desk.data("read_files", json!({"paths": paths})).await, json!({"outcome": "partial", "files": files}));
    let all = desk.data("read_files", json!({"paths": ["a", {"path": "a", "start_line": 3}]})).await;
    assert_eq!(all, json!({"outcome": "complete", "files": [read("a", "1\n2\n3\n", true), read("a", "3\n", false)]}));
    let none = desk.data("read_files", json!({"paths": ["none"]})).await;
    assert_eq!(none, json!({"outcome": "failed", "files": [error("none", "not_found", "none does not exist")]}));
}

#[tokio::test]
async fn files_past_the_cap_are_omitted_and_can_be_asked_for_again() {
    let mut limits = Limits::default();
    limits.files_bytes = 10;
    let desk = Desk::with(|builder| builder.limits(limits));
    desk.put("six", "123456").put("five", "12345").put("one", "1").put("eleven", "12345678901");
    let data = desk.data("read_files", json!({"paths": ["six", "none", "five", "one"]})).await;
    let files = json!([
        read("six", "123456", true),
        error("none", "not_found", "none does not exist; the nearest name is one"),
        omitted("five"),
        omitted("one")
    ]);
    assert_eq!(data, json!({"outcome": "partial", "files": files}));
    let again = desk.data("read_files", json!({"paths": ["five", "one"]})).await;
    assert_eq!(again, json!({"outcome": "complete", "files": [read("five", "12345", true), read("one", "1", true)]}));
    // What fits into no call is an error wherever it stands, else a program would ask for it for ever.
    let too_large = "eleven has 11 bytes, and at most 10 are given; give start_line and end_line to read a part";
    let files = json!([read("one", "1", true), error("eleven", "too_large", too_large), read("five", "12345", true)]);
    assert_eq!(desk.data("read_files", json!({"paths": ["one", "eleven", "five"]})).await, json!({"outcome": "partial", "files": files}));
}

#[tokio::test]
async fn lua_gets_it_as_json_text() {
    let desk = Desk::new();
    desk.put("a", "x");
    let Answer::Succeeded(content) = desk.call("read_files", json!({"paths": ["a"]})).await else { panic!("a success") };
    let text = r#"{"outcome":"complete","files":[{"path":"a","text":"x","success":true,"complete":true,"request_complete":true}]}"#;
    assert_eq!((content.text.as_deref(), &*content.as_text()), (None, text));
}

#[tokio::test]
async fn paths_that_are_none_are_told() {
    let desk = Desk::new();
    let invalid = |message: &str| not_run("invalid_arguments", message);
    assert_eq!(
        desk.told("read_files", json!({"paths": [{"file": "a"}]})).await,
        invalid("read_files: each of paths is a path, or an object with path and, if wanted, start_line and end_line")
    );
    assert_eq!(desk.told("read_files", json!({"paths": []})).await, invalid("paths has 0 entries; 1 to 1000 are allowed"));
    assert_eq!(desk.told("read_files", json!({"paths": vec!["a"; 1001]})).await, invalid("paths has 1001 entries; 1 to 1000 are allowed"));
}
