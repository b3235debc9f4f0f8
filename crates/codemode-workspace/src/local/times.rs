//! What there is to know of a path, and what of it can be set.

use std::fs::{self, FileType, Metadata, Permissions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::time::{Duration, SystemTime};

use codemode_core::{LocalAnswer, LocalFault};
use serde::Serialize;

use super::arguments::Arguments;
use super::fault;
use super::output::{answer, nothing};

/// A path's metadata, under the names of Node's `Stats`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Stat {
    kind: &'static str,
    dev: u64,
    ino: u64,
    mode: u32,
    nlink: u64,
    uid: u32,
    gid: u32,
    rdev: u64,
    size: u64,
    blksize: u64,
    blocks: u64,
    atime_ms: f64,
    mtime_ms: f64,
    ctime_ms: f64,
    birthtime_ms: f64,
}

/// What there is to know of a path; of a link itself where `follow` is false.
pub(super) fn stat(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let follow = given.flag("follow");
    let (found, syscall) = if follow { (fs::metadata(&path), "stat") } else { (fs::symlink_metadata(&path), "lstat") };
    let metadata = found.map_err(|error| fault::of(&error, syscall, &path))?;
    answer(&described(&metadata))
}

fn described(metadata: &Metadata) -> Stat {
    let changed = milliseconds(metadata.ctime(), metadata.ctime_nsec());
    Stat {
        kind: kind(metadata.file_type()),
        dev: metadata.dev(),
        ino: metadata.ino(),
        mode: metadata.mode(),
        nlink: metadata.nlink(),
        uid: metadata.uid(),
        gid: metadata.gid(),
        rdev: metadata.rdev(),
        size: metadata.size(),
        blksize: metadata.blksize(),
        blocks: metadata.blocks(),
        atime_ms: milliseconds(metadata.atime(), metadata.atime_nsec()),
        mtime_ms: milliseconds(metadata.mtime(), metadata.mtime_nsec()),
        ctime_ms: changed,
        birthtime_ms: metadata.created().ok().and_then(since_epoch).unwrap_or(changed),
    }
}

/// What a thing in a folder is, in one word.
pub(super) fn kind(kind: FileType) -> &'static str {
    if kind.is_file() {
        "file"
    } else if kind.is_dir() {
        "directory"
    } else if kind.is_symlink() {
        "symlink"
    } else if kind.is_fifo() {
        "fifo"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_block_device() {
        "block"
    } else if kind.is_char_device() {
        "character"
    } else {
        "unknown"
    }
}

fn milliseconds(seconds: i64, nanoseconds: i64) -> f64 {
    seconds as f64 * 1000.0 + nanoseconds as f64 / 1_000_000.0
}

fn since_epoch(time: SystemTime) -> Option<f64> {
    time.duration_since(SystemTime::UNIX_EPOCH).ok().map(|since| since.as_secs_f64() * 1000.0)
}

/// Sets when a file was read and changed last, in seconds since 1970.
pub(super) fn set(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let at = |name| {
        let seconds = given.number(name).unwrap_or_default().clamp(0.0, 1e12);
        SystemTime::UNIX_EPOCH + Duration::from_secs_f64(seconds)
    };
    let times = fs::FileTimes::new().set_accessed(at("atime")).set_modified(at("mtime"));
    let failed = |error| fault::of(&error, "utime", &path);
    fs::File::open(&path).map_err(failed)?.set_times(times).map_err(failed)?;
    Ok(nothing())
}

/// Sets a path's permissions.
pub(super) fn chmod(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let permissions = Permissions::from_mode(super::files::mode(given, 0o644));
    fs::set_permissions(&path, permissions).map_err(|error| fault::of(&error, "chmod", &path))?;
    Ok(nothing())
}
