//! Rule: no tracked text file says what `xtask/tidy.toml` bans.

use regex::Regex;

use super::Finding;
use super::settings::{self, Settings};
use super::tree::File;
use crate::failure::Failure;

pub(super) fn check(files: &[File], settings: &Settings) -> Result<Vec<Finding>, Failure> {
    let mut findings = Vec::new();
    for banned in &settings.banned {
        let pattern = Regex::new(&banned.pattern).map_err(|error| Failure::at(settings::PATH, error))?;
        let looked_at = |file: &&File| banned.ending.as_ref().is_none_or(|ending| file.path.ends_with(ending.as_str()));
        for file in files.iter().filter(looked_at) {
            for (number, line) in file.text.lines().enumerate() {
                if let Some(found) = pattern.find(line) {
                    let message = format!("`{}`: {}", found.as_str().trim(), banned.instead);
                    findings.push(Finding::new(&file.path, number + 1, message));
                }
            }
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the real list over one line; the lines are built from parts, because this file is looked at too.
    fn check_line(path: &str, line: &str, expected: &[&str]) {
        let settings = Settings::parse(include_str!("../../tidy.toml")).expect("the settings are valid");
        let files = [File { path: path.to_owned(), text: format!("\n{line}\n") }];
        let found: Vec<String> = check(&files, &settings)
            .expect("the patterns are valid")
            .iter()
            .map(|finding| format!("{}:{} {}", finding.path, finding.line, finding.message.split(": ").next().unwrap_or_default()))
            .collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn folders_of_one_machine_are_found() {
        for folder in ["work", "root", "farm"] {
            check_line("docs/a.md", &format!("see /{folder}/x"), &[&format!("docs/a.md:2 `/{folder}/`")]);
            check_line("a.toml", &format!("path = \"/{folder}/x\""), &[&format!("a.toml:2 `\"/{folder}/`")]);
        }
        check_line("a.rs", &format!("//! In /{}/ada.", "home"), &[&format!("a.rs:2 `/{}/a`", "home")]);
        check_line("a.rs", &format!("(..{}/notes)", "/shared"), &[&format!("a.rs:2 `..{}/`", "/shared")]);
    }

    #[test]
    fn folders_below_another_are_not() {
        for line in ["$HOME/root/x", "{folder}/root/x", "a/root/b", "/home", "tests/shared/x"] {
            check_line("docs/a.md", line, &[]);
        }
    }

    #[test]
    fn hosts_of_a_registry_are_found_and_the_lock_file_s_sources_are_not() {
        for host in ["index", "static"] {
            let host = format!("{host}.crates.{}", "io");
            check_line("a.md", &format!("from {host}"), &[&format!("a.md:2 `{host}`")]);
        }
        let url = format!("https:{}", "//crates.io");
        check_line("a.md", &format!("see {url}/x"), &[&format!("a.md:2 `{url}`")]);
        check_line("Cargo.lock", "source = \"registry+https://github.com/rust-lang/crates.io-index\"", &[]);
        check_line("a.md", "published on crates.io", &[]);
        for host in ["registry.npmjs", "pypi", "files.pythonhosted"] {
            let host = format!("{host}.{}", "org");
            check_line("a.py", &format!("https:{}{host}/x", "//"), &[&format!("a.py:2 `{host}`")]);
        }
        check_line("a.md", "installed from npm and PyPI", &[]);
    }

    #[test]
    fn addresses_in_a_lock_file_of_npm_are_found() {
        let line = format!("      \"{}\": \"x\",", "resolved");
        check_line("tests/peers/package-lock.json", &line, &[&format!("tests/peers/package-lock.json:2 `\"{}\":`", "resolved")]);
        check_line("a.json", &line, &[]);
    }

    #[test]
    fn unfinished_code_and_tests_that_do_not_run_are_found_in_rust_alone() {
        let parts = [("todo", "!("), ("unimplemented", "!("), ("#[", "ignore"), ("#[should", "_panic")];
        for (first, second) in parts {
            let words = format!("{first}{second}");
            check_line("a.rs", &format!("    {words}]"), &[&format!("a.rs:2 `{words}`")]);
            check_line("a.md", &words, &[]);
        }
        check_line("a.rs", &format!("todos(); unimplemented(x) {}ignored_by_us] x", "#["), &[]);
    }
}
