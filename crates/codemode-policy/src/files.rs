//! Reading a file of a person's or a project's: within a bound, and with a message that says what to do.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// There is none.
    #[error("the file is not there; name one that is")]
    NotThere,
    /// It is a folder, a named pipe, a device or a socket, of which some never end and some never begin.
    #[error("it is {0} and no file; name a file")]
    NoFile(&'static str),
    /// It is larger than such a file may be.
    #[error("the file has more than {0} bytes, which is the most that it may have")]
    TooLarge(u64),
    /// The system refuses.
    #[error("the file cannot be read: {why}; {}", next_step(.why))]
    Refused {
        /// What it says.
        why: io::Error,
    },
}

fn next_step(why: &io::Error) -> &'static str {
    match why.kind() {
        io::ErrorKind::PermissionDenied => "let this user read it, or name another",
        _ => "look at what stands there, or name another",
    }
}

impl From<io::Error> for Unreadable {
    fn from(why: io::Error) -> Self {
        match why.kind() {
            io::ErrorKind::NotFound => Self::NotThere,
            io::ErrorKind::IsADirectory => Self::NoFile("a folder"),
            _ => Self::Refused { why },
        }
    }
}

/// Reads a file of at most `most` bytes. What is no file is not opened, since opening a named pipe may wait for ever.
///
/// # Errors
/// When it is not there, is no file, is too large, or the system refuses.
pub fn read_file_of_at_most(path: &Path, most: u64) -> Result<Vec<u8>, Unreadable> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(Unreadable::NoFile("a folder"));
    }
    if !kind.is_file() {
        return Err(Unreadable::NoFile("a pipe, a device or a socket"));
    }
    read_any_of_at_most(path, most)
}

/// The same for what a person named, which may be a pipe: `<(…)` of a shell is one.
///
/// # Errors
/// When it is not there, is a folder, is too large, or the system refuses.
pub fn read_any_of_at_most(path: &Path, most: u64) -> Result<Vec<u8>, Unreadable> {
    let mut content = Vec::new();
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > most { Err(Unreadable::TooLarge(most)) } else { Ok(content) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_says_what_to_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |name: &str| folder.path().join(name);
        fs::write(place("file"), "four").expect("a file");
        let read = |name: &str, most| read_file_of_at_most(&place(name), most).map_err(|why| why.to_string());
        assert_eq!(read("file", 4), Ok(b"four".to_vec()));
        assert_eq!(read("file", 3), Err("the file has more than 3 bytes, which is the most that it may have".to_owned()));
        assert_eq!(read("none", 4), Err("the file is not there; name one that is".to_owned()));
        assert_eq!(read(".", 4), Err("it is a folder and no file; name a file".to_owned()));
        let expected = "the file cannot be read: Not a directory (os error 20); look at what stands there, or name another";
        assert_eq!(read("file/in", 4), Err(expected.to_owned()));
        let named = read_any_of_at_most(folder.path(), 4).map_err(|why| why.to_string());
        assert_eq!(named, Err("it is a folder and no file; name a file".to_owned()));
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
        assert!(made.success());
        let error = read_file_of_at_most(&pipe, 4).expect_err("no file").to_string();
        assert_eq!(error, "it is a pipe, a device or a socket and no file; name a file");
    }
}
