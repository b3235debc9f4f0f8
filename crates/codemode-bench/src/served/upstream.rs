//! The smallest upstream server: it waits, then answers lines. Its cost is the floor under what is measured.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};

/// Serves standard input until it ends, after a wait of this many milliseconds.
pub(crate) fn serve(delay_ms: u64) -> io::Result<()> {
    std::thread::sleep(Duration::from_millis(delay_ms));
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let Some(id) = request.get("id") else { continue };
        let result = match request["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "upstream", "version": "1"}
            }),
            "tools/list" => json!({"tools": [{
                "name": "echo",
                "description": "Gives back its text",
                "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
                "annotations": {"readOnlyHint": true}
            }]}),
            "tools/call" => json!({"content": [{"type": "text", "text": request["params"]["arguments"]["text"]}]}),
            "ping" => json!({}),
            method => {
                let error = json!({"code": -32601, "message": format!("no method {method}")});
                writeln!(output, "{}", json!({"jsonrpc": "2.0", "id": id, "error": error}))?;
                output.flush()?;
                continue;
            }
        };
        writeln!(output, "{}", json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
        output.flush()?;
    }
    Ok(())
}

/// The memory that a fresh process of this kind holds, in KiB: the floor.
pub(crate) fn resident_kib() -> u64 {
    use std::process::{Command, Stdio};
    let own = std::env::current_exe().expect("this binary has a path");
    let mut child =
        Command::new(own).args(["--upstream", "0"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("this binary starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").expect("it reads");
    let mut line = String::new();
    io::BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it answers");
    let held = resident_kib_of(&format!("/proc/{}/status", child.id()));
    drop(input);
    // It ends with its input.
    let _ = child.wait();
    held
}

/// What `VmRSS` of a status file of Linux's says; nothing to compare with elsewhere.
pub(crate) fn resident_kib_of(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).expect("linux tells what a process holds");
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line VmRSS");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number of KiB")
}
