//! Looks for plain bytes: `string.find` without a pattern, where LuaJIT's own would compare too much.

use memchr::memmem::Finder;

use super::meter::{Halt, Meter};

/// How much is searched before it is counted, unless the needle is longer.
const WINDOW: usize = 1 << 16;

/// The offset of the first `needle` at `from` or after it.
///
/// Its time is linear in the bytes of both. A window as long as the needle is searched at one go.
pub(crate) fn find_plain(subject: &[u8], needle: &[u8], from: usize, meter: &mut Meter<'_>) -> Result<Option<usize>, Halt> {
    meter.spend(needle.len())?;
    let finder = Finder::new(needle);
    let starts = WINDOW.max(needle.len());
    let mut start = from;
    while start + needle.len() <= subject.len() {
        let end = subject.len().min(start + starts + needle.len());
        let window = &subject[start..end];
        if let Some(found) = finder.find(window) {
            return Ok(Some(start + found));
        }
        meter.spend(window.len())?;
        // Every needle that begins before this was in the window.
        start = end - needle.len() + 1;
    }
    Ok(None)
}
