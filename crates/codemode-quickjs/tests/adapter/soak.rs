//! Many hostile runs in one process: memory stays flat, and no thread is left behind.

use std::time::Duration;

use codemode_core::RunRequest;
use codemode_testbed::{run, soak};

use crate::bed::Bed;
use crate::hostile::{Program, programs};

#[test]
fn soak_of_hostile_programs_leaves_memory_flat() {
    let programs: Vec<Program> = programs().into_iter().filter(|program| !program.wedges && !program.late).collect();
    let runner = Bed::default().with(|budgets| budgets.compute = Duration::from_millis(20)).runner();
    soak("soak::soak_of_hostile_programs_leaves_memory_flat", programs.len(), 4_000, |index| {
        run(&runner, RunRequest::new(programs[index].source.as_str()));
    });
}
