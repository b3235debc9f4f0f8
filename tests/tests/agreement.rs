//! QuickJS and Boa side by side: the same outcome in each case of JavaScript that neither leaves to a process.

use std::sync::Arc;

use codemode_boa::Boa;
use codemode_boa::memory::CountingAllocator;
use codemode_conformance::{Arguments, Suite};
use codemode_quickjs::QuickJs;

/// Boa counts no memory of its own.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn main() {
    // Each engine has its own trials elsewhere. What a builtin computes nothing but the end of a process can stop.
    let suite = Suite::builtin().only(|file, _| file != "bounds_js_hostile");
    let suite = suite.with_engine(Arc::new(QuickJs::new())).with_engine(Arc::new(Boa::unbounded_in_thread()));
    let agreement = suite.trials().into_iter().filter(|trial| trial.name().contains('=')).collect();
    libtest_mimic::run(&Arguments::from_args(), agreement).exit();
}
