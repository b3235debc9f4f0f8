//! A client of `codemode serve --stdio` that waits for each answer in its own thread: no runtime stands in what is measured.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// The command beside this binary: `cargo xtask bench` builds both.
pub(crate) fn binary() -> PathBuf {
    let own = std::env::current_exe().expect("this binary has a path");
    own.with_file_name("codemode")
}

/// A server process and the two ends of its pipes.
pub(crate) struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    /// Holds the configuration file and what the server remembers.
    _folder: tempfile::TempDir,
}

impl Client {
    /// Starts the server over upstreams of these names, each with the time that it takes to start.
    pub(crate) fn start(flags: &[&str], upstreams: &[(&str, Duration)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let own = std::env::current_exe().expect("this binary has a path");
        let server = |delay: &Duration| json!({"command": own, "args": ["--upstream", delay.as_millis().to_string()]});
        let servers: serde_json::Map<String, Value> = upstreams.iter().map(|(name, delay)| ((*name).to_owned(), server(delay))).collect();
        let file = folder.path().join("servers.json");
        std::fs::write(&file, json!({"mcpServers": servers}).to_string()).expect("a file");
        let mut child = Command::new(binary())
            .args(["serve", "--stdio", "--mcp-config"])
            .arg(&file)
            .args(flags)
            .env("CODEMODE_CONFIG_DIR", folder.path())
            .env("CODEMODE_STATE_DIR", folder.path())
            .env("CODEMODE_CACHE_DIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts; `cargo xtask bench` builds it");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, to, from, next: 0, _folder: folder }
    }

    /// The handshake.
    pub(crate) fn initialize(&mut self) {
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "codemode-bench", "version": "0"}});
        self.request("initialize", &hello);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    }

    /// Sends a request and waits for its result; notifications on the way are passed over.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("the server answers") > 0, "the server ended");
            let mut message: Value = serde_json::from_str(&line).expect("the server writes json");
            if message["id"] == id {
                assert_eq!(message["error"], Value::Null, "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    /// The memory that the server holds, in KiB.
    pub(crate) fn resident_kib(&self) -> u64 {
        super::upstream::resident_kib_of(&format!("/proc/{}/status", self.child.id()))
    }

    fn send(&mut self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        self.to.write_all(line.as_bytes()).and_then(|()| self.to.flush()).expect("the server reads");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended by itself; either way nothing is left behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
