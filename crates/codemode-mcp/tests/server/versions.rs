//! Each protocol version from 2024-11-05 on gets what it has, and nothing else.

use codemode_mcp::CodeServer;
use serde_json::{Value, json};

use crate::local::Tools;
use crate::raw::Pipe;

fn server() -> CodeServer {
    CodeServer::builder(Tools::new().host.clone()).build().expect("a server")
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().map(|fields| fields.keys().map(String::as_str).collect()).unwrap_or_default()
}

#[tokio::test]
async fn versions_with_a_handshake_are_spoken_as_they_are() {
    let code = "console.log(1); return await tools.parts({})";
    for (version, tool, result, kinds) in [
        ("2024-11-05", vec!["name", "description", "inputSchema"], vec!["content", "isError"], ["text", "resource", "resource"]),
        ("2025-03-26", vec!["name", "description", "inputSchema"], vec!["content", "isError"], ["text", "audio", "resource"]),
        (
            "2025-06-18",
            vec!["name", "title", "description", "inputSchema", "outputSchema"],
            vec!["content", "structuredContent", "isError"],
            ["text", "audio", "resource"],
        ),
        (
            "2025-11-25",
            vec!["name", "title", "description", "inputSchema", "outputSchema"],
            vec!["content", "structuredContent", "isError"],
            ["text", "audio", "resource"],
        ),
    ] {
        let mut pipe = Pipe::new(&server());
        let answer = pipe.initialize(version).await;
        assert_eq!(answer["result"]["protocolVersion"], json!(version));
        assert_eq!(answer["result"]["capabilities"], json!({"resources": {}, "tools": {"listChanged": true}}));
        let listed = pipe.ask(1, "tools/list", json!({})).await;
        assert_eq!((keys(&listed["result"]), keys(&listed["result"]["tools"][0])), (vec!["tools"], tool), "{version}");
        let called = pipe.ask(2, "tools/call", json!({"name": "run_code", "arguments": {"code": code}})).await;
        assert_eq!(keys(&called["result"]), result, "{version}");
        let content = called["result"]["content"].as_array().expect("content");
        let shown: Vec<&str> = content.iter().filter_map(|block| block["type"].as_str()).collect();
        assert_eq!(shown, kinds, "{version}");
    }
}

#[tokio::test]
async fn a_version_that_nobody_knows_gets_the_newest_with_a_handshake() {
    for asked in ["2099-01-01", "2026-07-28", "1.0"] {
        let answer = Pipe::new(&server()).initialize(asked).await;
        assert_eq!(answer["result"]["protocolVersion"], json!("2025-11-25"), "{asked}");
    }
}

#[tokio::test]
async fn the_newest_version_asks_without_a_handshake() {
    let mut pipe = Pipe::new(&server());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let discovered = pipe.ask(1, "server/discover", json!({"_meta": meta})).await;
    let expected = json!(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
    assert_eq!(discovered["result"]["supportedVersions"], expected);
    let listed = pipe.ask(2, "tools/list", json!({"_meta": meta})).await;
    assert_eq!(keys(&listed["result"]), ["resultType", "ttlMs", "cacheScope", "tools"]);
    let arguments = json!({"code": "return await tools.shot({})"});
    let called = pipe.ask(3, "tools/call", json!({"_meta": meta, "name": "run_code", "arguments": arguments})).await;
    assert_eq!(called["result"]["structuredContent"]["status"], json!("ok"));
    assert_eq!(called["result"]["content"][1]["type"], json!("image"));
    // What one request left to be read, the next one reads.
    let listed = pipe.ask(4, "resources/list", json!({"_meta": meta})).await;
    assert_eq!(listed["result"]["resources"][0]["mimeType"], json!("image/png"));
}
