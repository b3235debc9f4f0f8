//! The conformance suite on Boa: the page of glue.

use std::sync::Arc;

use codemode_boa::Boa;
use codemode_boa::memory::CountingAllocator;
use codemode_conformance::{Arguments, Suite};

/// Memory is counted; what fires in a thread is the latch alone.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Computing that ends at its bound in a thread, in whatever it hides.
const STOPS: [&str; 12] = [
    "batch-hidden-compute-try",
    "js-hidden-compute-catch-block",
    "js-hidden-compute-class-static-block",
    "js-hidden-compute-console-getter",
    "js-hidden-compute-destructuring-default",
    "js-hidden-compute-error-stack",
    "js-hidden-compute-eval",
    "js-hidden-compute-finally-block",
    "js-hidden-compute-nested-try",
    "js-hidden-compute-new-function",
    "js-hidden-compute-tagged-template",
    "js-hidden-compute-try",
];

/// Cases of bounds that nothing but the end of a process can hold on this engine: a program that computes is stopped here while it
/// runs up to its first `await`, and not within builtins that call back. They are run where there is a process.
fn needs_a_process(file: &str, case: &str) -> bool {
    file == "bounds_js_hostile" || (file == "bounds_js_hidden" && case.contains("-compute-") && !STOPS.contains(&case))
}

fn main() {
    let suite = Suite::builtin().only(|file, case| !needs_a_process(file, case)).with_engine(Arc::new(Boa::unbounded_in_thread()));
    suite.run(&Arguments::from_args()).exit();
}
