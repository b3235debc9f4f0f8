//! How a process ends that is held: by what it does, by its limits, with its host.

use std::io::{Read as _, Seek as _};
use std::os::unix::process::ExitStatusExt;

use codemode_worker::sandbox::SandboxOptions;
use libtest_mimic::{Failed, Trial};

use crate::probe::{Spec, command, start, wait};

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("an_abort_is_a_signal_to_itself", || ends_by("abort", None, libc::SIGABRT)),
        Trial::test("processor_time_ends_by_its_own_signal", || ends_by("spin", Some(1), libc::SIGXCPU)),
        Trial::test("it_ends_with_the_thread_that_started_it", || ends_with_the_thread(true)),
        Trial::test("with_local_authority_it_ends_with_the_thread_as_well", || ends_with_the_thread(false)),
        Trial::test("standard_error_in_a_file_does_not_grow", standard_error_does_not_grow),
    ];
    // On a kernel that runs no 32-bit programs the instruction itself is no valid one.
    if cfg!(target_arch = "x86_64") {
        trials.push(Trial::test("a_call_of_another_architecture_kills", || ends_by("call of another architecture", None, libc::SIGSYS)));
    }
    trials
}

fn spec(enabled: bool, end: &str, compute_seconds: Option<u64>) -> Spec {
    let options = SandboxOptions { enabled, compute_seconds, ..SandboxOptions::default() };
    Spec { options, end: Some(end.to_owned()), ..Spec::default() }
}

fn ends_by(end: &str, compute_seconds: Option<u64>, signal: i32) -> Result<(), Failed> {
    let (child, _) = start(&mut command(&spec(true, end, compute_seconds)));
    let (status, errors) = wait(child);
    assert_eq!((status.signal(), status.core_dumped(), errors.as_str()), (Some(signal), false, ""));
    Ok(())
}

fn ends_with_the_thread(enabled: bool) -> Result<(), Failed> {
    let started = std::thread::spawn(move || start(&mut command(&spec(enabled, "wait", None))).0);
    let mut child = started.join().map_err(|_| "the thread broke")?;
    // Its standard input stays open, so that nothing but the end of the thread ends it.
    let input = child.stdin.take();
    let (status, errors) = wait(child);
    drop(input);
    assert_eq!((status.signal(), errors.as_str()), (Some(libc::SIGKILL), ""));
    Ok(())
}

fn standard_error_does_not_grow() -> Result<(), Failed> {
    let mut file = tempfile::tempfile()?;
    let mut command = command(&spec(true, "complain", None));
    let (child, _) = start(command.stderr(file.try_clone()?));
    let (status, _) = wait(child);
    let mut written = String::new();
    file.rewind()?;
    file.read_to_string(&mut written)?;
    assert_eq!((status.code(), written.as_str()), (Some(1), ""));
    Ok(())
}
