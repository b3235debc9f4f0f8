//! Servers elsewhere.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use codemode_core::Answer;
use codemode_mcp::{McpHost, ServerConfig, ServerState, TransportConfig};
use serde_json::{Value, json};

use crate::support::*;

/// A server in a process of its own, ended with this.
struct Elsewhere {
    process: Child,
    port: u16,
}

impl Elsewhere {
    fn start(mut setup: Value) -> Self {
        setup["http"] = json!(true);
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/server.py");
        let mut process =
            Command::new("python3").arg(script).arg(setup.to_string()).stdout(Stdio::piped()).spawn().expect("python3 is there");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        Self { process, port: line.trim().parse().expect("a port") }
    }

    fn config(&self, key: Option<&str>) -> ServerConfig {
        let mut config = ServerConfig::http("s", format!("http://127.0.0.1:{}/mcp?token=s3cret", self.port));
        if let (TransportConfig::Http { headers, .. }, Some(key)) = (&mut config.transport, key) {
            headers.insert("X-Key".to_owned(), key.to_owned());
        }
        config
    }

    async fn host(&self, key: Option<&str>) -> Arc<McpHost> {
        listed(McpHost::builder().server(self.config(key))).await
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn a_server_elsewhere_is_as_one_here() {
    let elsewhere = Elsewhere::start(json!({"key": "k", "tools": tools(&["echo", "answer"])}));
    let host = elsewhere.host(Some("k")).await;
    let status = status(&host, "s");
    assert_eq!((status.state, status.version.as_deref()), (ServerState::Listed, Some("http 1")));
    assert_eq!(text_of(&call(&host, "echo", json!({"n": 1})).await), "{\"n\": 1}");
    // A part of an unknown type costs nothing but itself.
    let result = json!({"content": [{"type": "text", "text": "a"}, {"type": "hologram"}], "structuredContent": {"x": 1}});
    let Answer::Succeeded(content) = call(&host, "answer", json!({"result": result})).await else { panic!("no success") };
    assert_eq!((content.text.as_deref(), content.withheld), (Some("a"), true));
    assert_eq!(content.structured.as_ref().map(|json| json.text()), Some(r#"{"x":1}"#));
    tokio::time::timeout(LONG, host.close()).await.expect("closed");
}

#[tokio::test]
async fn who_may_not_is_told_so_and_no_secret_is_shown() {
    let elsewhere = Elsewhere::start(json!({"key": "k", "tools": []}));
    let host = elsewhere.host(Some("wr0ng")).await;
    let why = failure(&host, "s");
    assert!(why.starts_with("it could not be reached: "), "{why}");
    assert!(!why.contains("wr0ng") && !why.contains("s3cret"), "{why}");
    let mut config = elsewhere.config(None);
    if let TransportConfig::Http { headers, .. } = &mut config.transport {
        headers.insert("X-Key".to_owned(), "a\nb".to_owned());
    }
    let host = listed(McpHost::builder().server(config)).await;
    assert_eq!(failure(&host, "s"), "the value of the header \"X-Key\" has characters that no header may have");
}

#[tokio::test]
async fn an_answer_that_is_too_long_ends_its_call() {
    let elsewhere = Elsewhere::start(json!({"tools": tools(&["huge", "echo"])}));
    let host = elsewhere.host(None).await;
    let (kind, code, message) = fault_of(&call(&host, "huge", json!({"bytes": 20_000_000})).await);
    assert_eq!((kind, code.as_str()), ("failed", "failed"), "{message}");
    assert!(message.starts_with("server \"s\" answered, and the answer could not be read: its answer is too long: "), "{message}");
    assert_eq!(text_of(&call(&host, "echo", json!({})).await), "{}");
}

#[tokio::test]
async fn silence_elsewhere_ends_a_call_and_the_server_is_told() {
    let (_folder, log) = log_file();
    let elsewhere = Elsewhere::start(json!({"log": log, "tools": tools(&["hang"])}));
    let mut config = elsewhere.config(None);
    config.timeout = Some(Duration::from_millis(500));
    let host = listed(McpHost::builder().server(config)).await;
    let answer = call(&host, "hang", json!({})).await;
    let message = "what the call did is unknown, and it may have run; server \"s\": it gave no sign for 500 ms, and the call was cancelled";
    assert_eq!(fault_of(&answer), fault("unknown", "outcome_unknown", message));
    logged(&log, "notifications/cancelled").await;
}

#[tokio::test]
async fn a_server_that_is_gone_was_not_called_and_is_found_again() {
    let mut elsewhere = Elsewhere::start(json!({"tools": tools(&["echo", "die"])}));
    let host = elsewhere.host(None).await;
    let (kind, ..) = fault_of(&call(&host, "die", json!({})).await);
    assert_eq!(kind, "unknown");
    elsewhere.process.wait().expect("it ended");
    let answer = call(&host, "echo", json!({})).await;
    assert_eq!(fault_of(&answer), fault("not run", "unavailable", "server \"s\" is not available: nobody listens at its address"));
    let port = elsewhere.port;
    let again = Elsewhere::start(json!({"port": port, "tools": tools(&["echo"])}));
    assert_eq!(again.port, port);
    let answer = call(&host, "echo", json!({"n": 2})).await;
    assert_eq!(text_of(&answer), "{\"n\": 2}");
}

#[tokio::test]
async fn nobody_at_an_address_is_a_failure() {
    let elsewhere = Elsewhere::start(json!({}));
    let config = elsewhere.config(None);
    drop(elsewhere);
    let host = listed(McpHost::builder().server(config)).await;
    let why = failure(&host, "s");
    assert!(why.starts_with("it could not be reached: ") && why.contains("its address") && !why.contains("s3cret"), "{why}");
}
