//! The lock of a session: one process at a time, for as long as it lives.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::error::SessionError;
use crate::state_file::owner_only;

/// The name of the lock file in the folder.
const NAME: &str = "lock";
/// More than this is no process id.
const ID_BYTES: u64 = 20;

/// A lock that is held until it is dropped, or the process ends.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Closing it gives the lock back; the file stays, since removing it could take another's lock away.
    _file: File,
}

impl Lock {
    /// Takes the lock of the session in `folder`, and waits for nobody.
    pub(crate) fn take(folder: &Path) -> Result<Self, SessionError> {
        let path = folder.join(NAME);
        // Writing through a link could change a file of any name.
        if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(SessionError::NotAFile { path });
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = owner_only(&mut options).open(&path).map_err(SessionError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(SessionError::Locked { folder: folder.to_owned(), holder: holder(&mut file) });
            }
            Err(TryLockError::Error(error)) => return Err(SessionError::io("lock", &path)(error)),
        }
        // Only a message depends on what is written here.
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }
}

/// The process that says it has the lock.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(ID_BYTES).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
