//! What is wrong with one server: it is left out with a warning that names it, and the others work.

use codemode_mcp::Read;

use super::{FILE, http, read, servers, stdio};

/// What is said about a server with these fields, next to one that is right.
fn fault(fields: &str) -> Vec<String> {
    let text = format!(r#"{{ "mcpServers": {{ "bad": {fields}, "good": {{ "command": "good" }} }} }}"#);
    let Read { servers, disabled, warnings } = read(&text);
    assert_eq!(servers, vec![stdio(FILE, "good", "good", &[], &[])], "{fields}");
    assert_eq!(disabled, Vec::<String>::new(), "{fields}");
    warnings
}

#[test]
fn each_fault_is_named_and_nothing_secret_is_shown() {
    let not_set = "is not set: set it, or write `${MISSING:-default}`";
    for (fields, expected) in [
        ("null", "it is null, and must be an object with a `command` or a `url`"),
        ("[\"npx\"]", "it is a list, and must be an object with a `command` or a `url`"),
        ("{}", "it has no `command` and no `url`: write the program to start, or the address to connect to"),
        (r#"{"command": "a", "url": "http://b"}"#, "it has a `command` and a `url`: leave out one"),
        (r#"{"type": "stdio", "url": "http://b"}"#, "its `type` is stdio, and it has no `command`: write the program to start"),
        (r#"{"type": "http", "command": "b"}"#, "its `type` is http, and it has no `url`: write the address to connect to"),
        (r#"{"type": "ws\n", "url": "ws://b"}"#, "its `type` is `ws\\n`, and must be stdio or http"),
        (r#"{"type": 1, "command": "b"}"#, "`type` is a number, and must be text"),
        (r#"{"command": ["npx", "x"]}"#, "`command` is a list, and must be text"),
        (r#"{"command": " "}"#, "`command` is empty, and must be a program"),
        (r#"{"command": "${EMPTY}"}"#, "`command` is empty, and must be a program"),
        (r#"{"command": "a", "args": "x y"}"#, "`args` is text, and must be a list of text"),
        (r#"{"command": "a", "args": ["x", 3000]}"#, "`args[1]` is a number, and must be text"),
        (r#"{"command": "a", "env": ["A=b"]}"#, "`env` is a list, and must be an object of text"),
        (r#"{"command": "a", "env": {"A": true}}"#, "`env.A` is true or false, and must be text"),
        (r#"{"command": "a", "env": {"A=B": "x"}}"#, "`env` has the name `A=B`, and names are not empty and hold no `=`"),
        (r#"{"command": "a", "env": {"": "x"}}"#, "`env` has the name ``, and names are not empty and hold no `=`"),
        (r#"{"command": "a", "env": {"A": "${NUL}"}}"#, "`env.A` holds a NUL character"),
        (r#"{"command": "a", "cwd": 1}"#, "`cwd` is a number, and must be text"),
        (r#"{"command": "a", "disabled": "yes"}"#, "`disabled` is text, and must be true or false"),
        (r#"{"command": "a", "enabled": 1}"#, "`enabled` is a number, and must be true or false"),
        (r#"{"url": {}}"#, "`url` is an object, and must be text"),
        (r#"{"url": "ftp://s3cret@b"}"#, "`url` is no address that begins with http:// or https://"),
        (r#"{"url": "https://"}"#, "`url` is no address that begins with http:// or https://"),
        (r#"{"url": "https:///mcp"}"#, "`url` is no address that begins with http:// or https://"),
        (r#"{"url": "https://b/s3cret s3cret"}"#, "`url` is no address that begins with http:// or https://"),
        (r#"{"url": "http://b", "headers": {"A": 1}}"#, "`headers.A` is a number, and must be text"),
        (r#"{"url": "http://b", "headers": {"A b": "x"}}"#, "`headers` has the name `A b`, which is no name of a header"),
        (r#"{"url": "http://b", "headers": {"A": "Bearer ${LINES}"}}"#, "`headers.A` holds a control character, such as a line end"),
        (r#"{"command": "${MISSING}"}"#, &format!("`command`: the variable `MISSING` {not_set}")),
        (r#"{"command": "a", "args": ["x", "y ${MISSING}"]}"#, &format!("`args[1]`: the variable `MISSING` {not_set}")),
        (r#"{"command": "a", "env": {"A": "${MISSING}"}}"#, &format!("`env.A`: the variable `MISSING` {not_set}")),
        (r#"{"command": "a", "cwd": "${MISSING}/x"}"#, &format!("`cwd`: the variable `MISSING` {not_set}")),
        (r#"{"url": "http://b", "headers": {"A": "${MISSING}"}}"#, &format!("`headers.A`: the variable `MISSING` {not_set}")),
        // All faults are told at once, so that they can be mended at once.
        (
            r#"{"command": 1, "env": {"A": [], "B": []}, "cwd": []}"#,
            "`command` is a number, and must be text; `env.A` is a list, and must be text; `cwd` is a list, and must be text",
        ),
        (
            r#"{"url": "http://${TOKEN}", "headers": {"A": "${MISSING}", "B": "${MISSING}"}}"#,
            &format!("`headers.A`: the variable `MISSING` {not_set}; `headers.B`: the variable `MISSING` {not_set}"),
        ),
    ] {
        assert_eq!(fault(fields), vec![format!("server `bad` of {FILE} is left out: {expected}")], "{fields}");
    }
}

#[test]
fn an_address_with_an_unset_variable_is_a_fault_of_the_variable_alone() {
    let expected =
        format!("server `bad` of {FILE} is left out: `url`: the variable `MISSING` is not set: set it, or write `${{MISSING:-default}}`");
    assert_eq!(fault(r#"{"url": "https://${MISSING}/mcp"}"#), vec![expected]);
}

#[test]
fn a_time_that_cannot_be_used_leaves_the_server_in() {
    let told = format!(
        "server `a` of {FILE}: `timeout` is not used: it must be a number of seconds (from 10000 on of milliseconds), over 0 and at \
         most a day"
    );
    for timeout in ["0", "-1", "1e300", "\"60s\"", "true", "1e-300", "99999999999"] {
        let text = format!(r#"{{ "servers": {{ "a": {{ "command": "a", "timeout": {timeout} }} }} }}"#);
        let expected = Read { servers: vec![stdio(FILE, "a", "a", &[], &[])], warnings: vec![told.clone()], ..Read::default() };
        assert_eq!(read(&text), expected, "{timeout}");
    }
}

#[test]
fn fields_that_are_not_known_are_passed_over() {
    let text = r#"{
        "$schema": "x", "version": 1, "inputs": "?",
        "servers": {
            "a": { "command": "a", "args": null, "env": null, "description": 1, "Command": [], "oauth": {} },
            "b": { "url": "HTTPS://b", "env": { "A": "${MISSING}" } }
        }
    }"#;
    assert_eq!(read(text), servers(vec![stdio(FILE, "a", "a", &[], &[]), http(FILE, "b", "HTTPS://b", &[])]));
}

#[test]
fn names_are_shown_on_one_line_and_cut() {
    let name = format!("\u{1b}[31m\n{}", "x".repeat(200));
    let text = format!(r#"{{ "servers": {{ {}: {{}} }} }}"#, serde_json::to_string(&name).expect("text is JSON"));
    let expected = format!(
        "server `\\u{{1b}}[31m\\n{}…` of {FILE} is left out: it has no `command` and no `url`: write the program to start, or the \
         address to connect to",
        "x".repeat(80 - 12 - 3)
    );
    assert_eq!(read(&text).warnings, vec![expected]);
}

#[test]
fn debugging_shows_no_secret() {
    let shown = format!(
        "{:?}",
        read(
            r#"{ "servers": {
                "a": { "command": "cmd", "args": ["--token", "${TOKEN}"], "env": { "KEY": "${TOKEN}" } },
                "b": { "url": "https://${TOKEN}@b/?${TOKEN}", "headers": { "Authorization": "${TOKEN}" } }
            } }"#
        )
        .servers
        .iter()
        .map(|server| &server.transport)
        .collect::<Vec<_>>()
    );
    assert_eq!(shown, r#"[Stdio { command: "cmd", args: 2, env: ["KEY"], cwd: None }, Http { headers: ["Authorization"], .. }]"#);
}

#[test]
fn one_place_gives_at_most_256_servers() {
    let entries: Vec<String> = (0..260).map(|number| format!(r#""s{number}": {{ "command": "a" }}"#)).collect();
    let read = read(&format!(r#"{{ "servers": {{ "off": {{ "disabled": true }}, {} }} }}"#, entries.join(",")));
    assert_eq!(read.servers.len(), 256);
    assert_eq!(read.servers[255].name, "s255");
    assert_eq!(read.warnings, vec![format!("{FILE} has 4 servers over the 256 that are taken from one place: they are left out")]);
}

#[test]
fn the_fields_of_one_server_are_bounded_with_their_variables() {
    let long = |_: &str| Some("x".repeat(100_000));
    let args = ["\"${A}\""; 11].join(",");
    let text = format!(r#"{{ "servers": {{ "a": {{ "command": "a", "args": [{args}] }} }} }}"#);
    let read = codemode_mcp::read_text(std::path::Path::new(FILE), &text, &long).expect("the file is right");
    assert_eq!(
        read.warnings,
        vec![format!("server `a` of {FILE} is left out: `args[10]`: its fields are over 1048576 bytes with their variables filled in")]
    );
}
