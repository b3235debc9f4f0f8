//! Rule: every crate says what it is and under which licence, and forbids `unsafe`.

use super::Finding;
use super::tree::{File, Member};

/// Crates that need `unsafe`: the adapter of a C engine, and the workloads that measure against the bare engine.
const MAY_BE_UNSAFE: &[&str] = &["codemode-boa", "codemode-luajit", "codemode-quickjs", "codemode-worker", "codemode-bench"];

pub(super) fn check(members: &[Member], files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let mut missing = |what: &str| findings.push(Finding::new(&member.manifest, 0, format!("{} has no {what}", member.name)));
        if !member.has_description {
            missing("description");
        }
        if !member.has_license {
            missing("license");
        }
        let readme = format!("{}README.md", member.folder());
        if !files.iter().any(|file| file.path == readme && !file.text.trim().is_empty()) {
            missing("README.md, or an empty one");
        }
        if MAY_BE_UNSAFE.contains(&member.name.as_str()) {
            continue;
        }
        for root in &member.roots {
            let forbids =
                files.iter().any(|file| file.path == *root && file.text.lines().any(|line| line.trim_end() == "#![forbid(unsafe_code)]"));
            if !forbids {
                findings.push(Finding::new(root, 1, "the root of a crate says `#![forbid(unsafe_code)]`"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    fn member(name: &str, complete: bool) -> Member {
        Member {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            has_description: complete,
            has_license: complete,
            roots: vec![format!("crates/{name}/src/lib.rs")],
            links: Vec::new(),
        }
    }

    fn shown(members: &[Member], files: &[File]) -> Vec<String> {
        check(members, files).iter().map(Finding::to_string).collect()
    }

    #[test]
    fn a_complete_crate_is_no_finding() {
        let files = [
            file("crates/a/README.md", "# a\n"),
            file("crates/a/src/lib.rs", "//! A.\n#![forbid(unsafe_code)]\n"),
            file("crates/codemode-luajit/README.md", "# luajit\n"),
            file("crates/codemode-luajit/src/lib.rs", "//! B.\n"),
        ];
        assert_eq!(shown(&[member("a", true), member("codemode-luajit", true)], &files), Vec::<String>::new());
    }

    #[test]
    fn each_missing_part_is_found() {
        let files = [file("crates/a/README.md", "\n"), file("crates/a/src/lib.rs", "//! `#![forbid(unsafe_code)]`\n")];
        assert_eq!(
            shown(&[member("a", false)], &files),
            [
                "crates/a/Cargo.toml: a has no description",
                "crates/a/Cargo.toml: a has no license",
                "crates/a/Cargo.toml: a has no README.md, or an empty one",
                "crates/a/src/lib.rs:1: the root of a crate says `#![forbid(unsafe_code)]`",
            ]
        );
    }
}
