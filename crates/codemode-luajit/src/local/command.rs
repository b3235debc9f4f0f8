//! Shell commands of a program: in a group of their own, waited for in short steps, and gone when the run is.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use codemode_core::Guard;
use rustix::event::PollFlags;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

use super::env::Env;
use super::shown::Shown;
use super::trouble::Trouble;
use super::wait;

/// The shell that runs commands, as the C library's `system` has it.
const SHELL: &str = "/bin/sh";

/// How long killed processes are awaited.
const DYING: Duration = Duration::from_secs(1);

/// What of a command's streams the program holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Nothing: all that it prints is shown.
    Nothing,
    /// What it prints; its complaints are shown.
    Output,
    /// What it reads; all that it prints is shown.
    Input,
}

/// A command that was started. Dropping it kills its group, though the command itself may have ended.
#[derive(Debug)]
pub(super) struct Command {
    child: Child,
    /// Nothing once all of it is gone: then the number may be given to others.
    group: Option<Pid>,
    exit: Option<OwnedFd>,
    status: Option<ExitStatus>,
    shown: Option<Shown>,
    held: Held,
}

/// What a command left running in the background.
#[derive(Debug)]
pub(super) struct Left {
    /// Nothing once all of it is gone.
    group: Option<Pid>,
    shown: Option<Shown>,
}

impl Command {
    /// Starts a command; gives the end of the pipe that the program holds, if it holds one.
    pub(super) fn start(text: &[u8], held: Held, cwd: &Path) -> io::Result<(Self, Option<OwnedFd>)> {
        let mut command = std::process::Command::new(SHELL);
        command.arg("-c").arg(std::ffi::OsStr::from_bytes(text)).current_dir(cwd).process_group(0).stdin(Stdio::null());
        let (shown, complaints): (PipeReader, PipeWriter) = io::pipe()?;
        let mut end = None;
        match held {
            Held::Nothing => {
                command.stdout(complaints.try_clone()?);
            }
            Held::Output => {
                let (ours, theirs) = io::pipe()?;
                command.stdout(theirs);
                end = Some(OwnedFd::from(ours));
            }
            Held::Input => {
                let (theirs, ours) = io::pipe()?;
                command.stdin(theirs).stdout(complaints.try_clone()?);
                end = Some(OwnedFd::from(ours));
            }
        }
        command.stderr(complaints);
        if let Some(end) = &end {
            rustix::fs::fcntl_setfl(end, rustix::fs::OFlags::NONBLOCK)?;
        }
        let shown = Some(Shown::new(shown)?);
        let child = command.spawn()?;
        // What was given to the child must not stay open here: its end would never be seen.
        drop(command);
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok((Self { exit: group.and_then(exit_handle), child, group, status: None, shown, held }, end))
    }

    /// Waits one step for the descriptor that the program holds, and shows what the command prints meanwhile; true when it is ready.
    pub(super) fn step(&mut self, env: &Env<'_>, held: Option<(BorrowedFd<'_>, PollFlags)>) -> Result<bool, Trouble> {
        let shown = self.shown.as_ref().map(|shown| (shown.fd(), PollFlags::IN));
        let exit = if held.is_none() { self.exit.as_ref().map(|exit| (exit.as_fd(), PollFlags::IN)) } else { None };
        let [held, shown, _] = wait::step(env.guard, [held, shown, exit])?;
        if shown {
            self.pump(env)?;
        }
        Ok(held)
    }

    /// What of its streams the program holds, or held.
    pub(super) fn held(&self) -> Held {
        self.held
    }

    /// Waits for the command's own end, whatever it left running.
    pub(super) fn wait(&mut self, env: &Env<'_>) -> Result<ExitStatus, Trouble> {
        loop {
            if let Some(status) = self.wait_until(env, None)? {
                return Ok(status);
            }
        }
    }

    /// The same, at most until a time; nothing where it has not ended by then.
    pub(super) fn wait_until(&mut self, env: &Env<'_>, until: Option<Instant>) -> Result<Option<ExitStatus>, Trouble> {
        loop {
            if let Some(status) = self.ended() {
                // What it printed before its end is there by now, and fits the pipe: more is of what it left running.
                self.pump(env)?;
                return Ok(Some(status));
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok(None);
            }
            self.step(env, None)?;
        }
    }

    /// What it left running, once it has ended.
    pub(super) fn left(mut self) -> Option<Left> {
        self.ended()?;
        let group = self.group.take()?;
        let shown = self.shown.take();
        lives(group).then(|| Left { group: Some(group), shown })
    }

    /// Shows what is there now.
    pub(super) fn pump(&mut self, env: &Env<'_>) -> Result<(), Trouble> {
        if let Some(shown) = &mut self.shown
            && !shown.pump(env.handle)?
        {
            self.shown = None;
        }
        Ok(())
    }

    /// Whether the command itself has ended, whatever it left running.
    pub(super) fn has_ended(&mut self) -> bool {
        self.ended().is_some()
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
            // From now on only what it left running keeps the group's number from others.
            self.group = self.group.filter(|group| self.status.is_none() || lives(*group));
        }
        self.status
    }
}

impl Drop for Command {
    fn drop(&mut self) {
        // Before it is asked whether the command has ended: until then the group's number is surely its own.
        kill(self.group);
        let until = Instant::now() + DYING;
        while self.ended().is_none() && Instant::now() < until {
            let exit = self.exit.as_ref().map(|exit| (exit.as_fd(), PollFlags::IN));
            // A guard of its own: the run's is stopped already.
            let _ = wait::step(&Guard::default(), [exit]);
        }
    }
}

impl Left {
    /// Shows what it printed since; false once nothing of it lives.
    pub(super) fn look(&mut self, env: &Env<'_>) -> Result<bool, Trouble> {
        if let Some(shown) = &mut self.shown
            && !shown.pump(env.handle)?
        {
            self.shown = None;
        }
        self.group = self.group.filter(|group| lives(*group));
        Ok(self.group.is_some())
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        kill(self.group);
    }
}

/// What `os.execute` gives for a status: the number that the C library's `system` gives.
pub(super) fn number(status: ExitStatus) -> i32 {
    status.into_raw()
}

/// Whether there is a shell.
pub(super) fn has_shell() -> bool {
    Path::new(SHELL).exists()
}

/// Whether a process of the group is there; the group's number is not given to others meanwhile.
fn lives(group: Pid) -> bool {
    test_kill_process_group(group).is_ok()
}

fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// What becomes readable when the process ends; nothing where the system has no such thing, and each step asks instead.
#[cfg(target_os = "linux")]
fn exit_handle(process: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_handle(_process: Pid) -> Option<OwnedFd> {
    None
}
