//! Folders: what is in them, making, removing and copying them.

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use codemode_core::{Json, LocalAnswer, LocalFault, Reserved};
use serde::Serialize;

use super::arguments::Arguments;
use super::files::{copy_file, mode};
use super::output::{answer, nothing};
use super::scope::Scope;
use super::{fault, times};

/// What an entry takes besides its name and its folder, in bytes.
const ENTRY_BYTES: usize = 96;
/// The deepest folder that is copied or read with all beneath it.
const MOST_DEPTH: usize = 500;

/// One name in a folder.
#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    /// The folder, from the one that was asked for; empty for that itself.
    folder: String,
    kind: &'static str,
}

/// The names in a folder, sorted; with `recursive` those of all folders beneath it too.
pub(super) fn read(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let root = given.path("path")?;
    let recursive = given.flag("recursive");
    let (mut entries, mut held) = (Vec::new(), None::<Reserved>);
    let mut waiting = vec![(root, String::new(), 0)];
    while let Some((path, folder, depth)) = waiting.pop() {
        let failed = |error| fault::of(&error, "scandir", &path);
        let first = entries.len();
        for entry in fs::read_dir(&path).map_err(failed)? {
            scope.check()?;
            let entry = entry.map_err(failed)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_or("unknown", times::kind);
            let more = scope.reserve(2 * (name.len() + folder.len() + ENTRY_BYTES))?;
            match &mut held {
                Some(held) => held.absorb(more),
                None => held = Some(more),
            }
            entries.push(Entry { name, folder: folder.clone(), kind });
        }
        entries[first..].sort_by(|one, other| one.name.cmp(&other.name));
        if recursive && depth < MOST_DEPTH {
            let within = entries[first..].iter().rev().filter(|entry| entry.kind == "directory");
            waiting.extend(within.map(|entry| {
                let below = if folder.is_empty() { entry.name.clone() } else { format!("{folder}/{}", entry.name) };
                (path.join(&entry.name), below, depth + 1)
            }));
        }
    }
    let json = Json::from_serialize(&entries).map_err(|error| fault::said("EIO", error.to_string()))?;
    Ok(LocalAnswer { value: json, parts: Vec::new(), held })
}

/// Makes a folder; with `recursive` those above it too, and gives the first that was made.
pub(super) fn make(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let failed = |error| fault::of(&error, "mkdir", &path);
    let mut builder = DirBuilder::new();
    builder.mode(mode(given, 0o777));
    if !given.flag("recursive") {
        builder.create(&path).map_err(failed)?;
        return Ok(nothing());
    }
    let first = path.ancestors().take_while(|above| !above.exists()).last().map(|first| first.to_string_lossy().into_owned());
    builder.recursive(true).create(&path).map_err(failed)?;
    answer(&first)
}

/// Makes a folder of a name that begins with `prefix` and that nothing has.
pub(super) fn make_temporary(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let prefix = given.path("prefix")?;
    let text = prefix.to_string_lossy();
    let (folder, name) = text.rsplit_once('/').map_or((".", &*text), |(folder, name)| (if folder.is_empty() { "/" } else { folder }, name));
    let made = tempfile::Builder::new().prefix(name).rand_bytes(6).disable_cleanup(true).tempdir_in(folder);
    let made = made.map_err(|error| {
        // What makes it keeps the kind of the system's error, and not its number.
        let code = match error.kind() {
            ErrorKind::NotFound => "ENOENT",
            ErrorKind::PermissionDenied => "EACCES",
            ErrorKind::NotADirectory => "ENOTDIR",
            ErrorKind::ReadOnlyFilesystem => "EROFS",
            ErrorKind::StorageFull => "ENOSPC",
            _ => "EIO",
        };
        fault::as_if(code, "mkdtemp", Path::new(&format!("{text}XXXXXX")))
    })?;
    answer(&made.keep().to_string_lossy())
}

/// Removes a file, or with `recursive` a folder and all in it; with `force` it may not be there.
pub(super) fn remove(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let metadata = match fs::symlink_metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound && given.flag("force") => return Ok(nothing()),
        Err(error) => return Err(fault::of(&error, "rm", &path)),
    };
    if metadata.is_dir() && !given.flag("recursive") {
        let mut fault = fault::as_if("EISDIR", "rm", &path);
        "ERR_FS_EISDIR".clone_into(&mut fault.code);
        fault.message = format!("Path is a directory: rm returned EISDIR (is a directory) {}", path.display());
        return Err(fault);
    }
    let removed = if metadata.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    removed.map_err(|error| fault::of(&error, "rm", &path))?;
    Ok(nothing())
}

/// Removes a folder that has nothing in it.
pub(super) fn remove_empty(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    fs::remove_dir(&path).map_err(|error| fault::of(&error, "rmdir", &path))?;
    Ok(nothing())
}

/// Copies a file, or with `recursive` a folder and all in it; links are copied as links.
pub(super) fn copy(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let (from, to) = (given.path("path")?, given.path("to")?);
    let over = given.value("force").and_then(serde_json::Value::as_bool).unwrap_or(true);
    let metadata = fs::symlink_metadata(&from).map_err(|error| fault::of(&error, "cp", &from))?;
    if metadata.is_dir() {
        if !given.flag("recursive") {
            let message =
                format!("Recursive option not enabled, cannot copy a directory: cp returned EISDIR ({} is a directory)", from.display());
            return Err(fault::said("ERR_FS_EISDIR", message));
        }
        if to.starts_with(&from) {
            let message = format!("Cannot copy {} to a subdirectory of self {}", from.display(), to.display());
            return Err(fault::said("ERR_FS_CP_EINVAL", message));
        }
    }
    let mut waiting: Vec<(PathBuf, PathBuf, usize)> = vec![(from, to, 0)];
    while let Some((from, to, depth)) = waiting.pop() {
        scope.check()?;
        let failed = |error| fault::of_two(&error, "cp", &from, &to);
        let metadata = fs::symlink_metadata(&from).map_err(failed)?;
        if metadata.is_dir() {
            if depth == MOST_DEPTH {
                return Err(fault::said("ELOOP", format!("{} lies too deep to be copied", from.display())));
            }
            fs::create_dir_all(&to).map_err(failed)?;
            for entry in fs::read_dir(&from).map_err(failed)? {
                let name = entry.map_err(failed)?.file_name();
                waiting.push((from.join(&name), to.join(&name), depth + 1));
            }
        } else if !over && fs::symlink_metadata(&to).is_ok() {
            // What is there stays.
        } else if metadata.is_symlink() {
            if over {
                let _ = fs::remove_file(&to);
            }
            symlink(fs::read_link(&from).map_err(failed)?, &to).map_err(failed)?;
        } else {
            if let Some(above) = to.parent() {
                fs::create_dir_all(above).map_err(failed)?;
            }
            copy_file(&from, &to, false, scope)?;
        }
    }
    Ok(nothing())
}
