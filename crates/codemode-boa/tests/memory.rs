//! Memory of programs where the allocator counts.

use std::sync::Arc;

use codemode_boa::Boa;
use codemode_boa::memory::CountingAllocator;
use codemode_core::{Bound, Budgets, Outcome, Profile, RunRequest, Runner};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Runs a program with 8 MiB.
fn run(source: &str) -> Outcome {
    let mut profile = Profile::program();
    profile.budgets = Budgets { memory_bytes: 8 << 20, ..profile.budgets };
    let runner = Runner::builder(Arc::new(Boa::unbounded_in_thread()), profile, codemode_testbed::host()).build().expect("a runner");
    codemode_testbed::run(&runner, RunRequest::new(source))
}

#[test]
fn what_is_kept_is_bounded() {
    let outcome = run("const kept = []; for (let i = 0; ; i++) kept.push({ i, text: 'x'.repeat(100) + i })");
    let failure = outcome.failure.expect("a failure");
    assert_eq!((failure.bound, failure.limit), (Some(Bound::Memory), Some(8 << 20)));
    let peak = outcome.usage.memory_peak_bytes;
    assert!((8 << 20..11 << 20).contains(&peak), "{peak}");
}

#[test]
fn garbage_is_not_kept() {
    let outcome = run(
        "let sum = 0; for (let i = 0; i < 4e4; i++) { const o = { i, text: 'x'.repeat(200) + i }; o.o = o; sum += o.text.length } return sum",
    );
    assert_eq!(outcome.value.map(|value| value.text().to_owned()), Some("8188890".to_owned()));
}
