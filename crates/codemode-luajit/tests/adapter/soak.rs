//! Many hostile runs in one process: memory stays flat, and no thread is left behind.

use std::time::Duration;

use codemode_core::{Budgets, RunRequest};
use codemode_testbed::{run, soak};

use crate::bed::Bed;
use crate::hostile::programs;

#[test]
fn soak_of_hostile_programs_leaves_memory_flat() {
    let programs = programs();
    let budgets = Budgets { compute: Duration::from_millis(20), calls: 100, ..Budgets::default() };
    let runners = [true, false].map(|jit| Bed::default().with_jit(jit).with_budgets(budgets).runner());
    soak("soak::soak_of_hostile_programs_leaves_memory_flat", programs.len() * 2, 10_000, |index| {
        let (program, runner) = (&programs[index / 2], &runners[index % 2]);
        let outcome = run(runner, RunRequest::new(program.source()));
        assert!(outcome.warnings.is_empty(), "{}: {:?}", program.name, outcome.warnings);
    });
}
