//! Replaces a file in one step: a reader sees what was there, or what is there now, and never a half.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Replaces the file at `path`, or makes it; its folder is made where it is not there. A link stays, and what it leads to is replaced.
///
/// A new file can be read by its owner alone where `private`; else a file keeps the permissions that it has.
///
/// # Errors
/// Where the file cannot be written; then it is what it was.
pub(crate) fn replace_file(path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut beside = path.file_name().unwrap_or_default().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = folder.join(beside);
    let written = write_new(&beside, &path, bytes, private).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // What was half written is of no use to anybody.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write_new(beside: &Path, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    if private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let mut file = options.open(beside)?;
    if !private && let Ok(kept) = fs::metadata(path) {
        file.set_permissions(kept.permissions())?;
    }
    file.write_all(bytes)
}
