//! `cargo xtask ci`: every check in one order, for a person and for the continuous integration alike.

use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::progress::{say, time};
use crate::workspace::Workspace;
use crate::{deny, examples, features, nextest, peers, process, tidy};

/// Run every check, in order, and stop at the first that fails.
///
/// This is what the continuous integration runs.
/// At the end stands a table of the steps with the time of each.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Go on after a step that failed; the whole still fails.
    #[arg(long)]
    keep_going: bool,
    /// Run only this step; may be given several times.
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// Leave this step out; may be given several times.
    #[arg(long, value_name = "STEP")]
    skip: Vec<Step>,
}

/// The steps in the order in which they run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// Formatting is as rustfmt wants it.
    Fmt,
    /// No lint of rustc or clippy warns, in any target.
    Clippy,
    /// The house rules hold: see `cargo xtask tidy --help`.
    Tidy,
    /// The MCP clients and servers of others are installed: see `cargo xtask peers --help`.
    Peers,
    /// Unit tests, the conformance suite and end-to-end tests.
    Nextest,
    /// LuaJIT as hosts build it who do not set the flag: its compiler is off, and every program still ends.
    Unflagged,
    /// The examples in doc comments and READMEs.
    DocTests,
    /// The API pages build, without a broken link.
    Doc,
    /// Every subset of engines: see `cargo xtask features --help`.
    Features,
    /// The examples of the library crates build and run.
    Examples,
    /// Licences, duplicates, sources and advisories of what is linked.
    Deny,
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn run(self, workspace: &Workspace) -> Result<(), Failure> {
        match self {
            Self::Fmt => process::run(&mut workspace.cargo(["fmt", "--all", "--check"])),
            Self::Clippy => process::run(&mut workspace.cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
            Self::Tidy => tidy::run(workspace, &tidy::Options::default()),
            Self::Peers => peers::run(workspace, &peers::Options::default()),
            Self::Nextest => process::run(&mut nextest::command(workspace, "default", &["--workspace"])),
            Self::Unflagged => process::run(&mut nextest::unflagged(workspace)),
            Self::DocTests => process::run(&mut workspace.cargo(["test", "--doc", "--workspace"])),
            // Libraries alone: the command has the facade's name, and cargo would write both to one folder.
            Self::Doc => process::run(workspace.cargo(["doc", "--no-deps", "--workspace", "--lib"]).env("RUSTDOCFLAGS", "-D warnings")),
            Self::Features => features::run(workspace, &features::Options::default()),
            Self::Examples => examples::run(workspace),
            Self::Deny => deny::check(workspace),
        }
    }
}

/// How a step ended; a step that was not run has no time.
#[derive(Debug)]
enum Ending {
    Passed(Duration),
    Failed(Duration, Failure),
    LeftOut,
    NotReached,
}

pub(crate) fn run(workspace: &Workspace, options: &Options) -> Result<(), Failure> {
    let endings = perform(options, |step| step.run(workspace));
    for line in summary(&endings) {
        say(&line);
    }
    match endings.iter().filter(|(_, ending)| matches!(ending, Ending::Failed(..))).count() {
        0 => Ok(()),
        failed => Err(Failure::new(format!("{failed} of the steps failed; `cargo xtask ci --only STEP` repeats one"))),
    }
}

/// Runs the chosen steps in their order.
fn perform(options: &Options, mut run: impl FnMut(Step) -> Result<(), Failure>) -> Vec<(Step, Ending)> {
    let mut endings = Vec::new();
    let mut stopped = false;
    for &step in Step::value_variants() {
        let chosen = options.only.is_empty() || options.only.contains(&step);
        let ending = if !chosen || options.skip.contains(&step) {
            Ending::LeftOut
        } else if stopped {
            Ending::NotReached
        } else {
            say(&format!("\n== {}", step.name()));
            let started = Instant::now();
            match run(step) {
                Ok(()) => {
                    say(&format!("== {} passed in {}", step.name(), time(started.elapsed())));
                    Ending::Passed(started.elapsed())
                }
                Err(failure) => {
                    say(&format!("== {} FAILED in {}: {failure}", step.name(), time(started.elapsed())));
                    stopped = !options.keep_going;
                    Ending::Failed(started.elapsed(), failure)
                }
            }
        };
        endings.push((step, ending));
    }
    endings
}

/// The table at the end: a line for each step, then the counts.
fn summary(endings: &[(Step, Ending)]) -> Vec<String> {
    let mut lines = vec![String::new()];
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (step, ending) in endings {
        let (word, detail) = match ending {
            Ending::Passed(took) => ("passed", time(*took)),
            Ending::Failed(took, failure) => ("FAILED", format!("{}: {failure}", time(*took))),
            Ending::LeftOut => ("left out", String::new()),
            Ending::NotReached => ("not reached", String::new()),
        };
        match ending {
            Ending::Passed(_) => passed += 1,
            Ending::Failed(..) => failed += 1,
            Ending::LeftOut | Ending::NotReached => skipped += 1,
        }
        lines.push(format!("{:<10} {word:<12} {detail}", step.name()).trim_end().to_owned());
    }
    lines.push(format!("steps: {passed} passed, {failed} failed, {skipped} skipped"));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(keep_going: bool, only: &[Step], skip: &[Step]) -> Options {
        Options { keep_going, only: only.to_vec(), skip: skip.to_vec() }
    }

    /// The steps that ran when clippy fails, and the last line of the table.
    fn check(options: &Options, expected_steps: &[Step], expected_counts: &str) {
        let mut ran = Vec::new();
        let endings = perform(options, |step| {
            ran.push(step);
            if step == Step::Clippy { Err(Failure::new("a lint")) } else { Ok(()) }
        });
        assert_eq!(ran, expected_steps);
        assert_eq!(summary(&endings).last().map(String::as_str), Some(expected_counts));
    }

    #[test]
    fn the_first_failure_stops_unless_told_otherwise() {
        check(&options(false, &[], &[]), &[Step::Fmt, Step::Clippy], "steps: 1 passed, 1 failed, 9 skipped");
        check(&options(true, &[], &[]), Step::value_variants(), "steps: 10 passed, 1 failed, 0 skipped");
    }

    #[test]
    fn steps_are_chosen_and_left_out_by_name() {
        check(&options(false, &[Step::Deny, Step::Fmt], &[]), &[Step::Fmt, Step::Deny], "steps: 2 passed, 0 failed, 9 skipped");
        check(
            &options(false, &[Step::Fmt, Step::Clippy, Step::Doc], &[Step::Clippy]),
            &[Step::Fmt, Step::Doc],
            "steps: 2 passed, 0 failed, 9 skipped",
        );
    }

    #[test]
    fn the_table_says_how_each_step_ended() {
        let endings = [
            (Step::Fmt, Ending::Passed(Duration::from_millis(1_200))),
            (Step::Clippy, Ending::Failed(Duration::from_secs(61), Failure::new("a lint"))),
            (Step::DocTests, Ending::NotReached),
            (Step::Deny, Ending::LeftOut),
        ];
        assert_eq!(
            summary(&endings),
            [
                "",
                "fmt        passed       1.2 s",
                "clippy     FAILED       1 min 01 s: a lint",
                "doc-tests  not reached",
                "deny       left out",
                "steps: 1 passed, 1 failed, 2 skipped",
            ]
        );
    }
}
