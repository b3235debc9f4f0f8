//! A real server that is reached over streamable HTTP.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use codemode_mcp::{ServerConfig, ServerState};
use serde_json::json;

use crate::bench::{self, PATIENCE};

/// The server, until it is dropped.
struct Everything {
    child: Child,
    port: u16,
}

impl Everything {
    /// Starts it on a port that was free a moment ago; where somebody else took it meanwhile, on another one.
    fn start() -> Self {
        for _ in 0..10 {
            let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
            let mut child = Command::new(bench::peers().join("node_modules/.bin/mcp-server-everything"))
                .arg("streamableHttp")
                .env("PORT", free.to_string())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("started");
            let said = BufReader::new(child.stderr.take().expect("piped"));
            let listens = format!("listening on port {free}");
            let mut lines = said.lines().map_while(Result::ok);
            if lines.any(|line| line.ends_with(&listens)) {
                // What it says later is read, so that it never waits for a reader.
                std::thread::spawn(move || lines.for_each(drop));
                return Self { child, port: free };
            }
            child.wait().expect("ended");
        }
        panic!("the server did not start on any of ten ports");
    }

    fn config(&self) -> ServerConfig {
        bench::patient(ServerConfig::http("everything", format!("http://127.0.0.1:{}/mcp", self.port)))
    }
}

impl Drop for Everything {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_server_elsewhere_works_as_one_here() {
    let server = Everything::start();
    let host = bench::host([server.config()]);
    let program = r#"
        const { everything } = tools
        const [sum, image, slow] = await Promise.all([
            everything["get-sum"]({ a: 2, b: 3 }),
            everything["get-tiny-image"]({}),
            everything["trigger-long-running-operation"]({ duration: 1, steps: 4 }),
        ])
        return [sum, image.blobs[0].type, slow]"#;
    assert_eq!(
        bench::value(&host, program).await,
        json!(["The sum of 2 and 3 is 5.", "image/png", "Long running operation completed. Duration: 1 seconds, Steps: 4."])
    );
    let status = host.status().remove(0);
    assert_eq!(
        (status.state, status.version.as_deref(), status.protocol.as_deref()),
        (ServerState::Listed, Some("mcp-servers/everything 2.0.0"), Some("2025-11-25"))
    );
    host.close().await;
}

/// Nobody listens there: the server is named with the reason, and the address, which may hold a secret, is not shown.
#[tokio::test]
async fn an_address_where_nobody_listens_is_a_named_warning() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
    let host = bench::host([bench::patient(ServerConfig::http("gone", format!("http://127.0.0.1:{free}/mcp?key=secret")))]);
    host.listed(PATIENCE).await;
    let warnings = host.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("server \"gone\" is not available: it could not be reached: "), "{warnings:?}");
    assert!(!warnings[0].contains("secret"), "{warnings:?}");
    host.close().await;
}
