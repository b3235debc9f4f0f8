//! `search_files`: matches, context, limits and what is left out.

use codemode_workspace::Limits;
use serde_json::{Value, json};

use crate::desk::{Desk, failed, not_run};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("src/a.rs", "fn one() {}\r\nlet täg = Foo;\nfoo\n")
        .put("b.md", "\u{feff}Foo first\nnothing\n")
        .put("ignored.log", "Foo\n")
        .put(".gitignore", "*.log\n")
        .put("bin", b"Foo\0\nFoo\n")
        .put("wide", b"\xff\xfeF\0o\0o\0")
        .put("latin", b"caf\xe9 Foo\n");
    desk
}

fn found(path: &str, line: u64, column: u64, text: &str) -> Value {
    json!({"path": path, "line": line, "column": column, "text": text})
}

#[tokio::test]
async fn matches_come_by_file_and_line_with_their_column() {
    let desk = desk();
    let matches =
        json!([found("b.md", 1, 1, "Foo first"), found("latin", 1, 6, "caf\u{fffd} Foo"), found("src/a.rs", 2, 11, "let täg = Foo;")]);
    let expected =
        json!({"matches": matches, "complete": true, "files_searched": 4, "files_matched": 3, "binary_skipped": 2, "unreadable": 0});
    assert_eq!(desk.data("search_files", json!({"pattern": "Foo"})).await, expected);
    let text = async |arguments| desk.text("search_files", arguments).await;
    assert_eq!(text(json!({"pattern": "Foo"})).await, "b.md:1:Foo first\nlatin:1:caf\u{fffd} Foo\nsrc/a.rs:2:let täg = Foo;\n");
    assert_eq!(text(json!({"pattern": "^foo$", "ignore_case": true})).await, "src/a.rs:3:foo\n");
    // Line ends are no part of a line, whichever they are.
    assert_eq!(text(json!({"pattern": "\\{\\}$"})).await, "src/a.rs:1:fn one() {}\n");
    assert_eq!(text(json!({"pattern": "one() {", "literal": true})).await, "src/a.rs:1:fn one() {}\n");
    assert_eq!(text(json!({"pattern": "nowhere to be found"})).await, "");
}

#[tokio::test]
async fn a_search_is_narrowed_by_path_and_globs() {
    let desk = desk();
    let text = async |arguments| desk.text("search_files", arguments).await;
    assert_eq!(text(json!({"pattern": "Foo", "path": "src"})).await, "src/a.rs:2:let täg = Foo;\n");
    assert_eq!(text(json!({"pattern": "Foo", "globs": ["*.md"]})).await, "b.md:1:Foo first\n");
    assert_eq!(text(json!({"pattern": "Foo", "path": "src", "globs": ["a.rs", "!src/**"]})).await, "src/a.rs:2:let täg = Foo;\n");
    assert_eq!(text(json!({"pattern": "Foo", "include_ignored": true, "globs": ["*.log"]})).await, "ignored.log:1:Foo\n");
    // A file that is named is searched, whatever rules and globs say.
    assert_eq!(text(json!({"pattern": "Foo", "path": "./ignored.log", "globs": ["*.md"]})).await, "ignored.log:1:Foo\n");
    assert_eq!(
        desk.told("search_files", json!({"pattern": "Foo", "path": "b.mb"})).await,
        failed("not_found", "b.mb does not exist; the nearest name is b.md")
    );
}

#[tokio::test]
async fn context_is_given_once_and_groups_are_parted() {
    let desk = Desk::new();
    desk.put("f", "1\n2\nX\n4\nX\n6\n7\n8\n9\nX\n").put("g", "X\n");
    let text = desk.text("search_files", json!({"pattern": "X", "context": 1})).await;
    assert_eq!(text, "f-2-2\nf:3:X\nf-4-4\nf:5:X\nf-6-6\n--\nf-9-9\nf:10:X\n--\ng:1:X\n");
    let data = desk.data("search_files", json!({"pattern": "X", "context": 1, "path": "f"})).await;
    let matches = json!([
        {"path": "f", "line": 3, "column": 1, "text": "X", "before": ["2"], "after": ["4"]},
        {"path": "f", "line": 5, "column": 1, "text": "X", "after": ["6"]},
        {"path": "f", "line": 10, "column": 1, "text": "X", "before": ["9"]},
    ]);
    assert_eq!(data["matches"], matches);
}

#[tokio::test]
async fn limits_cut_the_answer_and_say_so() {
    let desk = Desk::new();
    desk.put("f", "X1\nX2\nX3\n");
    let three = desk.data("search_files", json!({"pattern": "X", "max_matches": 3})).await;
    assert_eq!(three["complete"], json!(true));
    let text = desk.text("search_files", json!({"pattern": "X", "max_matches": 2})).await;
    assert_eq!(text, "f:1:X1\nf:2:X2\n[incomplete: there are more matches; narrow the search or raise max_matches]\n");
    let two = desk.data("search_files", json!({"pattern": "X", "max_matches": 2})).await;
    let matches = json!([found("f", 1, 1, "X1"), found("f", 2, 1, "X2")]);
    assert_eq!(
        two,
        json!({"matches": matches, "complete": false, "files_searched": 1, "files_matched": 1, "binary_skipped": 0, "unreadable": 0})
    );

    let mut limits = Limits::default();
    limits.listing_bytes = 150;
    let desk = Desk::with(|builder| builder.limits(limits));
    desk.put("f", "X\n".repeat(100)).put("g", "X\n");
    let data = desk.data("search_files", json!({"pattern": "X"})).await;
    assert_eq!((data["matches"].as_array().map(Vec::len), &data["complete"]), (Some(2), &json!(false)));
}

#[tokio::test]
async fn a_long_line_is_cut_around_its_match() {
    let desk = Desk::new();
    desk.put("min.js", format!("{}needle{}\n", "a".repeat(1_000_000), "b".repeat(1_000_000)));
    let data = desk.data("search_files", json!({"pattern": "needle"})).await;
    let text = format!("…{}needle{}…", "a".repeat(100), "b".repeat(394));
    assert_eq!(data["matches"], json!([{"path": "min.js", "line": 1, "column": 1_000_001, "text": text, "cut": true}]));
}

#[tokio::test]
async fn what_cannot_be_used_is_told() {
    let desk = Desk::new();
    let told = async |arguments| desk.told("search_files", arguments).await;
    let invalid = |message: &str| not_run("invalid_arguments", message);
    let unclosed = "the pattern \"(\" cannot be used: unclosed group";
    assert_eq!(told(json!({"pattern": "("})).await, invalid(unclosed));
    assert_eq!(told(json!({"pattern": "x", "context": 51})).await, invalid("context is 51; 0 to 50 are allowed"));
    assert_eq!(told(json!({"pattern": "x", "max_matches": 0})).await, invalid("max_matches is 0; 1 to 10000 are allowed"));
    let large = told(json!({"pattern": "(((\\w{100}){100}){100}){100}"})).await;
    assert_eq!(
        large,
        invalid("the pattern \"(((\\\\w{100}){100}){100}){100}\" cannot be used: compiled regex exceeds size limit of 10485760")
    );
}
