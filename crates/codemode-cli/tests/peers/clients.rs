//! The official clients, each over each transport: they list, call, cancel, follow progress, and read, in one connection.

use serde_json::{Value, json};

use crate::place::{Place, peers, script};
use crate::scenario::check;

/// An official client, and how it begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Client {
    /// The first generation of the TypeScript client.
    TypeScript,
    /// The second one, as it is by default: with the handshake.
    TypeScriptTwo,
    /// The second one where it looks for the newest protocol first.
    TypeScriptNewest,
    /// The Python client with the handshake.
    Python,
    /// The Python client as it is by default: it looks for the newest protocol first.
    PythonNewest,
}

impl Client {
    /// The version that it and our server agree on.
    pub(crate) fn protocol(self) -> &'static str {
        match self {
            Self::TypeScript | Self::TypeScriptTwo | Self::Python => "2025-11-25",
            Self::TypeScriptNewest | Self::PythonNewest => "2026-07-28",
        }
    }

    /// Plays the steps over one connection, and gives what came of them.
    pub(crate) fn play(self, place: &Place, server: &Value, steps: &Value) -> Value {
        let (program, script, generation) = match self {
            Self::TypeScript => ("node".into(), script("client.mjs"), "v1"),
            Self::TypeScriptTwo => ("node".into(), script("client.mjs"), "v2"),
            Self::TypeScriptNewest => ("node".into(), script("client.mjs"), "v2-auto"),
            Self::Python => (peers().join("venv/bin/python"), script("client.py"), "legacy"),
            Self::PythonNewest => (peers().join("venv/bin/python"), script("client.py"), "auto"),
        };
        let request = json!({"peers": peers(), "generation": generation, "server": server, "steps": steps});
        let output = place.program(program).arg(script).arg(request.to_string()).output().expect("started");
        let played: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        assert!(
            played["broken"].is_null(),
            "{}\n{}",
            played["broken"].as_str().unwrap_or_default(),
            String::from_utf8_lossy(&output.stderr)
        );
        played
    }
}

fn over_stdio(client: Client) {
    let place = Place::new();
    check(client, &place, &place.stdio(&[]));
}

fn over_http(client: Client) {
    let place = Place::new();
    let server = place.http(&[]);
    check(client, &place, &server.with_token());
    assert_eq!(server.end(), Some(0));
}

#[test]
fn typescript_over_stdio() {
    over_stdio(Client::TypeScript);
}

#[test]
fn typescript_two_over_stdio() {
    over_stdio(Client::TypeScriptTwo);
}

#[test]
fn typescript_of_the_newest_protocol_over_stdio() {
    over_stdio(Client::TypeScriptNewest);
}

#[test]
fn python_over_stdio() {
    over_stdio(Client::Python);
}

#[test]
fn python_of_the_newest_protocol_over_stdio() {
    over_stdio(Client::PythonNewest);
}

#[test]
fn typescript_over_http() {
    over_http(Client::TypeScript);
}

#[test]
fn typescript_of_the_newest_protocol_over_http() {
    over_http(Client::TypeScriptNewest);
}

#[test]
fn python_over_http() {
    over_http(Client::Python);
}

#[test]
fn python_of_the_newest_protocol_over_http() {
    over_http(Client::PythonNewest);
}

/// Without the token nothing is listed; the client says why.
#[test]
fn a_client_without_the_token_is_refused() {
    let place = Place::new();
    let server = place.http(&[]);
    let request = json!({"peers": peers(), "generation": "v1", "server": {"url": server.url}, "steps": []});
    let output = place.program("node").arg(script("client.mjs")).arg(request.to_string()).output().expect("started");
    let played: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let why = played["broken"].as_str().expect("it is refused");
    let expected = "Error: Streamable HTTP error: Error POSTing to endpoint: this server wants a token: \
                    send the header \"Authorization: Bearer TOKEN\" with the token that it was started with";
    assert_eq!(why.lines().next(), Some(expected));
}
