//! Signatures that are remembered from one process to the next.

use std::path::PathBuf;

/// A folder of remembered signatures: what each server listed, one file a server.
///
/// A file is found by a hash of the server's configuration, in which values of its environment and of its headers have no
/// part; nothing of the configuration but the server's name is stored. What cannot be read counts as not there.
#[derive(Debug, Clone)]
pub struct Memory {
    #[expect(dead_code, reason = "read by what stores signatures")]
    folder: PathBuf,
}

impl Memory {
    /// Signatures in this folder, which is made when there is something to keep.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }
}
