//! `codemode serve`: a client's first requests over standard input and output and over HTTP, and how it ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::process::{Place, Ran};

/// A client of a server that was started for it.
struct Client {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    /// Starts the server, and begins as the protocol has it.
    fn start(place: &Place, more: &[&str]) -> Self {
        Self::of(place, &mut place.command(&[&["serve", "--stdio"], more].concat()))
    }

    fn of(place: &Place, command: &mut std::process::Command) -> Self {
        let mut child = place.start(command.stdin(std::process::Stdio::piped()));
        let requests = child.stdin.take().expect("piped");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        let mut client = Self { child, requests, answers, next: 1 };
        let began = client.ask("initialize", &initialize());
        assert_eq!(began["protocolVersion"], json!("2025-06-18"), "{began}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.requests, "{message}").expect("read");
        self.requests.flush().expect("read");
    }

    /// The result of a request; notifications before it are left out.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert_ne!(self.answers.read_line(&mut line).expect("UTF-8"), 0, "the server is gone");
            let message: Value = serde_json::from_str(&line).expect("nothing but the protocol on standard output");
            if message["id"] == json!(id) {
                assert!(message.get("error").is_none(), "{message}");
                return message["result"].clone();
            }
        }
    }

    fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", &json!({}));
        listed["tools"].as_array().expect("tools").iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }

    fn run(&mut self, code: &str) -> Value {
        self.ask("tools/call", &json!({"name": "run_code", "arguments": {"code": code}}))["structuredContent"].clone()
    }

    /// Goes, and says how the server ended.
    fn go(self) -> Ran {
        drop(self.requests);
        let mut rest = String::new();
        let mut answers = self.answers;
        answers.read_to_string(&mut rest).expect("UTF-8");
        assert_eq!(rest, "");
        Ran::of(self.child.wait_with_output().expect("ended"))
    }
}

fn initialize() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

fn two() -> Place {
    let place = Place::new();
    place.write_servers("servers.json", json!({"staff": place.server("staff", &[]), "rooms": place.server("rooms", &[])}));
    place
}

const JOIN: &str = "
    const [staff, rooms] = await Promise.all([tools.staff.people({}), tools.rooms.people({})])
    return staff.people.map(({ id, name }) => `${name} in ${rooms.people.find((room) => room.id === id).room}`)";

#[test]
fn a_client_gets_one_tool_over_all_its_servers() {
    let place = two();
    let mut client = Client::start(&place, &["--mcp-config", "servers.json"]);
    assert_eq!(client.run(JOIN)["value"], json!(["Ada in A1", "Grace in B2"]));
    assert_eq!(client.tools().first().map(String::as_str), Some("run_code"));
    assert_eq!(
        client.run("return tools.list().some(({name}) => name === 'read_file')")["value"],
        json!(false),
        "files are there when they are asked for"
    );
    assert_eq!(client.go(), Ran::quiet(0, ""));
    // What the servers said is remembered, so that the next client sees it at once, and nothing but run_code is needed.
    let mut client = Client::start(&place, &["--mcp-config", "servers.json"]);
    let listed = client.ask("tools/list", &json!({}));
    assert_eq!(listed["tools"].as_array().map(Vec::len), Some(1), "{listed}");
    let description = listed["tools"][0]["description"].as_str().expect("text");
    assert!(description.contains("staff__people") || description.contains("staff.people"), "{description}");
    assert_eq!(client.go().code, Some(0));
}

#[test]
fn in_full_mode_the_client_sees_the_tools_as_well() {
    let place = two();
    let mut client = Client::start(&place, &["--mcp-config", "servers.json", "--full"]);
    assert_eq!(client.run(JOIN)["status"], json!("ok"));
    let own = |server: &str| ["die", "echo", "people", "variable", "wait"].map(|tool| format!("{server}__{tool}"));
    let mut tools = client.tools();
    tools.sort();
    assert_eq!(tools, [&own("rooms")[..], &["run_code".to_owned()], &own("staff")].concat());
    let echoed = client.ask("tools/call", &json!({"name": "staff__echo", "arguments": {"text": "words"}}));
    assert_eq!(echoed["content"], json!([{"type": "text", "text": "words"}]));
    assert_eq!(client.go().code, Some(0));
}

#[test]
fn what_is_wrong_with_servers_is_on_standard_error_and_the_client_is_served() {
    let place = Place::new();
    let gone = place.server("gone", &["--die", "the disk is full"]);
    place.write_servers("servers.json", json!({"staff": place.server("staff", &[]), "gone": gone}));
    let mut client = Client::start(&place, &["--mcp-config", "servers.json"]);
    // Touching it waits until it has failed.
    let failed = client.run("return tools.gone.echo({text: 'x'})");
    assert_eq!(failed["status"], json!("error"), "{failed}");
    assert_eq!(client.run("return (await tools.staff.people({})).people.length")["value"], json!(2));
    let ended = client.go();
    let lines: Vec<_> = ended.stderr.lines().collect();
    assert_eq!((ended.code, lines.len()), (Some(0), 1), "{lines:?}");
    assert!(lines[0].starts_with("warning: ") && lines[0].contains("gone") && lines[0].contains("the disk is full"), "{lines:?}");
}

#[test]
fn code_mode_that_is_off_leaves_the_tools_themselves() {
    let place = two();
    let mut command = place.command(&["serve", "--stdio", "--tools", "workspace"]);
    let mut client = Client::of(&place, command.env("CODEMODE_CODE_MODE", "0"));
    let tools = client.tools();
    assert!(tools.iter().any(|tool| tool == "read_file") && !tools.iter().any(|tool| tool == "run_code"), "{tools:?}");
    let ended = client.go();
    let expected = "warning: code mode is not offered here, and nothing was run: CODEMODE_CODE_MODE=0 turns it off for this process; \
                    the client gets the tools themselves\n";
    assert_eq!((ended.code, &*ended.stderr), (Some(0), expected));
}

#[test]
fn a_signal_ends_it_as_it_should() {
    let place = two();
    let mut client = Client::start(&place, &["--mcp-config", "servers.json"]);
    assert_eq!(client.run("return 1")["value"], json!(1));
    let server = Pid::from_raw(i32::try_from(client.child.id()).expect("a process id")).expect("not zero");
    kill_process(server, Signal::TERM).expect("still there");
    let Client { child, requests, mut answers, .. } = client;
    let mut rest = String::new();
    answers.read_to_string(&mut rest).expect("UTF-8");
    let ran = Ran::of(child.wait_with_output().expect("ended"));
    assert_eq!((ran.code, &*ran.stderr, &*rest), (Some(0), "", ""));
    drop(requests);
}

#[test]
fn a_second_signal_ends_it_at_once_and_leaves_no_server_behind() {
    let place = Place::new();
    let mut server = place.life("started");
    place.write_servers("servers.json", json!({"staff": place.server("staff", &["--started", "started", "--stubborn"])}));
    let client = Client::start(&place, &["--mcp-config", "servers.json"]);
    server.wait();
    let command = Pid::from_raw(i32::try_from(client.child.id()).expect("a process id")).expect("not zero");
    // Two kinds, since two signals of one kind may be one.
    kill_process(command, Signal::TERM).expect("still there");
    kill_process(command, Signal::INT).expect("still there");
    let Client { child, requests, .. } = client;
    let ran = Ran::of(child.wait_with_output().expect("ended"));
    assert!(matches!(ran.code, Some(0 | 130)), "{ran:?}");
    server.wait_for_end();
    drop(requests);
}

/// One request over HTTP: the status and the body.
fn post(address: &str, token: Option<&str>, body: &Value) -> (u16, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let body = body.to_string();
    let token = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Connection: close\r\n{token}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("read");
    let mut answer = String::new();
    let mut reader = BufReader::new(stream);
    // The stream of an answer may stay open; what is asked about stands before the first event's end.
    while reader.read_line(&mut answer).expect("UTF-8") > 0 && !answer.contains("\"result\"") {}
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer)
}

#[test]
fn over_http_a_client_brings_the_token() {
    let place = two();
    let mut command = place.command(&["serve", "--http", "127.0.0.1:0", "--mcp-config", "servers.json"]);
    let mut child = place.start(command.env("CODEMODE_TOKEN", "s3cret"));
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("UTF-8");
    let address = line.strip_prefix("serving code mode at http://").and_then(|rest| rest.strip_suffix("/mcp, with a token\n"));
    let address = address.expect("an address").to_owned();
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
    assert_eq!(post(&address, None, &begin).0, 401);
    assert_eq!(post(&address, Some("other"), &begin).0, 401);
    let (status, answer) = post(&address, Some("s3cret"), &begin);
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("\"protocolVersion\":\"2025-06-18\""), "{answer}");
    let server = Pid::from_raw(i32::try_from(child.id()).expect("a process id")).expect("not zero");
    kill_process(server, Signal::INT).expect("still there");
    assert_eq!(child.wait().expect("ended").code(), Some(0));
}

#[test]
fn codemode_behind_three_others_serves_nobody() {
    let place = two();
    let ran = Ran::of(place.command(&["serve", "--stdio"]).env("CODEMODE_DEPTH", "3").output().expect("started"));
    let message = "error: this is codemode behind 3 others, each started as a server of the one before, and at most 2 may be; \
                   take the server that starts codemode out of its own configuration, or unset CODEMODE_DEPTH where this was meant\n";
    assert_eq!(ran, Ran { code: Some(2), stdout: String::new(), stderr: message.to_owned() });
}

#[test]
fn a_circle_of_servers_ends() {
    let place = Place::new();
    // Under another name nothing tells that it is codemode, which starts all of these again, itself among them.
    let script = place.root().join("hub.py");
    let hub = "import os, sys\nos.execv(sys.argv[1], [sys.argv[1], 'serve', '--stdio', '--mcp-config', 'servers.json'])\n";
    std::fs::write(&script, hub).expect("written");
    place.write_servers("servers.json", json!({"hub": {"command": "python3", "args": ["hub.py", env!("CARGO_BIN_EXE_codemode")]}}));
    let program = "const inner = await tools.hub.run_code({ code: 'return 6 * 7' }); return inner.value";
    let ran = place.run(&["run", "--tools", "none", "--mcp-config", "servers.json", "--output", "json", "-e", program]);
    let outcome: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    assert_eq!((&outcome["value"], ran.code), (&json!(42), Some(0)), "{ran:?}");
}
