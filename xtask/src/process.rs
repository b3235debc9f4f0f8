//! Commands that a job starts: announced, without standard input, and never without an end where they might hang.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use cargo_metadata::Message;

use crate::failure::Failure;
use crate::progress::say;
use crate::workspace::Workspace;

/// Runs a command whose output goes where ours goes; anything but success is a failure that names the command.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let shown = announce(command);
    let status = command.stdin(Stdio::null()).status().map_err(|error| Failure::at(format!("cannot start `{shown}`"), error))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`{shown}` ended with {status}")))
}

/// How a command with a time limit ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Succeeded,
    Failed(String),
    TimedOut,
}

/// Runs a command that may hang; after `limit` it is killed.
pub(crate) fn run_within(command: &mut Command, limit: Duration) -> Result<Ending, Failure> {
    let shown = announce(command);
    let mut child = command.stdin(Stdio::null()).spawn().map_err(|error| Failure::at(format!("cannot start `{shown}`"), error))?;
    let started = Instant::now();
    loop {
        let ended = child.try_wait().map_err(|error| Failure::at(format!("cannot wait for `{shown}`"), error))?;
        if let Some(status) = ended {
            return Ok(if status.success() { Ending::Succeeded } else { Ending::Failed(status.to_string()) });
        }
        if started.elapsed() >= limit {
            // An error means that it ended just now; either way it is waited for, so that no zombie stays.
            drop(child.kill());
            drop(child.wait());
            return Ok(Ending::TimedOut);
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// What a command printed to standard output; its standard error goes where ours goes.
pub(crate) fn output_of(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let shown = shown(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::at(format!("cannot start `{shown}`"), error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(Failure::new(format!("`{shown}` ended with {}", output.status)))
}

/// A program that cargo built.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) package: PathBuf,
    pub(crate) target: String,
    pub(crate) path: PathBuf,
}

/// Builds with `cargo build ARGUMENTS` and says where the programs are, whatever the target folder is.
pub(crate) fn build(workspace: &Workspace, arguments: &[&str]) -> Result<Vec<Built>, Failure> {
    let mut command = workspace.cargo(["build", "--message-format=json-render-diagnostics"]);
    command.args(arguments);
    announce(&command);
    let messages = output_of(&mut command)?;
    let mut built = Vec::new();
    for message in Message::parse_stream(messages.as_slice()) {
        let message = message.map_err(|error| Failure::at("cargo's messages", error))?;
        if let Message::CompilerArtifact(artifact) = message
            && let Some(path) = artifact.executable
        {
            built.push(Built {
                package: artifact.manifest_path.into_std_path_buf(),
                target: artifact.target.name,
                path: path.into_std_path_buf(),
            });
        }
    }
    Ok(built)
}

fn announce(command: &Command) -> String {
    let shown = shown(command);
    say(&format!("$ {shown}"));
    shown
}

/// The command as a person would type it: the program by its file name, since its folder is of this machine.
fn shown(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()];
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        words.push(if argument.is_empty() || argument.contains([' ', '(']) { format!("'{argument}'") } else { argument.into_owned() });
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_command_that_hangs_is_killed_and_one_that_ends_is_not() {
        let soon = Duration::from_millis(50);
        let long = Duration::from_secs(60);
        let endings = [("exec cat /dev/zero >/dev/null", soon), ("exit 0", long), ("exit 3", long)]
            .map(|(script, limit)| run_within(&mut shell(script), limit).expect("sh starts"));
        assert_eq!(endings, [Ending::TimedOut, Ending::Succeeded, Ending::Failed("exit status: 3".into())]);
    }

    #[test]
    fn a_command_that_fails_is_a_failure_that_names_it() {
        let failure = run(&mut shell("exit 4")).expect_err("it exits with 4");
        assert_eq!(failure.to_string(), "`sh -c 'exit 4'` ended with exit status: 4");
        assert_eq!(output_of(&mut shell("echo yes")).expect("it succeeds"), b"yes\n");
    }
}
