//! What a sandbox refuses, tried natively from inside: this program starts itself, enters, and tells what it got.

#[cfg(target_os = "linux")]
mod ends;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod reports;
#[cfg(target_os = "linux")]
mod tables;
#[cfg(target_os = "linux")]
mod tries;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    #[cfg(target_os = "linux")]
    if let Some(spec) = probe::asked() {
        return probe::run(&spec);
    }
    libtest_mimic::run(&Arguments::from_args(), trials()).exit_code()
}

#[cfg(target_os = "linux")]
fn trials() -> Vec<Trial> {
    let mut trials = tables::trials();
    trials.extend(reports::trials());
    trials.extend(ends::trials());
    trials
}

/// Where nothing is enforced, that is what is said.
#[cfg(not(target_os = "linux"))]
fn trials() -> Vec<Trial> {
    use codemode_worker::sandbox::{SandboxOptions, enter};

    vec![Trial::test("nothing_is_claimed_where_nothing_is_there", || {
        let enforced = enter(&SandboxOptions { enabled: true, ..SandboxOptions::default() })?;
        assert!(enforced.missing().iter().all(|sentence| sentence.ends_with(": only Linux has what holds a worker")));
        assert_eq!(enforced.missing().len(), 10);
        Ok(())
    })]
}
