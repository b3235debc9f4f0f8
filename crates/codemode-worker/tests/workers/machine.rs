//! What there is on this machine of ours: processes and descriptors.

use std::fs;
use std::time::{Duration, Instant};

/// The processes whose parent this is, by their ids, dead ones that nobody waited for among them.
pub(crate) fn children_of(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("proc").filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    processes.filter(|id| parent_of(*id) == Some(parent)).collect()
}

fn parent_of(id: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name stands in brackets and may have any character.
    status.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// Whether a process is there and no zombie.
pub(crate) fn lives(id: u32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat"))
        .ok()
        .and_then(|status| status.rsplit_once(") ").map(|(_, rest)| !rest.starts_with('Z')))
        .unwrap_or(false)
}

/// How many descriptors this process has open, without those that a runtime of tokio's keeps for good, which it has made by now.
pub(crate) fn descriptors() -> usize {
    crate::host::on_runtime(async {});
    fs::read_dir("/proc/self/fd").expect("proc").count()
}

/// Waits until something holds.
pub(crate) fn wait_until(what: &str, within: Duration, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + within;
    while !holds() {
        assert!(Instant::now() < end, "{what}, within {within:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn kill(id: u32) {
    if let Some(pid) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}
