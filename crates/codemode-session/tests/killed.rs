//! A process that is killed at any moment leaves a whole state and no lock. The process is this program itself.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use codemode_core::{Json, RunId};
use codemode_session::SessionFolder;
use libtest_mimic::{Arguments, Failed, Trial};

/// The variable that makes this program the one that is killed: its value is the session's folder.
const CHILD: &str = "CODEMODE_SESSION_CHILD";
/// How often a process is killed.
const ROUNDS: u64 = 30;

fn main() -> ExitCode {
    if let Some(folder) = std::env::var_os(CHILD) {
        commit_until_killed(&PathBuf::from(folder));
    }
    let trial = Trial::test("a_killed_process_leaves_a_whole_state_and_no_lock", || kill_again_and_again().map_err(Failed::from));
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

/// Commits ever greater numbers, and says each one that is committed.
fn commit_until_killed(folder: &Path) -> ! {
    let session = SessionFolder::open(folder).expect("the one before is dead");
    let mut number = number_of(session.state());
    let mut says = std::io::stdout().lock();
    loop {
        number += 1;
        let state = Json::parse(format!("{{\"n\":{number},\"filler\":\"{}\"}}", "x".repeat(100_000))).expect("JSON");
        session.commit(&RunId::from_text("run"), &state).expect("written");
        writeln!(says, "{number}").and_then(|()| says.flush()).expect("somebody listens");
    }
}

fn number_of(state: Option<Json>) -> u64 {
    state.map_or(0, |state| state.tree()["n"].as_u64().expect("a number"))
}

fn kill_again_and_again() -> Result<(), String> {
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().map_err(|error| error.to_string())?)
            .env(CHILD, place.path())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut said = 0;
        let lines = BufReader::new(child.stdout.take().ok_or("no pipe")?).lines();
        for line in lines.take(1 + usize::try_from(round).unwrap_or(0) % 5) {
            said = line.ok().and_then(|line| line.parse().ok()).ok_or("the child said no number")?;
        }
        child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
        let session = SessionFolder::open(place.path()).map_err(|error| error.to_string())?;
        let found = number_of(session.state());
        // What was said to be committed is there; it may have gone on before it died.
        if found < said {
            return Err(format!("round {round}: {said} was committed, and {found} is there"));
        }
    }
    Ok(())
}
