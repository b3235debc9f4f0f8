//! What the rules look at: the text files that git knows or would add, and the crates with their links.

use std::fs;
use std::path::Path;
use std::process::Command;

use cargo_metadata::{DependencyKind, Package, TargetKind};

use crate::failure::Failure;
use crate::process;
use crate::workspace::Workspace;

/// The whole tree, read once; the rules are functions over it, so that a fixture is a few lines.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    pub(super) members: Vec<Member>,
}

/// A text file, with its path from the root of the workspace.
#[derive(Debug)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The number of the first line that holds `part`, from 1; 0 where none does.
    pub(super) fn line_of(&self, part: &str) -> usize {
        self.text.lines().position(|line| line.contains(part)).map_or(0, |line| line + 1)
    }
}

/// A crate of the workspace.
#[derive(Debug, Default, Clone)]
pub(super) struct Member {
    pub(super) name: String,
    /// Of its manifest, from the root of the workspace.
    pub(super) manifest: String,
    pub(super) has_description: bool,
    pub(super) has_license: bool,
    /// The root files of what it builds for others: its library, its programs.
    pub(super) roots: Vec<String>,
    pub(super) links: Vec<Link>,
}

impl Member {
    /// Its folder from the root of the workspace, with a final slash.
    pub(super) fn folder(&self) -> &str {
        self.manifest.strip_suffix("Cargo.toml").unwrap_or(&self.manifest)
    }
}

/// One dependency as a manifest states it.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) to: String,
    pub(super) kind: DependencyKind,
    pub(super) optional: bool,
    /// In the manifest, from 1; 0 where it cannot be told.
    pub(super) line: usize,
}

impl Tree {
    pub(super) fn read(workspace: &Workspace) -> Result<Self, Failure> {
        let root = workspace.root();
        let files = read_files(root)?;
        let members = workspace.packages().into_iter().map(|package| member(root, package, &files)).collect();
        Ok(Self { files, members })
    }
}

/// What git has, and what it would take: a file that is about to be committed is looked at before it is.
fn read_files(root: &Path) -> Result<Vec<File>, Failure> {
    let listed = process::output_of(
        Command::new("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]).current_dir(root),
    )?;
    let mut files = Vec::new();
    for path in listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
        let path = String::from_utf8_lossy(path).into_owned();
        // A file that git knows may be deleted in the working tree; one with a zero byte is no text.
        let Ok(bytes) = fs::read(root.join(&path)) else {
            continue;
        };
        if !bytes.contains(&0) {
            files.push(File { path, text: String::from_utf8_lossy(&bytes).into_owned() });
        }
    }
    Ok(files)
}

fn member(root: &Path, package: &Package, files: &[File]) -> Member {
    let from_root = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    let manifest = from_root(package.manifest_path.as_std_path());
    let text = files.iter().find(|file| file.path == manifest);
    let built = |kind: &TargetKind| matches!(kind, TargetKind::Lib | TargetKind::Bin | TargetKind::ProcMacro);
    Member {
        name: package.name.to_string(),
        has_description: package.description.as_deref().is_some_and(|description| !description.trim().is_empty()),
        has_license: package.license.is_some(),
        roots: package
            .targets
            .iter()
            .filter(|target| target.kind.iter().any(built))
            .map(|target| from_root(target.src_path.as_std_path()))
            .collect(),
        links: package
            .dependencies
            .iter()
            .map(|dependency| Link {
                to: dependency.name.clone(),
                kind: dependency.kind,
                optional: dependency.optional,
                line: text.map_or(0, |text| line_of_link(&text.text, &dependency.name, dependency.kind)),
            })
            .collect(),
        manifest,
    }
}

/// The line of a manifest that states the dependency, in the table of its kind.
fn line_of_link(manifest: &str, name: &str, kind: DependencyKind) -> usize {
    let table = match kind {
        DependencyKind::Development => "dev-dependencies",
        DependencyKind::Build => "build-dependencies",
        _ => "dependencies",
    };
    let mut here = false;
    for (number, line) in manifest.lines().enumerate() {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end().trim_end_matches(']');
            here = header.rsplit('.').next() == Some(table);
        } else if here && line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ' ', '='])) {
            return number + 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_found_in_the_table_of_its_kind() {
        let manifest =
            "[dependencies]\nserde-more = \"1\"\nserde.workspace = true\n\n[target.'cfg(unix)'.dev-dependencies]\nserde = \"1\"\n";
        let found = [
            line_of_link(manifest, "serde", DependencyKind::Normal),
            line_of_link(manifest, "serde", DependencyKind::Development),
            line_of_link(manifest, "serde", DependencyKind::Build),
        ];
        assert_eq!(found, [3, 6, 0]);
    }
}
