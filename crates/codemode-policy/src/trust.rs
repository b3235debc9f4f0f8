//! What a person trusts: files of a project that start processes or reach servers, by their path and their content.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::settings::{replace_file, shown_path};

/// The file within the state folder.
const FILE: &str = "trust.json";
/// The file that is locked while the other is changed.
const LOCK: &str = "trust.lock";
/// The most bytes of the file.
const MOST_BYTES: u64 = 16 << 20;

/// The files that a person trusts, kept in a folder.
///
/// A file is trusted as it was when a person looked at it: whatever changes in it takes the trust away, and so does a move.
/// One content is trusted for each path, the last one.
#[derive(Debug, Clone)]
pub struct Trust {
    folder: Option<PathBuf>,
}

/// A file that is trusted with one content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// The file, with no link in its path.
    pub path: PathBuf,
    /// SHA-256 of its content, in lower-case hexadecimal.
    pub sha256: String,
}

/// What stands in the file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    trusted: Vec<Trusted>,
}

/// What is trusted cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// There is no folder to keep it in.
    #[error("there is no folder to keep what is trusted in; set CODEMODE_STATE_DIR to one")]
    NoFolder,
    /// The file cannot be read or written, or the file to be trusted is not there.
    #[error("{file} cannot be used: {why}")]
    File {
        /// The file, as it is shown.
        file: String,
        /// The operating system's reason.
        why: io::Error,
    },
    /// The file is none of ours.
    #[error("{file} is no list of trusted files, so that nothing is trusted; repair it, or delete it and trust anew")]
    NoList {
        /// The file, as it is shown.
        file: String,
    },
}

impl Trust {
    /// What is trusted according to this folder; see [`state_folder`](crate::state_folder). Nothing is read yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// Nothing is trusted, and nothing can be: for a process without a state folder.
    #[must_use]
    pub fn nothing() -> Self {
        Self { folder: None }
    }

    /// Whether the file at `path` is trusted with this content. A list that cannot be read trusts nothing.
    #[must_use]
    pub fn is_trusted(&self, path: &Path, content: &[u8]) -> bool {
        let Ok(path) = fs::canonicalize(path) else { return false };
        self.list().is_ok_and(|list| list.iter().any(|trusted| trusted.path == path && trusted.sha256 == sha256(content)))
    }

    /// Trusts the file at `path` with this content, which is what a person was shown: not what the file holds by now.
    ///
    /// # Errors
    /// Where the file is not there, or the list cannot be read or written.
    pub fn trust(&self, path: &Path, content: &[u8]) -> Result<(), TrustError> {
        let path = fs::canonicalize(path).map_err(|why| TrustError::File { file: shown_path(path), why })?;
        let trusted = Trusted { path, sha256: sha256(content) };
        self.change(|list| {
            list.retain(|other| other.path != trusted.path);
            list.push(trusted);
            true
        })
        .map(|_| ())
    }

    /// Trusts a file with its new content where it was trusted with the old one: a change of our own takes no trust away.
    /// Gives whether it is trusted.
    ///
    /// # Errors
    /// As [`trust`](Self::trust).
    pub fn carry_over(&self, path: &Path, before: &[u8], after: &[u8]) -> Result<bool, TrustError> {
        let trusted = self.is_trusted(path, before);
        if trusted {
            self.trust(path, after)?;
        }
        Ok(trusted)
    }

    /// Forgets the file at `path`, which need not be there any more. Gives whether it was trusted with any content.
    ///
    /// # Errors
    /// Where the list cannot be read or written.
    pub fn forget(&self, path: &Path) -> Result<bool, TrustError> {
        let path = fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned());
        self.change(|list| {
            let before = list.len();
            list.retain(|trusted| trusted.path != path);
            list.len() < before
        })
    }

    /// Every file that is trusted, sorted by path.
    ///
    /// # Errors
    /// Where the list cannot be read.
    pub fn list(&self) -> Result<Vec<Trusted>, TrustError> {
        let Some(folder) = &self.folder else { return Ok(Vec::new()) };
        read(&folder.join(FILE))
    }

    /// Two processes that change the list at once change it one after the other.
    fn change(&self, change: impl FnOnce(&mut Vec<Trusted>) -> bool) -> Result<bool, TrustError> {
        let folder = self.folder.as_deref().ok_or(TrustError::NoFolder)?;
        let at = |path: &Path, why| TrustError::File { file: shown_path(path), why };
        fs::create_dir_all(folder).map_err(|why| at(folder, why))?;
        let lock = folder.join(LOCK);
        let held = File::create(&lock).map_err(|why| at(&lock, why))?;
        held.lock().map_err(|why| at(&lock, why))?;
        let path = folder.join(FILE);
        let mut trusted = read(&path)?;
        let changed = change(&mut trusted);
        if changed {
            trusted.sort_by(|a, b| a.path.cmp(&b.path));
            let text = serde_json::to_vec_pretty(&Kept { trusted }).map_err(|why| at(&path, why.into()))?;
            replace_file(&path, &text, true).map_err(|why| at(&path, why))?;
        }
        Ok(changed)
    }
}

/// A list that is not there is empty.
fn read(path: &Path) -> Result<Vec<Trusted>, TrustError> {
    let size = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(TrustError::File { file: shown_path(path), why }),
    };
    let no_list = || TrustError::NoList { file: shown_path(path) };
    if size > MOST_BYTES {
        return Err(no_list());
    }
    let text = fs::read(path).map_err(|why| TrustError::File { file: shown_path(path), why })?;
    serde_json::from_slice::<Kept>(&text).map(|kept| kept.trusted).map_err(|_| no_list())
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold(String::with_capacity(64), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
