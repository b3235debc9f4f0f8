//! What Linux tells of this process's memory.

/// The memory that this process has in RAM now, in MiB.
///
/// # Panics
///
/// Where Linux does not tell.
pub fn resident_mib() -> u64 {
    status("VmRSS:")
}

/// The most that this process had in RAM at any time, in MiB.
///
/// # Panics
///
/// Where Linux does not tell.
pub fn peak_mib() -> u64 {
    status("VmHWM:")
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a process has a status");
    let kib = status.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.expect("a figure in kB") >> 10
}
