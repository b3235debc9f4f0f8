//! The file that holds a session's committed state: read whole, replaced whole.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use codemode_core::{Json, RunId};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::SessionError;

/// The version that is written, and the only one that is read.
const VERSION: u64 = 1;
/// No state that could have been committed makes a larger file.
const MOST_BYTES: u64 = 64 << 20;

/// What the file says.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    version: u64,
    /// The run that committed it. A host's own id may be escaped in JSON.
    #[serde(borrow)]
    run: Cow<'a, str>,
    #[serde(borrow)]
    state: &'a RawValue,
}

/// The version alone: a later one may have other fields.
#[derive(Deserialize)]
struct Versioned {
    version: u64,
}

/// The state file of one session.
#[derive(Debug)]
pub(crate) struct StateFile {
    path: PathBuf,
    /// Where the next state is written before it takes the place of the last.
    new: PathBuf,
}

impl StateFile {
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self { path: folder.join("state.json"), new: folder.join("state.json.new") }
    }

    /// The state that was committed last; removes one that was never whole.
    pub(crate) fn read(&self) -> Result<Option<Json>, SessionError> {
        remove(&self.new).map_err(SessionError::io("remove", &self.new))?;
        let path = &self.path;
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(SessionError::io("read", path)(error)),
            Ok(found) if !found.is_file() => return Err(SessionError::NotAFile { path: path.clone() }),
            Ok(found) if found.len() > MOST_BYTES => {
                return Err(SessionError::corrupt(path, format!("it has {} bytes, and no state has over {MOST_BYTES}", found.len())));
            }
            Ok(_) => {}
        }
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(SessionError::io("read", path))?;
        file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(SessionError::io("read", path))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            SessionError::corrupt(path, format!("it is no UTF-8 from byte {} on", error.utf8_error().valid_up_to() + 1))
        })?;
        let wrong = |error: serde_json::Error| {
            let why = if text.is_empty() { "it is empty".to_owned() } else { format!("it is not the JSON that was written: {error}") };
            SessionError::corrupt(path, why)
        };
        let Versioned { version } = serde_json::from_str(&text).map_err(wrong)?;
        if version != VERSION {
            return Err(SessionError::Version { file: path.clone(), found: version, known: VERSION });
        }
        let kept: Kept<'_> = serde_json::from_str(&text).map_err(wrong)?;
        Json::parse(kept.state.get())
            .map(Some)
            .map_err(|error| SessionError::corrupt(path, format!("its state is no usable JSON: {error}")))
    }

    /// Puts `state` in the place of what was committed before.
    pub(crate) fn replace(&self, run: &RunId, state: &Json, fsync: bool) -> Result<(), SessionError> {
        let write = SessionError::io("write", &self.new);
        let text = RawValue::from_string(state.text().to_owned())
            .and_then(|state| serde_json::to_string(&Kept { version: VERSION, run: Cow::Borrowed(run.as_str()), state: &state }));
        let text = match text {
            Ok(text) => text,
            Err(error) => return Err(write(error.into())),
        };
        self.write_new(&text, fsync).map_err(write)?;
        fs::rename(&self.new, &self.path).map_err(SessionError::io("replace", &self.path))?;
        // From here on the file has the new state, so that what fails below is no failure of the commit.
        if fsync && let Err(error) = sync_folder(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "the folder of a committed state could not be synced");
        }
        Ok(())
    }

    fn write_new(&self, text: &str, fsync: bool) -> io::Result<()> {
        // A file that is made new is nobody else's, and leads nowhere.
        remove(&self.new)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut file = owner_only(&mut options).open(&self.new)?;
        file.write_all(text.as_bytes())?;
        file.write_all(b"\n")?;
        if fsync { file.sync_all() } else { Ok(()) }
    }
}

/// Removes a file, if there is one.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A rename is on the disk when its folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// Files that these options make are for their owner alone.
pub(crate) fn owner_only(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options
}
