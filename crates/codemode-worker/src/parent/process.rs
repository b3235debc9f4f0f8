//! One worker process and its pipes.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Serialize;

use super::launch::Launch;
use super::life::Life;
use super::start_error::StartError;
use super::{keeper, watch};
use crate::sandbox::Enforced;
use crate::wire::{FrameError, FrameReader, FrameWriter, Hello, ToChild, ToParent, VERSION};

/// How long a worker may take to say that it is ready, or to make an interpreter: far more than it does on a busy machine.
pub(super) const STARTS_WITHIN: Duration = Duration::from_secs(10);

/// The most that a worker says of itself, in bytes.
pub(super) const MOST_SMALL: usize = 1 << 20;

/// A worker and its pipes. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) life: Arc<Life>,
    reader: FrameReader<File>,
    writer: FrameWriter<File>,
    watched: watch::Watched,
    enforced: Option<Enforced>,
    /// How many runs it has begun.
    pub(super) runs: u32,
    /// Whether an interpreter is being made that it has not told of.
    pub(super) opening: bool,
}

impl Process {
    /// Starts one, on the thread whose end ends it. It is not ready yet.
    ///
    /// Nothing is asked of the new process before it runs our program, so that it is started by `posix_spawn` and takes no copy of
    /// its host's memory.
    pub(super) fn spawn(launch: &Launch, hello: &Hello) -> Result<Self, StartError> {
        let failed = |error: std::io::Error| StartError::lasting(format!("\"{}\": {error}", launch.shown()));
        let mut command = Command::new(launch.path());
        command.args(launch.arguments()).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        if hello.sandbox.enabled {
            command.env_clear().stderr(Stdio::null());
        }
        let mut child = command.spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let life = Arc::new(Life::new(child));
        let (Some(input), Some(output)) = (input, output) else { return Err(StartError::lasting("it has no pipes".to_owned())) };
        let output = File::from(OwnedFd::from(output));
        let watched = watch::watch(&output, &life);
        let mut process = Self {
            life,
            reader: FrameReader::new(output),
            writer: FrameWriter::new(File::from(OwnedFd::from(input))),
            watched,
            enforced: None,
            runs: 0,
            opening: false,
        };
        let greeted = process.send(&ToChild::Hello(hello.clone()));
        process.unless_dead(greeted)?;
        Ok(process)
    }

    pub(super) fn send(&mut self, message: &impl Serialize) -> Result<(), FrameError> {
        self.writer.send(message)
    }

    /// Tells it what interpreter to make, in a message that was made before.
    pub(super) fn open(&mut self, message: &[u8]) -> Result<(), StartError> {
        let sent = self.writer.send_encoded(message);
        self.opening = true;
        self.unless_dead(sent)
    }

    /// What was sent to a worker that is not ready is lost with it; how it died says more than that its pipe is closed.
    fn unless_dead(&self, sent: Result<(), FrameError>) -> Result<(), StartError> {
        sent.map_err(|error| match error {
            FrameError::Pipe(_) => StartError::death(format!("it ended before it was ready: {}", self.life.death().cause)),
            other => other.into(),
        })
    }

    /// Waits until it is ready, and tells what holds it.
    pub(super) fn ready(&mut self) -> Result<&Enforced, StartError> {
        if self.enforced.is_none() {
            let life = Arc::clone(&self.life);
            let enforced = match self.receive_within(STARTS_WITHIN, MOST_SMALL)? {
                Some(ToParent::Ready { version: VERSION, enforced }) => *enforced,
                Some(ToParent::Ready { version, .. }) => {
                    let message =
                        format!("it speaks version {version} of the protocol, and this host {VERSION}; build both of one version");
                    return Err(StartError::lasting(message));
                }
                Some(_) => {
                    let message = "it did not begin by saying that it is ready; name a program whose main is that of a worker";
                    return Err(StartError::lasting(message));
                }
                None => return Err(StartError::death(format!("it ended before it was ready: {}", life.death().cause))),
            };
            self.enforced = Some(enforced);
        }
        self.enforced.as_ref().ok_or_else(|| StartError::lasting("it is not ready".to_owned()))
    }

    /// Waits until its interpreter is made.
    pub(super) fn opened(&mut self) -> Result<(), StartError> {
        self.ready()?;
        if std::mem::take(&mut self.opening) {
            let life = Arc::clone(&self.life);
            match self.receive_within(STARTS_WITHIN, MOST_SMALL)? {
                Some(ToParent::Opened) => {}
                Some(ToParent::Broke { message } | ToParent::Panicked { message }) => return Err(StartError::lasting(shown(message))),
                Some(_) => return Err(StartError::lasting("it said something else than that its interpreter is made")),
                None => return Err(StartError::death(format!("it ended before its interpreter was made: {}", life.death().cause))),
            }
        }
        Ok(())
    }

    /// The next message, of at most `most` bytes; nothing where it has ended.
    pub(super) fn receive(&mut self, most: usize) -> Result<Option<ToParent<'_>>, FrameError> {
        let Some(frame) = self.reader.next(most)? else { return Ok(None) };
        postcard::from_bytes(frame).map(Some).map_err(|error| FrameError::Malformed(error.to_string()))
    }

    /// The same, from a worker that is to speak soon.
    pub(super) fn receive_within(&mut self, limit: Duration, most: usize) -> Result<Option<ToParent<'_>>, FrameError> {
        let end = Instant::now() + limit;
        while !self.reader.has_some() {
            let left = end.saturating_duration_since(Instant::now());
            let mut polled = [PollFd::new(self.reader.source(), PollFlags::IN)];
            let timeout = Timespec::try_from(left).unwrap_or_default();
            match poll(&mut polled, Some(&timeout)) {
                Ok(0) => return Err(FrameError::Malformed(format!("it said nothing for {} ms", limit.as_millis()))),
                Ok(_) => break,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(FrameError::Pipe(error.into())),
            }
        }
        self.receive(most)
    }

    /// Whether it has said something more already; else whatever it says from now on wakes the run that waits, once: a program with
    /// authority `local` may wake itself.
    pub(super) fn has_news(&self) -> bool {
        if self.reader.has_some() {
            return true;
        }
        self.watched.wake_at_news(self.reader.source());
        false
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.life.kill();
        keeper::reap(Arc::clone(&self.life));
    }
}

/// What a worker says of itself, in messages.
pub(super) fn shown(text: &str) -> String {
    codemode_core::text::cut(&codemode_core::text::one_line(text), 1000).into_owned()
}
