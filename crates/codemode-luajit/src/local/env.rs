//! What the operations of a run need of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use codemode_core::{Guard, Handle};

/// What the operations of a run need of it.
#[derive(Clone, Copy)]
pub(super) struct Env<'r> {
    pub(super) guard: &'r Arc<Guard>,
    /// Nothing while no program runs: then nothing is shown.
    pub(super) handle: Option<&'r Handle>,
    /// Where relative paths and commands start; the process's own folder is never changed.
    pub(super) cwd: &'r Path,
}

impl Env<'_> {
    /// A path of the program's.
    pub(super) fn path(&self, path: &[u8]) -> PathBuf {
        use std::os::unix::ffi::OsStrExt as _;
        if path.is_empty() {
            // It names nothing, not the folder.
            return PathBuf::new();
        }
        self.cwd.join(Path::new(std::ffi::OsStr::from_bytes(path)))
    }

    /// A number for a name: the run's own where there is a run.
    pub(super) fn random(&self) -> u64 {
        use std::hash::{BuildHasher as _, RandomState};
        self.handle.map_or_else(|| RandomState::new().hash_one(0_u8), Handle::random)
    }

    /// Notes that something outside may have changed.
    pub(super) fn raw_effect(&self) {
        if let Some(handle) = self.handle {
            handle.raw_effect();
        }
    }
}
