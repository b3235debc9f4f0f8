//! Where files of known clients are, and what comes of several places.

use std::path::{Path, PathBuf};

use codemode_mcp::{Place, Read, known_file, merge};

use super::{http, read_at, stdio};

#[test]
fn files_of_projects_are_in_the_root() {
    let root = Path::new("/srv/ada/app");
    assert_eq!(known_file(Place::Project, root), [PathBuf::from("/srv/ada/app/.mcp.json")]);
    assert_eq!(known_file(Place::VsCode, root), [PathBuf::from("/srv/ada/app/.vscode/mcp.json")]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_file_of_claude_desktop_is_in_the_users_folder_for_settings() {
    let settings = std::env::var_os("XDG_CONFIG_HOME")
        .filter(|folder| Path::new(folder).is_absolute())
        .map_or_else(|| PathBuf::from(std::env::var_os("HOME").expect("tests have a home")).join(".config"), PathBuf::from);
    assert_eq!(known_file(Place::ClaudeDesktop, Path::new("/elsewhere")), [settings.join("Claude/claude_desktop_config.json")]);
}

#[test]
fn the_earlier_place_wins_and_both_are_named() {
    let ours = read_at("/a.json", r#"{"servers": {"x": {"command": "ours"}, "y": {"command": "y"}, "bad": {}}}"#);
    let theirs = read_at("/b.json", r#"{"servers": {"x": {"command": "theirs"}, "bad": {"url": "http://b"}}}"#);
    let third = read_at("/c.json", r#"{"servers": {"x": {"command": "third"}}}"#);
    let expected = Read {
        servers: vec![
            stdio("/a.json", "x", "ours", &[], &[]),
            stdio("/a.json", "y", "y", &[], &[]),
            // What could not be used stands in nobody's way.
            http("/b.json", "bad", "http://b", &[]),
        ],
        warnings: vec![
            "server `bad` of /a.json is left out: it has no `command` and no `url`: write the program to start, or the address to \
             connect to"
                .to_owned(),
            "server `x` of /b.json is left out: /a.json has a server of that name".to_owned(),
            "server `x` of /c.json is left out: /a.json has a server of that name".to_owned(),
        ],
        ..Read::default()
    };
    assert_eq!(merge(vec![ours, theirs, third]), expected);
}

#[test]
fn what_an_earlier_place_turned_off_stays_off_and_a_later_place_turns_nothing_off() {
    let first = read_at("/a.json", r#"{"servers": {"x": {"disabled": true}, "y": {"command": "y"}}}"#);
    let second = read_at("/b.json", r#"{"servers": {"x": {"command": "x"}, "y": {"enabled": false}, "z": {"enabled": false}}}"#);
    let expected =
        Read { servers: vec![stdio("/a.json", "y", "y", &[], &[])], disabled: vec!["x".to_owned(), "z".to_owned()], warnings: Vec::new() };
    assert_eq!(merge(vec![first, second]), expected);
    assert_eq!(merge(Vec::new()), Read::default());
}

#[test]
fn merged_warnings_are_bounded() {
    let entries: Vec<String> = (0..90).map(|number| format!(r#""s{number}": {{}}"#)).collect();
    let text = format!(r#"{{"servers": {{{}}}}}"#, entries.join(","));
    let merged = merge(vec![read_at("/a.json", &text), read_at("/b.json", &text)]);
    assert_eq!(merged.warnings.len(), 101);
    assert!(merged.warnings[99].starts_with("server `s9` of /b.json is left out: "), "{}", merged.warnings[99]);
    assert_eq!(merged.warnings[100], "80 more warnings are not shown");
}
