//! Servers that send what they should not.

use std::time::Instant;

use codemode_core::ToolHost;
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn a_result_of_100_mb_ends_its_call_and_no_other() {
    let (_folder, log) = log_file();
    let host = host(&json!({"log": log, "tools": tools(&["huge", "huge_id_last", "late", "echo"])})).await;
    let caller = Caller::new();
    let hanging = caller.call(&host, "s__late", json!({}));
    let huge = async {
        logged(&log, "hanging").await;
        let mut faults = Vec::new();
        for tool in ["huge", "huge_id_last"] {
            faults.push(fault_of(&call(&host, tool, json!({"bytes": 100_000_000})).await));
        }
        assert_eq!(text_of(&call(&host, "echo", json!({})).await), "{}");
        caller.context.cancelled.cancel();
        faults
    };
    let (hanging, faults) = tokio::join!(hanging, huge);
    assert_eq!(fault_of(&hanging).0, "unknown");
    for (kind, code, message) in faults {
        let bytes: u64 = message.split(' ').find_map(|word| word.parse().ok()).expect("a size");
        assert!((100_000_000..100_000_200).contains(&bytes), "{message}");
        let expected = format!(
            "server \"s\" answered, and the answer could not be read: its answer is a message of {bytes} bytes, and at most 16777216 are read; ask for less at once"
        );
        assert_eq!((kind, code, message), fault("failed", "failed", &expected));
    }
}

#[tokio::test]
async fn a_result_within_the_limit_is_whole() {
    let host = host(&with_tools(&["huge"])).await;
    let text = text_of(&call(&host, "huge", json!({"bytes": 16_000_000})).await);
    assert!(text.len() == 16_000_000 && text.bytes().all(|byte| byte == b'x'));
}

#[tokio::test]
async fn an_answer_that_is_no_json_or_no_answer_ends_its_call() {
    let host = host(&with_tools(&["invalid", "nan", "empty", "deep", "echo"])).await;
    let unread = |why: &str| fault("failed", "failed", &format!("server \"s\" answered, and the answer could not be read: {why}"));
    assert_eq!(
        fault_of(&call(&host, "invalid", json!({})).await),
        unread("its answer is no valid json: expected `,` or `}` at line 1 column 61")
    );
    let (kind, code, message) = fault_of(&call(&host, "nan", json!({})).await);
    assert_eq!((kind, code.as_str()), ("failed", "failed"));
    assert!(message.starts_with("server \"s\" answered, and the answer could not be read: its answer is no valid json: "), "{message}");
    assert_eq!(fault_of(&call(&host, "empty", json!({})).await), unread("its answer has neither a result nor an error"));
    assert_eq!(
        fault_of(&call(&host, "deep", json!({})).await),
        unread("its answer nests deeper than the 127 levels of arrays and objects that are read; ask it for less, or for a part of it")
    );
    assert_eq!(text_of(&call(&host, "echo", json!({})).await), "{}");
    assert_eq!(status(&host, "s").problems, Vec::<String>::new());
}

#[tokio::test]
async fn ids_of_nobody_are_nobodys() {
    let host = host(&with_tools(&["wrong_id", "twice", "string_id", "batch"])).await;
    assert_eq!(text_of(&call(&host, "wrong_id", json!({})).await), "mine");
    assert_eq!(text_of(&call(&host, "twice", json!({})).await), "first");
    assert_eq!(text_of(&call(&host, "string_id", json!({})).await), "as a string");
    assert_eq!(text_of(&call(&host, "batch", json!({})).await), "in an array");
    let problems = status(&host, "s").problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("3 answers to requests that nobody made; the first: id 100"), "{problems:?}");
}

#[tokio::test]
async fn output_on_the_wrong_stream_is_counted_and_passed_over() {
    let host = host(&json!({"start": "noise", "tools": tools(&["noise"])})).await;
    assert_eq!(text_of(&call(&host, "noise", json!({})).await), "after the noise");
    let expected = "4 lines on its standard output that are no messages, which belong on standard error; the first: Welcome!";
    assert_eq!(status(&host, "s").problems, [expected]);
    assert_eq!(host.warnings(), [format!("server \"s\": {expected}")]);
}

#[tokio::test]
async fn output_that_ends_is_the_servers_end() {
    let host = host(&with_tools(&["close_output", "half", "echo"])).await;
    let ended = |how: &str| {
        let message = format!("what the call did is unknown, and it may have run; server \"s\": it ended while the call was out: {how}");
        fault("unknown", "outcome_unknown", &message)
    };
    assert_eq!(fault_of(&call(&host, "close_output", json!({})).await), ended("it ended with exit status 0"));
    assert_eq!(fault_of(&call(&host, "half", json!({})).await), ended("it ended with exit status 0"));
    assert_eq!(text_of(&call(&host, "echo", json!({})).await), "{}");
}

#[tokio::test]
async fn a_list_without_end_is_cut() {
    let began = Instant::now();
    let endless = host(&json!({"start": "endless_list"})).await;
    assert_eq!(endless.catalog().len(), 100);
    assert_eq!(status(&endless, "s").problems, ["its list of tools has more than the 100 pages that are read; the rest is left out"]);
    let circle = host(&json!({"start": "circle"})).await;
    let names: Vec<String> = circle.catalog().tools().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["s__page", "s__pageagain"]);
    assert_eq!(status(&circle, "s").problems, ["its list of tools goes in a circle: a page names one as the next that was there before"]);
    assert!(began.elapsed() < LONG);
}

#[tokio::test]
async fn a_server_of_too_many_tools_is_cut() {
    let (folder, _) = log_file();
    // An argument of a process may have 128 KiB: the pages are short, and many.
    let page = |from: usize| -> Vec<_> { (from..from + 200).map(|number| json!({"name": format!("t{number}")})).collect() };
    let pages: Vec<_> = (0..55).map(|number| page(number * 200)).collect();
    let setup = folder.path().join("setup");
    std::fs::write(&setup, json!({"pages": pages}).to_string()).expect("written");
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/server.py");
    let line = format!("import sys; sys.argv = ['', open({setup:?}).read()]; exec(open({script:?}).read())");
    let host = listed(codemode_mcp::McpHost::builder().server(codemode_mcp::ServerConfig::stdio("s", "python3", ["-c", &line]))).await;
    assert_eq!(host.catalog().len(), 10_000);
    let problems = status(&host, "s").problems;
    let expected = "it has more tools than the 10000, or the 32 MiB of descriptions, that are read; the rest is left out";
    assert!(problems.iter().any(|problem| problem == expected), "{problems:?}");
}
