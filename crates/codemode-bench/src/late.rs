//! How long after its bound the latest of the hostile programs ends: those that allocate, or whose polls come often.

use std::time::{Duration, Instant};

use anstream::eprintln;
use codemode_core::FailureKind;
use serde::Deserialize;

use crate::figure::{Figure, Gate};
use crate::ours::Ours;

/// The bound that the programs run into.
const COMPUTE: Duration = Duration::from_millis(200);

/// Each program's least of so many counts, so that a busy moment does not.
const TRIES: u32 = 3;

#[derive(Deserialize)]
struct Programs {
    program: Vec<Program>,
}

#[derive(Deserialize)]
struct Program {
    name: String,
    source: String,
    /// Nothing stops it.
    #[serde(default)]
    wedges: bool,
    /// One builtin is finished first, as docs/limitations/quickjs.md says.
    #[serde(default)]
    late: bool,
}

pub(crate) fn quickjs(_turns: u32) -> Figure {
    let text = include_str!("../../codemode-quickjs/tests/data/hostile.toml");
    let programs = toml::from_str::<Programs>(text).expect("programs").program;
    let ours = Ours::quickjs_within(COMPUTE);
    let stopped = programs.iter().filter(|program| !program.wedges && !program.late);
    let latest = stopped.filter_map(|program| Some((took(&ours, program)?, &*program.name))).max().expect("programs that are stopped");
    eprintln!("the latest is {}", latest.1);
    Figure::new("latest hostile", ours.engine, (latest.0, COMPUTE), Gate::Over(100_000.0))
}

/// How long a program took that the clock stopped; nothing where it ended otherwise.
fn took(ours: &Ours, program: &Program) -> Option<Duration> {
    let tries = (0..TRIES).map(|_| {
        let began = Instant::now();
        let outcome = ours.outcome(&program.source);
        (outcome.kind() == Some(FailureKind::Time)).then(|| began.elapsed())
    });
    tries.collect::<Option<Vec<_>>>()?.into_iter().min()
}
