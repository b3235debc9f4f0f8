//! `execute`: a shell command, there only where the host asked for it.

use std::fmt::Write as _;
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
/// The most bytes of both outputs that the message of a failure shows; with what stands around them it stays whole in an outcome.
const MESSAGE_OUTPUT_BYTES: usize = 1800;
/// What stands before standard error in the text of a success.
const STANDARD_ERROR: &str = "[standard error]\n";
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
        // Whole seconds are a whole number, so that messages that are made from the schema read so too.
        let maximum = if limits.execute_timeout.subsec_nanos() == 0 { json!(limits.execute_timeout.as_secs()) } else { json!(most) };
        About {
            name: NAME,
            title: "Run a shell command",
            description: format!(
                "Runs command with {shell} -c in folder (the workspace root if absent), with empty standard input, no terminal and the host's environment. \
                 Succeeds where the exit status is 0: its text is standard output and, where there was standard error, a line [standard error] with that after it; \
                 2>/dev/null in the command leaves it out. Else it fails with code exit_status, or with timeout after timeout_seconds (default and most: {most}): \
                 the message says the status and has the ends of standard output and standard error, {MESSAGE_OUTPUT_BYTES} bytes in all. A Lua program gets the text \
                 or the message. Where programs get structured data it is {{exit_code, signal, timed_out, stdout, stderr, stdout_dropped_bytes, \
                 stderr_dropped_bytes, left_running, milliseconds}}. {} bytes of each output are kept, from its beginning and its end. \
                 Whatever it leaves running is killed when it ends. A command is {}.",
                limits.output_bytes, self.confinement
            ),
            input: json!({
                "type": "object",
                "properties": {
                    "command": {"type": "string", "minLength": 1, "description": "The command, as one would type it"},
                    "folder": {"type": "string", "description": "Folder to start in, relative to the workspace root"},
                    "timeout_seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": maximum, "description": "Kill it after so many seconds"},
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
                edits_files: None,
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
        (Ended::Itself, Some(0), _) => return Ok(Answer::Succeeded(Content::text_and_structured(text(ran), output))),
        (Ended::Itself, Some(status), _) => (code::EXIT_STATUS, format!("the command ended with status {status}")),
        (Ended::Itself, None, Some(signal)) => (code::EXIT_STATUS, format!("the command was ended by signal {signal}")),
        (Ended::Itself, None, None) => (code::EXIT_STATUS, "the command ended and its status is not known".to_owned()),
        (Ended::TimedOut, ..) => (code::TIMEOUT, format!("the command was killed after {} s; its time was up", timeout.as_secs_f64())),
        (Ended::Cancelled, ..) => (code::CANCELLED, "the call was cancelled and the command was killed".to_owned()),
    };
    let message = what + &ends(&ran.stdout.0, &ran.stderr.0);
    let content = Content::text_and_structured(ran.stdout.0.as_str(), output.clone());
    Ok(Answer::Failed(Fault::new(code, message).with_data(output).with_content(content)))
}

/// Standard output, and standard error after a line that names it where there is any.
fn text(ran: &Ran) -> String {
    let (stdout, stderr) = (&ran.stdout.0, &ran.stderr.0);
    if stderr.is_empty() {
        return stdout.clone();
    }
    let line_end = if stdout.is_empty() || stdout.ends_with('\n') { "" } else { "\n" };
    format!("{stdout}{line_end}{STANDARD_ERROR}{stderr}")
}

/// The ends of both outputs, each after a line that names it. What one does not need of its half, the other may take.
fn ends(stdout: &str, stderr: &str) -> String {
    let (stdout, stderr) = (stdout.trim_end(), stderr.trim_end());
    let room = |other: &str| MESSAGE_OUTPUT_BYTES - other.len().min(MESSAGE_OUTPUT_BYTES / 2);
    let mut shown = String::new();
    for (name, output, bytes) in [("standard output", stdout, room(stderr)), ("standard error", stderr, room(stdout))] {
        if output.is_empty() {
            continue;
        }
        let end = end_of(output, bytes);
        let _ = write!(shown, "\n{name}:\n");
        if end.len() < output.len() {
            let _ = writeln!(shown, "[{} bytes cut]", output.len() - end.len());
        }
        shown.push_str(end);
    }
    shown
}

/// At most so many bytes of the end of an output, from the start of a line where there is one.
fn end_of(output: &str, bytes: usize) -> &str {
    if output.len() <= bytes {
        return output;
    }
    let first = output.len() - bytes;
    // The byte before is looked at too: a line that just fits is whole.
    match output.as_bytes()[first - 1..].iter().position(|byte| *byte == b'\n') {
        Some(line_end) => &output[first + line_end..],
        None => &output[output.ceil_char_boundary(first)..],
    }
}
