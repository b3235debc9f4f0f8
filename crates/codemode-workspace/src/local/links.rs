//! Names and links: taking away, renaming, following.

use std::fs;
use std::os::unix::fs::symlink;

use codemode_core::{LocalAnswer, LocalFault};

use super::arguments::Arguments;
use super::fault;
use super::output::{answer, nothing};

/// Takes a name of a file away.
pub(super) fn unlink(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    fs::remove_file(&path).map_err(|error| fault::of(&error, "unlink", &path))?;
    Ok(nothing())
}

/// Gives a file or folder another name, over what has it.
pub(super) fn rename(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let (from, to) = (given.path("path")?, given.path("to")?);
    fs::rename(&from, &to).map_err(|error| fault::of_two(&error, "rename", &from, &to))?;
    Ok(nothing())
}

/// The path without links, dots and double slashes.
pub(super) fn real_path(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let real = fs::canonicalize(&path).map_err(|error| fault::of(&error, "realpath", &path))?;
    answer(&real.to_string_lossy())
}

/// Where a link leads.
pub(super) fn read(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let path = given.path("path")?;
    let target = fs::read_link(&path).map_err(|error| fault::of(&error, "readlink", &path))?;
    answer(&target.to_string_lossy())
}

/// Makes a symbolic link at `path` to `target`, which may be relative to it.
pub(super) fn make(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let (target, path) = (given.path("target")?, given.path("path")?);
    symlink(&target, &path).map_err(|error| fault::of_two(&error, "symlink", &target, &path))?;
    Ok(nothing())
}

/// Gives a file another name beside its own.
pub(super) fn make_hard(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let (from, to) = (given.path("path")?, given.path("to")?);
    fs::hard_link(&from, &to).map_err(|error| fault::of_two(&error, "link", &from, &to))?;
    Ok(nothing())
}
