//! Rule: crates depend on each other only as the map of crates says.

use cargo_metadata::DependencyKind;
use regex::Regex;

use super::Finding;
use super::tree::{File, Link, Member};
use crate::failure::Failure;

/// What one of our crates may depend on, of ours. A new crate is a new row here and in docs/architecture.md.
struct Row {
    name: &'static str,
    may: May,
}

enum May {
    /// On these alone.
    These(&'static [&'static str]),
    /// On the first always, on the second only as an optional dependency behind a feature.
    TheseAndOptionally(&'static [&'static str], &'static [&'static str]),
    /// On every crate but the command.
    Anything,
}

const CORE: &str = "codemode-core";
const COMMAND: &str = "codemode-cli";

#[rustfmt::skip]
const MAP: &[Row] = &[
    Row { name: CORE, may: May::These(&[]) },
    Row { name: "codemode-luajit", may: May::These(&[CORE]) },
    Row { name: "codemode-quickjs", may: May::These(&[CORE, "codemode-js"]) },
    Row { name: "codemode-boa", may: May::These(&[CORE, "codemode-js"]) },
    Row { name: "codemode-js", may: May::These(&[CORE]) },
    Row { name: "codemode-worker", may: May::These(&[CORE]) },
    Row { name: "codemode-catalog", may: May::These(&[CORE]) },
    Row { name: "codemode-policy", may: May::These(&[CORE, "codemode-catalog"]) },
    Row { name: "codemode-session", may: May::These(&[CORE]) },
    Row { name: "codemode-workspace", may: May::These(&[CORE]) },
    Row { name: "codemode-mcp", may: May::These(&[CORE, "codemode-catalog", "codemode-policy", "codemode-session", "codemode"]) },
    Row { name: "codemode", may: May::TheseAndOptionally(&[CORE], &["codemode-luajit", "codemode-quickjs", "codemode-boa", "codemode-worker"]) },
    Row { name: COMMAND, may: May::Anything },
    Row { name: "codemode-conformance", may: May::These(&[CORE]) },
    Row { name: "codemode-testbed", may: May::These(&[CORE]) },
    Row { name: "codemode-bench", may: May::Anything },
    Row { name: "codemode-tests", may: May::Anything },
    Row { name: "xtask", may: May::Anything },
];

/// An engine's library is seen by its adapter, and by crates that may depend on anything.
const ENGINE_LIBRARIES: &[(&str, &str)] = &[
    ("mlua", "codemode-luajit"),
    ("mlua-sys", "codemode-luajit"),
    ("rquickjs", "codemode-quickjs"),
    ("rquickjs-core", "codemode-quickjs"),
    ("rquickjs-sys", "codemode-quickjs"),
    ("boa_engine", "codemode-boa"),
    ("boa_gc", "codemode-boa"),
];

/// Core knows no server protocol and no file system.
const NEVER_IN_CORE: &[&str] =
    &["rmcp", "cap-std", "cap-primitives", "ignore", "globset", "grep-searcher", "landlock", "rustix", "tempfile", "walkdir"];

/// Links between crates that the map does not have.
pub(super) fn check(members: &[Member]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let Some(row) = row(&member.name) else {
            findings.push(Finding::new(
                &member.manifest,
                0,
                format!(
                    "{} is not in the map of crates; add its row to xtask/src/tidy/direction.rs and to docs/architecture.md",
                    member.name
                ),
            ));
            continue;
        };
        for link in &member.links {
            if let Some(why) = objection(row, link, members) {
                findings.push(Finding::new(&member.manifest, link.line, why));
            }
        }
    }
    findings
}

/// Development dependencies of library crates that the map would not allow in the library: allowed, and said aloud.
pub(super) fn development(members: &[Member]) -> Vec<String> {
    let mut notes = Vec::new();
    for member in members {
        let Some(Row { may: May::These(may) | May::TheseAndOptionally(may, _), .. }) = row(&member.name) else {
            continue;
        };
        for link in &member.links {
            let ours = members.iter().any(|other| other.name == link.to);
            if ours && link.kind == DependencyKind::Development && !may.contains(&link.to.as_str()) {
                notes.push(format!("{}:{}: the tests of {} use {}", member.manifest, link.line, member.name, link.to));
            }
        }
    }
    notes
}

/// Uses of files and of the network in core's sources.
pub(super) fn check_core_sources(files: &[File]) -> Result<Vec<Finding>, Failure> {
    let used = Regex::new(r"\b(?:std|tokio)::(?:fs|net)\b|^\s*use (?:std|tokio)::\{.*\b(?:fs|net)\b")
        .map_err(|error| Failure::at("the rule about core's sources", error))?;
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/codemode-core/src/") && file.is_rust()) {
        for (number, line) in file.text.lines().enumerate().filter(|(_, line)| used.is_match(line)) {
            let code = line.trim_start();
            if !code.starts_with("//") {
                findings.push(Finding::new(
                    &file.path,
                    number + 1,
                    "core knows no file system and no network; a trait of core's is implemented elsewhere",
                ));
            }
        }
    }
    Ok(findings)
}

fn row(name: &str) -> Option<&'static Row> {
    MAP.iter().find(|row| row.name == name)
}

/// Why the crate of this row must not have this link.
fn objection(row: &Row, link: &Link, members: &[Member]) -> Option<String> {
    let (from, to) = (row.name, link.to.as_str());
    if to == COMMAND {
        return Some(format!("{from} depends on {to}; nothing depends on the command"));
    }
    if link.kind == DependencyKind::Development {
        return None;
    }
    if matches!(row.may, May::Anything) {
        return None;
    }
    if let Some((_, adapter)) = ENGINE_LIBRARIES.iter().find(|(library, adapter)| *library == to && *adapter != from) {
        return Some(format!("{from} depends on {to}, which {adapter} alone may see"));
    }
    if from == CORE && NEVER_IN_CORE.contains(&to) {
        return Some(format!("{from} depends on {to}; core knows no server protocol and no file system"));
    }
    if !members.iter().any(|member| member.name == to) {
        return None;
    }
    match row.may {
        May::Anything => None,
        May::These(may) if may.contains(&to) => None,
        May::TheseAndOptionally(may, _) if may.contains(&to) => None,
        May::TheseAndOptionally(_, optional) if optional.contains(&to) => {
            (!link.optional).then(|| format!("{from} depends on {to}, which must be optional, behind a feature"))
        }
        May::These(may) | May::TheseAndOptionally(may, _) => Some(format!(
            "{from} depends on {to}; of ours it may depend on {}",
            if may.is_empty() { "nothing".to_owned() } else { may.join(", ") }
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(links: &[(&str, &str, DependencyKind, bool)]) -> Vec<Member> {
        let mut members: Vec<Member> = Vec::new();
        let mut at = |name: &str| {
            if let Some(at) = members.iter().position(|member| member.name == name) {
                return at;
            }
            let manifest = format!("crates/{name}/Cargo.toml");
            members.push(Member { name: name.to_owned(), manifest, ..Member::default() });
            members.len() - 1
        };
        let placed: Vec<(usize, Link)> = links
            .iter()
            .map(|(from, to, kind, optional)| {
                if to.starts_with("codemode") {
                    at(to);
                }
                (at(from), Link { to: (*to).to_owned(), kind: *kind, optional: *optional, line: 7 })
            })
            .collect();
        for (from, link) in placed {
            members[from].links.push(link);
        }
        members
    }

    fn check_one(from: &str, to: &str, kind: DependencyKind, optional: bool) -> Vec<String> {
        check(&members(&[(from, to, kind, optional)])).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn links_that_the_map_has_are_no_findings() {
        let allowed = [
            ("codemode-luajit", CORE, DependencyKind::Normal, false),
            ("codemode-luajit", "mlua", DependencyKind::Normal, false),
            ("codemode-policy", "codemode-catalog", DependencyKind::Normal, false),
            ("codemode", "codemode-luajit", DependencyKind::Normal, true),
            (COMMAND, "codemode-workspace", DependencyKind::Normal, false),
            ("codemode-bench", "mlua", DependencyKind::Normal, false),
            ("codemode-conformance", "codemode-luajit", DependencyKind::Development, false),
        ];
        assert_eq!(check(&members(&allowed)), []);
    }

    #[test]
    fn an_adapter_on_a_sibling_is_found() {
        assert_eq!(
            check_one("codemode-boa", "codemode-quickjs", DependencyKind::Normal, false),
            [
                "crates/codemode-boa/Cargo.toml:7: codemode-boa depends on codemode-quickjs; of ours it may depend on codemode-core, codemode-js"
            ]
        );
    }

    #[test]
    fn anything_on_the_command_is_found_whatever_the_kind() {
        let expected = ["crates/codemode-tests/Cargo.toml:7: codemode-tests depends on codemode-cli; nothing depends on the command"];
        for kind in [DependencyKind::Normal, DependencyKind::Development, DependencyKind::Build] {
            assert_eq!(check_one("codemode-tests", COMMAND, kind, false), expected);
        }
    }

    #[test]
    fn core_on_an_engine_on_a_protocol_or_on_files_is_found() {
        let found = ["codemode-luajit", "mlua", "rmcp", "cap-std"].map(|to| check_one(CORE, to, DependencyKind::Normal, false).join("\n"));
        assert_eq!(
            found,
            [
                "crates/codemode-core/Cargo.toml:7: codemode-core depends on codemode-luajit; of ours it may depend on nothing",
                "crates/codemode-core/Cargo.toml:7: codemode-core depends on mlua, which codemode-luajit alone may see",
                "crates/codemode-core/Cargo.toml:7: codemode-core depends on rmcp; core knows no server protocol and no file system",
                "crates/codemode-core/Cargo.toml:7: codemode-core depends on cap-std; core knows no server protocol and no file system",
            ]
        );
    }

    #[test]
    fn an_adapter_that_the_facade_always_links_is_found() {
        assert_eq!(
            check_one("codemode", "codemode-luajit", DependencyKind::Normal, false),
            ["crates/codemode/Cargo.toml:7: codemode depends on codemode-luajit, which must be optional, behind a feature"]
        );
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        assert_eq!(
            check_one("codemode-new", CORE, DependencyKind::Normal, false),
            [
                "crates/codemode-new/Cargo.toml: codemode-new is not in the map of crates; add its row to xtask/src/tidy/direction.rs and to docs/architecture.md"
            ]
        );
    }

    #[test]
    fn a_development_dependency_outside_the_map_is_noted() {
        let members = members(&[
            ("codemode-conformance", "codemode-luajit", DependencyKind::Development, false),
            ("codemode-conformance", CORE, DependencyKind::Development, false),
            ("codemode-conformance", "proptest", DependencyKind::Development, false),
        ]);
        assert_eq!(
            development(&members),
            ["crates/codemode-conformance/Cargo.toml:7: the tests of codemode-conformance use codemode-luajit"]
        );
    }

    #[test]
    fn a_file_system_in_core_is_found_and_a_mention_is_not() {
        let text = "//! Never `std::fs`.\nuse std::{fmt, fs};\nuse std::fmt;\nlet a = std::net::Ipv4Addr::LOCALHOST;\n";
        let file = |path: &str| File { path: path.to_owned(), text: text.to_owned() };
        let files = [file("crates/codemode-core/src/spill.rs"), file("crates/codemode-workspace/src/read.rs")];
        let found: Vec<(String, usize)> =
            check_core_sources(&files).expect("the rule is valid").into_iter().map(|found| (found.path, found.line)).collect();
        let core = "crates/codemode-core/src/spill.rs".to_owned();
        assert_eq!(found, [(core.clone(), 2), (core, 4)]);
    }
}
