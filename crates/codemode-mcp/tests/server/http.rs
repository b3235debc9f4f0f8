//! The server over HTTP, asked with raw requests.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use codemode_mcp::{CodeServer, HttpOptions};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::connected::PATIENCE;
use crate::local::Tools;

/// A server that listens until it is dropped.
pub(crate) struct Listening {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: tokio::task::JoinHandle<Result<(), codemode_mcp::ServeError>>,
}

impl Listening {
    pub(crate) async fn new(tools: &Tools, change: impl FnOnce(&mut HttpOptions)) -> Self {
        Self::of(&CodeServer::builder(tools.host.clone()).build().expect("a server"), change).await
    }

    pub(crate) async fn of(server: &CodeServer, change: impl FnOnce(&mut HttpOptions)) -> Self {
        let mut options = HttpOptions::new("127.0.0.1:0".parse().expect("an address"));
        change(&mut options);
        let server = server.clone().bind_http(options).await.expect("bound");
        let address = server.address();
        assert_eq!(server.url(), format!("http://{address}/mcp"));
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(server.serve(async {
            let _ = stopped.await;
        }));
        Self { address, stop: Some(stop), serving }
    }

    pub(crate) async fn ask(&self, request: &Request<'_>) -> Answer {
        tokio::time::timeout(PATIENCE, request.send(self.address)).await.expect("an answer in time")
    }
}

/// One request on a connection of its own.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    method: &'a str,
    path: &'a str,
    host: &'a str,
    headers: &'a [(&'a str, &'a str)],
    body: &'a str,
}

/// Status, session and body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) session: Option<String>,
    pub(crate) body: String,
}

impl Answer {
    /// The JSON-RPC message that answers, in the body's events.
    pub(crate) fn message(&self) -> Value {
        let data = self.body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        let mut messages = data.filter_map(|data| serde_json::from_str::<Value>(data).ok());
        messages.next_back().unwrap_or_else(|| panic!("no message in {:?}", self.body))
    }
}

impl Request<'_> {
    pub(crate) async fn send(&self, address: SocketAddr) -> Answer {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        let mut request = format!("{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.method, self.path, self.host);
        for (name, value) in self.headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("Content-Length: {}\r\n\r\n{}", self.body.len(), self.body));
        // A server that refuses a long body may close before all of it is written.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let session = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        Answer { status, session, body: if chunked { unchunked(body) } else { body.to_owned() } }
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a size");
        whole.push_str(&rest[..size]);
        body = rest.get(size + 2..).unwrap_or_default();
    }
    whole
}

pub(crate) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;
pub(crate) const JSON: (&str, &str) = ("Content-Type", "application/json");
pub(crate) const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");

pub(crate) fn post<'a>(headers: &'a [(&'a str, &'a str)], body: &'a str) -> Request<'a> {
    Request { method: "POST", path: "/mcp", host: "localhost", headers, body }
}

#[tokio::test]
async fn a_session_lists_and_runs() {
    let tools = Tools::new();
    let server = Listening::new(&tools, |_| {}).await;
    let begun = server.ask(&post(&[JSON, ACCEPT], INITIALIZE)).await;
    assert_eq!((begun.status, &begun.message()["result"]["serverInfo"]["name"]), (200, &json!("codemode")));
    let session = begun.session.expect("a session");
    let headers = [JSON, ACCEPT, ("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    let initialized = server.ask(&post(&headers, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)).await;
    assert_eq!(initialized.status, 202);
    let listed = server.ask(&post(&headers, r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)).await;
    assert_eq!(listed.message()["result"]["tools"][0]["name"], json!("run_code"));
    let arguments = json!({"code": "return await tools.shot({})"});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run_code", "arguments": arguments}});
    let called = server.ask(&post(&headers, &call.to_string())).await.message();
    assert_eq!(called["result"]["structuredContent"]["status"], json!("ok"));
    assert_eq!(called["result"]["content"][1]["mimeType"], json!("image/png"));
    let resources = server.ask(&post(&headers, r#"{"jsonrpc":"2.0","id":3,"method":"resources/list"}"#)).await.message();
    assert_eq!(resources["result"]["resources"][0]["mimeType"], json!("image/png"));
    let ended = server.ask(&Request { method: "DELETE", ..post(&headers, "") }).await;
    assert_eq!(ended.status, 202);
    let gone = server.ask(&post(&headers, r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#)).await;
    assert_eq!(gone.status, 404);
}

#[tokio::test]
async fn who_ends_a_session_ends_its_programs() {
    let mut tools = Tools::new();
    let server = Listening::new(&tools, |_| {}).await;
    let session = server.ask(&post(&[JSON, ACCEPT], INITIALIZE)).await.session.expect("a session");
    let headers = [JSON, ACCEPT, ("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    server.ask(&post(&headers, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)).await;
    let code = "await tools.slow({}); await tools.wait({})";
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run_code", "arguments": {"code": code}}});
    let call = call.to_string();
    let running = async { tokio::time::timeout(PATIENCE, post(&headers, &call).send(server.address)).await.is_ok() };
    let ending = async {
        assert_eq!(tools.next().await, "slow");
        let began = Instant::now();
        let ended = server.ask(&Request { method: "DELETE", ..post(&headers, "") }).await;
        assert_eq!(ended.status, 202);
        assert_eq!(tools.next().await, "cancelled");
        began.elapsed()
    };
    let (_, took) = tokio::join!(running, ending);
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[tokio::test]
async fn who_does_not_say_what_it_wants_is_let_go() {
    let tools = Tools::new();
    let server = Listening::new(&tools, |options| options.head_within = Duration::from_millis(200)).await;
    for said in ["", "POST /mcp HTTP/1.1\r\nHost: loc"] {
        let mut stream = TcpStream::connect(server.address).await.expect("connected");
        stream.write_all(said.as_bytes()).await.expect("written");
        let mut answer = Vec::new();
        let ended = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("let go");
        assert!(ended.is_err() || answer.is_empty() || answer.starts_with(b"HTTP/1.1 408"), "{:?}", String::from_utf8_lossy(&answer));
    }
    // Who does is answered, however many came before.
    let begun = server.ask(&post(&[JSON, ACCEPT], INITIALIZE)).await;
    assert_eq!(begun.status, 200);
}

#[tokio::test]
async fn the_newest_version_needs_no_session() {
    let tools = Tools::new();
    let server = Listening::new(&tools, |_| {}).await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let ask = async |method: &str, name: &str, mut params: Value| {
        params["_meta"] = meta.clone();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let headers = [JSON, ACCEPT, ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), ("Mcp-Name", name)];
        let headers = if name.is_empty() { &headers[..4] } else { &headers[..] };
        server.ask(&post(headers, &body)).await.message()
    };
    let called = ask("tools/call", "run_code", json!({"name": "run_code", "arguments": {"code": "return await tools.shot({})"}})).await;
    let handle = called["result"]["structuredContent"]["content"][0]["handle"].as_str().expect("a handle");
    let listed = ask("resources/list", "", json!({})).await;
    let uri = handle.replace("blob:", "codemode://blob/");
    assert_eq!(listed["result"]["resources"][0]["uri"], json!(uri));
}

#[tokio::test]
async fn without_the_token_nothing_is_answered() {
    let tools = Tools::new();
    let server = Listening::new(&tools, |options| options.token = Some("secret".to_owned())).await;
    let body = "this server wants a token: send the header \"Authorization: Bearer TOKEN\" with the token that it was started with\n";
    for headers in [&[JSON, ACCEPT][..], &[JSON, ACCEPT, ("Authorization", "Bearer wrong")]] {
        let refused = server.ask(&post(headers, INITIALIZE)).await;
        assert_eq!((refused.status, refused.body.as_str()), (401, body));
    }
    let twice = [JSON, ACCEPT, ("Authorization", "Bearer secret"), ("Authorization", "Bearer secret")];
    assert_eq!(server.ask(&post(&twice, INITIALIZE)).await.status, 401);
    // Also where there is nothing, so that nobody learns what there is.
    assert_eq!(server.ask(&Request { path: "/", ..post(&[], "") }).await.status, 401);
    let let_in = server.ask(&post(&[JSON, ACCEPT, ("Authorization", "Bearer secret")], INITIALIZE)).await;
    assert_eq!(let_in.status, 200);
}

#[tokio::test]
async fn pages_and_names_from_elsewhere_are_refused() {
    let tools = Tools::new();
    let server = Listening::new(&tools, |options| {
        options.allowed_origins = vec!["https://app.example".to_owned()];
        options.allowed_hosts = vec!["codemode.example".to_owned()];
    })
    .await;
    for (origin, status) in [
        ("https://app.example", 200),
        ("http://localhost:3000", 200),
        ("http://127.0.0.1", 200),
        ("http://[::1]:8", 200),
        ("https://app.example:8443", 403),
        ("http://app.example", 403),
        ("https://evil.example", 403),
        ("http://localhost.evil.example", 403),
        ("null", 403),
    ] {
        let answer = server.ask(&post(&[JSON, ACCEPT, ("Origin", origin)], INITIALIZE)).await;
        assert_eq!(answer.status, status, "{origin}");
    }
    for (host, status) in [("localhost:1", 200), ("127.0.0.1", 200), ("[::1]:9", 200), ("codemode.example", 200), ("evil.example", 403)] {
        let answer = server.ask(&Request { host, ..post(&[JSON, ACCEPT], INITIALIZE) }).await;
        assert_eq!(answer.status, status, "{host}");
    }
}

#[tokio::test]
async fn other_paths_and_bodies_that_are_too_long_are_refused() {
    let tools = Tools::new();
    let server = Listening::new(&tools, |_| {}).await;
    let elsewhere = server.ask(&Request { path: "/", ..post(&[JSON, ACCEPT], INITIALIZE) }).await;
    assert_eq!((elsewhere.status, elsewhere.body.as_str()), (404, "there is nothing here; the server is at /mcp\n"));
    let code = "x".repeat((8 << 20) + 1);
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run_code", "arguments": {"code": code}}});
    assert_eq!(server.ask(&post(&[JSON, ACCEPT], &call.to_string())).await.status, 413);
}

#[tokio::test]
async fn a_shutdown_stops_programs_and_ends() {
    let mut tools = Tools::new();
    let mut server = Listening::new(&tools, |_| {}).await;
    let session = server.ask(&post(&[JSON, ACCEPT], INITIALIZE)).await.session.expect("a session");
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "run_code", "arguments": {"code": "await tools.slow({})"}}});
    let (address, body) = (server.address, call.to_string());
    let asking = tokio::spawn(async move {
        let headers = [JSON, ACCEPT, ("Mcp-Session-Id", session.as_str())];
        post(&headers, &body).send(address).await.status
    });
    assert_eq!(tools.next().await, "slow");
    server.stop.take().expect("not stopped yet").send(()).expect("it serves");
    assert_eq!(tools.next().await, "cancelled");
    tokio::time::timeout(PATIENCE, server.serving).await.expect("an end in time").expect("no panic").expect("served");
    assert_eq!(asking.await.expect("no panic"), 200);
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}
