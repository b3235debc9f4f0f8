//! Telling the host's own standard streams from what a program may open.
//!
//! They are the host's protocol, and paths such as `/dev/stdout` and `/proc/self/fd/1` lead to them.

use std::io::IsTerminal as _;
use std::os::fd::AsFd;

use rustix::fs::{FileType, Stat, fstat, stat};
use rustix::stdio::{stderr, stdin, stdout};

/// Why a program does not get them.
pub(crate) const NOT_A_PROGRAMS: &str = "the host's own standard streams are not a program's";

/// Whether this is one of the host's own standard streams, or a terminal that one of them is, by whatever path it was opened.
///
/// The null device is nobody's. Ask before anything is read, written or cut off: opening with `O_TRUNC` is too late for a
/// stream that was sent to a file.
pub(crate) fn is_of_the_host(opened: impl AsFd) -> bool {
    let streams = [stdin(), stdout(), stderr()];
    let Ok(opened) = fstat(opened) else { return false };
    if streams.iter().any(|stream| fstat(stream).is_ok_and(|stream| is_one_of(&opened, &stream))) {
        return !is_device(&opened, "/dev/null");
    }
    // The name for whatever terminal the process has.
    is_device(&opened, "/dev/tty") && streams.iter().any(|stream| stream.is_terminal())
}

fn is_one_of(opened: &Stat, stream: &Stat) -> bool {
    let same_place = (opened.st_dev, opened.st_ino) == (stream.st_dev, stream.st_ino);
    // Several names may stand for one device.
    same_place || (is_device_file(opened) && is_device_file(stream) && opened.st_rdev == stream.st_rdev)
}

/// Whether this is the device that a path names.
fn is_device(opened: &Stat, path: &str) -> bool {
    is_device_file(opened) && stat(path).is_ok_and(|named| is_device_file(&named) && named.st_rdev == opened.st_rdev)
}

fn is_device_file(of: &Stat) -> bool {
    FileType::from_raw_mode(of.st_mode).is_char_device()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    fn of(file: impl AsFd) -> Stat {
        fstat(file).expect("a descriptor")
    }

    #[test]
    fn a_stream_is_known_by_what_it_is_and_not_by_how_it_was_opened() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        let (other, _writer) = std::io::pipe().expect("a pipe");
        assert!(is_one_of(&of(&writer), &of(&reader)), "both ends are one pipe");
        assert!(is_one_of(&of(reader.try_clone().expect("a second descriptor")), &of(&reader)));
        assert!(!is_one_of(&of(&other), &of(&reader)), "another pipe");

        let file = tempfile::NamedTempFile::new().expect("a file");
        assert!(is_one_of(&of(File::open(file.path()).expect("a file")), &of(file.as_file())));
        assert!(!is_one_of(&of(tempfile::tempfile().expect("a file")), &of(file.as_file())));

        let device = |path| of(File::open(path).expect("a device"));
        assert!(is_one_of(&device("/dev/zero"), &device("/dev/zero")));
        assert!(!is_one_of(&device("/dev/null"), &device("/dev/zero")), "another device of one file system");
        assert!(is_device(&device("/dev/null"), "/dev/null"));
        assert!(!is_device(&device("/dev/zero"), "/dev/null"));
    }
}
