//! The process that is held: it prepares what it is told to, enters, tries, and tells.
#![expect(unsafe_code, reason = "what a program could try natively has no safe interface")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};

use codemode_worker::sandbox::{Enforced, SandboxOptions, Without, enter_without};
use serde::{Deserialize, Serialize};

use crate::tries::{self, Tried};

/// The argument that makes this program the one that is held; the next one is its [`Spec`].
const PROBE: &str = "--probe";

/// Nobody's user and group.
const NOBODY: u32 = 65534;

/// What the process is told to do.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub(crate) options: SandboxOptions,
    pub(crate) without_filter: bool,
    pub(crate) landlock_past: Option<u32>,
    pub(crate) without_close_range: bool,
    /// Whether it gives up being root first.
    pub(crate) as_nobody: bool,
    /// Whether the tries are made on a second thread, which there is before the process enters on its first.
    pub(crate) on_a_thread_from_before: bool,
    /// Descriptors that it has before it enters, beside the first three.
    pub(crate) descriptors: Vec<i32>,
    /// Which tries it makes.
    pub(crate) tries: Vec<String>,
    /// What it does last, in place of an ordinary end.
    pub(crate) end: Option<String>,
}

/// What it tells.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Told {
    pub(crate) enforced: Result<Enforced, String>,
    pub(crate) tried: Vec<Tried>,
}

/// The spec, in the process that is held.
pub(crate) fn asked() -> Option<Spec> {
    let mut arguments = std::env::args().skip(1);
    (arguments.next()? == PROBE).then(|| serde_json::from_str(&arguments.next().expect("a spec")).expect("JSON"))
}

/// Is the process that is held.
pub(crate) fn run(spec: &Spec) -> ExitCode {
    if spec.as_nobody {
        become_nobody();
    }
    for &descriptor in &spec.descriptors {
        // SAFETY: the number is the test's own, past all that this process has open.
        assert_eq!(unsafe { libc::dup2(1, descriptor) }, descriptor);
    }
    let before = tries::Before::look();
    let names = spec.tries.clone();
    let make = move || tries::make(&names, &before);
    let without = Without { filter: spec.without_filter, landlock_past: spec.landlock_past, close_range: spec.without_close_range };
    let enter = || enter_without(&spec.options, without).map_err(|error| error.to_string());
    let (enforced, tried) = if spec.on_a_thread_from_before {
        let (entered, is_entered) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || is_entered.recv().map(|()| make()).expect("it is entered"));
        let enforced = enter();
        entered.send(()).expect("the thread waits");
        (enforced, thread.join().expect("no panic"))
    } else {
        let enforced = enter();
        let tried = if enforced.is_ok() { make() } else { Vec::new() };
        (enforced, tried)
    };
    let told = serde_json::to_string(&Told { enforced, tried }).expect("JSON");
    writeln!(std::io::stdout(), "{told}").expect("the test reads");
    if let Some(end) = &spec.end {
        tries::end(end);
    }
    ExitCode::SUCCESS
}

fn become_nobody() {
    // SAFETY: this is the only thread, and the calls take numbers alone.
    unsafe {
        assert_eq!(libc::setgroups(0, std::ptr::null()), 0);
        assert_eq!(libc::setresgid(NOBODY, NOBODY, NOBODY), 0);
        assert_eq!(libc::setresuid(NOBODY, NOBODY, NOBODY), 0);
    }
}

/// Whether the tests themselves run as root.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The process that would be held, with nothing in its environment.
pub(crate) fn command(spec: &Spec) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env_clear().arg(PROBE).arg(serde_json::to_string(spec).expect("JSON"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the process and reads what it tells.
pub(crate) fn start(command: &mut Command) -> (Child, Told) {
    let mut child = command.spawn().expect("a process");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let Ok(told) = serde_json::from_str(&line) else {
        let (status, errors) = wait(child);
        panic!("the process told {line:?} and ended with {status}: {errors}");
    };
    (child, told)
}

/// Waits for the end of the process, and reads what it said on standard error.
pub(crate) fn wait(mut child: Child) -> (ExitStatus, String) {
    let mut errors = String::new();
    if let Some(mut pipe) = child.stderr.take() {
        pipe.read_to_string(&mut errors).expect("text");
    }
    (child.wait().expect("it was started"), errors)
}

/// All of it: an ordinary end, and nothing on standard error.
pub(crate) fn probe(spec: &Spec) -> Told {
    let (child, told) = start(&mut command(spec));
    let (status, errors) = wait(child);
    assert_eq!((status.code(), errors.as_str()), (Some(0), ""), "{told:?}");
    told
}
