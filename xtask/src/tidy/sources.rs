//! Rules about single Rust files: the first line, the length, the name, and lints that are switched off.

use std::collections::BTreeSet;

use regex::Regex;

use super::Finding;
use super::settings::{self, Settings};
use super::tree::File;
use crate::failure::Failure;

/// A file longer than this does more than one job.
const LINES: usize = 500;

/// The first words of a file that a program wrote; no rule here is about those.
const GENERATED: &str = "// @generated";

pub(super) fn check(files: &[File], settings: &Settings) -> Result<Vec<Finding>, Failure> {
    let bare_allow =
        Regex::new(r"#!?\[(?:cfg_attr\(.*)?\ballow\([^\]]*\]").map_err(|error| Failure::at("the rule about switched off lints", error))?;
    let mut findings = Vec::new();
    let mut excepted: BTreeSet<&str> = settings.long_file.iter().map(|file| file.path.as_str()).collect();
    for file in files.iter().filter(|file| file.is_rust() && !file.text.starts_with(GENERATED)) {
        if !file.text.starts_with("//!") {
            findings.push(Finding::new(&file.path, 1, "the first line is `//!` and says the job of the module"));
        }
        let lines = file.text.lines().count();
        if lines > LINES && !excepted.remove(file.path.as_str()) {
            let message = format!("{lines} lines, and {LINES} are the most; split it, or give a reason in {}", settings::PATH);
            findings.push(Finding::new(&file.path, LINES + 1, message));
        }
        if let Some(name) = banned_name(&file.path, &settings.banned_module) {
            findings.push(Finding::new(&file.path, 0, format!("`{name}` says nothing about the job of a module; name it by what it does")));
        }
        for found in bare_allow.find_iter(&file.text).filter(|found| !found.as_str().contains("reason")) {
            let line = file.text[..found.start()].matches('\n').count() + 1;
            findings.push(Finding::new(&file.path, line, "a lint is switched off by `#[expect(lint, reason = \"…\")]`"));
        }
    }
    for path in excepted {
        let line = files.iter().find(|file| file.path == settings::PATH).map_or(0, |file| file.line_of(path));
        findings.push(Finding::new(settings::PATH, line, format!("{path} is not longer than {LINES} lines; take it off the list")));
    }
    Ok(findings)
}

/// The banned word among the file's name and the folders above it.
fn banned_name<'a>(path: &str, banned: &'a [String]) -> Option<&'a String> {
    let modules = path.strip_suffix(".rs").unwrap_or(path);
    banned.iter().find(|name| modules.split('/').any(|module| module == name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, text: &str) -> Vec<String> {
        let settings = Settings::parse(
            "banned_module = [\"utils\", \"common\"]\n[[long_file]]\npath = \"crates/a/src/table.rs\"\nreason = \"one table\"\n",
        )
        .expect("the settings are valid");
        let files = [
            File { path: path.to_owned(), text: text.to_owned() },
            File { path: "crates/a/src/table.rs".to_owned(), text: "//! Table.\n".repeat(501) },
            File { path: "docs/long.md".to_owned(), text: "No rule for this.\n".repeat(501) },
        ];
        check(&files, &settings).expect("the rules are valid").iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_file_that_keeps_the_rules_is_no_finding() {
        let text = "//! Its job.\n#[allow(dead_code, reason = \"only on one target\")]\nfn f() {}\n";
        assert_eq!(shown("crates/a/src/commonly.rs", text), Vec::<String>::new());
        assert_eq!(shown("crates/a/src/made.rs", &format!("{GENERATED} by a tool\n").repeat(501)), Vec::<String>::new());
    }

    #[test]
    fn a_file_without_its_job_is_found() {
        let expected = ["a.rs:1: the first line is `//!` and says the job of the module"];
        assert_eq!(shown("a.rs", "#![forbid(unsafe_code)]\n//! Its job.\n"), expected);
        assert_eq!(shown("a.rs", ""), expected);
    }

    #[test]
    fn a_long_file_is_found_from_its_first_line_too_many() {
        assert_eq!(shown("a.rs", &"//! Line.\n".repeat(500)), Vec::<String>::new());
        assert_eq!(
            shown("a.rs", &"//! Line.\n".repeat(501)),
            ["a.rs:501: 501 lines, and 500 are the most; split it, or give a reason in xtask/tidy.toml"]
        );
    }

    #[test]
    fn an_exception_that_is_not_needed_is_found() {
        let settings = Settings::parse("[[long_file]]\npath = \"short.rs\"\nreason = \"it was long\"\n").expect("the settings are valid");
        let found = check(&[File { path: "short.rs".to_owned(), text: "//! Short.\n".to_owned() }], &settings);
        assert_eq!(
            found.expect("the rules are valid"),
            [Finding::new("xtask/tidy.toml", 0, "short.rs is not longer than 500 lines; take it off the list")]
        );
    }

    #[test]
    fn a_name_that_says_nothing_is_found_as_file_and_as_folder() {
        let message = |name: &str| format!("`{name}` says nothing about the job of a module; name it by what it does");
        assert_eq!(shown("crates/a/src/utils.rs", "//! A.\n"), [format!("crates/a/src/utils.rs: {}", message("utils"))]);
        assert_eq!(shown("tests/common/mod.rs", "//! A.\n"), [format!("tests/common/mod.rs: {}", message("common"))]);
    }

    #[test]
    fn a_lint_that_is_switched_off_without_a_reason_is_found() {
        // Built from parts, because this file is looked at too.
        let attribute = |inside: &str| format!("//! A.\n\n#[{inside}]\nfn f() {{}}\n");
        let expected = ["a.rs:3: a lint is switched off by `#[expect(lint, reason = \"…\")]`"];
        assert_eq!(shown("a.rs", &attribute("allow(\n    dead_code,\n)")), expected);
        assert_eq!(shown("a.rs", &attribute("cfg_attr(test, allow(dead_code))")), expected);
        assert_eq!(shown("a.rs", &attribute("expect(dead_code)")), Vec::<String>::new());
    }
}
