//! `read_file`: text, ranges, what is no text, sizes and names.

use codemode_core::Answer;
use codemode_workspace::Limits;
use serde_json::json;

use crate::desk::{Desk, failed, not_run};

#[tokio::test]
async fn text_comes_exactly_as_it_is() {
    let desk = Desk::new();
    let text = "\u{feff}one\r\ntwo\n\nthrée without end";
    desk.put("a/b.txt", text).put("empty", "");
    assert_eq!(desk.call("read_file", json!({"path": "a/b.txt"})).await, Answer::text(text));
    assert_eq!(desk.call("read_file", json!({"path": "./a//./b.txt"})).await, Answer::text(text));
    let absolute = desk.root().join("a/b.txt");
    assert_eq!(desk.call("read_file", json!({"path": absolute.to_str()})).await, Answer::text(text));
    assert_eq!(desk.call("read_file", json!({"path": "empty"})).await, Answer::text(""));
}

#[tokio::test]
async fn ranges_are_lines_counted_from_one_with_both_ends() {
    let desk = Desk::new();
    desk.put("f", "1\n2\n3\n4\n5").put("empty", "");
    let lines = async |range| desk.text("read_file", range).await;
    assert_eq!(lines(json!({"path": "f", "start_line": 2, "end_line": 3})).await, "2\n3\n");
    assert_eq!(lines(json!({"path": "f", "start_line": 4})).await, "4\n5");
    assert_eq!(lines(json!({"path": "f", "end_line": 1})).await, "1\n");
    assert_eq!(lines(json!({"path": "f", "start_line": 5.0, "end_line": 99})).await, "5");
    assert_eq!(lines(json!({"path": "empty", "start_line": 1})).await, "");
    let told = async |range| desk.told("read_file", range).await;
    assert_eq!(
        told(json!({"path": "f", "start_line": 6})).await,
        failed("out_of_range", "start_line 6 lies past the end of f, which has 5 lines")
    );
    assert_eq!(
        told(json!({"path": "f", "start_line": 3, "end_line": 2})).await,
        not_run("invalid_arguments", "end_line 2 lies before start_line 3; lines are given from start_line to end_line")
    );
    assert_eq!(
        told(json!({"path": "f", "start_line": 0})).await,
        not_run("invalid_arguments", "start_line and end_line are counted from 1; 0 is no line")
    );
}

#[tokio::test]
async fn what_is_no_text_is_named() {
    let desk = Desk::new();
    desk.put("x.png", b"\x89PNG\r\n\0\0").put("wide", b"\xff\xfea\0").put("latin", b"ok\ncaf\xe9\n");
    std::fs::create_dir(desk.root().join("folder")).expect("a folder");
    let told = async |path| desk.told("read_file", json!({"path": path})).await;
    assert_eq!(told("x.png").await, failed("binary", "x.png is binary (8 bytes)"));
    assert_eq!(told("wide").await, failed("binary", "wide is UTF-16 text (4 bytes); only UTF-8 is read"));
    assert_eq!(
        told("latin").await,
        failed("not_utf8", "latin is not UTF-8 text (8 bytes, line 2 is the first); set lossy to true to read it with replacements")
    );
    assert_eq!(desk.text("read_file", json!({"path": "latin", "lossy": true})).await, "ok\ncaf\u{fffd}\n");
    assert_eq!(desk.text("read_file", json!({"path": "latin", "end_line": 1})).await, "ok\n");
    assert_eq!(told("folder").await, failed("not_a_file", "folder is a folder; list_files shows what is in it"));
    assert_eq!(told("latin/").await, failed("not_a_file", "latin is a file, and the path ends as that of a folder"));
}

#[tokio::test]
async fn a_pipe_is_no_file_and_is_not_waited_for() {
    let desk = Desk::new();
    let pipe = desk.root().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    assert_eq!(desk.told("read_file", json!({"path": "pipe"})).await, failed("not_a_file", "pipe is not a regular file"));
    let written = desk.told("write_file", json!({"path": "pipe", "content": ""})).await;
    assert_eq!(written, failed("not_a_file", "pipe is not a regular file"));
    // Nor does a walk wait for rules that come out of a pipe.
    std::fs::rename(&pipe, desk.root().join(".gitignore")).expect("renamed");
    desk.put("a.txt", "a");
    assert_eq!(desk.text("find_files", json!({})).await, "a.txt\n");
}

#[tokio::test]
async fn a_missing_name_gets_the_nearest() {
    let desk = Desk::new();
    desk.put("src/main.rs", "").put("README.md", "");
    let told = async |path| desk.told("read_file", json!({"path": path})).await;
    assert_eq!(told("src/mian.rs").await, failed("not_found", "src/mian.rs does not exist; the nearest name is src/main.rs"));
    assert_eq!(told("srcs/main.rs").await, failed("not_found", "srcs/main.rs does not exist; the nearest name is src"));
    assert_eq!(told("readme.md").await, failed("not_found", "readme.md does not exist; the nearest name is README.md"));
    assert_eq!(told("zzz").await, failed("not_found", "zzz does not exist"));
}

#[tokio::test]
async fn a_large_file_names_its_size_and_is_read_in_parts() {
    let mut limits = Limits::default();
    limits.file_bytes = 100;
    let desk = Desk::with(|builder| builder.limits(limits));
    desk.put("exact", "x".repeat(100)).put("large", "0123456789\n".repeat(20));
    assert_eq!(desk.text("read_file", json!({"path": "exact"})).await.len(), 100);
    assert_eq!(
        desk.told("read_file", json!({"path": "large"})).await,
        failed("too_large", "large has 220 bytes, and at most 100 are given; give start_line and end_line to read a part")
    );
    assert_eq!(desk.text("read_file", json!({"path": "large", "start_line": 12})).await, "0123456789\n".repeat(9));
    assert_eq!(
        desk.told("read_file", json!({"path": "large", "start_line": 10})).await,
        failed("too_large", "the lines asked for of large hold more than 100 bytes, which is the most; ask for fewer")
    );
}

#[tokio::test]
async fn a_part_of_a_huge_file_is_read_without_holding_it() {
    let desk = Desk::new();
    // Three gigabytes of holes: their NUL bytes come after the lines that are asked for.
    desk.put("huge", "first\nsecond\n");
    let file = std::fs::OpenOptions::new().write(true).open(desk.root().join("huge")).expect("the file");
    file.set_len(3 << 30).expect("a long file");
    assert_eq!(desk.text("read_file", json!({"path": "huge", "end_line": 2})).await, "first\nsecond\n");
    assert_eq!(
        desk.told("read_file", json!({"path": "huge"})).await,
        failed("too_large", "huge has 3221225472 bytes, and at most 8388608 are given; give start_line and end_line to read a part")
    );
    assert_eq!(
        desk.told("read_file", json!({"path": "huge", "start_line": 3})).await,
        failed("binary", "huge is binary (3221225472 bytes)")
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_told_clearly() {
    let desk = Desk::new();
    let told = async |arguments| desk.told("read_file", arguments).await;
    let invalid = |message: &str| not_run("invalid_arguments", message);
    assert_eq!(told(json!({})).await, invalid("read_file: missing field `path`"));
    assert_eq!(
        told(json!({"pth": "a"})).await,
        invalid("read_file: unknown field `pth`, expected one of `path`, `start_line`, `end_line`, `lossy`")
    );
    assert_eq!(told(json!({"path": 3})).await, invalid("read_file: invalid type: integer `3`, expected a string"));
    assert_eq!(told(json!({"path": "a", "start_line": 1.5})).await, invalid("read_file: 1.5 is no whole number from 0 up"));
    assert_eq!(
        told(json!({"path": ""})).await,
        invalid("the path is empty; give a path beneath the workspace root, or \".\" for the root itself")
    );
    let long = format!("{}…", "x".repeat(237));
    assert_eq!(
        told(json!({"path": "x".repeat(5000)})).await,
        invalid(&format!("the path {long} is no path: at most 4096 bytes and no NUL byte are allowed"))
    );
    assert_eq!(desk.told("read_fil", json!({})).await, not_run("unknown_tool", "the workspace has no tool \"read_fil\""));
    assert_eq!(desk.told("execute", json!({"command": "true"})).await, not_run("unknown_tool", "the workspace has no tool \"execute\""));
}
