//! The ignore rules that a walk meets on its way down.

use std::io::Read;
use std::path::Path;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::OFlags;

/// The folders in which version control keeps its own files.
const VERSION_CONTROL: [&str; 5] = [".git", ".hg", ".svn", ".jj", ".bzr"];
/// The most bytes of one file of rules; what is longer has no rules.
const MAX_RULES_BYTES: u64 = 1 << 20;

/// The rules of the folders from the root down to the one that is walked.
///
/// They are read through the folder's handle: a file of rules that is a pipe, a device or a link out of the root has no rules.
#[derive(Debug, Default)]
pub(crate) struct Rules(Vec<FolderRules>);

#[derive(Debug)]
struct FolderRules {
    /// The length of the folder's path, with the slash after it.
    prefix: usize,
    ignore: Gitignore,
    gitignore: Gitignore,
    exclude: Gitignore,
    /// Rules of Git end where a repository begins.
    repository: bool,
}

impl Rules {
    /// Adds the rules of a folder; `names` are what is in it.
    pub(crate) fn enter(&mut self, path: &str, folder: &Dir, names: &[impl AsRef<str>]) {
        let holds = |wanted: &str| names.iter().any(|name| name.as_ref() == wanted);
        let read = |name: &str| if holds(name) { rules(folder, Path::new(name)) } else { Gitignore::empty() };
        let repository = holds(".git");
        self.0.push(FolderRules {
            prefix: if path == "." { 0 } else { path.len() + 1 },
            ignore: read(".ignore"),
            gitignore: read(".gitignore"),
            exclude: if repository { rules(folder, Path::new(".git/info/exclude")) } else { Gitignore::empty() },
            repository,
        });
    }

    /// How many folders have been entered and not left.
    pub(crate) fn depth(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }

    /// Whether the innermost rule that says anything about this path says to leave it out.
    pub(crate) fn ignores(&self, path: &str, name: &str, is_folder: bool) -> bool {
        if is_folder && VERSION_CONTROL.contains(&name) {
            return true;
        }
        let said = |rules: &Gitignore, prefix: usize| {
            let verdict = rules.matched(&path[prefix..], is_folder);
            (!verdict.is_none()).then(|| verdict.is_ignore())
        };
        let in_repository = &self.0[self.0.iter().rposition(|folder| folder.repository).unwrap_or(0)..];
        (self.0.iter().rev().find_map(|folder| said(&folder.ignore, folder.prefix)))
            .or_else(|| in_repository.iter().rev().find_map(|folder| said(&folder.gitignore, folder.prefix)))
            .or_else(|| in_repository.iter().rev().find_map(|folder| said(&folder.exclude, folder.prefix)))
            .unwrap_or(false)
    }
}

fn rules(folder: &Dir, name: &Path) -> Gitignore {
    let mut builder = GitignoreBuilder::new(".");
    for line in read_rules(folder, name).unwrap_or_default().lines() {
        // A line that is no glob has no effect, as with Git.
        let _ = builder.add_line(None, line);
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

fn read_rules(folder: &Dir, name: &Path) -> Option<String> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    let file = folder.open_with(name, &options).ok()?;
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > MAX_RULES_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_RULES_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}
