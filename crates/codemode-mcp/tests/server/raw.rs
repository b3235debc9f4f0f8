//! Raw lines of JSON-RPC: what a client of any version puts on the pipe.

use codemode_mcp::CodeServer;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

use crate::connected::PATIENCE;

/// One end of a pipe to a server.
pub(crate) struct Pipe {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    pub(crate) serving: tokio::task::JoinHandle<Result<(), codemode_mcp::ServeError>>,
}

impl Pipe {
    pub(crate) fn new(server: &CodeServer) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(far);
        let serving = tokio::spawn(server.clone().serve_io(read, write));
        let (read, write) = tokio::io::split(near);
        Self { lines: BufReader::new(read).lines(), write, serving }
    }

    /// Sends one line.
    pub(crate) async fn send(&mut self, message: &Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.expect("written");
    }

    /// Sends these bytes.
    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.expect("written");
    }

    /// The two ends, for who writes and reads at once.
    pub(crate) fn split(self) -> (WriteHalf<DuplexStream>, Lines<BufReader<ReadHalf<DuplexStream>>>) {
        (self.write, self.lines)
    }

    /// The next line, which is one message.
    pub(crate) async fn next(&mut self) -> Value {
        let line = tokio::time::timeout(PATIENCE, self.lines.next_line()).await.expect("a line in time").expect("read");
        serde_json::from_str(&line.expect("no end")).expect("json")
    }

    /// Asks, and gives the message that answers.
    pub(crate) async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let answer = self.next().await;
        assert_eq!(answer["id"], json!(id), "{answer}");
        answer
    }

    /// Shakes hands in this version, and gives the server's answer.
    pub(crate) async fn initialize(&mut self, version: &str) -> Value {
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}});
        let answer = self.ask(0, "initialize", params).await;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }

    /// Ends the input.
    pub(crate) async fn end(&mut self) {
        self.write.shutdown().await.expect("ended");
    }

    /// Nothing comes any more.
    pub(crate) async fn is_over(&mut self) -> bool {
        tokio::time::timeout(PATIENCE, self.lines.next_line()).await.expect("an end in time").expect("read").is_none()
    }
}
