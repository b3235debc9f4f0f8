//! A session in a folder: its state between runs, held by one process at a time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use codemode_core::{Journal, JournalError, Json, Outcome, Room, RunId, RunStart};

use crate::error::SessionError;
use crate::lock::Lock;
use crate::state_file::StateFile;

/// A session that is kept in a folder. While it is open no other process can open it.
///
/// As a [`Journal`] it gives each run the committed state and writes what a run commits; it keeps no record of calls and has no
/// limit of its own. It reads and writes on the thread that asks, at most one file of the size of the state for each run.
#[derive(Debug)]
pub struct SessionFolder {
    folder: PathBuf,
    file: StateFile,
    fsync: bool,
    /// The committed state; the lock on it also makes commits wait for each other.
    state: Mutex<Option<Json>>,
    _lock: Lock,
}

impl SessionFolder {
    /// Opens the session in `folder`, which is made where nothing is, for its owner alone.
    ///
    /// # Errors
    /// When another process has it open, the path is no folder, the state file is not what was written, or the file system
    /// refuses. Nothing of a session is changed then.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, SessionError> {
        let folder = folder.into();
        // A process may change its working directory while the session is open.
        let folder = std::path::absolute(&folder).map_err(SessionError::io("open", &folder))?;
        prepare(&folder)?;
        let lock = Lock::take(&folder)?;
        let file = StateFile::in_folder(&folder);
        let state = file.read()?;
        Ok(Self { folder, file, fsync: false, state: Mutex::new(state), _lock: lock })
    }

    /// Waits for the disk at each commit, so that a commit outlives a crash of the machine; off by default.
    #[must_use]
    pub fn with_fsync(mut self, fsync: bool) -> Self {
        self.fsync = fsync;
        self
    }

    /// The folder, as an absolute path.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The state that was committed last, if any was.
    #[must_use]
    pub fn state(&self) -> Option<Json> {
        self.current().clone()
    }

    /// Commits a state, as a run does.
    ///
    /// # Errors
    /// When it cannot be written: then the state is what it was.
    pub fn commit(&self, run: &RunId, state: &Json) -> Result<(), SessionError> {
        let mut current = self.current();
        self.file.replace(run, state, self.fsync)?;
        *current = Some(state.clone());
        Ok(())
    }

    fn current(&self) -> MutexGuard<'_, Option<Json>> {
        // What is behind the lock is replaced whole, so that a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Journal for SessionFolder {
    async fn run_started(&self, _start: &RunStart) -> Result<Option<Json>, JournalError> {
        Ok(self.state())
    }

    async fn committed(&self, run: &RunId, state: &Json) -> Result<(), JournalError> {
        self.commit(run, state).map_err(|error| JournalError(error.to_string()))
    }

    async fn run_ended(&self, _outcome: &Outcome) -> Result<(), JournalError> {
        Ok(())
    }

    fn room(&self) -> Option<Room> {
        None
    }
}

/// Makes the folder where nothing is, and refuses what is no folder.
fn prepare(folder: &Path) -> Result<(), SessionError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    match builder.create(folder) {
        Ok(()) => Ok(()),
        // Also where a part of the path is a file.
        Err(error) if matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory) => {
            Err(SessionError::NotAFolder { path: folder.to_owned() })
        }
        Err(error) => Err(SessionError::io("make the folder", folder)(error)),
    }
}
