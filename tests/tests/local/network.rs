//! `fetch`, over a server of this test's own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use serde_json::json;

use crate::{give, project};

/// Answers so many requests: what was sent comes back as JSON; `/moved` leads on, `/silent` says nothing.
fn server(requests: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let mut silent = Vec::new();
        for stream in listener.incoming().take(requests) {
            let mut stream = stream.expect("a connection");
            let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
            let (mut first, mut length, mut mine) = (String::new(), 0, String::new());
            reader.read_line(&mut first).expect("a line");
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).expect("a line");
                let line = line.trim().to_ascii_lowercase();
                if line.is_empty() {
                    break;
                }
                if let Some(value) = line.strip_prefix("content-length:") {
                    length = value.trim().parse().expect("a number");
                }
                if let Some(value) = line.strip_prefix("x-mine:") {
                    value.trim().clone_into(&mut mine);
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            if first.contains("/silent") {
                silent.push(stream);
                continue;
            }
            if first.contains("/moved") {
                write!(stream, "HTTP/1.1 302 Found\r\nlocation: /there\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                    .expect("it is sent");
                continue;
            }
            let told = json!({"line": first.trim(), "body": String::from_utf8_lossy(&body), "mine": mine}).to_string();
            let status = if first.contains("/absent") { "404 Not Found" } else { "200 OK" };
            write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nx-told: yes\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{told}",
                told.len()
            )
            .expect("it is sent");
        }
    });
    address
}

#[test]
fn requests_are_sent_and_answers_read() {
    let folder = project(&[]);
    // One more than are sent, so that the silent one stays open.
    let address = server(6 * crate::engines().len() + 1);
    let source = r#"
        const at = "ADDRESS";
        const get = await fetch(`${at}/a?b=c`, { headers: { "X-Mine": "kept" } });
        const post = await fetch(new URL("/post", at), { method: "POST", body: JSON.stringify({ one: 1 }) });
        const absent = await fetch(`${at}/absent`);
        const moved = await fetch(`${at}/moved`);
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 20);
        const aborted = await fetch(`${at}/silent`, { signal: controller.signal }).catch((error) => error.name);
        const failed = await fetch("http://127.0.0.1:1/").catch((error) => [error.name, error.cause.code]);
        const wrong = await fetch("not an address").catch((error) => error.message);
        return {
          get: await get.json(), ok: [get.ok, get.status, get.statusText, get.headers.get("X-Told")],
          post: (await post.json()).body, absent: [absent.ok, absent.status], moved: [moved.redirected, moved.url === `${at}/there`, (await moved.text()).includes("GET /there")],
          aborted, failed, wrong, again: await get.text().catch((error) => error.name),
        };
    "#;
    let given = give(folder.path(), &source.replace("ADDRESS", &address));
    assert_eq!(
        given,
        json!({
            "get": {"line": "GET /a?b=c HTTP/1.1", "body": "", "mine": "kept"}, "ok": [true, 200, "OK", "yes"],
            "post": "{\"one\":1}", "absent": [false, 404], "moved": [true, true, true],
            "aborted": "AbortError", "failed": ["TypeError", "ECONNREFUSED"], "wrong": "Failed to parse URL from not an address", "again": "TypeError",
        })
    );
}
