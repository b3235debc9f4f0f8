//! `cargo xtask tidy`: the house rules that no compiler checks, as findings with a file and a line.

mod direction;
mod limitations;
mod manifests;
mod promises;
mod settings;
mod sources;
mod tree;
mod words;

use std::fmt;

use clap::Args;

pub(crate) use self::settings::Settings;
use self::tree::Tree;
use crate::docs;
use crate::failure::Failure;
use crate::progress::{result, say};
use crate::workspace::Workspace;

/// Check the house rules that no compiler checks.
///
/// Crates depend on each other only as the map of crates says; each Rust file starts with `//!` and has at most 500 lines;
/// no file name, word or path that is banned; every crate has a README, a description, a licence and forbids `unsafe`;
/// every promise of the contract has a case; every bullet under docs/limitations starts with its id; generated pages are fresh.
/// Exceptions, each with its reason, stand in xtask/tidy.toml; one that is no longer needed is a finding too.
#[derive(Debug, Default, Args)]
pub(crate) struct Options {
    /// Leave out what needs a build: whether generated pages are fresh.
    #[arg(long)]
    no_build: bool,
}

/// One place where a rule does not hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// From the root of the workspace.
    path: String,
    /// From 1; 0 where the file as a whole is meant.
    line: usize,
    message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(formatter, "{}: {}", self.path, self.message),
            line => write!(formatter, "{}:{line}: {}", self.path, self.message),
        }
    }
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let settings = Settings::read(workspace.root())?;
    let tree = Tree::read(workspace)?;
    for note in direction::development(&tree.members) {
        say(&format!("note: {note}"));
    }
    let mut findings = findings(&tree, &settings)?;
    if options.no_build {
        say("generated pages were not looked at");
    } else {
        let stale = docs::stale(workspace)?.into_iter();
        findings.extend(stale.map(|(page, line)| Finding::new(page, line, "stale; run `cargo xtask docs`")));
    }
    for finding in &findings {
        result(&finding.to_string());
    }
    match findings.len() {
        0 => {
            say(&format!("tidy: {} files, nothing found", tree.files.len()));
            Ok(())
        }
        count => Err(Failure::new(format!("tidy: {count} findings in {} files", tree.files.len()))),
    }
}

/// Every finding of every rule that needs no build, in the order of files and lines.
fn findings(tree: &Tree, settings: &Settings) -> Result<Vec<Finding>, Failure> {
    let mut findings = direction::check(&tree.members);
    findings.extend(direction::check_core_sources(&tree.files)?);
    findings.extend(manifests::check(&tree.members, &tree.files));
    findings.extend(sources::check(&tree.files, settings)?);
    findings.extend(words::check(&tree.files, settings)?);
    findings.extend(promises::check(&tree.files));
    findings.extend(limitations::check(&tree.files));
    findings.sort();
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules over this very tree; whether generated pages are fresh needs a build and is left to the command.
    #[test]
    fn this_tree_is_tidy() {
        let workspace = Workspace::load().expect("the tests run inside the workspace");
        let settings = Settings::read(workspace.root()).expect("xtask/tidy.toml is valid");
        let tree = Tree::read(&workspace).expect("the tree can be read");
        let shown: Vec<String> = findings(&tree, &settings).expect("every rule is valid").iter().map(Finding::to_string).collect();
        assert_eq!(shown, Vec::<String>::new());
    }

    #[test]
    fn a_finding_names_its_file_and_its_line() {
        let shown = [Finding::new("a.rs", 3, "too long"), Finding::new("b.rs", 0, "bad name")].map(|f| f.to_string());
        assert_eq!(shown, ["a.rs:3: too long", "b.rs: bad name"]);
    }
}
