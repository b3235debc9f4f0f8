//! A part of a test in a process of its own, where it may abort, sit in a call that nobody can stop, or have an environment of its own.
#![expect(clippy::print_stderr, reason = "a child speaks to its parent through standard error")]

use std::process::{Command, ExitStatus};
use std::sync::mpsc;
use std::time::Duration;

/// Names the part that a child is to run.
const PART: &str = "CODEMODE_TEST_PART";

/// Begins a line that a child says to its parent.
const SAYS: &str = "says: ";

/// The part that this process is to run, in `longest` at most, after which it ends with the code 3; nothing in a parent.
pub fn part(longest: Duration) -> Option<String> {
    let part = std::env::var(PART).ok()?;
    std::thread::spawn(move || {
        // Nobody sends: what is waited for is the end of the process.
        let (_sender, never) = mpsc::channel::<()>();
        if never.recv_timeout(longest) == Err(mpsc::RecvTimeoutError::Timeout) {
            std::process::exit(3);
        }
    });
    Some(part)
}

/// Says a line to the parent at once, so that it is known even if the next thing is an abort.
pub fn say(line: &str) {
    eprintln!("{SAYS}{line}");
}

/// What became of a child.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// What it said, line by line.
    pub said: Vec<String>,
    /// All else that it wrote to standard error.
    pub rest: String,
}

/// Runs a part of the test `test`, named with its module, in a process of its own, with `environment` besides ours.
///
/// # Panics
///
/// Where the test's own program does not start.
pub fn run_part(test: &str, part: &str, environment: &[(&str, &str)]) -> Ended {
    let this = std::env::current_exe().expect("the test's own program");
    let output = Command::new(this)
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .envs(environment.iter().copied())
        .env(PART, part)
        .output()
        .expect("the test's own program starts");
    let (mut said, mut rest) = (Vec::new(), String::new());
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        match line.strip_prefix(SAYS) {
            Some(line) => said.push(line.to_owned()),
            None => rest += &format!("{line}\n"),
        }
    }
    Ended { status: output.status, said, rest }
}
