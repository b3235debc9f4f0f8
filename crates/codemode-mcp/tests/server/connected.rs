//! A client of a server, over pipes within this process.

use std::time::Duration;

use codemode_mcp::CodeServer;
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, ErrorData, ProgressNotificationParam, ReadResourceRequestParams};
use rmcp::service::{NotificationContext, RunningService, ServiceError};
use rmcp::{ClientHandler, RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// Longer than anything here takes: what is not there by then never comes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Keeps what it is told unasked.
pub(crate) struct Told {
    progress: mpsc::UnboundedSender<(f64, String)>,
    changed: mpsc::UnboundedSender<()>,
}

impl ClientHandler for Told {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::default()
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        let _ = self.progress.send((progress.progress, progress.message.unwrap_or_default()));
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        let _ = self.changed.send(());
    }
}

/// A client, what it was told unasked, and the server's end.
pub(crate) struct Client {
    pub(crate) running: RunningService<RoleClient, Told>,
    pub(crate) progress: mpsc::UnboundedReceiver<(f64, String)>,
    pub(crate) changed: mpsc::UnboundedReceiver<()>,
    pub(crate) serving: tokio::task::JoinHandle<Result<(), codemode_mcp::ServeError>>,
}

impl Client {
    /// Connects to this server with the handshake.
    pub(crate) async fn new(server: &CodeServer) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(far);
        let serving = tokio::spawn(server.clone().serve_io(read, write));
        let (progress_sender, progress) = mpsc::unbounded_channel();
        let (changed_sender, changed) = mpsc::unbounded_channel();
        let running = Told { progress: progress_sender, changed: changed_sender }.serve(near).await.expect("a handshake");
        Self { running, progress, changed, serving }
    }

    /// Calls a tool.
    pub(crate) async fn try_call(&self, tool: &str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.as_object().cloned().unwrap_or_default());
        tokio::time::timeout(PATIENCE, self.running.call_tool(params)).await.expect("an answer in time")
    }

    /// Calls a tool, which gives a result.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> CallToolResult {
        self.try_call(tool, arguments).await.expect("a result")
    }

    /// Runs a program.
    pub(crate) async fn run(&self, code: &str) -> CallToolResult {
        self.call("run_code", json!({"code": code})).await
    }

    /// The code and the message with which a call is refused.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> (i32, String) {
        refused(self.try_call(tool, arguments).await)
    }

    /// What is at an address; the code and the message, where nothing is.
    pub(crate) async fn read(&self, uri: &str) -> Result<Value, (i32, String)> {
        match self.running.read_resource(ReadResourceRequestParams::new(uri)).await {
            Ok(read) => Ok(as_json(&read.contents)),
            Err(error) => Err(refused(Err::<(), _>(error))),
        }
    }
}

fn refused<T: std::fmt::Debug>(result: Result<T, ServiceError>) -> (i32, String) {
    match result {
        Err(ServiceError::McpError(ErrorData { code, message, .. })) => (code.0, message.into_owned()),
        other => panic!("no refusal: {other:?}"),
    }
}

/// Anything of the protocol as JSON.
pub(crate) fn as_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("json")
}

/// The text of a result's first block, with the time that the program took as `0.00s`.
pub(crate) fn text(result: &CallToolResult) -> String {
    let text = result.content.first().and_then(|block| block.as_text()).map(|text| text.text.clone()).unwrap_or_default();
    let Some((before, after)) = text.split_once("s compute") else { return text };
    let kept = before.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    format!("{kept}0.00s compute{after}")
}
