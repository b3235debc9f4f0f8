//! What can be wrong with a session's folder, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use codemode_core::text::{cut, one_line};

/// The most bytes of a path in a message.
const PATH_BYTES: usize = 240;

/// A session that cannot be opened or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// Another process has it open, or another handle of this one.
    #[error(
        "the session {} is in use by {}; wait until that has ended, or use another folder",
        shown(folder),
        holder.map_or_else(|| "another process".to_owned(), |id| format!("process {id}"))
    )]
    Locked {
        /// The session's folder.
        folder: PathBuf,
        /// The id of the process that has it, as that process wrote it down.
        holder: Option<u32>,
    },
    /// The path is there, and no folder.
    #[error("{} is no folder, which a session is; name a folder, or a path where nothing is yet", shown(path))]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// Something that is no plain file stands where the session's own file belongs.
    #[error("{} is no plain file, and a session keeps its own there; move it away, or use another folder", shown(path))]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// The state file is not what was written.
    #[error("the state file {} cannot be used: {why}; mend it, or move it away to begin with an empty state", shown(file))]
    Corrupt {
        /// The state file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The state file is of a version that this one does not know.
    #[error(
        "the state file {} is of version {found}, and this program reads version {known}; \
         use the program that wrote it, or another folder",
        shown(file)
    )]
    Version {
        /// The state file.
        file: PathBuf,
        /// The version it says.
        found: u64,
        /// The version that is known here.
        known: u64,
    },
    /// The file system refused.
    #[error("cannot {doing} {}: {source}; make sure that this user may, or use another folder", shown(path))]
    Io {
        /// What was tried, such as `read`.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
}

impl SessionError {
    /// What makes an error of the file system one of these.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { doing, path: path.to_owned(), source }
    }

    pub(crate) fn corrupt(file: &Path, why: impl Into<String>) -> Self {
        Self::Corrupt { file: file.to_owned(), why: why.into() }
    }
}

/// A path in a message: quoted, on its line, and bounded.
fn shown(path: &Path) -> String {
    format!("\"{}\"", one_line(&cut(&path.to_string_lossy(), PATH_BYTES)))
}
