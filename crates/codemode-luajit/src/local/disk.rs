//! A file that a program opened by its path: buffered, and never waited for without an end.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use codemode_core::Guard;
use rustix::event::PollFlags;
use rustix::fs::SeekFrom;
use rustix::io::Errno;

use super::buffer::ReadBuffer;
use super::env::Env;
use super::host_streams::is_of_the_host;
use super::trouble::Trouble;
use super::wait;
use crate::convert::Counted;

/// How much is kept before it is written, in bytes.
const WRITE_BUFFER: usize = 16 << 10;

/// How much is written between two looks at the latch, in bytes.
const PIECE: usize = 1 << 20;

/// How long passes before a pipe that nobody reads is tried again.
const RETRY: Duration = Duration::from_millis(20);

/// How a file was opened, by the letters of C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mode {
    first: u8,
    update: bool,
    exclusive: bool,
}

/// When written bytes go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Buffering {
    /// At once.
    No,
    /// After each line.
    Line,
    /// When the buffer is full.
    Full,
}

/// What becomes of bytes that a pipe or a device has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoRoom {
    /// Room is waited for until the run is over.
    Wait,
    /// They are lost.
    Drop,
}

#[derive(Debug)]
pub(super) struct Disk {
    file: File,
    mode: Mode,
    /// Whether it may have nothing to read or no room: a pipe or a device.
    waits: bool,
    read: ReadBuffer,
    written: Counted<u8>,
    buffering: Buffering,
    /// Why buffered bytes were lost when nobody asked, until somebody does.
    unreported: Option<Trouble>,
}

impl Mode {
    /// Reads a mode as glibc does: the first letter counts, then the known ones among the next six.
    pub(super) fn parse(mode: &[u8]) -> Option<Self> {
        let (&first, rest) = mode.split_first()?;
        if !matches!(first, b'r' | b'w' | b'a') {
            return None;
        }
        let rest = &rest[..rest.len().min(6)];
        Some(Self { first, update: rest.contains(&b'+'), exclusive: rest.contains(&b'x') })
    }

    pub(super) fn reads(self) -> bool {
        self.first == b'r' || self.update
    }

    pub(super) fn writes(self) -> bool {
        self.first != b'r' || self.update
    }

    fn options(self) -> OpenOptions {
        let mut options = OpenOptions::new();
        let creates = self.first != b'r';
        options.read(self.reads()).write(self.writes() && self.first != b'a').append(self.first == b'a');
        // What is there is cut off only once it is known whose it is.
        options.truncate(false).create(creates && !self.exclusive).create_new(creates && self.exclusive);
        // Neither opening nor reading waits by itself, and no terminal becomes the host's.
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
        options
    }
}

impl Disk {
    /// Opens a file that is not one of the host's own streams. A pipe that nobody reads is waited for, as without us.
    pub(super) fn open(env: &Env<'_>, path: &Path, mode: Mode) -> Result<Self, Trouble> {
        let options = mode.options();
        let file = loop {
            match options.open(path) {
                Err(error) if error.raw_os_error() == Some(libc::ENXIO) && is_pipe(path) => {
                    env.guard.check()?;
                    std::thread::sleep(RETRY);
                }
                opened => break opened?,
            }
        };
        if is_of_the_host(&file) {
            return Err(Trouble::TheHosts);
        }
        let disk = Self::new(env.guard, file, mode)?;
        if mode.first == b'w' && disk.file.metadata()?.is_file() {
            disk.file.set_len(0)?;
        }
        Ok(disk)
    }

    /// A new file without a name.
    pub(super) fn temporary(env: &Env<'_>) -> Result<Self, Trouble> {
        let (file, path) = create_unique(env)?;
        std::fs::remove_file(path)?;
        Ok(Self::new(env.guard, file, Mode { first: b'w', update: true, exclusive: false })?)
    }

    fn new(guard: &Arc<Guard>, file: File, mode: Mode) -> io::Result<Self> {
        let kind = file.metadata()?.file_type();
        let waits = !kind.is_file() && !kind.is_dir();
        Ok(Self {
            file,
            mode,
            waits,
            read: ReadBuffer::new(guard),
            written: Counted::new(guard),
            buffering: Buffering::Full,
            unreported: None,
        })
    }

    /// What can be read without asking the system again; empty at the end of the file.
    pub(super) fn fill(&mut self, env: &Env<'_>) -> Result<&[u8], Trouble> {
        if !self.mode.reads() {
            return Err(Errno::BADF.into());
        }
        self.flush(env)?;
        let (file, waits) = (&self.file, self.waits);
        self.read.fill(|block| {
            loop {
                env.guard.check()?;
                if waits {
                    wait::until_ready(env.guard, file.as_fd(), PollFlags::IN)?;
                }
                match rustix::io::read(file, &mut *block) {
                    Err(Errno::INTR | Errno::AGAIN) => {}
                    read => return Ok(read?),
                }
            }
        })?;
        Ok(self.read.bytes())
    }

    /// Takes so many bytes of what [`Disk::fill`] gave.
    pub(super) fn take(&mut self, count: usize) {
        self.read.take(count);
    }

    pub(super) fn write(&mut self, env: &Env<'_>, bytes: &[u8]) -> Result<(), Trouble> {
        if !self.mode.writes() {
            return Err(Errno::BADF.into());
        }
        self.forget_read();
        if self.written.len() + bytes.len() > WRITE_BUFFER {
            self.flush(env)?;
        }
        if bytes.len() > WRITE_BUFFER {
            return self.put(env, bytes, NoRoom::Wait);
        }
        self.written.extend(bytes)?;
        let at_once = match self.buffering {
            Buffering::No => true,
            Buffering::Line => bytes.contains(&b'\n'),
            Buffering::Full => false,
        };
        if at_once { self.flush(env) } else { Ok(()) }
    }

    /// The same where nobody is there to be told: whoever flushes next is.
    pub(super) fn flush_quietly(&mut self, env: &Env<'_>) {
        self.unreported = self.flush(env).err();
    }

    /// Hands on what was written. What the system refuses is dropped, so that it is not refused for ever.
    pub(super) fn flush(&mut self, env: &Env<'_>) -> Result<(), Trouble> {
        self.flush_or(env, NoRoom::Wait)
    }

    /// The same, with a choice.
    pub(super) fn flush_or(&mut self, env: &Env<'_>, no_room: NoRoom) -> Result<(), Trouble> {
        if let Some(trouble) = self.unreported.take() {
            return Err(trouble);
        }
        if self.written.len() == 0 {
            return Ok(());
        }
        let put = self.put(env, self.written.items(), no_room);
        self.written.truncate(0);
        put
    }

    pub(super) fn seek(&mut self, env: &Env<'_>, from: SeekFrom) -> Result<u64, Trouble> {
        self.flush(env)?;
        let unread = i64::try_from(self.read.bytes().len()).unwrap_or(0);
        let from = match from {
            SeekFrom::Current(offset) => SeekFrom::Current(offset.checked_sub(unread).ok_or(Errno::INVAL)?),
            other => other,
        };
        let place = rustix::fs::seek(&self.file, from)?;
        self.read.forget();
        Ok(place)
    }

    pub(super) fn set_buffering(&mut self, env: &Env<'_>, buffering: Buffering) -> Result<(), Trouble> {
        self.buffering = buffering;
        self.flush(env)
    }

    /// Before writing: the place in the file is where the program has read to.
    fn forget_read(&mut self) {
        let unread = self.read.forget();
        if unread > 0 && !self.waits {
            let _ = rustix::fs::seek(&self.file, SeekFrom::Current(-i64::try_from(unread).unwrap_or(0)));
        }
    }

    fn put(&self, env: &Env<'_>, bytes: &[u8], no_room: NoRoom) -> Result<(), Trouble> {
        let mut rest = bytes;
        while !rest.is_empty() {
            // What a stopped program wrote before is still written: a buffer's worth into a file takes no time.
            if self.waits || bytes.len() > WRITE_BUFFER {
                env.guard.check()?;
            }
            match rustix::io::write(&self.file, &rest[..rest.len().min(PIECE)]) {
                Ok(count) => rest = &rest[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if no_room == NoRoom::Wait => wait::until_ready(env.guard, self.file.as_fd(), PollFlags::OUT)?,
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(())
    }
}

/// Creates a file with a name that no other has.
pub(super) fn create_unique(env: &Env<'_>) -> io::Result<(File, PathBuf)> {
    loop {
        let path = std::env::temp_dir().join(format!("lua_{:016x}", env.random()));
        let mut options = OpenOptions::new();
        match options.read(true).write(true).create_new(true).mode(0o600).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (file, path)),
        }
    }
}

fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
}
