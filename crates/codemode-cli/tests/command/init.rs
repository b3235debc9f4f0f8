//! `codemode init`: what each client is given, and that it works as printed.

use serde_json::{Value, json};

use crate::process::{Place, Ran};

/// Text with what differs from machine to machine replaced.
fn shown(place: &Place, text: &str) -> String {
    let text = text.replace(env!("CARGO_BIN_EXE_codemode"), "CODEMODE").replace(&place.root().display().to_string(), "ROOT");
    text.replace(&place.own().display().to_string(), "HOME")
}

#[test]
fn each_client_has_its_own_form() {
    let place = Place::new();
    place.write_servers("servers.json", json!({"staff": place.server("staff", &[]), "rooms": place.server("rooms", &[])}));
    let ran = place.run(&["init", "--mcp-config", "servers.json"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    insta::assert_snapshot!("init", shown(&place, &ran.stdout));
    for client in ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] {
        let one = place.run(&["init", client, "--mcp-config", "servers.json"]);
        assert_eq!((one.code, &*one.stderr), (Some(0), ""));
        assert!(ran.stdout.contains(&one.stdout), "{client}");
    }
}

#[test]
fn options_of_serve_go_into_what_is_printed_with_absolute_paths() {
    let place = Place::new();
    place.write_servers("my servers.json", json!({"staff": place.server("staff", &[])}));
    place.write("set.toml", "");
    let options = ["--full", "--mcp-config", "my servers.json", "--mcp-from", "project", "--config", "set.toml", "--tools", "workspace"];
    let ran = place.run(&[&["init", "cursor", "--root", ".", "--output", "json"], &options[..]].concat());
    let json = ran.json();
    let root = place.root().display().to_string();
    let arguments = json!([
        "serve",
        "--stdio",
        "--full",
        "--mcp-config",
        format!("{root}/my servers.json"),
        "--mcp-from",
        "project",
        "--config",
        format!("{root}/set.toml"),
        "--tools",
        "workspace"
    ]);
    assert_eq!((&json["arguments"], &json["program"]), (&arguments, &json!(env!("CARGO_BIN_EXE_codemode"))), "{ran:?}");
    let snippet: Value = serde_json::from_str(json["snippet"].as_str().expect("text")).expect("JSON");
    assert_eq!(snippet["mcpServers"]["codemode"]["args"], arguments);
    assert_eq!((&json["servers"], &json["client"]), (&json!(["staff"]), &json!("cursor")));
    let text = place.run(&[&["init", "cursor"], &options[..]].concat()).stdout;
    assert_eq!(text.lines().last(), Some("Cursor starts its servers in no project: say with --root whose servers are meant."));
}

#[test]
fn servers_that_the_client_starts_itself_are_pointed_out() {
    let place = Place::new();
    place.write_servers(".mcp.json", json!({"staff": place.server("staff", &[])}));
    assert_eq!(place.run(&["trust", "--yes"]).code, Some(0));
    let ran = place.run(&["init", "claude-code", "--mcp-from", "project"]);
    let lines: Vec<_> = ran.stdout.lines().rev().take(2).collect();
    let expected = [
        "Start Claude Code again; /mcp shows the server.",
        "Programs reach the server staff; Claude Code starts those of --mcp-from project itself as well: switch them off there, or move \
         them to a file that you name with --mcp-config, so that no tool is there twice.",
    ];
    assert_eq!((lines, &*ran.stderr), (expected.to_vec(), ""));
}

#[test]
fn without_servers_it_says_how_to_have_some() {
    let place = Place::new();
    let ran = place.run(&["init", "codex"]);
    let home = place.own();
    let program = env!("CARGO_BIN_EXE_codemode");
    let expected = format!(
        "Codex\n\nRun this once:\n\ncodex mcp add codemode -- {program} serve --stdio\n\nor write this into {}/.codex/config.toml \
         (for every project of yours):\n\n[mcp_servers.codemode]\ncommand = \"{program}\"\nargs = [\"serve\", \"--stdio\"]\n\n\
         No server is configured yet: name a file of servers with --mcp-config, or write them into your codemode.toml as \
         [servers.NAME] with command and args, or url; `codemode doctor` says where that file is.\n\
         Start Codex again; /mcp shows the server.\n",
        home.display()
    );
    assert_eq!(ran, Ran::quiet(0, &expected));
}
