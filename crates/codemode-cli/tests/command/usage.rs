//! Wrong usage: the exit code, and every message word for word.

use std::fmt::Write as _;

use crate::process::Place;

#[test]
fn wrong_usage_ends_with_2_and_says_what_to_do() {
    let place = Place::new();
    place.write("a.lua", "return 1");
    place.write("a.js", "1");
    place.write("a.py", "1");
    place.write("a.tsx", "1");
    place.write("wrong.toml", "[code_mode]\ndisabeld = []\n");
    place.write("session/state.json", "{\"version\":1,");
    std::fs::write(place.root().join("latin.lua"), b"return '\xe4'").expect("written");
    let wrong: &[&[&str]] = &[
        &["frobnicate"],
        &["run"],
        &["run", "none.lua"],
        &["run", "."],
        &["run", "latin.lua"],
        &["run", "a.py"],
        &["run", "a.tsx"],
        &["run", "a.lua", "-e", "return 1"],
        &["run", "a.lua", "b.lua"],
        &["run", "a.lua", "--isolation", "nowhere"],
        &["run", "a.lua", "--isolation", "thread", "--require-sandbox"],
        &["run", "a.lua", "--require-sandbox"],
        &["run", "a.js", "--engine", "boa", "--isolation", "thread"],
        &["run", "a.js", "--engine", "v8"],
        &["run", "a.js", "--engine", "luajit", "--profile", "program"],
        &["run", "a.js", "--profile", "wide"],
        &["run", "a.js", "--profile", "batch"],
        &["run", "a.js", "--profile", "batch", "--intent", " "],
        &["run", "a.js", "--authority", "local"],
        &["run", "a.js", "--namespace", "agent"],
        &["run", "a.js", "--profile", "cell", "--namespace", "state"],
        &["run", "a.js", "--session", "session"],
        &["run", "a.js", "--profile", "cell", "--session", "a.js"],
        &["run", "a.js", "--profile", "cell", "--session", "session"],
        &["run", "a.js", "--state-depth", "3"],
        &["run", "a.js", "--source", "2MiB"],
        &["run", "a.lua", "--value", "1KiB"],
        &["run", "a.lua", "--authority", "root"],
        &["run", "a.lua", "--namespace", "print"],
        &["run", "a.lua", "--namespace", "1st"],
        &["run", "a.lua", "--root", "none"],
        &["run", "a.lua", "--root", "a.lua"],
        &["run", "a.lua", "--tools", "execute"],
        &["run", "a.lua", "--tools", "mcp"],
        &["run", "a.lua", "--output", "xml"],
        &["run", "a.lua", "--log", "loud=very"],
        &["run", "a.lua", "--quiet", "--progress", "always"],
        &["run", "a.lua", "--compute", "30"],
        &["run", "a.lua", "--compute", "0s"],
        &["run", "a.lua", "--compute", "1h"],
        &["run", "a.lua", "--memory", "64M"],
        &["run", "a.lua", "--memory", "1KiB"],
        &["run", "a.lua", "--calls", "0"],
        &["run", "a.lua", "--calls", "many"],
        &["run", "a.lua", "--calls", "-1"],
        &["run", "a.lua", "--calls-in-flight", "2"],
        &["check"],
        &["check", "none.lua"],
        &["tools", "describe"],
        &["tools", "describe", "frobnicate"],
        &["tools", "describe", "execute"],
        &["tools", "describe", "execute", "--tools", "none"],
        &["tools", "search"],
        &["tools", "signatures", "--output", "json"],
        &["tools", "signatures", "--profile", "cell", "--language", "lua"],
        &["tools", "signatures", "--profile", "script", "--language", "ts"],
        &["tools", "signatures", "--namespace", "agent"],
        &["check", "a.lua", "--namespace", "print"],
        &["tools", "--root", "none"],
        &["completions", "tcsh"],
        &["serve"],
        &["serve", "--stdio", "--http", "8642"],
        &["serve", "--http", "example.org"],
        &["serve", "--http", "0.0.0.0:0"],
        &["serve", "--http", "0", "--token", ""],
        &["serve", "--http", "0", "--allow-origin", "app.example"],
        &["serve", "--http", "0", "--allow-host", "http://a"],
        &["serve", "--stdio", "--token", "secret"],
        &["serve", "--stdio", "--full", "--compact"],
        &["run", "a.lua", "--mcp-config", "none.json"],
        &["run", "a.lua", "--mcp-config", "a.js"],
        &["run", "a.lua", "--mcp-from", "emacs"],
        &["run", "a.lua", "--config", "none.toml"],
        &["run", "a.lua", "--config", "wrong.toml"],
        &["check", "a.lua", "--config", "wrong.toml"],
        &["tools", "--mcp-config", "none.json"],
        &["tools", "disable"],
        &["tools", "disable", "read_file", "--scope", "world"],
        &["init", "emacs"],
        &["trust", "a.lua"],
        &["trust", "--list", "--forget"],
    ];
    let root = place.root().display().to_string();
    let mut shown = String::new();
    for arguments in wrong {
        let ran = place.run(arguments);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{arguments:?}");
        let _ = writeln!(shown, "$ codemode {}\n{}", arguments.join(" "), ran.stderr.replace(&root, "ROOT"));
    }
    insta::assert_snapshot!("wrong-usage", shown);
}

#[test]
fn no_arguments_show_the_help_as_wrong_usage() {
    let place = Place::new();
    let ran = place.run(&[]);
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""));
    assert_eq!(ran.stderr, place.run(&["-h"]).stdout);
}
