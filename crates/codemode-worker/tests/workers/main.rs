//! Worker processes as a host sees them: they die, lie, and are many. This program is the host, and its workers as well.

mod broken;
mod deaths;
mod host;
mod machine;
mod pool;
mod sessions;

use std::process::ExitCode;
use std::sync::Arc;

use codemode_core::Engine;
use codemode_luajit::LuaJit;
use codemode_quickjs::QuickJs;
use codemode_worker::{WorkerAllocator, serve};
use libtest_mimic::Arguments;

#[global_allocator]
static ALLOCATOR: WorkerAllocator<std::alloc::System> = WorkerAllocator(std::alloc::System);

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(host::WORKER) => {
            let engines: [Arc<dyn Engine>; 2] = [Arc::new(LuaJit::new()), Arc::new(QuickJs::new())];
            serve(&engines, None)
        }
        Some(broken::BROKEN) => broken::be_one(&std::env::args().nth(2).unwrap_or_default()),
        Some(deaths::HOST) => deaths::be_a_host(),
        _ => {
            let mut trials = pool::trials();
            trials.extend(sessions::trials());
            trials.extend(broken::trials());
            trials.extend(deaths::trials());
            let mut arguments = Arguments::from_args();
            // Each looks at all processes that this one has started.
            arguments.test_threads = Some(1);
            libtest_mimic::run(&arguments, trials).exit_code()
        }
    }
}
