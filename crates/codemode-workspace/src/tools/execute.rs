//! `execute`: a shell command, there only where the host asked for it.

use std::io::PipeReader;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cap_std::fs::Dir;
use codemode_core::text::cut;
use codemode_core::{Annotations, Answer, Content, Fault, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::command::{Command, Confinement, Ended, Ran, run};
use crate::limits::Limits;
use crate::tool::{About, Site, json as to_json};
use crate::trouble::{Trouble, code};

pub(crate) const NAME: &str = "execute";
/// The most bytes of a command.
const MAX_COMMAND_BYTES: usize = 64 << 10;
/// The most bytes of output that the message of a failure shows.
const MESSAGE_OUTPUT_BYTES: usize = 2000;
/// How much longer than a command the call may take: to end what the command left and to read what it printed.
const ENDING: Duration = Duration::from_secs(10);

/// How commands are run in this workspace.
#[derive(Debug)]
pub(crate) struct Execute {
    pub(crate) shell: PathBuf,
    /// More folders beneath which commands may write.
    pub(crate) writable: Vec<Dir>,
    pub(crate) confinement: Confinement,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    command: String,
    #[serde(default)]
    folder: Option<String>,
    #[serde(default)]
    timeout_seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Output<'a> {
    exit_code: Option<i32>,
    signal: Option<i32>,
    timed_out: bool,
    stdout: &'a str,
    stderr: &'a str,
    stdout_dropped_bytes: u64,
    stderr_dropped_bytes: u64,
    left_running: usize,
    milliseconds: u64,
}

impl Execute {
    pub(crate) fn spec(&self, limits: &Limits) -> ToolSpec {
        let (shell, most) = (self.shell.display(), limits.execute_timeout.as_secs_f64());
        About {
            name: NAME,
            title: "Run a shell command",
            description: format!(
                "Runs command with {shell} -c in folder (the workspace root if absent), with empty standard input, no terminal and the host's environment. \
                 Succeeds where the exit status is 0, and its text is then standard output. Else it fails with code exit_status, or with timeout after \
                 timeout_seconds (default and most: {most}); the message ends with the last of standard error. The data is {{exit_code, signal, timed_out, stdout, \
                 stderr, stdout_dropped_bytes, stderr_dropped_bytes, left_running, milliseconds}} each time; {} bytes of each output are kept, from its beginning \
                 and its end. Whatever it leaves running is killed when it ends. A command is {}.",
                limits.output_bytes, self.confinement
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "command": {"type": "string", "minLength": 1, "description": "The command, as one would type it"},
                    "folder": {"type": "string", "description": "Folder to start in, relative to the workspace root"},
                    "timeout_seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": most, "description": "Kill it after so many seconds"},
                },
                "required": ["command"],
                "additionalProperties": false,
            }),
            output: Some(json!({
                "type": "object",
                "properties": {
                    "exit_code": {"type": ["integer", "null"], "description": "null where a signal ended it"},
                    "signal": {"type": ["integer", "null"], "description": "The signal that ended it, if one did"},
                    "timed_out": {"type": "boolean"},
                    "stdout": {"type": "string"},
                    "stderr": {"type": "string"},
                    "stdout_dropped_bytes": {"type": "integer"},
                    "stderr_dropped_bytes": {"type": "integer"},
                    "left_running": {"type": "integer", "description": "Processes that it left running; they were killed"},
                    "milliseconds": {"type": "integer"},
                },
                "required": [
                    "exit_code", "signal", "timed_out", "stdout", "stderr", "stdout_dropped_bytes", "stderr_dropped_bytes", "left_running", "milliseconds",
                ],
            })),
            annotations: Annotations {
                read_only: Some(false),
                destructive: Some(true),
                idempotent: Some(false),
                parallel: Some(false),
                deadline: Some(limits.execute_timeout + ENDING),
            },
        }
        .into_spec()
    }

    /// Blocks until the command has ended, or until the other end of `caller` is closed.
    pub(crate) fn run(&self, site: &Site, input: &Input, caller: &PipeReader) -> Result<Answer, Trouble> {
        if input.command.is_empty() || input.command.len() > MAX_COMMAND_BYTES || input.command.contains('\0') {
            return Err(Trouble::invalid(format!("the command must have 1 to {MAX_COMMAND_BYTES} bytes and no NUL byte")));
        }
        let timeout = timeout(input.timeout_seconds, site.limits.execute_timeout)?;
        let place = site.root.place(input.folder.as_deref().unwrap_or("."))?;
        // Opened, so that a folder that is none is told before anything runs.
        site.root.open_folder(&place)?;
        let real = site.root.real(&place)?;
        let folder = if real == Path::new(".") { site.root.path().to_owned() } else { site.root.path().join(real) };
        let mut writable = vec![site.root.dir().as_fd()];
        writable.extend(self.writable.iter().map(AsFd::as_fd));
        let command = Command {
            shell: &self.shell,
            command: &input.command,
            folder,
            writable,
            timeout,
            output_bytes: site.limits.output_bytes,
            caller,
        };
        let ran = run(&command).map_err(|error| {
            Trouble::failed(codemode_core::code::FAILED, format!("the command could not be started: {}", cut(&error.to_string(), 300)))
        })?;
        answer(&ran, timeout)
    }
}

fn timeout(asked: Option<f64>, most: Duration) -> Result<Duration, Trouble> {
    let Some(seconds) = asked else {
        return Ok(most);
    };
    let timeout = Duration::try_from_secs_f64(seconds).ok().filter(|timeout| !timeout.is_zero() && *timeout <= most);
    timeout
        .ok_or_else(|| Trouble::invalid(format!("timeout_seconds is {seconds}; more than 0 and at most {} is allowed", most.as_secs_f64())))
}

fn answer(ran: &Ran, timeout: Duration) -> Result<Answer, Trouble> {
    let (exit_code, signal) = (ran.status.and_then(|status| status.code()), ran.status.and_then(|status| status.signal()));
    let output = to_json(&Output {
        exit_code,
        signal,
        timed_out: ran.ended == Ended::TimedOut,
        stdout: &ran.stdout.0,
        stderr: &ran.stderr.0,
        stdout_dropped_bytes: ran.stdout.1,
        stderr_dropped_bytes: ran.stderr.1,
        left_running: ran.left_running,
        milliseconds: u64::try_from(ran.elapsed.as_millis()).unwrap_or(u64::MAX),
    })?;
    let (code, what) = match (ran.ended, exit_code, signal) {
        (Ended::Itself, Some(0), _) => return Ok(Answer::Succeeded(Content::text_and_structured(ran.stdout.0.as_str(), output))),
        (Ended::Itself, Some(status), _) => (code::EXIT_STATUS, format!("the command ended with status {status}")),
        (Ended::Itself, None, Some(signal)) => (code::EXIT_STATUS, format!("the command was ended by signal {signal}")),
        (Ended::Itself, None, None) => (code::EXIT_STATUS, "the command ended and its status is not known".to_owned()),
        (Ended::TimedOut, ..) => (code::TIMEOUT, format!("the command was killed after {} s; its time was up", timeout.as_secs_f64())),
        (Ended::Cancelled, ..) => (code::CANCELLED, "the call was cancelled and the command was killed".to_owned()),
    };
    let message = match last_of(if ran.stderr.0.trim().is_empty() { &ran.stdout.0 } else { &ran.stderr.0 }) {
        "" => what,
        shown => format!("{what}\n{shown}"),
    };
    let content = Content::text_and_structured(ran.stdout.0.as_str(), output.clone());
    Ok(Answer::Failed(Fault::new(code, message).with_data(output).with_content(content)))
}

/// The end of an output, from the start of a line where there is one.
fn last_of(output: &str) -> &str {
    let output = output.trim_end();
    if output.len() <= MESSAGE_OUTPUT_BYTES {
        return output;
    }
    let end = &output[output.ceil_char_boundary(output.len() - MESSAGE_OUTPUT_BYTES)..];
    end.split_once('\n').map_or(end, |(_, lines)| lines)
}
