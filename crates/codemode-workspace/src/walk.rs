//! The walk over files beneath the root: folder by folder, names in byte order, so that two walks of one tree agree.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;

use crate::globs::Globs;
use crate::ignored::Rules;
use crate::root::{Place, Root};
use crate::stop::Stop;
use crate::trouble::Trouble;

/// The deepest folder that is entered, counted from the root.
const MAX_DEPTH: usize = 256;

/// What to walk.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    pub(crate) root: &'a Root,
    pub(crate) globs: &'a Globs,
    /// Whether ignore rules are off and folders of version control are entered.
    pub(crate) include_ignored: bool,
    pub(crate) most_entries: usize,
    pub(crate) stop: &'a Stop,
}

/// One file that a walk found: a regular file, by its own name.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    /// Its folder, open.
    pub(crate) folder: &'a Dir,
    pub(crate) name: &'a str,
    /// Relative to the root.
    pub(crate) path: &'a str,
}

/// What a walk could not look at.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gaps {
    /// Folders that could not be read or lie too deep, and names that are not UTF-8.
    pub(crate) unreadable: u64,
    /// Whether it ended at the limit on entries.
    pub(crate) cut: bool,
}

impl Gaps {
    pub(crate) fn none(self) -> bool {
        self == Self::default()
    }

    /// What a reader of lines is told.
    pub(crate) fn as_text(self) -> Vec<String> {
        let mut missing = Vec::new();
        if self.unreadable > 0 {
            missing.push(format!("{} folders or names could not be read", self.unreadable));
        }
        if self.cut {
            missing.push("the walk ended at its limit; name a smaller folder".to_owned());
        }
        missing
    }
}

struct Frame {
    folder: Dir,
    path: String,
    entries: std::vec::IntoIter<Entry>,
}

struct Entry {
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
    Other,
}

impl Walk<'_> {
    /// Shows each wanted file beneath `start` to `visit`, until that breaks. No symbolic link is followed.
    ///
    /// Rules of the folders above `start` count too, except against `start` itself: naming an ignored folder looks into it.
    pub(crate) fn files(
        &self,
        start: &Path,
        mut visit: impl FnMut(Found<'_>) -> Result<ControlFlow<()>, Trouble>,
    ) -> Result<Gaps, Trouble> {
        let mut gaps = Gaps::default();
        let mut rules = Rules::default();
        let mut entries_seen = 0;
        self.enter_parents(start, &mut rules)?;
        let parents = rules.depth();
        let base = if start == Path::new(".") { 0 } else { start.as_os_str().len() + 1 };
        let mut frames = vec![self.frame(start, &mut rules, &mut gaps)?];
        while let Some(frame) = frames.last_mut() {
            self.stop.check()?;
            let Some(entry) = frame.entries.next() else {
                frames.pop();
                rules.leave();
                continue;
            };
            entries_seen += 1;
            if entries_seen > self.most_entries {
                gaps.cut = true;
                return Ok(gaps);
            }
            let path = if frame.path == "." { entry.name.clone() } else { format!("{}/{}", frame.path, entry.name) };
            let is_folder = entry.kind == Kind::Folder;
            if entry.kind == Kind::Other || (!self.include_ignored && rules.ignores(&path, &entry.name, is_folder)) {
                continue;
            }
            if !is_folder {
                let found = Found { folder: &frame.folder, name: &entry.name, path: &path };
                if self.globs.want_file(&path[base..]) && visit(found)?.is_break() {
                    return Ok(gaps);
                }
            } else if self.globs.enter_folder(&path[base..]) {
                if parents + frames.len() >= MAX_DEPTH {
                    gaps.unreadable += 1;
                    continue;
                }
                match self.frame(Path::new(&path), &mut rules, &mut gaps) {
                    Ok(next) => frames.push(next),
                    Err(_) => gaps.unreadable += 1,
                }
            }
        }
        Ok(gaps)
    }

    /// Rules of the folders from the root to the one above `start`.
    fn enter_parents(&self, start: &Path, rules: &mut Rules) -> Result<(), Trouble> {
        if start == Path::new(".") {
            return Ok(());
        }
        let mut parents: Vec<&Path> = start.ancestors().skip(1).collect();
        parents.reverse();
        for parent in parents {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            self.frame(parent, rules, &mut Gaps::default())?;
        }
        Ok(())
    }

    /// Opens a folder from the root, so that a walk holds few handles however deep it goes, and reads its names and rules.
    fn frame(&self, path: &Path, rules: &mut Rules, gaps: &mut Gaps) -> Result<Frame, Trouble> {
        let place = Place { path: PathBuf::from(path), names_folder: true };
        let folder = self.root.open_folder(&place)?;
        let mut entries = Vec::new();
        for entry in folder.entries().map_err(|error| self.root.trouble(&place, &error))? {
            let Ok(entry) = entry else {
                gaps.unreadable += 1;
                continue;
            };
            let kind = kind_of(&entry);
            match entry.file_name().into_string() {
                Ok(name) => entries.push(Entry { name, kind }),
                Err(_) => gaps.unreadable += 1,
            }
        }
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let path = place.path.to_string_lossy().into_owned();
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        rules.enter(&path, &folder, &names);
        Ok(Frame { folder, path, entries: entries.into_iter() })
    }
}

/// Some file systems do not say in the listing what an entry is.
fn kind_of(entry: &cap_std::fs::DirEntry) -> Kind {
    let of = |kind: cap_std::fs::FileType| {
        if kind.is_dir() {
            Some(Kind::Folder)
        } else if kind.is_file() {
            Some(Kind::File)
        } else {
            None
        }
    };
    let listed = entry.file_type().ok().and_then(of);
    listed.or_else(|| of(entry.metadata().ok()?.file_type())).unwrap_or(Kind::Other)
}
