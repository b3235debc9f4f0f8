//! `codemode trust`: what a project's files would start is shown, approved, and held to what was shown.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::process::{Place, Ran};

/// A place whose project names a server in each of its files.
fn project() -> Place {
    let place = Place::new();
    let mut staff = place.server("staff", &[]);
    staff["env"] = json!({"SECRET": "s3cret", "OTHER": "${OTHER:-word}"});
    place.write_servers(".mcp.json", json!({"staff": staff, "web": {"type": "http", "url": "https://example.invalid/mcp", "headers": {"Authorization": "Bearer s3cret"}}}));
    place.write(
        "codemode.toml",
        "# ours\n[servers.rooms]\ncommand = \"python3\"\nargs = [\"-c\", \"pass; pass\"]\nenv = { KEY = \"s3cret\" }\n",
    );
    place
}

fn shown(place: &Place, text: &str) -> String {
    text.replace(&place.root().display().to_string(), "ROOT")
        .replace(&place.root().parent().expect("a folder").display().to_string(), "PLACE")
}

const TOML: &str = "\"ROOT/codemode.toml\" would start or reach:
  rooms
    runs python3 -c 'pass; pass'
    with the variables KEY (values not shown)
";
const JSON: &str = "\"ROOT/.mcp.json\" would start or reach:
  staff
    runs python3 PLACE/server.py staff
    with the variables OTHER, SECRET (values not shown)
  web
    connects to https://example.invalid/mcp
    with the headers Authorization (values not shown)
";

#[test]
fn nobody_is_asked_where_there_is_no_terminal_and_nothing_is_trusted() {
    let place = project();
    let ran = place.run(&["trust"]);
    assert_eq!((ran.code, shown(&place, &ran.stdout)), (Some(2), format!("{TOML}{JSON}")), "all that --yes would approve");
    assert_eq!(
        ran.stderr,
        "error: standard input is no terminal, so that nobody can be asked; look at what is shown, and add --yes to approve it\n"
    );
    assert_eq!(place.run(&["trust", "--list"]), Ran::quiet(0, "nothing is trusted\n"));
}

#[test]
fn what_a_file_changes_of_one_s_own_servers_is_shown_as_well() {
    let place = Place::new();
    place.write_settings("[servers.mine]\ncommand = 'python3'\nargs = ['-c', 'pass']\n[servers.off]\ncommand = 'x'\nenabled = false\n");
    let text = "[servers.mine]\nargs = ['-c', 'import evil']\nenv = { KEY = 's3cret' }\n[servers.off]\nenabled = true\ntimeout = '9s'\n";
    place.write("codemode.toml", text);
    let ran = place.run(&["trust"]);
    let expected = "\"ROOT/codemode.toml\" would start or reach:
  mine
    runs what you have under this name with the arguments -c 'import evil'
    with the variables KEY (values not shown)
  off
    changes what you have under this name:
    is switched on, where you have it off
    gets other times
";
    assert_eq!((ran.code, shown(&place, &ran.stdout)), (Some(2), expected.to_owned()));
    let approved = place.run(&["trust", "--yes"]);
    let now = "it is trusted from now on, as long as nothing in it changes\n";
    assert_eq!((approved.code, shown(&place, &approved.stdout)), (Some(0), format!("{expected}{now}")));
}

#[test]
fn what_was_approved_is_used_until_it_changes() {
    let place = project();
    let untrusted = place.run(&[
        "run",
        "--mcp-from",
        "project",
        "--output",
        "json",
        "-e",
        "return tools.list().some(({name}) => name.startsWith('staff'))",
    ]);
    assert_eq!((untrusted.code, &untrusted.json()["value"]), (Some(0), &json!(false)), "{untrusted:?}");
    let warned = shown(&place, &untrusted.stderr);
    let lines: Vec<_> = warned.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("warning: ") && lines[0].contains("codemode.toml") && lines[0].contains("codemode trust"), "{lines:?}");
    assert_eq!(
        lines[1],
        "warning: the servers of \"ROOT/.mcp.json\" wait for your trust: `codemode trust \"ROOT/.mcp.json\"` shows what they start, and asks"
    );
    let approved = place.run(&["trust", "--yes"]);
    let now = "it is trusted from now on, as long as nothing in it changes\n";
    assert_eq!((approved.code, shown(&place, &approved.stdout)), (Some(0), format!("{TOML}{now}{JSON}{now}")));
    let again = place.run(&["trust", ".mcp.json"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(again.stdout.ends_with("it is trusted already\n"), "{again:?}");
    let program = "return (await tools.staff.people({})).people.length";
    let ran = place.run(&["run", "--mcp-from", "project", "--output", "json", "-e", program]);
    assert_eq!((ran.code, &ran.json()["value"]), (Some(0), &json!(2)), "{ran:?}");
    let listed = place.run(&["trust", "--list"]);
    let both = "\"ROOT/.mcp.json\": as it was approved\n\"ROOT/codemode.toml\": as it was approved\n";
    assert_eq!((listed.code, shown(&place, &listed.stdout)), (Some(0), both.to_owned()));
    place.write(".mcp.json", &place.read(".mcp.json").replace("staff\"]", "staff\", \"--stubborn\"]"));
    let listed = place.run(&["trust", "--list"]);
    let first = "\"ROOT/.mcp.json\": changed since, and not trusted until it is approved again";
    assert_eq!(shown(&place, &listed.stdout).lines().next(), Some(first));
    let ran = place.run(&[
        "run",
        "--mcp-from",
        "project",
        "--output",
        "json",
        "-e",
        "return tools.list().some(({name}) => name.startsWith('staff'))",
    ]);
    assert_eq!(ran.json()["value"], json!(false));
    let forgotten = place.run(&["trust", "--forget"]);
    let none = "\"ROOT/codemode.toml\" is trusted no longer\n\"ROOT/.mcp.json\" is trusted no longer\n";
    assert_eq!((forgotten.code, shown(&place, &forgotten.stdout)), (Some(0), none.to_owned()));
    assert_eq!(place.run(&["trust", "--forget"]), Ran::quiet(0, "nothing of this was trusted\n"));
}

#[test]
fn variables_and_their_defaults_are_shown_as_they_are_written() {
    let place = Place::new();
    place.write_servers(
        ".mcp.json",
        json!({"a": {"command": "${RUNNER:-sh}", "args": ["-c", "${WHAT:-echo evil}"]}, "b": {"url": "${WHERE}"}}),
    );
    let ran = place.run(&["trust"]);
    let lines: Vec<_> = ran.stdout.lines().skip(1).collect();
    assert_eq!(lines, ["  a", "    runs '${RUNNER:-sh}' -c '${WHAT:-echo evil}'", "  b", "    connects to ${WHERE}"], "{ran:?}");
}

#[test]
fn a_project_without_servers_has_nothing_to_trust() {
    let place = Place::new();
    assert_eq!(
        place.run(&["trust"]),
        Ran::quiet(0, "the root \".\" has no codemode.toml, .mcp.json or .vscode/mcp.json; there is nothing to trust\n")
    );
    place.write("codemode.toml", "[tools]\ndisabled = []\n");
    let ran = place.run(&["trust", "codemode.toml"]);
    assert_eq!(ran, Ran::quiet(0, "\"codemode.toml\" starts nothing; there is nothing to trust\n"));
}

/// Runs the command at a terminal, and types this once it asks.
const AT_A_TERMINAL: &str = r#"
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
seen = b""
try:
    while True:
        piece = os.read(terminal, 4096)
        if not piece:
            break
        seen += piece
        if seen.endswith(b"[y/N] "):
            os.write(terminal, sys.argv[1].encode() + b"\n")
except OSError:
    pass
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"#;

#[test]
fn at_a_terminal_a_yes_approves_and_nothing_else_does() {
    let place = project();
    for (answer, code, last) in [
        ("", 1, "it is not trusted; nothing of it is started"),
        ("no", 1, "it is not trusted; nothing of it is started"),
        ("yes", 0, "it is trusted from now on, as long as nothing in it changes"),
    ] {
        let command = place.command(&["trust", "codemode.toml"]);
        let mut terminal = Command::new("python3");
        terminal.args(["-c", AT_A_TERMINAL, answer]).arg(command.get_program()).args(command.get_args()).current_dir(place.root());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => terminal.env(name, value),
                None => terminal.env_remove(name),
            };
        }
        let ran = Ran::of(terminal.stdin(Stdio::null()).output().expect("started"));
        assert_eq!(ran.code, Some(code), "{answer}: {ran:?}");
        assert_eq!(ran.stdout.trim_end().lines().last(), Some(last), "{answer}: {ran:?}");
        assert!(ran.stdout.contains("Approve this? [y/N] "), "{ran:?}");
    }
}
