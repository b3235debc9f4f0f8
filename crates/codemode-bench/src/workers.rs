//! QuickJS in worker processes, which are this very program.

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use codemode_core::{Engine, Profile};
use codemode_quickjs::QuickJs;
use codemode_worker::{Launch, Workers, WorkersBuilder, serve};

use crate::bare;
use crate::call::{CALLING, CALLS, NOT_CALLING};
use crate::figure::{Figure, Gate};
use crate::ours::Ours;
use crate::turns::minima;

/// What this program is given to be a worker.
pub(crate) const WORKER: &str = "--serve-as-worker";

/// Runs one after the other.
const RUNS: u32 = 10_000;

/// What a large host holds, in bytes.
const HELD: usize = 1 << 30;

pub(crate) fn be_one() -> ExitCode {
    let engines: [Arc<dyn Engine>; 1] = [Arc::new(QuickJs::new())];
    serve(&engines, None)
}

fn builder() -> WorkersBuilder {
    Workers::builder(Launch::this_program(WORKER).expect("this program has a name"))
}

fn ours(workers: &Workers) -> Ours {
    Ours::ahead(workers.engine("quickjs").expect("a worker starts"), Profile::program())
}

/// From a warm pool to the result of `return 1`, against a bare engine in a thread that is there.
pub(crate) fn start(turns: u32) -> Figure {
    let workers = builder().build();
    let ours = ours(&workers);
    assert_eq!(ours.gives("return 1"), "1");
    let mut least = Duration::MAX;
    for _ in 0..turns * 20 {
        // The worker makes its next interpreter meanwhile.
        std::thread::sleep(Duration::from_millis(3));
        let began = Instant::now();
        drop(ours.run("return 1"));
        least = least.min(began.elapsed());
    }
    let (least_bare, _) = minima(turns, || bare::quickjs_with_tools("return 1"), || ());
    Figure::new("worker: return 1", ours.engine, (least, least_bare), Gate::Most(60.0))
}

/// Ten thousand runs, each of which waits for the one before.
pub(crate) fn one_by_one(_turns: u32) -> Figure {
    let workers = builder().build();
    let ours = ours(&workers);
    assert_eq!(ours.gives("return 1"), "1");
    let began = Instant::now();
    for _ in 0..RUNS {
        drop(ours.run("return 1"));
    }
    let each = began.elapsed() / RUNS;
    let began = Instant::now();
    for _ in 0..RUNS / 10 {
        bare::quickjs_with_tools("return 1");
    }
    Figure::new("worker: 10,000 runs", ours.engine, (each, began.elapsed() / (RUNS / 10)), Gate::Most(250.0))
}

/// A call over the pipe, against one in a thread.
pub(crate) fn call(turns: u32) -> Figure {
    let workers = builder().build();
    let ours = ours(&workers);
    let thread = Ours::quickjs();
    let (least, least_thread) = minima(turns, || drop(ours.run(CALLING)), || drop(thread.run(CALLING)));
    let (empty, empty_thread) = minima(turns, || drop(ours.run(NOT_CALLING)), || drop(thread.run(NOT_CALLING)));
    let each = (least.saturating_sub(empty) / CALLS, least_thread.saturating_sub(empty_thread) / CALLS);
    Figure::new("worker: call", ours.engine, each, Gate::Most(15.0))
}

/// What a worker that waits holds, in KiB, against this process.
pub(crate) fn memory(_turns: u32) -> Figure {
    let workers = builder().build();
    workers.warm("quickjs", &Profile::program(), 1).expect("a worker starts");
    // The one that was asked about its engine is gone by then.
    std::thread::sleep(Duration::from_millis(200));
    let largest = children().into_iter().map(resident).max().unwrap_or(0);
    Figure::memory("worker: memory", "quickjs", (largest, resident(std::process::id())), Gate::Most(6.0 * 1024.0))
}

/// From nothing to a worker with its interpreter, against starting this program for nothing.
pub(crate) fn spawn(turns: u32) -> Figure {
    let (least, least_bare) = spawning(turns);
    Figure::new("worker: spawn", "quickjs", (least, least_bare), Gate::Most(3000.0))
}

/// The same from a host that holds a gigabyte, against one that does not.
pub(crate) fn spawn_from_large(turns: u32) -> Figure {
    let (small, _) = spawning(turns);
    let held = vec![1_u8; HELD];
    let (large, _) = spawning(turns);
    assert_eq!(held[HELD / 2], 1);
    Figure::new("worker: from 1 GiB", "quickjs", (large, small), Gate::Ratio(1.25))
}

fn spawning(turns: u32) -> (Duration, Duration) {
    let profile = Profile::program();
    let workers = builder().waiting_most(0).build();
    workers.engine("quickjs").expect("a worker starts");
    let bare = || {
        let program = std::env::current_exe().expect("this program has a name");
        std::process::Command::new(program).arg("--do-nothing").output().expect("it starts")
    };
    minima(turns * 4, || workers.warm("quickjs", &profile, 1).expect("a worker starts"), || drop(bare()))
}

fn children() -> Vec<u32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    processes.filter(|id| status(*id, "PPid:") == Some(u64::from(std::process::id()))).collect()
}

fn resident(id: u32) -> u64 {
    status(id, "VmRSS:").unwrap_or(0)
}

/// A number in what Linux tells of a process.
fn status(id: u32, line: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    status.lines().find_map(|known| known.strip_prefix(line))?.split_whitespace().next()?.parse().ok()
}
