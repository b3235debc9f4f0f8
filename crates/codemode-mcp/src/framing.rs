//! Messages as lines, which both ends of a pipe read in the same way.

mod top_level;

use std::io;

use serde_json::value::RawValue;
use tokio::io::AsyncBufReadExt;

pub(crate) use top_level::TopLevel;

/// The longest line that is read: 16 MiB.
pub(crate) const LINE_BYTES: usize = 16 << 20;

/// The most memory of one line that is kept for the next.
const KEPT_BYTES: usize = 1 << 20;

/// What was read.
pub(crate) enum Line {
    /// A line, with its end where it has one.
    Whole,
    /// A line past [`LINE_BYTES`], of which nothing is kept but whose message it was.
    TooLong {
        /// Its size.
        bytes: u64,
        /// What could be made out of it.
        top: TopLevel,
    },
    /// The end of the stream.
    End,
}

/// Reads a line into `line`, or past one that is too long.
///
/// # Errors
/// When the stream cannot be read.
pub(crate) async fn next_line(read: &mut (impl AsyncBufReadExt + Unpin), line: &mut Vec<u8>) -> io::Result<Line> {
    // One long line must not hold its memory for ever.
    if line.capacity() > KEPT_BYTES {
        *line = Vec::new();
    }
    line.clear();
    let mut long: Option<(u64, TopLevel)> = None;
    loop {
        let available = read.fill_buf().await?;
        if available.is_empty() {
            // A last line without its end is a message, unless it was cut off in the middle.
            let whole = long.is_none() && serde_json::from_slice::<&RawValue>(line).is_ok();
            return Ok(if whole { Line::Whole } else { Line::End });
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let piece = &available[..end.map_or(available.len(), |end| end + 1)];
        match &mut long {
            Some((bytes, top)) => {
                *bytes += piece.len() as u64;
                top.read(piece);
            }
            None if line.len() + piece.len() > LINE_BYTES => {
                let mut top = TopLevel::default();
                top.read(line);
                top.read(piece);
                long = Some(((line.len() + piece.len()) as u64, top));
                *line = Vec::new();
            }
            None => line.extend_from_slice(piece),
        }
        let taken = piece.len();
        read.consume(taken);
        if end.is_some() {
            return Ok(match long {
                Some((bytes, top)) => Line::TooLong { bytes, top },
                None => Line::Whole,
            });
        }
    }
}
