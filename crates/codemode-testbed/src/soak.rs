//! Many hostile runs in one process: memory stays flat, and no thread is left behind.
#![expect(clippy::print_stderr, reason = "the figures are what a soak is for")]

use std::time::Duration;

use codemode_core::threads_left_behind;

use crate::memory::resident_mib;
use crate::part::{part, run_part, say};
use crate::sampling::Sampling;

/// How many runs a sample has.
const SAMPLED: u64 = 200;

/// How much the process may grow by, in MiB. It grew by 0 or 1 wherever this was measured: from 7 MiB with LuaJIT (6 samples, and 10,000
/// runs), from 10 MiB with QuickJS (6 samples, and 4,000 runs). One LuaJIT state of 54 KiB leaked by each run of a sample would be 10.
const GROWTH: u64 = 4;

/// A heap of the C library that gives back at once what is free. Without these, each thread's own heap keeps what the largest program in
/// it left, and the same runs come to anything from 30 to 200 MiB.
const HEAP: [(&str, &str); 3] = [("MALLOC_ARENA_MAX", "1"), ("MALLOC_MMAP_THRESHOLD_", "131072"), ("MALLOC_TRIM_THRESHOLD_", "65536")];

/// How long the child may take.
const LONGEST: Duration = Duration::from_secs(900);

/// Runs each of `count` programs once, so that the process has seen the largest of them, and then programs drawn at random, `whole` times
/// in a soak; in a process of its own, which is this test again. `test` is its name with its module; `run` runs the program of an index,
/// and checks its outcome.
///
/// # Panics
///
/// Where the process grew after each program had run once, or a thread was left behind.
pub fn soak(test: &str, count: usize, whole: u64, run: impl FnMut(usize)) {
    if part(LONGEST).is_some() {
        return perform(count, whole, run);
    }
    let ended = run_part(test, "soak", &HEAP);
    eprintln!("{}\n{}", ended.rest, ended.said.join("\n"));
    assert!(ended.status.success() && ended.said.len() == 1, "{:?} {:?}\n{}", ended.status, ended.said, ended.rest);
}

fn perform(count: usize, whole: u64, mut run: impl FnMut(usize)) {
    let sampling = Sampling::new();
    let mut perform = |index| {
        run(index);
        assert_eq!(threads_left_behind(), 0, "program {index}");
    };
    (0..count).for_each(&mut perform);
    let early = resident_mib();
    let runs = if sampling.is_whole() { whole } else { SAMPLED };
    for number in 0..runs {
        let index = sampling.draw("soak", number) % count as u64;
        perform(usize::try_from(index).expect("an index of the programs"));
    }
    let late = resident_mib();
    let figures = format!("{early} MiB after each of {count} programs, {late} MiB after {runs} runs more");
    assert!(late <= early + GROWTH, "{figures}");
    say(&figures);
}
