//! The conformance suite on Boa: the page of glue.

use std::sync::Arc;

use codemode_boa::Boa;
use codemode_boa::memory::CountingAllocator;
use codemode_conformance::{Arguments, Suite};

/// Memory is counted; what fires in a thread is the latch alone.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn main() {
    // What a builtin computes nothing but the end of a process can stop: those cases are run where there is one.
    let suite = Suite::builtin().only(|file, _| file != "bounds_js_hostile").with_engine(Arc::new(Boa::unbounded_in_thread()));
    suite.run(&Arguments::from_args()).exit();
}
