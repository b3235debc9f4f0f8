//! The conformance suite on every engine in worker processes: this binary is their worker as well.

use std::process::ExitCode;
use std::sync::Arc;

use codemode_boa::Boa;
use codemode_boa::memory::{CountingAllocator, on_breach};
use codemode_conformance::{Arguments, Suite};
use codemode_core::Engine;
use codemode_luajit::LuaJit;
use codemode_quickjs::QuickJs;
use codemode_worker::{Launch, WorkerAllocator, Workers, out_of_memory, serve};
use codemode_workspace::Machine;

#[global_allocator]
static ALLOCATOR: WorkerAllocator<CountingAllocator> = WorkerAllocator(CountingAllocator::new());

/// What this binary is given to be a worker.
const WORKER: &str = "serve-as-worker";

fn main() -> ExitCode {
    if std::env::args().nth(1).is_some_and(|argument| argument == WORKER) {
        on_breach(out_of_memory);
        let engines: [Arc<dyn Engine>; 3] = [Arc::new(LuaJit::new()), Arc::new(QuickJs::new()), Arc::new(Boa::in_worker())];
        return serve(&engines, Some(Arc::new(Machine::new())));
    }
    let workers = Workers::builder(Launch::this_program(WORKER).expect("this program has a name")).build();
    let mut suite = Suite::builtin();
    for id in ["luajit", "quickjs", "boa"] {
        suite = suite.with_engine_as(format!("{id}-process"), workers.engine(id).expect("a worker starts"));
    }
    suite.run(&Arguments::from_args()).exit_code()
}
