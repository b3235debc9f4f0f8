//! A process of its own for a case that may leave a thread behind: the test binary again, with one trial's name.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::perform::Performed;

/// Names the file in which the child leaves what it observed.
const OUTCOME: &str = "CODEMODE_CONFORMANCE_OUTCOME";

/// In the child: leaves what was observed, and ends the process with whatever thread still sits in a call.
///
/// Gives `performed` back where this process is no such child.
pub(crate) fn hand_over(performed: Result<Performed, String>) -> Result<Performed, String> {
    let Some(path) = env::var_os(OUTCOME) else { return performed };
    let written = serde_json::to_vec(&performed).map_err(|error| error.to_string()).and_then(|bytes| {
        // Written beside and renamed, so that the parent never reads a half.
        let beside = Path::new(&path).with_extension("part");
        fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, &path)).map_err(|error| error.to_string())
    });
    std::process::exit(i32::from(written.is_err()));
}

/// Whether this process is such a child.
pub(crate) fn is_child() -> bool {
    env::var_os(OUTCOME).is_some()
}

/// In the parent: runs the trial `name` of this very binary, and reads what it observed.
pub(crate) fn run_apart(name: &str, bound: Duration) -> Result<Performed, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no folder for a process of its own: {error}"))?;
    let path = folder.path().join("outcome.json");
    let child = start(name, path.as_os_str()).map_err(|error| format!("no process of its own: {error}"))?;
    let status = wait(child, bound)?;
    let bytes = fs::read(&path).map_err(|_| format!("the process of the case ended without an outcome: {status}"))?;
    serde_json::from_slice::<Result<Performed, String>>(&bytes).map_err(|error| format!("the outcome cannot be read: {error}"))?
}

fn start(name: &str, outcome: &OsStr) -> std::io::Result<Child> {
    Command::new(env::current_exe()?)
        .args(["--exact", name, "--test-threads", "1"])
        .env(OUTCOME, outcome)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
}

/// Waits for the child, and kills it when the bound is over.
///
/// Its standard output ends when it does, which a thread can wait for while this one keeps the time.
fn wait(mut child: Child, bound: Duration) -> Result<ExitStatus, String> {
    let stdout = child.stdout.take();
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = stdout.map(|mut stdout| std::io::copy(&mut stdout, &mut std::io::sink()));
        let _ = sender.send(());
    });
    let in_time = ended.recv_timeout(bound).is_ok();
    // What the child started may hold its output open when it has ended itself.
    if !in_time && matches!(child.try_wait(), Ok(None)) {
        let _ = child.kill();
        let _ = child.wait();
        return Err(format!("no outcome within {} s; the process of the case was killed", bound.as_secs()));
    }
    child.wait().map_err(|error| format!("the process of the case cannot be waited for: {error}"))
}
