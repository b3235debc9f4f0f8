//! Starting a command: confined, in a session of its own, with nothing to read and nowhere to ask.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Permissions, PermissionsExt};

use super::confine::restrict_thread;
use super::descendants::{Descendants, MARK};
use super::supervise::{Ran, supervise};

/// Where the program is that starts another in a session of its own.
const SETSID: [&str; 2] = ["/usr/bin/setsid", "/bin/setsid"];

/// The deepest folder of a temporary one that is made removable.
const MAX_TEMPORARY_DEPTH: usize = 100;

/// A command and all that it is given.
#[derive(Debug)]
pub(crate) struct Command<'a> {
    /// The program that gets `-c` and the command.
    pub(crate) shell: &'a Path,
    pub(crate) command: &'a str,
    /// Where it starts, absolute.
    pub(crate) folder: PathBuf,
    /// The folders beneath which it may write, beside its temporary one.
    pub(crate) writable: Vec<BorrowedFd<'a>>,
    pub(crate) timeout: Duration,
    /// The most bytes that are kept of each output.
    pub(crate) output_bytes: usize,
    /// Becomes closed when the call is no longer wanted.
    pub(crate) caller: &'a PipeReader,
}

/// Runs the command to its end, and ends what it left.
pub(crate) fn run(command: &Command<'_>) -> io::Result<Ran> {
    let temporary = tempfile::Builder::new().prefix("codemode-").tempdir()?;
    let mark = format!("{:016x}", RandomState::new().hash_one(temporary.path()));
    let child = start(command, temporary.path(), &mark)?;
    let descendants = Descendants::new(mark);
    let ran = supervise(child, &descendants, command.timeout, command.output_bytes, command.caller);
    remove(temporary);
    Ok(ran)
}

/// Removes a temporary folder, and first what a command did to keep that from happening.
fn remove(temporary: tempfile::TempDir) {
    if let Ok(folder) = Dir::open_ambient_dir(temporary.path(), ambient_authority()) {
        let _ = make_removable(&folder, MAX_TEMPORARY_DEPTH);
    }
    // What still cannot be removed is left to the system's own clearing.
    if let Err(error) = temporary.close() {
        tracing::debug!(%error, "a temporary folder of a command was left");
    }
}

/// Lets this user into each folder beneath this one. Works by handles, so that no link leads it elsewhere.
fn make_removable(folder: &Dir, depth: usize) -> io::Result<()> {
    for entry in folder.entries()? {
        let entry = entry?;
        if depth > 0 && entry.file_type()?.is_dir() {
            let name = entry.file_name();
            folder.set_permissions(&name, Permissions::from_mode(0o700))?;
            make_removable(&folder.open_dir(&name)?, depth - 1)?;
        }
    }
    Ok(())
}

/// Starts it from a thread that confines itself first: a child inherits what holds its parent thread.
fn start(command: &Command<'_>, temporary: &Path, mark: &str) -> io::Result<Child> {
    let temporary_folder = Dir::open_ambient_dir(temporary, ambient_authority())?;
    let mut writable = command.writable.clone();
    writable.push(temporary_folder.as_fd());
    let started = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("codemode-execute".to_owned()).spawn_scoped(scope, || {
            restrict_thread(&writable).map_err(|error| io::Error::other(format!("it could not be confined: {error}")))?;
            process(command, temporary, mark).spawn()
        });
        thread.map(std::thread::ScopedJoinHandle::join)
    })?;
    started.unwrap_or_else(|_| Err(io::Error::other("the thread that starts commands failed")))
}

fn process(command: &Command<'_>, temporary: &Path, mark: &str) -> std::process::Command {
    let mut process = match SETSID.iter().find(|program| Path::new(program).exists()) {
        // It makes the session itself and then becomes the shell, under the same number.
        Some(setsid) => {
            let mut process = std::process::Command::new(setsid);
            process.arg(command.shell);
            process
        }
        None => {
            let mut process = std::process::Command::new(command.shell);
            process.process_group(0);
            process
        }
    };
    process.arg("-c").arg(command.command).current_dir(&command.folder);
    process.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    process.env(MARK, mark).env("TERM", "dumb");
    for name in ["TMPDIR", "TMP", "TEMP"] {
        process.env(name, temporary);
    }
    process
}
