//! Starting, ending, and starting again.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use codemode_core::{Answer, ToolHost};
use codemode_mcp::{McpHost, ServerConfig, ServerState, TransportConfig};
use serde_json::{Value, json};

use crate::support::*;

#[tokio::test]
async fn a_server_says_who_it_is_and_what_it_has() {
    let host = host(&with_tools(&["echo", "pid"])).await;
    let mut status = status(&host, "s");
    let took = status.started_in.take().expect("it was started");
    assert!(took < LONG, "{took:?}");
    assert_eq!((status.prefix.as_str(), status.state, status.tools), ("s", ServerState::Listed, 2));
    assert_eq!((status.version.as_deref(), status.protocol.as_deref()), (Some("testing 1.2"), Some("2025-11-25")));
    assert_eq!((status.problems, host.warnings()), (vec![], vec![]));
    let names: Vec<String> = host.catalog().tools().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["s__echo", "s__pid"]);
}

#[tokio::test]
async fn older_versions_of_the_protocol_are_spoken_and_cost_no_wait() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let host = host(&json!({"protocol": version, "tools": tools(&["echo"])})).await;
        assert_eq!(status(&host, "s").protocol.as_deref(), Some(version));
        assert_eq!(text_of(&call(&host, "echo", json!({"n": 1})).await), "{\"n\": 1}");
    }
}

#[tokio::test]
async fn servers_that_fail_are_named_and_the_rest_works() {
    let mut silent = server("silent", &json!({"start": "silent"}));
    silent.start_timeout = Some(Duration::from_secs(12));
    let mut wrong = server("wrong id", &json!({"start": "wrong_id"}));
    wrong.start_timeout = Some(Duration::from_secs(12));
    let mut lost = server("lost", &json!({}));
    if let TransportConfig::Stdio { cwd, .. } = &mut lost.transport {
        *cwd = Some("/no/such/folder".into());
    }
    let builder = McpHost::builder()
        .server(server("a good one", &with_tools(&["echo"])))
        .server(ServerConfig::stdio("absent", "no-such-program", ["--key=s3cret"]))
        .server(server("dies", &json!({"start": "die"})))
        .server(server("dies later", &json!({"start": "die_in_handshake"})))
        .server(server("dies listing", &json!({"start": "die_in_list"})))
        .server(server("refuses", &json!({"start": "refuse"})))
        .server(server("no list", &json!({"start": "no_list"})))
        .server(wrong)
        .server(lost)
        .server(silent);
    let host = listed(builder).await;
    let last = "it ended with exit status 7; its last line on standard error: the disk is on fire";
    assert_eq!(
        host.warnings(),
        [
            "server \"absent\" is not available: no-such-program could not be started: No such file or directory (os error 2)".to_owned(),
            format!("server \"dies\" is not available: it ended before it answered the request that opens a connection: {last}"),
            format!("server \"dies later\" is not available: it ended before it answered the request that opens a connection: {last}"),
            format!("server \"dies listing\" is not available: it ended while it listed its tools: {last}"),
            "server \"lost\" is not available: its folder /no/such/folder is not there; name another cwd".to_owned(),
            "server \"no list\" is not available: what it answered to the request for its tools is no list of them".to_owned(),
            "server \"refuses\" is not available: it refused to open a connection: not today".to_owned(),
            "server \"silent\" is not available: it did not answer the request that opens a connection within 12 s; its last line on standard error: loading the model".to_owned(),
            "server \"wrong id\" is not available: it did not answer the request that opens a connection within 12 s".to_owned(),
            "server \"wrong id\": 1 answer to requests that nobody made; the first: id 4711".to_owned(),
        ]
    );
    let answer = Caller::new().call(&host, "a good one__echo", json!({})).await;
    assert_eq!(text_of(&answer), "{}");
    let absent = host.admit("absent").await;
    assert_eq!(absent, []);
    assert_eq!(host.unavailable("absent").as_deref(), Some("no-such-program could not be started: No such file or directory (os error 2)"));
    assert_eq!(host.unavailable("a good one"), None);
}

#[tokio::test]
async fn a_touch_waits_for_one_server_alone_and_a_start_waits_for_none() {
    let (folder, _) = log_file();
    let gate = folder.path().join("gate");
    let began = Instant::now();
    let host = McpHost::builder()
        .server(server("fast", &with_tools(&["echo"])))
        .server(server("slow", &json!({"start": "slow_list", "gate": gate, "tools": tools(&["echo"])})))
        .start();
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let unlisted: Vec<String> = host.catalog().unlisted().map(ToString::to_string).collect();
    assert_eq!(unlisted, ["fast", "slow"]);
    let names: Vec<String> = host.admit("fast").await.iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["fast__echo"]);
    assert_eq!(status(&host, "slow").state, ServerState::Starting);
    let (admitted, ()) = tokio::join!(host.admit("slow"), async { fs::write(&gate, "").expect("opened") });
    let names: Vec<String> = admitted.iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["slow__echo"]);
    assert_eq!(host.catalog().unlisted().count(), 0);
}

#[tokio::test]
async fn a_server_that_ends_is_started_again_and_the_call_that_was_out_is_unknown() {
    let host = host(&with_tools(&["die", "pid", "hang"])).await;
    let first = text_of(&call(&host, "pid", json!({})).await);
    let (hanging, died) = tokio::join!(call(&host, "hang", json!({})), call(&host, "die", json!({})));
    let message = "what the call did is unknown, and it may have run; server \"s\": it ended while the call was out: \
        it ended with exit status 7; its last line on standard error: the disk is on fire";
    assert_eq!(fault_of(&died), fault("unknown", "outcome_unknown", message));
    assert_eq!(fault_of(&hanging), fault("unknown", "outcome_unknown", message));
    // The next call waits for the server.
    let second = text_of(&call(&host, "pid", json!({})).await);
    assert!(second.parse::<u32>().is_ok() && second != first, "{first} and {second}");
    assert_eq!(status(&host, "s").state, ServerState::Listed);
}

#[tokio::test]
async fn a_call_that_was_out_is_never_repeated() {
    let (_folder, log) = log_file();
    let host = host(&json!({"log": log, "tools": tools(&["die_quietly", "pid"])})).await;
    let answer = call(&host, "die_quietly", json!({})).await;
    let message =
        "what the call did is unknown, and it may have run; server \"s\": it ended while the call was out: it ended with exit status 0";
    assert_eq!(fault_of(&answer), fault("unknown", "outcome_unknown", message));
    call(&host, "pid", json!({})).await;
    let calls: Vec<String> =
        fs::read_to_string(&log).expect("a log").lines().filter(|line| line.contains("tools/call")).map(tool_called).collect();
    assert_eq!(calls, ["die_quietly", "pid"]);
}

fn tool_called(line: &str) -> String {
    let message: Value = serde_json::from_str(line).expect("json");
    message["params"]["name"].as_str().expect("a name").to_owned()
}

#[tokio::test]
async fn a_server_that_does_not_come_back_is_waited_for_ten_seconds() {
    let (_folder, alive) = log_file();
    let host = host(&json!({"alive": alive, "tools": tools(&["die", "pid"])})).await;
    // From now on it cannot start: what it writes its starts to is a folder.
    fs::remove_file(&alive).expect("removed");
    fs::create_dir(&alive).expect("made");
    call(&host, "die", json!({})).await;
    let began = Instant::now();
    let (kind, code, message) = fault_of(&call(&host, "pid", json!({})).await);
    assert_eq!((kind, code.as_str()), ("not run", "unavailable"));
    assert!(message.ends_with("; it was waited for 10 s"), "{message}");
    assert!(began.elapsed() >= Duration::from_secs(9), "{:?}", began.elapsed());
    assert!(matches!(status(&host, "s").state, ServerState::Restarting { .. }), "{:?}", host.status());
    // Its tools stay, since it may come back.
    assert_eq!(host.catalog().len(), 2);
}

#[tokio::test]
async fn a_server_that_never_came_is_tried_again_when_it_is_touched() {
    let (_folder, alive) = log_file();
    let host = host(&json!({"alive": alive, "failing_starts": 1, "tools": tools(&["echo"])})).await;
    let why = "it ended before it answered the request that opens a connection: it ended with exit status 7; \
        its last line on standard error: the disk is on fire";
    assert_eq!(failure(&host, "s"), why);
    // Not at once: that would be a busy loop of starts.
    let began = Instant::now();
    let mut admitted = host.admit("s").await;
    while admitted.is_empty() && began.elapsed() < LONG {
        tokio::time::sleep(Duration::from_millis(20)).await;
        admitted = host.admit("s").await;
    }
    let names: Vec<String> = admitted.iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!((names, fs::read_to_string(&alive).expect("starts").lines().count()), (vec!["s__echo".to_owned()], 2));
    assert_eq!(host.unavailable("s"), None);
}

#[tokio::test]
async fn closing_ends_the_process_and_all_that_it_started() {
    let host = host(&with_tools(&["pid", "child"])).await;
    let server = text_of(&call(&host, "pid", json!({})).await);
    let child = text_of(&call(&host, "child", json!({})).await);
    assert!(is_alive(&server) && is_alive(&child));
    host.close().await;
    assert!(!is_alive(&server), "{server}");
    until("the child's end", || !is_alive(&child)).await;
    assert_eq!(failure(&host, "s"), "it was closed");
    let answer = call(&host, "pid", json!({})).await;
    assert_eq!(fault_of(&answer), fault("not run", "unavailable", "server \"s\" is not available: it was closed"));
}

#[tokio::test]
async fn a_server_that_will_not_end_is_killed() {
    let (_folder, alive) = log_file();
    let host = host(&json!({"start": "deaf", "alive": alive, "tools": tools(&["pid"])})).await;
    let pid = fs::read_to_string(&alive).expect("a start").trim().to_owned();
    assert!(is_alive(&pid));
    let began = Instant::now();
    host.close().await;
    assert!(!is_alive(&pid), "{pid}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[tokio::test]
async fn dropping_the_host_ends_its_servers() {
    let host = host(&with_tools(&["pid"])).await;
    let pid = text_of(&call(&host, "pid", json!({})).await);
    drop(host);
    until("the server's end", || !is_alive(&pid)).await;
}

#[tokio::test]
async fn closing_does_not_wait_for_servers_that_do_not_start() {
    let host = McpHost::builder().server(server("s", &json!({"start": "silent"}))).start();
    tokio::time::timeout(LONG, host.close()).await.expect("closed");
    assert_eq!(failure(&host, "s"), "it was closed");
}

#[tokio::test]
async fn a_changed_list_applies_to_what_comes_later() {
    let host = host(&with_tools(&["change"])).await;
    let (before, mut changes) = (host.catalog(), host.changes());
    changes.borrow_and_update();
    assert_eq!(text_of(&call(&host, "change", json!({})).await), "changed");
    until("the new list", || host.catalog().len() == 2).await;
    assert!(changes.has_changed().expect("the host is there"));
    assert_eq!(before.len(), 1);
    assert!(matches!(call(&host, "new", json!({})).await, Answer::Failed(_)));
}

#[tokio::test]
async fn the_newest_version_is_spoken_and_tells_of_a_changed_list_as_it_does() {
    // The first stream ends by itself, and is asked for again.
    for streams in [0, 1] {
        let host = host(&json!({"start": "newest", "streams": streams, "tools": tools(&["change"])})).await;
        let status = status(&host, "s");
        assert_eq!((status.version.as_deref(), status.protocol.as_deref()), (Some("testing 3"), Some("2026-07-28")));
        let mut changes = host.changes();
        while host.catalog().get("s__new").is_none() {
            // Whoever changes before somebody listens is not heard.
            assert_eq!(text_of(&call(&host, "change", json!({})).await), "changed");
            let _ = tokio::time::timeout(Duration::from_millis(300), changes.changed()).await;
        }
    }
}

#[tokio::test]
async fn who_refuses_to_open_a_connection_has_little_time_for_the_other_way() {
    let began = Instant::now();
    let host = listed(
        McpHost::builder()
            .server(server("silent", &json!({"start": "refuse_then_silent"})))
            .server(server("dies", &json!({"start": "refuse_then_die"}))),
    )
    .await;
    let expected = ["silent", "dies"].map(|name| format!("server \"{name}\" is not available: it refused to open a connection: not today"));
    let mut warnings = host.warnings();
    warnings.sort_by_key(|warning| !warning.contains("silent"));
    assert_eq!(warnings, expected);
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
}

#[tokio::test]
async fn environment_and_folder_are_as_configured() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = server("s", &with_tools(&["environment"]));
    if let TransportConfig::Stdio { env, cwd, .. } = &mut config.transport {
        env.insert("VALUE".to_owned(), "given".to_owned());
        // No server's own variables begin the count anew.
        env.insert(codemode_mcp::DEPTH.to_owned(), "0".to_owned());
        *cwd = Some(folder.path().to_owned());
    }
    let host = listed(McpHost::builder().server(config)).await;
    let said: Value = serde_json::from_str(&text_of(&call(&host, "environment", json!({})).await)).expect("json");
    let here = folder.path().canonicalize().expect("a path");
    let deeper = (codemode_mcp::depth() + 1).to_string();
    let expected = (Some("given"), Some(deeper.as_str()), here.to_str());
    assert_eq!((said["VALUE"].as_str(), said["DEPTH"].as_str(), said["cwd"].as_str()), expected);
}

/// Whether a process is there and no zombie.
fn is_alive(pid: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    status.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}
