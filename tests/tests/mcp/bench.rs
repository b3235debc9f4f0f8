//! The servers of others, started for one test, and a runtime over them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use codemode::{Isolation, Outcome, Profile, RunRequest, Runtime};
use codemode_mcp::{McpHost, ServerConfig, TransportConfig};
use codemode_policy::Validate;
use serde_json::Value;

/// Far longer than anything takes, also where other tests take the processors.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Where `cargo xtask peers` put the peers.
pub(crate) fn peers() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder in cargo's target folder");
    let peers = target.join("peers");
    assert!(peers.join("installed").is_file(), "the peers are not installed: run `cargo xtask peers`");
    peers
}

fn from_npm<'a>(name: &str, program: &str, arguments: impl IntoIterator<Item = &'a str>) -> ServerConfig {
    let program = peers().join("node_modules/.bin").join(program);
    patient(ServerConfig::stdio(name, program.to_str().expect("UTF-8"), arguments))
}

/// Shows every kind of content, of images and of links.
pub(crate) fn everything() -> ServerConfig {
    from_npm("everything", "mcp-server-everything", ["stdio"])
}

/// Reads and writes files below `root`.
pub(crate) fn files(root: &Path) -> ServerConfig {
    from_npm("files", "mcp-server-filesystem", [root.to_str().expect("UTF-8")])
}

/// Keeps a graph of entities in `file`.
pub(crate) fn memory(file: &Path) -> ServerConfig {
    let mut server = from_npm("memory", "mcp-server-memory", []);
    if let TransportConfig::Stdio { env, .. } = &mut server.transport {
        *env = BTreeMap::from([("MEMORY_FILE_PATH".to_owned(), file.to_str().expect("UTF-8").to_owned())]);
    }
    server
}

/// The server of `tests/peers/server.py`.
pub(crate) fn team() -> ServerConfig {
    let python = peers().join("venv/bin/python");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/server.py");
    patient(ServerConfig::stdio("team", python.to_str().expect("UTF-8"), [script.to_str().expect("UTF-8")]))
}

pub(crate) fn patient(mut server: ServerConfig) -> ServerConfig {
    server.start_timeout = Some(PATIENCE);
    server
}

/// A host of these servers.
pub(crate) fn host(servers: impl IntoIterator<Item = ServerConfig>) -> Arc<McpHost> {
    McpHost::builder().servers(servers).start()
}

/// A runtime for TypeScript over the host, as a library's user makes it.
pub(crate) fn runtime(host: &Arc<McpHost>) -> Runtime {
    let profile = Profile::program().with_isolation(Isolation::Thread);
    let host = Arc::clone(host);
    Runtime::builder(host).profile(profile).layer(Arc::new(Validate::new())).build().expect("a runtime")
}

/// Runs a program that ends well, and gives its value.
pub(crate) async fn value(host: &Arc<McpHost>, program: &str) -> Value {
    value_of(&run(host, program).await)
}

/// Runs a program.
pub(crate) async fn run(host: &Arc<McpHost>, program: &str) -> Outcome {
    runtime(host).run(RunRequest::new(program)).await.expect("the host is whole")
}

/// The value of an outcome that is well.
pub(crate) fn value_of(outcome: &Outcome) -> Value {
    assert!(outcome.is_ok(), "{}", outcome.to_json());
    serde_json::from_str(outcome.value.as_ref().map_or("null", |value| value.text())).expect("JSON")
}

/// The calls of an outcome: the tool's name and the status.
pub(crate) fn calls(outcome: &Outcome) -> Vec<(String, &'static str)> {
    outcome.ledger.records().iter().map(|record| (record.tool.to_string(), record.status.as_str())).collect()
}
