//! Help, version and completions, word for word.

use crate::process::{Place, Ran};

#[test]
fn help_of_each_command() {
    let place = Place::new();
    let commands: [(&str, &[&str]); 15] = [
        ("codemode", &["--help"]),
        ("run", &["run", "--help"]),
        ("check", &["check", "--help"]),
        ("tools", &["tools", "--help"]),
        ("tools-search", &["tools", "search", "--help"]),
        ("tools-describe", &["tools", "describe", "--help"]),
        ("tools-signatures", &["tools", "signatures", "--help"]),
        ("doctor", &["doctor", "--help"]),
        ("completions", &["completions", "--help"]),
        ("run-short", &["run", "-h"]),
        ("serve", &["serve", "--help"]),
        ("init", &["init", "--help"]),
        ("trust", &["trust", "--help"]),
        ("tools-enable", &["tools", "enable", "--help"]),
        ("tools-disable", &["tools", "disable", "--help"]),
    ];
    for (name, arguments) in commands {
        let ran = place.run(arguments);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{name}");
        insta::assert_snapshot!(name, ran.stdout);
    }
}

#[test]
fn the_version_is_the_crate_s() {
    let expected = Ran::quiet(0, concat!("codemode ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(Place::new().run(&["--version"]), expected);
}

#[test]
fn completions_know_each_subcommand_and_each_shell_has_some() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = place.run(&["completions", shell]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{shell}");
        for word in ["run", "check", "signatures", "doctor", "--calls-in-flight", "completions", "serve", "--mcp-from", "trust", "disable"]
        {
            let word = word.trim_start_matches('-');
            assert!(ran.stdout.contains(word), "{shell}: no {word}");
        }
    }
}
