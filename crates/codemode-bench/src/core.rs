//! One core for both sides of a measurement.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Runs `work`, and the threads that it starts, on one core.
///
/// Waking a thread on another core, from an idle state, takes several times as long as a hop, and the scheduler chooses
/// anew in each run: on one core both sides have the same. Where the system does not allow it, `work` runs as it is.
pub(crate) fn on_one_core<R>(work: impl FnOnce() -> R) -> R {
    let Ok(allowed) = sched_getaffinity(None) else { return work() };
    let mut one = CpuSet::new();
    if let Some(core) = (0..CpuSet::MAX_CPU).find(|core| allowed.is_set(*core)) {
        one.set(core);
    }
    let pinned = sched_setaffinity(None, &one).is_ok();
    let result = work();
    if pinned {
        // Where this fails, what follows is measured on one core as well.
        let _ = sched_setaffinity(None, &allowed);
    }
    result
}
