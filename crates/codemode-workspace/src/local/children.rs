//! Processes that a program talks to while they run.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use codemode_core::{Json, LocalAnswer, LocalFault};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use serde_json::json;

use super::arguments::Arguments;
use super::fault;
use super::output::{answer, nothing};
use super::scope::Scope;

/// How often a wait looks at the run and at the process.
const STEP: Duration = Duration::from_millis(5);
/// The most that is read of an output at once.
const PIECE: usize = 64 << 10;

/// A process, the leader of a group of its own.
#[derive(Debug)]
pub(super) struct Child {
    process: Mutex<Process>,
    input: Mutex<Option<OwnedFd>>,
    outputs: Mutex<Outputs>,
}

#[derive(Debug)]
struct Process {
    child: std::process::Child,
    group: Option<Pid>,
    status: Option<ExitStatus>,
}

/// Both outputs, as far as they are open, and whether the end was told.
#[derive(Debug)]
struct Outputs {
    open: [Option<OwnedFd>; 2],
    told: bool,
}

/// What a wait for an output brought.
#[derive(Debug)]
pub(super) enum Heard {
    /// Bytes of standard output (0) or standard error (1).
    Output(usize, Vec<u8>),
    /// The process has ended; told once.
    Ended(ExitStatus),
    /// It has ended, and nobody holds its outputs any more.
    Closed(ExitStatus),
    /// Nothing in this step.
    Nothing,
}

impl Child {
    /// Starts a program as the operation says: `file`, `args`, `cwd`, `env` (all of it, or nothing for ours), `argv0`; `stdin`, `stdout` and
    /// `stderr` are `ignore` or pipes.
    pub(super) fn start(given: &Arguments<'_>) -> Result<Self, LocalFault> {
        let file = given.needed("file")?;
        let mut command = Command::new(file);
        command.args(given.texts("args")).process_group(0);
        if let Some(folder) = given.text("cwd") {
            command.current_dir(folder);
        }
        if let Some(environment) = given.value("env").and_then(serde_json::Value::as_object) {
            let variables: BTreeMap<&str, &str> =
                environment.iter().filter_map(|(name, value)| value.as_str().map(|value| (name.as_str(), value))).collect();
            command.env_clear().envs(variables);
        }
        if let Some(name) = given.text("argv0") {
            command.arg0(name);
        }
        let stdio = |name| if given.text(name) == Some("ignore") { Stdio::null() } else { Stdio::piped() };
        command.stdin(stdio("stdin")).stdout(stdio("stdout")).stderr(stdio("stderr"));
        let mut child = command.spawn().map_err(|error| fault::of_spawn(&error, file))?;
        let pipes = [child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from)];
        let input = child.stdin.take().map(OwnedFd::from);
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Self {
            process: Mutex::new(Process { child, group, status: None }),
            input: Mutex::new(input.filter(never_blocks)),
            outputs: Mutex::new(Outputs { open: pipes.map(|pipe| pipe.filter(never_blocks)), told: false }),
        })
    }

    pub(super) fn number(&self) -> u32 {
        self.process().child.id()
    }

    /// Kills all of its group, whether or not the process itself has ended.
    pub(super) fn kill_group(&self) {
        self.send(Signal::KILL, true);
    }

    /// Whether it has ended and others of its group have not.
    pub(super) fn has_left(&self) -> bool {
        let mut process = self.process();
        process.ended().is_some() && process.group.is_some()
    }

    /// Sends a signal to it, or to all of its group; false where there is nobody.
    pub(super) fn send(&self, signal: Signal, to_group: bool) -> bool {
        let mut process = self.process();
        // Once it was waited for, only what it left running keeps the group's number from others.
        let ended = process.ended().is_some();
        let Some(group) = process.group else { return false };
        if to_group {
            return kill_process_group(group, signal).is_ok();
        }
        !ended && rustix::process::kill_process(group, signal).is_ok()
    }

    /// Waits a step for what the process writes, or for its end.
    pub(super) fn hear(&self, scope: &Scope, wanted: Option<&[u8]>) -> Result<(Heard, usize), LocalFault> {
        scope.check()?;
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        let written = wanted.map_or(Ok(0), |bytes| self.write_some(bytes));
        let written = written.unwrap_or(usize::MAX);
        for at in 0..2 {
            if let Some(bytes) = outputs.read(at) {
                return Ok((Heard::Output(at, bytes), written));
            }
        }
        let closed = outputs.open.iter().all(Option::is_none);
        if let Some(status) = self.process().ended() {
            if !std::mem::replace(&mut outputs.told, true) {
                return Ok((Heard::Ended(status), written));
            }
            if closed {
                return Ok((Heard::Closed(status), written));
            }
        }
        if written == 0 || wanted.is_none_or(<[u8]>::is_empty) || written == usize::MAX {
            outputs.wait(if closed { Duration::from_millis(1) } else { STEP });
        }
        Ok((Heard::Nothing, written))
    }

    /// Writes what fits now; gives how much.
    fn write_some(&self, bytes: &[u8]) -> Result<usize, Errno> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(pipe) = &*input else { return Err(Errno::PIPE) };
        match rustix::io::write(pipe, bytes) {
            Ok(count) => Ok(count),
            Err(Errno::AGAIN | Errno::INTR) => Ok(0),
            Err(error) => {
                *input = None;
                Err(error)
            }
        }
    }

    /// Ends its input.
    pub(super) fn close_input(&self) {
        *self.input.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn process(&self) -> MutexGuard<'_, Process> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Process {
    fn ended(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        if self.status.is_some() {
            self.group = self.group.filter(|group| test_kill_process_group(*group).is_ok());
        }
        self.status
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill_group();
        let process = self.process.get_mut().unwrap_or_else(PoisonError::into_inner);
        if process.status.is_none() {
            // What was killed is gone at once, but for what the system holds up.
            let _ = process.child.wait();
        }
    }
}

impl Outputs {
    fn read(&mut self, at: usize) -> Option<Vec<u8>> {
        let pipe = self.open[at].as_ref()?;
        let mut piece = vec![0; PIECE];
        match rustix::io::read(pipe, &mut piece) {
            Ok(0) => self.open[at] = None,
            Ok(count) => {
                piece.truncate(count);
                return Some(piece);
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.open[at] = None,
        }
        None
    }

    fn wait(&self, step: Duration) {
        let mut polled: Vec<PollFd<'_>> =
            self.open.iter().flatten().map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)).collect();
        let timeout = Timespec { tv_sec: 0, tv_nsec: i64::from(step.subsec_nanos()) };
        // A wait that was interrupted is one that ended early.
        let _ = poll(&mut polled, Some(&timeout));
    }
}

fn never_blocks(pipe: &OwnedFd) -> bool {
    fcntl_getfl(pipe).and_then(|flags| fcntl_setfl(pipe, flags | OFlags::NONBLOCK)).is_ok()
}

/// Starts a process and gives its number here and in the system.
pub(super) fn start(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let child = Child::start(given)?;
    let pid = child.number();
    let id = scope.keep(child);
    answer(&json!({"id": id, "pid": pid}))
}

/// Waits for what a process does next.
pub(super) fn next(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let id = given.whole("id").unwrap_or_default();
    let Some(child) = scope.child(id) else { return answer(&json!({"event": "close"})) };
    loop {
        let held = scope.reserve(2 * PIECE)?;
        match child.hear(scope, None)?.0 {
            Heard::Nothing => {}
            Heard::Output(at, bytes) => {
                let event = json!({"event": if at == 0 { "stdout" } else { "stderr" }});
                let value = Json::from_serialize(&event).unwrap_or_else(|_| Json::null());
                drop(held);
                let held = scope.reserve(bytes.len())?;
                return Ok(LocalAnswer { value, parts: vec![bytes.into()], held: Some(held) });
            }
            Heard::Ended(status) => return answer(&json!({"event": "exit", "code": status.code(), "signal": signal_of(status)})),
            Heard::Closed(_) => {
                drop(child);
                scope.forget(id);
                return answer(&json!({"event": "close"}));
            }
        }
    }
}

/// Writes to a process's input: all of it, or until the process no longer reads.
pub(super) fn write(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let bytes = given.part(0);
    let gone = || fault::said("EPIPE", "write EPIPE");
    let child = scope.child(given.whole("id").unwrap_or_default()).ok_or_else(gone)?;
    let mut rest = &*bytes;
    while !rest.is_empty() {
        scope.check()?;
        match child.write_some(rest) {
            Ok(0) => std::thread::sleep(STEP),
            Ok(count) => rest = &rest[count..],
            Err(error) => {
                let fault = fault::of(&io::Error::from(error), "write", std::path::Path::new(""));
                return Err(LocalFault { message: "write EPIPE".to_owned(), path: None, ..fault });
            }
        }
    }
    Ok(nothing())
}

/// Ends a process's input.
pub(super) fn close(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    if let Some(child) = scope.child(given.whole("id").unwrap_or_default()) {
        child.close_input();
    }
    Ok(nothing())
}

/// Sends a process a signal; gives whether it was there.
pub(super) fn kill(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let signal = signal_named(given.text("signal").unwrap_or("SIGTERM"))?;
    let child = scope.child(given.whole("id").unwrap_or_default());
    // Those that it started are meant too: a shell passes no signal on.
    answer(&child.is_some_and(|child| child.send(signal, true)))
}

/// The signal of a name.
pub(super) fn signal_named(name: &str) -> Result<Signal, LocalFault> {
    SIGNALS.iter().find(|(known, _)| *known == name).map(|(_, signal)| *signal).ok_or_else(|| {
        let shown = codemode_core::text::cut(name, 40);
        fault::said("ERR_UNKNOWN_SIGNAL", format!("Unknown signal: {shown}"))
    })
}

/// The name of the signal that ended a process.
pub(super) fn signal_of(status: ExitStatus) -> Option<String> {
    let number = status.signal()?;
    let known = SIGNALS.iter().find(|(_, signal)| signal.as_raw() == number);
    Some(known.map_or_else(|| format!("SIG{number}"), |(name, _)| (*name).to_owned()))
}

const SIGNALS: &[(&str, Signal)] = &[
    ("SIGTERM", Signal::TERM),
    ("SIGKILL", Signal::KILL),
    ("SIGINT", Signal::INT),
    ("SIGHUP", Signal::HUP),
    ("SIGQUIT", Signal::QUIT),
    ("SIGUSR1", Signal::USR1),
    ("SIGUSR2", Signal::USR2),
    ("SIGSTOP", Signal::STOP),
    ("SIGCONT", Signal::CONT),
    ("SIGABRT", Signal::ABORT),
    ("SIGSEGV", Signal::SEGV),
    ("SIGPIPE", Signal::PIPE),
    ("SIGALRM", Signal::ALARM),
    ("SIGBUS", Signal::BUS),
    ("SIGFPE", Signal::FPE),
    ("SIGILL", Signal::ILL),
    ("SIGTRAP", Signal::TRAP),
    ("SIGXCPU", Signal::XCPU),
    ("SIGXFSZ", Signal::XFSZ),
];
