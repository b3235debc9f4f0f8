//! Closing what the process inherited.
#![expect(unsafe_code, reason = "closing a descriptor by its number has no safe interface")]

use std::io;

/// Closes every descriptor past the first three that is not among these.
pub(super) fn close_others(keep: &[i32], without_range: bool) -> Result<(), String> {
    let mut keep: Vec<u32> = keep.iter().filter_map(|&kept| u32::try_from(kept).ok()).filter(|&kept| kept > 2).collect();
    keep.sort_unstable();
    let ranges = if without_range { Err(io::Error::from(io::ErrorKind::Unsupported)) } else { close_ranges(&keep) };
    // Before Linux 5.9 there was no such call, and some containers refuse it.
    ranges.or_else(|_| close_listed(&keep)).map_err(|error| format!("the open descriptors cannot be listed: {error}"))
}

/// Closes what lies between those that are kept, which are in order.
fn close_ranges(keep: &[u32]) -> io::Result<()> {
    let mut first = 3;
    for &kept in keep {
        if first < kept {
            close_range(first, kept - 1)?;
        }
        first = first.max(kept.saturating_add(1));
    }
    close_range(first, u32::MAX)
}

fn close_range(first: u32, last: u32) -> io::Result<()> {
    // SAFETY: the caller of `enter` names each descriptor that anything in this process still owns; the rest was inherited and nobody
    // here knows of it. The call takes numbers alone.
    match unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn close_listed(keep: &[u32]) -> io::Result<()> {
    let mut others = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let number = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        others.extend(number.filter(|number| *number > 2 && !keep.contains(&number.unsigned_abs())));
    }
    for other in others {
        // SAFETY: as above. The one of the list itself is closed already, and closing it again only fails.
        unsafe { libc::close(other) };
    }
    Ok(())
}
