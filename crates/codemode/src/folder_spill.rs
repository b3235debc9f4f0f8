//! Spill files in a folder: what a run held and its reader was not shown.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use codemode_core::{RunId, Spill};

/// How many spill files a folder keeps.
const KEPT: usize = 100;
/// The ending of a spill file's name.
const ENDING: &str = ".output.txt";

/// Writes spill files into one folder, readable by their owner alone, and keeps the newest hundred.
#[derive(Debug, Clone)]
pub struct FolderSpill {
    folder: PathBuf,
}

impl FolderSpill {
    /// Spills into this folder, which is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Spills into a folder `codemode-spill-…` of the user's own in the system's folder for temporary files.
    #[must_use]
    pub fn temporary() -> Self {
        let user = std::env::var("USER").unwrap_or_else(|_| "user".to_owned());
        let user: String = user.chars().filter(char::is_ascii_alphanumeric).take(32).collect();
        Self::new(std::env::temp_dir().join(format!("codemode-spill-{user}")))
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder, and refuses one that others could have prepared.
    fn prepare(&self) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirBuilderExt as _;
            builder.mode(0o700);
        }
        builder.create(&self.folder)?;
        let found = fs::symlink_metadata(&self.folder)?;
        if !found.is_dir() {
            return Err(io::Error::other(format!("{} is no folder", self.folder.display())));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            if found.permissions().mode() & 0o022 != 0 {
                return Err(io::Error::other(format!("{} can be written by others; name another folder", self.folder.display())));
            }
        }
        Ok(())
    }

    /// Removes the oldest spill files past the limit. Names sort by time, since run names do.
    fn prune(&self) -> io::Result<()> {
        let mut names: Vec<PathBuf> = fs::read_dir(&self.folder)?
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ENDING)))
            .collect();
        names.sort();
        let surplus = names.len().saturating_sub(KEPT);
        for path in names.into_iter().take(surplus) {
            // Another host may have removed it by now.
            let _ = fs::remove_file(path);
        }
        Ok(())
    }
}

impl Spill for FolderSpill {
    fn spill(&self, run: &RunId, text: &str) -> io::Result<String> {
        self.prepare()?;
        let name: String =
            run.as_str().chars().filter(|character| character.is_ascii_alphanumeric() || *character == '-').take(100).collect();
        let path = self.folder.join(format!("{name}{ENDING}"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        options.open(&path)?.write_all(text.as_bytes())?;
        self.prune()?;
        Ok(path.to_string_lossy().into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_hundred_are_kept_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let spill = FolderSpill::new(folder.path().join("spill"));
        for number in 0..103 {
            let place = spill.spill(&RunId::from_text(format!("run-{number:04}")), "held").expect("written");
            assert_eq!(fs::read_to_string(place).expect("there"), "held");
        }
        let left = fs::read_dir(spill.folder()).expect("a folder").count();
        assert_eq!(left, KEPT);
        let again = spill.spill(&RunId::from_text("run-0102"), "other").expect_err("taken");
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("mine");
        let error = FolderSpill::new(folder.path()).spill(&RunId::fresh(), "held").expect_err("refused");
        assert_eq!(error.to_string(), format!("{} can be written by others; name another folder", folder.path().display()));
    }
}
