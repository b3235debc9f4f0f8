//! Errors of the operating system in the words that programs know from Node.

use std::io;
use std::path::Path;

use codemode_core::LocalFault;
use rustix::io::Errno;

/// The longest path in a message, in bytes.
const MOST_SHOWN: usize = 500;

/// The fault of a system call that failed for a path.
pub(super) fn of(error: &io::Error, syscall: &str, path: &Path) -> LocalFault {
    made(error, syscall, Some(path), None)
}

/// The fault of a system call that failed for two paths.
pub(super) fn of_two(error: &io::Error, syscall: &str, path: &Path, dest: &Path) -> LocalFault {
    made(error, syscall, Some(path), Some(dest))
}

/// The fault of a program that could not be started.
pub(super) fn of_spawn(error: &io::Error, program: &str) -> LocalFault {
    let (code, _) = named(error);
    LocalFault {
        message: format!("spawn {} {code}", shown(program)),
        syscall: Some(format!("spawn {}", shown(program)).into()),
        path: Some(program.into()),
        errno: error.raw_os_error().map(|number| -number),
        code,
        dest: None,
    }
}

/// A fault with a code and a message of ours.
pub(super) fn said(code: &str, message: impl Into<String>) -> LocalFault {
    LocalFault { code: code.to_owned(), message: message.into(), ..LocalFault::default() }
}

/// The run is over. No program sees it.
pub(super) fn stopped() -> LocalFault {
    said("ABORT_ERR", "the run is over")
}

/// The fault of a code, as if the system had given it.
pub(super) fn as_if(code: &str, syscall: &str, path: &Path) -> LocalFault {
    let (number, words) = WORDS
        .iter()
        .find(|(known, ..)| *known == code)
        .map_or((None, "unknown error"), |(_, errno, words)| (Some(-errno.raw_os_error()), *words));
    LocalFault {
        code: code.to_owned(),
        errno: number,
        syscall: Some(syscall.into()),
        path: Some(path.to_string_lossy().into()),
        dest: None,
        message: format!("{code}: {words}, {syscall} '{}'", shown(&path.to_string_lossy())),
    }
}

fn made(error: &io::Error, syscall: &str, path: Option<&Path>, dest: Option<&Path>) -> LocalFault {
    let (code, words) = named(error);
    let text = |path: &Path| Box::<str>::from(path.to_string_lossy());
    let (path, dest) = (path.map(text), dest.map(text));
    let mut message = format!("{code}: {words}, {syscall}");
    if let Some(path) = &path {
        message.push_str(&format!(" '{}'", shown(path)));
    }
    if let Some(dest) = &dest {
        message.push_str(&format!(" -> '{}'", shown(dest)));
    }
    LocalFault { code, errno: error.raw_os_error().map(|number| -number), syscall: Some(syscall.into()), path, dest, message }
}

fn shown(text: &str) -> String {
    codemode_core::text::cut(text, MOST_SHOWN).into_owned()
}

/// The code and the words of an error; what has no number of the system's is `EIO`.
fn named(error: &io::Error) -> (String, String) {
    let Some(number) = error.raw_os_error() else { return ("EIO".to_owned(), error.to_string()) };
    match WORDS.iter().find(|(_, errno, _)| errno.raw_os_error() == number) {
        Some((code, _, words)) => ((*code).to_owned(), (*words).to_owned()),
        None => (format!("E{number}"), error.to_string()),
    }
}

/// The codes and words of Node, which are those of libuv.
const WORDS: &[(&str, Errno, &str)] = &[
    ("ENOENT", Errno::NOENT, "no such file or directory"),
    ("EEXIST", Errno::EXIST, "file already exists"),
    ("EACCES", Errno::ACCESS, "permission denied"),
    ("EPERM", Errno::PERM, "operation not permitted"),
    ("EISDIR", Errno::ISDIR, "illegal operation on a directory"),
    ("ENOTDIR", Errno::NOTDIR, "not a directory"),
    ("ENOTEMPTY", Errno::NOTEMPTY, "directory not empty"),
    ("EINVAL", Errno::INVAL, "invalid argument"),
    ("ELOOP", Errno::LOOP, "too many symbolic links encountered"),
    ("EMFILE", Errno::MFILE, "too many open files"),
    ("ENFILE", Errno::NFILE, "file table overflow"),
    ("ENAMETOOLONG", Errno::NAMETOOLONG, "name too long"),
    ("ENOSPC", Errno::NOSPC, "no space left on device"),
    ("EROFS", Errno::ROFS, "read-only file system"),
    ("EXDEV", Errno::XDEV, "cross-device link not permitted"),
    ("EBUSY", Errno::BUSY, "resource busy or locked"),
    ("EBADF", Errno::BADF, "bad file descriptor"),
    ("EFBIG", Errno::FBIG, "file too large"),
    ("EIO", Errno::IO, "i/o error"),
    ("EMLINK", Errno::MLINK, "too many links"),
    ("ENODEV", Errno::NODEV, "no such device"),
    ("ENOMEM", Errno::NOMEM, "not enough memory"),
    ("ENOTSUP", Errno::NOTSUP, "operation not supported on socket"),
    ("ENXIO", Errno::NXIO, "no such device or address"),
    ("EPIPE", Errno::PIPE, "broken pipe"),
    ("ESRCH", Errno::SRCH, "no such process"),
    ("ETXTBSY", Errno::TXTBSY, "text file is busy"),
    ("E2BIG", Errno::TOOBIG, "argument list too long"),
    ("EAGAIN", Errno::AGAIN, "resource temporarily unavailable"),
    ("ENOEXEC", Errno::NOEXEC, "exec format error"),
    ("EDQUOT", Errno::DQUOT, "disk quota exceeded"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_the_words_and_fields_of_node() {
        let error = io::Error::from(Errno::NOENT);
        assert_eq!(
            of(&error, "open", Path::new("/no/such")),
            LocalFault {
                code: "ENOENT".to_owned(),
                errno: Some(-2),
                syscall: Some("open".into()),
                path: Some("/no/such".into()),
                dest: None,
                message: "ENOENT: no such file or directory, open '/no/such'".to_owned(),
            }
        );
        let error = io::Error::from(Errno::EXIST);
        assert_eq!(of_two(&error, "rename", Path::new("/a"), Path::new("/b")).message, "EEXIST: file already exists, rename '/a' -> '/b'");
        assert_eq!(of_spawn(&io::Error::from(Errno::NOENT), "nope").message, "spawn nope ENOENT");
    }
}
