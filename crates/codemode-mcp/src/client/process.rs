//! The process of a server: started in a group of its own, listened to on its standard error, and ended as a whole.

use std::collections::VecDeque;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use codemode_core::text::{cut, one_line};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use crate::config::TransportConfig;
use crate::depth::{DEPTH, depth};

/// How much of standard error is kept for messages: 4 KiB.
const STDERR_BYTES: usize = 4 << 10;
/// The most bytes of a line of standard error in a message or in the log.
const STDERR_LINE_BYTES: usize = 300;
/// How long a server has to end by itself once its standard input is closed, and again once it was told to.
const GRACE: Duration = Duration::from_secs(2);
/// How long what a process wrote before its end is waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A server's process. Dropped before its end, its whole group is killed.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Group,
    tail: Arc<Mutex<VecDeque<u8>>>,
    listener: JoinHandle<()>,
}

/// The streams that the protocol is spoken over.
pub(super) struct Streams {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

impl Process {
    /// Starts the process.
    ///
    /// # Errors
    /// One sentence, without the arguments and the environment, which may hold secrets.
    pub(super) fn start(transport: &TransportConfig, server: &str) -> Result<(Self, Streams), String> {
        let TransportConfig::Stdio { command, args, env, cwd } = transport else {
            return Err("a server elsewhere has no process".to_owned());
        };
        let mut started = Command::new(command);
        started.args(args).envs(env).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        // After the server's own variables: no configuration may begin to count anew.
        started.env(DEPTH, depth().saturating_add(1).to_string());
        if let Some(cwd) = cwd {
            started.current_dir(cwd);
        }
        #[cfg(unix)]
        started.process_group(0);
        let command = cut(&one_line(command), 300).into_owned();
        let mut child = started.spawn().map_err(|error| match cwd {
            // The system says the same of a program and of a folder that are not there.
            Some(cwd) if !cwd.is_dir() => {
                format!("its folder {} is not there; name another cwd", cut(&one_line(&cwd.display().to_string()), 300))
            }
            _ => format!("{command} could not be started: {error}"),
        })?;
        let streams = match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Streams { stdin, stdout },
            _ => return Err(format!("{command} was started without its streams")),
        };
        let tail = Arc::default();
        let listener = tokio::spawn(listen(child.stderr.take(), Arc::clone(&tail), server.to_owned()));
        let group = Group(child.id());
        Ok((Self { child, group, tail, listener }, streams))
    }

    /// Waits for the process's end and says how that was: the exit status, and the last line on standard error.
    ///
    /// Where its output has ended and it has not, it is ended.
    pub(super) async fn ended(&mut self) -> String {
        let status = match tokio::time::timeout(LAST_WORDS, self.child.wait()).await {
            Ok(status) => Some(status),
            Err(_) => {
                self.end().await;
                None
            }
        };
        self.group.kill();
        let _ = tokio::time::timeout(LAST_WORDS, &mut self.listener).await;
        let how = match status {
            Some(Ok(status)) => said(status),
            Some(Err(error)) => format!("it ended, and how could not be told: {error}"),
            None => "it closed its standard output".to_owned(),
        };
        match self.last_line() {
            Some(line) => format!("{how}; its last line on standard error: {line}"),
            None => how,
        }
    }

    /// The last line that it wrote to standard error.
    pub(super) fn last_line(&self) -> Option<String> {
        let tail: Vec<u8> = self.tail.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = String::from_utf8_lossy(&tail).into_owned();
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
        Some(cut(&one_line(line), STDERR_LINE_BYTES).into_owned())
    }

    /// Ends the process, whose standard input is closed: what does not end by itself is told to, and then killed.
    pub(super) async fn end(&mut self) {
        if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
            self.group.terminate();
            if tokio::time::timeout(GRACE, self.child.wait()).await.is_err() {
                self.group.kill();
                let _ = self.child.start_kill();
                let _ = self.child.wait().await;
            }
        }
        // What the process has started and left behind goes with it.
        self.group.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.kill();
        self.listener.abort();
    }
}

/// The process group of a server, by the id of its first process.
#[derive(Debug)]
struct Group(Option<u32>);

#[cfg(unix)]
impl Group {
    fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// Kills what is left of the group, once: the id may be another's later.
    fn kill(&mut self) {
        self.signal(rustix::process::Signal::KILL);
        self.0 = None;
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let id = self.0.and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        if let Some(id) = id {
            // A group that is gone already is what was wanted.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }
}

#[cfg(not(unix))]
impl Group {
    fn terminate(&self) {}

    fn kill(&mut self) {
        self.0 = None;
    }
}

fn said(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("it was ended by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("it ended with exit status {code}"),
        None => "it ended".to_owned(),
    }
}

/// Reads standard error to its end, keeps the last of it, and hands lines to the log.
async fn listen(stderr: Option<impl AsyncRead + Unpin>, tail: Arc<Mutex<VecDeque<u8>>>, server: String) {
    let Some(mut stderr) = stderr else { return };
    let mut piece = vec![0; 4 << 10];
    let mut line = Vec::new();
    loop {
        let read = match stderr.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(read) => &piece[..read],
        };
        {
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            tail.extend(read);
            let over = tail.len().saturating_sub(STDERR_BYTES);
            tail.drain(..over);
        }
        if !tracing::enabled!(tracing::Level::DEBUG) {
            continue;
        }
        for byte in read {
            if *byte == b'\n' {
                let text = String::from_utf8_lossy(&line);
                tracing::debug!(server, line = &*cut(&one_line(text.trim_end()), STDERR_LINE_BYTES), "a server wrote to standard error");
                line.clear();
            } else if line.len() < 2 * STDERR_LINE_BYTES {
                line.push(*byte);
            }
        }
    }
}
