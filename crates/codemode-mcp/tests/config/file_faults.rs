//! What is wrong with a whole file.

use std::path::Path;

use codemode_mcp::{Read, ServerConfig, TransportConfig, read_file, read_text};

use super::{FILE, environment, read, servers, stdio};

fn fault(text: &str) -> String {
    read_text(Path::new(FILE), text, &environment).expect_err("the file is wrong").to_string()
}

#[test]
fn what_is_no_json_is_told_with_its_place_and_without_its_text() {
    for (text, expected) in [
        ("{\n  \"servers\": s3cret\n}", "is no JSON: unexpected word (line 2, column 14)"),
        ("{\"a\": 1 \"b\": 2}", "is no JSON: expected comma (line 1, column 8)"),
        ("{\"a\": 'x'}", "is no JSON: single-quoted strings are not allowed (line 1, column 7)"),
        ("{} {}", "is no JSON: text cannot contain more than one JSON value (line 1, column 4)"),
        ("[]", "is a list, and must be an object with `mcpServers` or `servers`"),
        ("\"s3cret\"", "is text, and must be an object with `mcpServers` or `servers`"),
        (r#"{"mcpServers": []}"#, "`mcpServers` is a list, and must be an object with one entry a server"),
        (r#"{"servers": null}"#, "`servers` is null, and must be an object with one entry a server"),
    ] {
        assert_eq!(fault(text), format!("{FILE}: {expected}"), "{text}");
    }
    assert_eq!(
        fault(&format!("{{\"servers\": {}", "[".repeat(600_000))),
        format!("{FILE}: is no JSON: maximum nesting depth exceeded (line 1, column 523)")
    );
}

#[test]
fn what_holds_no_servers_is_no_fault() {
    let none = |text: &str| {
        let warnings = vec![format!("{FILE} has no `mcpServers` and no `servers`: no server comes from it")];
        assert_eq!(read(text), Read { warnings, ..Read::default() }, "{text}");
    };
    none("{}");
    none(r#"{"globalShortcut": ""}"#);
    for text in ["", "  \n", "// nothing yet\n", r#"{"mcpServers": {}}"#, r#"{"servers": {},}"#] {
        assert_eq!(read(text), Read::default(), "{text}");
    }
}

#[test]
fn a_mark_before_the_text_is_passed_over() {
    assert_eq!(read("\u{feff}{\"servers\": {\"a\": {\"command\": \"b\"}}}"), servers(vec![stdio(FILE, "a", "b", &[], &[])]));
}

#[test]
fn toml_is_told_where_it_belongs() {
    let path = Path::new("/srv/ada/.codex/config.toml");
    let fault = read_text(path, "[mcp_servers.a]\ncommand = \"b\"\n", &environment).expect_err("TOML is no JSON");
    assert_eq!(
        fault.to_string(),
        "/srv/ada/.codex/config.toml: is TOML, and this reads JSON: servers in TOML stand in codemode.toml, under [servers.NAME]"
    );
}

#[test]
fn a_file_is_read_from_its_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mcp.json");
    std::fs::write(&path, r#"{"servers": {"a": {"command": "b", "cwd": "c"}}}"#).expect("the file is written");
    let read = read_file(&path, &environment).expect("the file is right");
    let expected = ServerConfig {
        transport: TransportConfig::Stdio {
            command: "b".to_owned(),
            args: Vec::new(),
            env: super::map(&[]),
            cwd: Some(folder.path().join("c")),
        },
        ..stdio(path.to_str().expect("UTF-8"), "a", "b", &[], &[])
    };
    assert_eq!(read, servers(vec![expected]));
}

#[test]
fn a_file_that_cannot_be_read_is_a_fault_that_names_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing\n.json");
    assert_eq!(
        read_file(&missing, &environment).expect_err("nothing is there").to_string(),
        format!("{}/missing\\n.json: the file is not there; name one that is", folder.path().display())
    );

    let latin = folder.path().join("latin.json");
    std::fs::write(&latin, b"{\"servers\": \"\xe9\"}").expect("the file is written");
    assert_eq!(
        read_file(&latin, &environment).expect_err("Latin-1 is no UTF-8").to_string(),
        format!("{}: is no UTF-8 text: save it as UTF-8", latin.display())
    );

    let large = folder.path().join("large.json");
    let largest = 4 * 1024 * 1024;
    std::fs::write(&large, format!("{{\"servers\": {{}}}}{}", " ".repeat(largest - 15))).expect("the file is written");
    assert_eq!(read_file(&large, &environment), Ok(Read::default()));
    std::fs::write(&large, " ".repeat(largest + 1)).expect("the file is written");
    assert_eq!(
        read_file(&large, &environment).expect_err("it is too large").to_string(),
        format!("{}: the file has more than 4194304 bytes, which is the most that it may have", large.display())
    );
}

#[test]
fn a_fault_of_a_long_path_is_bounded() {
    let path = format!("/{}", "long/".repeat(1000));
    let fault = read_text(Path::new(&path), "[", &environment).expect_err("the file is wrong").to_string();
    assert_eq!(fault, format!("/{}l…: is no JSON: unterminated array (line 1, column 1)", "long/".repeat(59)));
}
