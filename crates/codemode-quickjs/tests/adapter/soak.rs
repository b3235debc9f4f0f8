//! Many hostile runs in one process: memory stays flat, and no thread is left behind.

use std::time::Duration;

use codemode_core::{RunRequest, threads_left_behind};

use crate::bed::{Bed, run};
use crate::hostile::{Program, programs};
use crate::sampling::Sampling;

/// The process's resident memory, in MiB.
#[cfg(target_os = "linux")]
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("a process has a statm");
    let pages: u64 = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number of pages");
    (pages * 4096) >> 20
}

#[test]
#[cfg(target_os = "linux")]
fn soak_of_hostile_programs_leaves_memory_flat() {
    let sampling = Sampling::new();
    let programs: Vec<Program> = programs().into_iter().filter(|program| !program.wedges && !program.late).collect();
    let runner = Bed::default().with(|budgets| budgets.compute = Duration::from_millis(20)).runner();
    let rounds = if sampling.is_whole() { 30 } else { 3 };
    let most = if sampling.is_whole() { u64::MAX } else { 60 };
    let mut early = 0;
    for round in 0..rounds {
        // Each round but a sampled one has every program, so that the first sees the largest.
        for number in sampling.numbers("program", programs.len() as u64, most) {
            let program = &programs[usize::try_from(number - 1).expect("an index")];
            let outcome = run(&runner, RunRequest::new(program.source.as_str()));
            // A builtin that is late on a loaded machine may be given up on; its thread ends by itself.
            assert!(outcome.warnings.len() <= 1, "{}: {:?}", program.name, outcome.warnings);
        }
        if round == 0 {
            early = resident();
        }
    }
    let late = resident();
    eprintln!("{early} MiB after the first of {rounds} rounds, {late} MiB after all");
    // An interpreter leaked each time would be 100 KiB and more: 400 MiB in the whole soak.
    assert!(late <= early + 128, "{early} MiB after the first of {rounds} rounds, {late} MiB after all");
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    while threads_left_behind() > 0 && std::time::Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert_eq!(threads_left_behind(), 0);
}
