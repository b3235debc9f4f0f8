//! Processes that a program waits for at once, and what it can know of its own.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use codemode_core::{Json, LocalAnswer, LocalFault};
use rustix::process::{Pid, kill_process, test_kill_process};
use serde_json::json;

use super::arguments::Arguments;
use super::children::{Child, Heard, signal_named, signal_of};
use super::fault;
use super::output::answer;
use super::scope::Scope;

/// The most that is kept of one output where nothing else is said, in bytes: Node's own.
const MOST_OUTPUT: u64 = 1 << 20;

/// Runs a program to its end, gives it its input, and gives both outputs as parts.
///
/// `over` says which bound ended it, `timeout` or `maxBuffer`; nothing where it ended by itself.
pub(super) fn run(given: &Arguments<'_>, scope: &Scope) -> Result<LocalAnswer, LocalFault> {
    let most = usize::try_from(given.whole("maxBuffer").unwrap_or(MOST_OUTPUT)).unwrap_or(usize::MAX);
    let until = given.number("timeout").filter(|limit| *limit > 0.0).and_then(|limit| {
        let limit = Duration::try_from_secs_f64(limit / 1000.0).ok()?;
        Instant::now().checked_add(limit)
    });
    let killer = signal_named(given.text("killSignal").unwrap_or("SIGTERM"))?;
    let child = Child::start(given)?;
    let pid = child.number();
    let input = given.part(0);
    let (mut rest, mut over, mut held) = (&*input, None, scope.reserve(128 << 10)?);
    let mut outputs = [Vec::new(), Vec::new()];
    let status = loop {
        if rest.is_empty() {
            child.close_input();
        }
        let (heard, written) = child.hear(scope, (!rest.is_empty()).then_some(rest))?;
        // One that no longer reads gets no more.
        rest = rest.get(written..).unwrap_or_default();
        match heard {
            Heard::Nothing | Heard::Ended(_) => {}
            Heard::Closed(status) => break status,
            Heard::Output(at, bytes) => {
                let output = &mut outputs[at];
                let room = most.saturating_sub(output.len());
                held.absorb(scope.reserve(2 * bytes.len().min(room))?);
                output.extend_from_slice(&bytes[..bytes.len().min(room)]);
                if bytes.len() > room && over.is_none() {
                    over = Some("maxBuffer");
                    child.send(killer, true);
                }
            }
        }
        if over.is_none() && until.is_some_and(|until| Instant::now() >= until) {
            over = Some("timeout");
            child.send(killer, true);
        }
    };
    scope.leave(child);
    let value = json!({"pid": pid, "status": status.code(), "signal": signal_of(status), "over": over});
    let value = Json::from_serialize(&value).map_err(|error| fault::said("EIO", error.to_string()))?;
    let parts: Vec<std::sync::Arc<[u8]>> = outputs.into_iter().map(Into::into).collect();
    drop(held);
    let held = scope.reserve(parts.iter().map(|part| part.len()).sum())?;
    Ok(LocalAnswer { value, parts, held: Some(held) })
}

/// What a program can know of the process that it runs in.
pub(super) fn info() -> Result<LocalAnswer, LocalFault> {
    let environment: BTreeMap<String, String> =
        std::env::vars_os().map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())).collect();
    let folder = std::env::current_dir().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_else(|_| "/".to_owned());
    let platform = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let program = std::env::current_exe().map(|program| program.to_string_lossy().into_owned()).unwrap_or_default();
    answer(&json!({
        "cwd": folder,
        "env": environment,
        "platform": platform,
        "arch": arch,
        "pid": std::process::id(),
        "ppid": rustix::process::getppid().map(Pid::as_raw_nonzero),
        "execPath": program,
        "tmpdir": std::env::temp_dir().to_string_lossy(),
        "uid": rustix::process::getuid().as_raw(),
        "gid": rustix::process::getgid().as_raw(),
    }))
}

/// Sends a signal to any process of the person's; `0` asks whether it is there.
pub(super) fn signal(given: &Arguments<'_>) -> Result<LocalAnswer, LocalFault> {
    let pid = given.number("pid").filter(|number| number.fract() == 0.0).and_then(|number| {
        #[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates, and no process has such a number")]
        Pid::from_raw(number as i32)
    });
    let failed = |error: rustix::io::Errno| {
        let fault = fault::of(&error.into(), "kill", std::path::Path::new(""));
        LocalFault { message: format!("kill {}", fault.code), path: None, ..fault }
    };
    let Some(pid) = pid.filter(|pid| pid.as_raw_nonzero().get() > 0) else { return Err(failed(rustix::io::Errno::INVAL)) };
    match given.text("signal").unwrap_or("SIGTERM") {
        "0" => test_kill_process(pid).map_err(failed)?,
        name => kill_process(pid, signal_named(name)?).map_err(failed)?,
    }
    answer(&true)
}
