//! Programs that hide from bounds: each ends, soon after its bound, with the kind of that bound.

use std::time::{Duration, Instant};

use codemode_core::{Budgets, Outcome};
use serde::Deserialize;

use crate::bed::Bed;

/// How long a program may take in all: 300 ms of compute, and what a machine with other work needs to stop it.
pub(crate) const SOON: Duration = Duration::from_secs(3);

#[derive(Deserialize)]
struct Programs {
    program: Vec<Program>,
}

#[derive(Deserialize)]
pub(crate) struct Program {
    pub(crate) name: String,
    ends: Vec<String>,
    source: String,
}

impl Program {
    /// The source, with `host` as a function of one number.
    pub(crate) fn source(&self) -> String {
        format!("local function host(n) return tool.echo{{n = n}} end {}", self.source)
    }
}

/// The hostile programs.
pub(crate) fn programs() -> Vec<Program> {
    toml::from_str::<Programs>(include_str!("../data/hostile.toml")).expect("programs").program
}

/// The budgets that they run under.
pub(crate) fn budgets() -> Budgets {
    Budgets { compute: Duration::from_millis(300), calls: 10_000, ..Budgets::default() }
}

fn run_all(jit: bool) {
    let bed = Bed::default().with_jit(jit).with_budgets(budgets());
    let mut wrong = String::new();
    for program in programs() {
        let began = Instant::now();
        let outcome = bed.run(&program.source());
        let took = began.elapsed();
        let line = format!("{:<14} {:>5} ms  {}", program.name, took.as_millis(), told(&outcome));
        eprintln!("{line}");
        let honest = program.ends.iter().any(|end| end == outcome.status.as_str()) && outcome.warnings.is_empty();
        if took > SOON || !honest {
            wrong += &format!("\n{line}");
        }
    }
    assert!(wrong.is_empty(), "jit {jit}:{wrong}");
}

fn told(outcome: &Outcome) -> String {
    match &outcome.failure {
        None => format!("ok {:?} {:?}", codemode_core::text::cut(&outcome.output, 60), outcome.warnings),
        Some(failure) => format!("{} {} {:?}", failure.kind, codemode_core::text::cut(&failure.message, 80), outcome.warnings),
    }
}

#[test]
fn hostile_programs_end_with_the_compiler() {
    run_all(true);
}

#[test]
fn hostile_programs_end_without_the_compiler() {
    run_all(false);
}
