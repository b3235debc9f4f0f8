//! Hosts over the test server, and calls whose notes are kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Answer, Call, CallContext, Json, Note, RunId, ToolHost};
use codemode_mcp::{McpHost, McpHostBuilder, ServerConfig, ServerState, ServerStatus};
use codemode_testbed::Notes;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Longer than anything takes on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// The test server with this setup.
pub(crate) fn server(name: &str, setup: &Value) -> ServerConfig {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/server.py");
    ServerConfig::stdio(name, "python3", [script.display().to_string(), setup.to_string()])
}

/// Tools of these names that take any object.
pub(crate) fn tools(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect()
}

/// The setup of a server with tools of these names.
pub(crate) fn with_tools(names: &[&str]) -> Value {
    json!({"tools": tools(names)})
}

/// A host with one server, which is called `s`, once that is listed.
pub(crate) async fn host(setup: &Value) -> Arc<McpHost> {
    listed(McpHost::builder().server(server("s", setup))).await
}

/// A host whose servers are listed or have failed.
pub(crate) async fn listed(builder: McpHostBuilder) -> Arc<McpHost> {
    let host = builder.start();
    host.listed(LONG).await;
    host
}

/// A call, its answer, and what was noted meanwhile.
pub(crate) struct Caller {
    pub(crate) context: CallContext,
    notes: Arc<Notes>,
}

impl Caller {
    pub(crate) fn new() -> Self {
        let notes = Notes::new();
        let mut context = notes.context("s__test");
        context.run = Some(RunId::fresh());
        context.cancelled = CancellationToken::new();
        Self { context, notes }
    }

    pub(crate) fn notes(&self) -> Vec<Note> {
        self.notes.all()
    }

    pub(crate) async fn call(&self, host: &McpHost, name: &str, arguments: Value) -> Answer {
        let tool = host.catalog().get(name).unwrap_or_else(|| panic!("no tool {name}: {:?}", host.status())).clone();
        let mut context = self.context.clone();
        context.tool = Arc::clone(&tool.name);
        host.call(&context, Call { tool, arguments: Json::from_value(arguments).expect("json") }).await
    }
}

/// Calls a tool of the server `s`.
pub(crate) async fn call(host: &McpHost, tool: &str, arguments: Value) -> Answer {
    Caller::new().call(host, &format!("s__{tool}"), arguments).await
}

/// The text of a success; anything else as it is.
pub(crate) fn text_of(answer: &Answer) -> String {
    match answer {
        Answer::Succeeded(content) => content.text.as_deref().unwrap_or("<no text>").to_owned(),
        other => format!("{other:?}"),
    }
}

/// How an answer begins, with its code and message.
pub(crate) fn fault_of(answer: &Answer) -> (&'static str, String, String) {
    match answer {
        Answer::Succeeded(content) => ("succeeded", String::new(), format!("{content:?}")),
        Answer::Failed(fault) => ("failed", fault.code.to_string(), fault.message.clone()),
        Answer::NotRun(fault) => ("not run", fault.code.to_string(), fault.message.clone()),
        Answer::Unknown(fault) => ("unknown", fault.code.to_string(), fault.message.clone()),
    }
}

pub(crate) fn fault(kind: &'static str, code: &str, message: &str) -> (&'static str, String, String) {
    (kind, code.to_owned(), message.to_owned())
}

pub(crate) fn status(host: &McpHost, name: &str) -> ServerStatus {
    host.status().into_iter().find(|status| status.name == name).unwrap_or_else(|| panic!("no server {name}"))
}

pub(crate) fn failure(host: &McpHost, name: &str) -> String {
    match status(host, name).state {
        ServerState::Failed { why } => why,
        other => panic!("{other:?}"),
    }
}

/// Waits until something holds.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    let waited = async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, waited).await.unwrap_or_else(|_| panic!("never came: {what}"));
}

/// Waits until a line of the server's log holds this, and gives the line.
pub(crate) async fn logged(log: &Path, part: &str) -> String {
    let find = || fs::read_to_string(log).unwrap_or_default().lines().find(|line| line.contains(part)).map(str::to_owned);
    until(part, || find().is_some()).await;
    find().expect("it was there")
}

/// A folder and a file in it that is not there yet.
pub(crate) fn log_file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    (folder, log)
}
