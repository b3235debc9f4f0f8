//! Files: reading, writing and copying them in pieces that look at the run in between.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use codemode_core::{Json, LocalAnswer, LocalFault};
use rustix::fs::{Access, OFlags};

use super::arguments::Arguments;
use super::fault;
use super::output::{answer, nothing};
use super::scope::Scope;

/// How much is read or written before the run is looked at again.
const PIECE: usize = 1 << 20;
/// The least that is read at once.
const LEAST_PIECE: usize = 4 << 10;
/// How long a file that has nothing yet, such as a pipe, is left alone before it is asked again.
const PAUSE: Duration = Duration::from_millis(5);

/// The whole of a file.
pub(super) fn read(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let failed = |error: &io::Error| fault::of(error, "open", &path);
    // Opening a pipe that nobody writes to would wait for ever.
    let mut file = OpenOptions::new().read(true).custom_flags(flags(OFlags::NONBLOCK)).open(&path).map_err(|error| failed(&error))?;
    let metadata = file.metadata().map_err(|error| failed(&error))?;
    if metadata.is_dir() {
        let mut fault = fault::as_if("EISDIR", "read", &path);
        fault.message = "EISDIR: illegal operation on a directory, read".to_owned();
        fault.path = None;
        return Err(fault);
    }
    let expected = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    // What a copy into shared bytes needs once more is counted from the start.
    let mut held = scope.reserve(expected.saturating_mul(2))?;
    let mut bytes = Vec::with_capacity(expected);
    loop {
        scope.check()?;
        // A file that is as long as it said has its end looked for in a small piece; one that is longer grows by half.
        let piece = if bytes.len() < expected { (expected - bytes.len()).min(PIECE) } else { (bytes.len() / 2).clamp(LEAST_PIECE, PIECE) };
        if bytes.len() + piece > held.bytes() / 2 {
            held.absorb(scope.reserve(2 * piece)?);
        }
        match (&mut file).take(piece as u64).read_to_end(&mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
            Err(error) => return Err(fault::of(&error, "read", &path)),
        }
    }
    let bytes: Arc<[u8]> = bytes.into();
    drop(held);
    let held = scope.reserve(bytes.len())?;
    Ok(LocalAnswer { value: Json::null(), parts: vec![bytes], held: Some(held) })
}

/// Writes a file: over what there is, after it, or only where there is none.
pub(super) fn write(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let bytes = given.part(0);
    let flag = given.text("flag").unwrap_or("w");
    let mut options = OpenOptions::new();
    match flag {
        "w" | "w+" => options.write(true).create(true).truncate(true),
        "a" | "a+" | "as" => options.append(true).create(true),
        "wx" | "xw" | "wx+" | "xw+" => options.write(true).create_new(true),
        "ax" | "xa" | "ax+" | "xa+" => options.append(true).create_new(true),
        "r+" | "rs+" => options.write(true),
        other => {
            let shown = codemode_core::text::cut(other, 40);
            let message = format!("the flag is {shown:?}, and files are written with w, a, wx, ax or r+");
            return Err(fault::said("ERR_INVALID_ARG_VALUE", message));
        }
    };
    options.mode(mode(given, 0o666)).custom_flags(flags(OFlags::NONBLOCK));
    let mut file = options.open(&path).map_err(|error| fault::of(&error, "open", &path))?;
    write_all(&mut file, &bytes, scope, &path)?;
    Ok(nothing())
}

fn write_all(file: &mut File, bytes: &[u8], scope: &Scope, path: &Path) -> Result<(), LocalFault> {
    let mut rest = bytes;
    while !rest.is_empty() {
        scope.check()?;
        match file.write(&rest[..rest.len().min(PIECE)]) {
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
            Err(error) => return Err(fault::of(&error, "write", path)),
        }
    }
    Ok(())
}

/// Copies one file.
pub(super) fn copy(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let (from, to) = (given.path("path")?, given.path("to")?);
    copy_file(&from, &to, given.flag("exclusive"), scope)?;
    Ok(nothing())
}

/// Copies a file with its permissions.
pub(super) fn copy_file(from: &Path, to: &Path, exclusive: bool, scope: &Scope) -> Result<(), LocalFault> {
    let failed = |error: io::Error| fault::of_two(&error, "copyfile", from, to);
    let mut source = OpenOptions::new().read(true).custom_flags(flags(OFlags::NONBLOCK)).open(from).map_err(failed)?;
    let metadata = source.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(fault::of_two(&io::Error::from(rustix::io::Errno::ISDIR), "copyfile", from, to));
    }
    if let Ok(there) = std::fs::metadata(to)
        && is_same(&there, &metadata)
    {
        // Emptying it before it is read would lose it.
        return Ok(());
    }
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(flags(OFlags::NONBLOCK));
    if exclusive {
        options.create_new(true)
    } else {
        options.create(true).truncate(true)
    };
    let mut target = options.open(to).map_err(failed)?;
    let _held = scope.reserve(PIECE)?;
    let mut piece = vec![0; PIECE];
    loop {
        scope.check()?;
        match source.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => write_all(&mut target, &piece[..count], scope, to)?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
            Err(error) => return Err(failed(error)),
        }
    }
    if metadata.is_file() {
        target.set_permissions(metadata.permissions()).map_err(failed)?;
    }
    Ok(())
}

fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.dev() == other.dev() && one.ino() == other.ino()
}

/// Cuts a file off, or makes it longer with zeros.
pub(super) fn truncate(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let file = OpenOptions::new().write(true).open(&path).map_err(|error| fault::of(&error, "open", &path))?;
    file.set_len(given.whole("length").unwrap_or_default()).map_err(|error| fault::of(&error, "ftruncate", &path))?;
    Ok(nothing())
}

/// Whether a path may be used in this way.
pub(super) fn access(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let wanted = given.whole("mode").unwrap_or_default();
    let mut access = Access::EXISTS;
    for (bit, right) in [(4, Access::READ_OK), (2, Access::WRITE_OK), (1, Access::EXEC_OK)] {
        if wanted & bit != 0 {
            access |= right;
        }
    }
    rustix::fs::access(&path, access).map_err(|error| fault::of(&error.into(), "access", &path))?;
    answer(&true)
}

/// The permissions of what is made, as far as the process's mask lets them be.
pub(super) fn mode(given: &Arguments<'_>, usual: u32) -> u32 {
    given.whole("mode").and_then(|mode| u32::try_from(mode & 0o7777).ok()).unwrap_or(usual)
}

fn flags(flags: OFlags) -> i32 {
    #[expect(clippy::cast_possible_wrap, reason = "flags of the system's are a C int")]
    let flags = flags.bits() as i32;
    flags
}
