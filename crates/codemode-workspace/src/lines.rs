//! Text and lines of a file: which bytes count as text, and how a range of lines is cut out of a stream.

use std::io::{self, BufRead};

use memchr::{memchr, memchr_iter};

use crate::stop::Stop;

/// A range of lines, 1-based, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) start: u64,
    pub(crate) end: Option<u64>,
}

impl Range {
    pub(crate) const WHOLE: Self = Self { start: 1, end: None };
}

/// What a range of a file holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    /// The lines with their line ends, exactly as in the file.
    pub(crate) bytes: Vec<u8>,
    /// Whether the slice is the file from its start to its end.
    pub(crate) whole: bool,
    /// How many lines the file has, as far as it was read.
    pub(crate) lines_seen: u64,
}

/// Why no slice was made.
#[derive(Debug)]
pub(crate) enum SliceError {
    /// It would hold more bytes than allowed.
    TooLarge,
    /// The file is no text, as far as it was read.
    NotText(NotText),
    /// The call was cancelled.
    Stopped,
    /// The file could not be read.
    Io(io::Error),
}

/// Reads the lines of `range`, at most `most` bytes of them, and nothing after them but one look whether there is more.
///
/// Lines before the range are counted and not kept, however long they are.
pub(crate) fn read_slice(mut reader: impl BufRead, range: Range, most: usize, stop: &Stop) -> Result<Slice, SliceError> {
    let mut slice = Slice { bytes: Vec::new(), whole: false, lines_seen: 0 };
    let mut line = 1_u64;
    let mut at_line_start = true;
    let mut at_file_start = true;
    loop {
        if stop.is_set() {
            return Err(SliceError::Stopped);
        }
        let buffer = match reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(SliceError::Io(error)),
        };
        if buffer.is_empty() {
            slice.whole = range.start <= 1;
            break;
        }
        if range.end.is_some_and(|end| line > end) {
            break;
        }
        if std::mem::take(&mut at_file_start) && is_utf16(buffer) {
            return Err(SliceError::NotText(NotText::Utf16));
        }
        let taken = memchr(b'\n', buffer).map_or(buffer.len(), |place| place + 1);
        let part = &buffer[..taken];
        if memchr(0, part).is_some() {
            return Err(SliceError::NotText(NotText::Binary));
        }
        if at_line_start {
            slice.lines_seen += 1;
        }
        if line >= range.start {
            if slice.bytes.len() + part.len() > most {
                return Err(SliceError::TooLarge);
            }
            slice.bytes.extend_from_slice(part);
        }
        at_line_start = part.ends_with(b"\n");
        line += u64::from(at_line_start);
        reader.consume(taken);
    }
    Ok(slice)
}

/// Why bytes are not text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotText {
    /// They hold a NUL byte.
    Binary,
    /// They begin as UTF-16 does.
    Utf16,
    /// They are no UTF-8.
    NotUtf8 {
        /// The first line that is not, counted from 1 at the first byte.
        line: u64,
    },
}

/// The bytes of a slice as text. `lossy` puts U+FFFD where they are not UTF-8.
pub(crate) fn decode(bytes: Vec<u8>, lossy: bool) -> Result<String, NotText> {
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if lossy => Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        Err(error) => {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            Err(NotText::NotUtf8 { line: 1 + memchr_iter(b'\n', good).count() as u64 })
        }
    }
}

/// Whether bytes are no text at all, whatever their encoding is.
pub(crate) fn binary(bytes: &[u8]) -> Option<NotText> {
    if is_utf16(bytes) {
        return Some(NotText::Utf16);
    }
    memchr(0, bytes).map(|_| NotText::Binary)
}

pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

/// The 1-based lines on which these ascending byte offsets lie.
pub(crate) fn lines_of(bytes: &[u8], offsets: &[usize]) -> Vec<u64> {
    let mut line = 1;
    let mut counted = 0;
    offsets
        .iter()
        .map(|&offset| {
            line += memchr_iter(b'\n', &bytes[counted..offset]).count() as u64;
            counted = offset;
            line
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn slice(text: &str, start: u64, end: Option<u64>) -> Slice {
        // A tiny buffer makes every line cross its edge.
        let reader = BufReader::with_capacity(3, text.as_bytes());
        read_slice(reader, Range { start, end }, usize::MAX, &Stop::default()).expect("text without NUL bytes")
    }

    proptest! {
        #[test]
        fn a_range_is_what_splitting_at_line_ends_gives(text in "[ab\r\n\u{e4}]{0,40}", start in 1_u64..12, length in 0_u64..12, open: bool) {
            let end = (!open).then_some(start + length);
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let kept = lines.iter().skip(start as usize - 1).take(end.map_or(usize::MAX, |end| (end - start + 1) as usize));
            let expected: String = kept.copied().collect();
            let got = slice(&text, start, end);
            prop_assert_eq!(String::from_utf8(got.bytes).expect("whole characters"), expected);
            prop_assert_eq!(got.whole, start == 1 && end.is_none_or(|end| end >= lines.len() as u64));
            prop_assert_eq!(got.lines_seen, (lines.len() as u64).min(end.unwrap_or(u64::MAX)));
        }

        #[test]
        fn ranges_that_meet_put_the_file_together_again(text in "[ab\r\n]{0,40}", cut in 1_u64..10) {
            let mut together = slice(&text, 1, Some(cut)).bytes;
            together.extend(slice(&text, cut + 1, None).bytes);
            prop_assert_eq!(together, text.into_bytes());
        }
    }

    #[test]
    fn limits_binary_and_encodings_are_told_apart() {
        let read = |bytes: &[u8], most| read_slice(bytes, Range::WHOLE, most, &Stop::default());
        assert!(matches!(read(b"four", 4), Ok(slice) if slice.bytes == b"four"));
        assert!(matches!(read(b"fives", 4), Err(SliceError::TooLarge)));
        assert!(matches!(read(b"a\n\0", 4), Err(SliceError::NotText(NotText::Binary))));
        assert!(matches!(read(b"\xff\xfea\0", 4), Err(SliceError::NotText(NotText::Utf16))));
        assert_eq!(decode(b"a\nb\xff".to_vec(), false), Err(NotText::NotUtf8 { line: 2 }));
        assert_eq!(decode(b"a\xffb".to_vec(), true), Ok("a\u{fffd}b".to_owned()));
        assert_eq!((binary(b"a"), binary(b"a\0"), binary(b"\xfe\xff")), (None, Some(NotText::Binary), Some(NotText::Utf16)));
        assert_eq!(lines_of(b"a\nb\n\nc", &[0, 2, 5]), [1, 2, 4]);
    }
}
