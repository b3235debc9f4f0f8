//! What a file object of a program stands for: a file, an end of a command, or the program's own input and output.

use std::os::fd::{AsFd as _, OwnedFd};

use codemode_core::Handle;
use rustix::event::PollFlags;
use rustix::fs::SeekFrom;
use rustix::io::Errno;

use super::buffer::ReadBuffer;
use super::command::{Command, Held, Left};
use super::disk::{Buffering, Disk, NoRoom};
use super::env::Env;
use super::trouble::Trouble;

/// What a file object stands for.
#[derive(Debug)]
pub(super) enum Stream {
    Disk(Disk),
    Piped(Piped),
    /// `io.stdin`: at its end from the beginning, since the host's own input is not the program's.
    Input,
    /// `io.stdout` and `io.stderr`: what the program shows.
    Output,
}

/// A command with the end of the pipe that the program holds.
#[derive(Debug)]
pub(super) struct Piped {
    command: Command,
    end: OwnedFd,
    read: ReadBuffer,
}

impl Stream {
    /// Starts a command with a pipe.
    pub(super) fn piped(env: &Env<'_>, text: &[u8], held: Held) -> Result<Self, Trouble> {
        let (command, end) = Command::start(text, held, env.cwd)?;
        let Some(end) = end else { return Err(Errno::INVAL.into()) };
        Ok(Self::Piped(Piped { command, end, read: ReadBuffer::new(env.guard) }))
    }

    /// What can be read without asking the system again; empty at the end.
    pub(super) fn fill(&mut self, env: &Env<'_>) -> Result<&[u8], Trouble> {
        match self {
            Self::Disk(disk) => disk.fill(env),
            Self::Piped(piped) => piped.fill(env),
            Self::Input => Ok(&[]),
            Self::Output => Err(Errno::BADF.into()),
        }
    }

    /// Takes so many bytes of what [`Stream::fill`] gave.
    pub(super) fn take(&mut self, count: usize) {
        match self {
            Self::Disk(disk) => disk.take(count),
            Self::Piped(piped) => piped.read.take(count),
            Self::Input | Self::Output => {}
        }
    }

    pub(super) fn write(&mut self, env: &Env<'_>, bytes: &[u8]) -> Result<(), Trouble> {
        match self {
            Self::Disk(disk) => disk.write(env, bytes),
            Self::Piped(piped) => piped.write(env, bytes),
            Self::Input => Err(Errno::BADF.into()),
            Self::Output => show(env.handle, bytes),
        }
    }

    pub(super) fn flush(&mut self, env: &Env<'_>) -> Result<(), Trouble> {
        match self {
            Self::Disk(disk) => disk.flush(env),
            Self::Piped(_) | Self::Input | Self::Output => Ok(()),
        }
    }

    /// The same where nobody is there to be told: whoever flushes next is.
    pub(super) fn flush_quietly(&mut self, env: &Env<'_>) {
        if let Self::Disk(disk) = self {
            disk.flush_quietly(env);
        }
    }

    pub(super) fn seek(&mut self, env: &Env<'_>, from: SeekFrom) -> Result<u64, Trouble> {
        match self {
            Self::Disk(disk) => disk.seek(env, from),
            Self::Piped(_) | Self::Input | Self::Output => Err(Errno::SPIPE.into()),
        }
    }

    pub(super) fn set_buffering(&mut self, env: &Env<'_>, buffering: Buffering) -> Result<(), Trouble> {
        match self {
            Self::Disk(disk) => disk.set_buffering(env, buffering),
            Self::Piped(_) | Self::Input | Self::Output => Ok(()),
        }
    }

    /// Writes what is buffered, and waits for the end of a command; gives what that left running.
    pub(super) fn close(self, env: &Env<'_>) -> Result<Option<Left>, Trouble> {
        match self {
            Self::Disk(mut disk) => disk.flush(env).map(|()| None),
            Self::Piped(Piped { mut command, end, .. }) => {
                drop(end);
                command.wait(env)?;
                Ok(command.left())
            }
            Self::Input | Self::Output => Ok(None),
        }
    }

    /// Lets go of it without waiting for a command, which runs on and whose output is still shown.
    pub(super) fn abandon(self, env: &Env<'_>, no_room: NoRoom) -> (Option<Command>, Result<(), Trouble>) {
        match self {
            Self::Disk(mut disk) => (None, disk.flush_or(env, no_room)),
            Self::Piped(Piped { command, .. }) => (Some(command), Ok(())),
            Self::Input | Self::Output => (None, Ok(())),
        }
    }
}

impl Piped {
    fn fill(&mut self, env: &Env<'_>) -> Result<&[u8], Trouble> {
        if self.command.held() != Held::Output {
            return Err(Errno::BADF.into());
        }
        let Self { command, end, read, .. } = self;
        read.fill(|block| {
            loop {
                while !command.step(env, Some((end.as_fd(), PollFlags::IN)))? {}
                match rustix::io::read(&*end, &mut *block) {
                    Err(Errno::INTR | Errno::AGAIN) => {}
                    read => return Ok(read?),
                }
            }
        })?;
        Ok(self.read.bytes())
    }

    /// Unbuffered: what a command is given reaches it at once.
    fn write(&mut self, env: &Env<'_>, mut bytes: &[u8]) -> Result<(), Trouble> {
        if self.command.held() != Held::Input {
            return Err(Errno::BADF.into());
        }
        while !bytes.is_empty() {
            while !self.command.step(env, Some((self.end.as_fd(), PollFlags::OUT)))? {}
            match rustix::io::write(&self.end, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(())
    }
}

/// What a program writes to its output is shown as `print` shows it.
fn show(handle: Option<&Handle>, bytes: &[u8]) -> Result<(), Trouble> {
    let Some(handle) = handle else { return Err(Trouble::Stopped) };
    for chunk in bytes.utf8_chunks() {
        if !chunk.valid().is_empty() {
            handle.print(chunk.valid())?;
        }
        if !chunk.invalid().is_empty() {
            handle.print("\u{fffd}")?;
        }
    }
    Ok(())
}
