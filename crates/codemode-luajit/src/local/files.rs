//! The files and commands that a program has open.

use std::cell::RefCell;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::command::{Command, Held, Left};
use super::disk::NoRoom;
use super::env::Env;
use super::stream::Stream;
use super::trouble::{Trouble, reason};

/// The most files that a program has open: the host needs descriptors too.
const MAX_OPEN: usize = 200;

/// The most commands that a program has running in the background; older ones are ended.
const MAX_LEFT: usize = 64;

/// How long commands that the program read from, and left open, are waited for at its end.
const READ_PIPES: Duration = Duration::from_secs(2);

/// Where `io.stdin` is.
pub(super) const INPUT: u32 = 0;
/// Where `io.stdout` is.
pub(super) const OUTPUT: u32 = 1;
/// Where `io.stderr` is.
pub(super) const COMPLAINTS: u32 = 2;

/// The files and commands that a program has open. Dropping it ends the commands.
#[derive(Debug)]
pub(super) struct Files {
    slots: Vec<Option<Stream>>,
    /// Commands whose file object was collected.
    abandoned: Vec<Command>,
    left: Vec<Left>,
}

impl Files {
    pub(super) fn new() -> RefCell<Self> {
        RefCell::new(Self {
            slots: vec![Some(Stream::Input), Some(Stream::Output), Some(Stream::Output)],
            abandoned: Vec::new(),
            left: Vec::new(),
        })
    }

    /// Whether no other file can be opened.
    pub(super) fn is_full(&self) -> bool {
        self.slots.iter().flatten().count() + self.abandoned.len() >= MAX_OPEN
    }

    /// Takes a stream in; gives its number.
    pub(super) fn add(&mut self, stream: Stream) -> u32 {
        let free = self.slots.iter().position(Option::is_none).unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() - 1
        });
        self.slots[free] = Some(stream);
        u32::try_from(free).unwrap_or(u32::MAX)
    }

    /// The stream of this number.
    pub(super) fn get(&mut self, slot: u32) -> Option<&mut Stream> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    /// Closes a stream, and waits for a command's end.
    pub(super) fn close(&mut self, env: &Env<'_>, slot: u32) -> Result<(), Trouble> {
        let Some(stream) = self.slots.get_mut(slot as usize).and_then(Option::take) else { return Ok(()) };
        let left = stream.close(env)?;
        self.leave(left);
        Ok(())
    }

    /// Lets go of a stream whose object was collected: nothing is waited for. Fails where what was buffered is lost.
    pub(super) fn abandon(&mut self, env: &Env<'_>, slot: u32) -> Result<(), Trouble> {
        let Some(stream) = self.slots.get_mut(slot as usize).and_then(Option::take) else { return Ok(()) };
        let (command, flushed) = stream.abandon(env, NoRoom::Drop);
        self.abandoned.extend(command);
        flushed
    }

    /// Runs a command to its end.
    pub(super) fn execute(&mut self, env: &Env<'_>, text: &[u8]) -> Result<ExitStatus, Trouble> {
        self.look(env)?;
        self.flush_all(env);
        let (mut command, _) = Command::start(text, Held::Nothing, env.cwd)?;
        let status = command.wait(env)?;
        self.leave(command.left());
        self.look(env)?;
        Ok(status)
    }

    /// Whether there is anything to end.
    pub(super) fn is_used(&self) -> bool {
        self.slots.len() > 3 || !self.left.is_empty() || !self.abandoned.is_empty()
    }

    /// Closes all files without waiting, and kills all commands.
    pub(super) fn end(&mut self, env: &Env<'_>) {
        for stream in self.slots.drain(..).flatten() {
            drop(stream.abandon(env, NoRoom::Drop));
        }
        self.abandoned.clear();
        self.left.clear();
    }

    /// Writes what is buffered, so that a command sees it.
    pub(super) fn flush_all(&mut self, env: &Env<'_>) {
        for stream in self.slots.iter_mut().flatten() {
            stream.flush_quietly(env);
        }
    }

    /// At the end of a program that was not stopped: writes what is buffered, and waits for the commands of pipes; gives warnings.
    ///
    /// A command that the program wrote to is waited for as long as the run may last, one that it read from for a little
    /// while, and what runs in the background not at all.
    pub(super) fn settle(&mut self, env: &Env<'_>) -> Result<Vec<String>, Trouble> {
        let mut warnings = Vec::new();
        for stream in self.slots.drain(..).flatten() {
            let (command, flushed) = stream.abandon(env, NoRoom::Wait);
            self.abandoned.extend(command);
            match flushed {
                Ok(()) => {}
                Err(Trouble::System(number)) => {
                    warnings.push(format!("a file that was left open could not be written: {}", reason(number)))
                }
                Err(trouble) => return Err(trouble),
            }
        }
        let until = Instant::now() + READ_PIPES;
        for mut command in std::mem::take(&mut self.abandoned) {
            let until = if command.held() == Held::Input { None } else { Some(until) };
            if command.wait_until(env, until)?.is_none() {
                warnings.push(
                    "a command of io.popen still ran at the end of the program and was ended; close its file to wait for it".to_owned(),
                );
            }
            self.leave(command.left());
        }
        self.look(env)?;
        Ok(warnings)
    }

    /// Shows what background commands printed, and forgets those that are gone.
    pub(super) fn look(&mut self, env: &Env<'_>) -> Result<(), Trouble> {
        let mut index = 0;
        while let Some(command) = self.abandoned.get_mut(index) {
            // Asked before it is shown what it printed, which is all of it then.
            let ended = command.has_ended();
            command.pump(env)?;
            if ended {
                let left = self.abandoned.swap_remove(index).left();
                self.leave(left);
            } else {
                index += 1;
            }
        }
        let mut index = 0;
        while let Some(left) = self.left.get_mut(index) {
            if left.look(env)? {
                index += 1;
            } else {
                self.left.swap_remove(index);
            }
        }
        Ok(())
    }

    fn leave(&mut self, left: Option<Left>) {
        self.left.extend(left);
        if self.left.len() > MAX_LEFT {
            self.left.remove(0);
        }
    }
}
