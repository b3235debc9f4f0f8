//! Writes JSON's scalars: strings with their escapes, and numbers that read back as they were.

use super::counted::{Counted, Narrow};

/// The greatest magnitude up to which every whole number is a double of its own: 2^53.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Why a string was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unwritten {
    /// There was no room for it.
    Narrow(Narrow),
    /// It is UTF-8 only up to this offset.
    NotUtf8(usize),
}

impl From<Narrow> for Unwritten {
    fn from(narrow: Narrow) -> Self {
        Self::Narrow(narrow)
    }
}

/// Writes a string.
#[inline]
pub(super) fn string(out: &mut Counted<u8>, bytes: &[u8]) -> Result<(), Unwritten> {
    out.room(bytes.len() + 2)?;
    if !stands_for_itself(bytes) {
        return general_string(out, bytes);
    }
    out.push(b'"')?;
    out.extend(bytes)?;
    Ok(out.push(b'"')?)
}

fn general_string(out: &mut Counted<u8>, bytes: &[u8]) -> Result<(), Unwritten> {
    if let Err(error) = std::str::from_utf8(bytes) {
        return Err(Unwritten::NotUtf8(error.valid_up_to()));
    }
    out.push(b'"')?;
    let mut rest = bytes;
    loop {
        let plain = plain_prefix(rest);
        out.extend(&rest[..plain])?;
        let Some(&special) = rest.get(plain) else { break };
        escape(out, special)?;
        rest = &rest[plain + 1..];
    }
    Ok(out.push(b'"')?)
}

/// Writes a finite number: whole ones up to 2^53 without fraction or exponent, others as the shortest text that reads back.
///
/// Larger ones keep a fraction or an exponent, so that no reader takes rounded digits for exact ones. Negative zero is `0`.
#[expect(clippy::cast_possible_truncation, reason = "whole and at most 2^53")]
pub(super) fn number(out: &mut Counted<u8>, number: f64) -> Result<(), Narrow> {
    let mut text = [0_u8; 32];
    let mut left = &mut text[..];
    // Both fit 32 bytes: the longest double has 24 characters.
    let written = if number.abs() <= EXACT && number.fract() == 0.0 {
        serde_json::to_writer(&mut left, &(number as i64))
    } else {
        serde_json::to_writer(&mut left, &number)
    };
    debug_assert!(written.is_ok(), "a number fits 32 bytes");
    let length = 32 - left.len();
    out.extend(&text[..length])
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Has the high bit of each byte that is a quote, a backslash or a control; bytes after the first such may be wrong.
#[inline]
fn specials(word: u64) -> u64 {
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    controls | zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')))
}

/// How many bytes from the start stand for themselves within a JSON string: all but quotes, backslashes and controls.
pub(super) fn plain_prefix(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let found = specials(u64::from_le_bytes(*word));
        if found != 0 {
            return number * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    words.len() * 8 + rest.iter().take_while(|byte| !matches!(byte, 0..=0x1f | b'"' | b'\\')).count()
}

/// Whether all bytes are ASCII and stand for themselves within a JSON string.
#[inline]
fn stands_for_itself(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks::<8>();
    let found = words.iter().fold(0, |found, word| {
        let word = u64::from_le_bytes(*word);
        found | specials(word) | (word & HIGHS)
    });
    found == 0 && rest.iter().all(|byte| matches!(byte, 0x20..=0x7f) && *byte != b'"' && *byte != b'\\')
}

#[cold]
fn escape(out: &mut Counted<u8>, special: u8) -> Result<(), Narrow> {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match special {
        b'"' | b'\\' => special,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => return out.extend(&[b'\\', b'u', b'0', b'0', HEX[usize::from(special >> 4)], HEX[usize::from(special & 15)]]),
    };
    out.extend(&[b'\\', short])
}

#[cfg(test)]
mod tests {
    use codemode_core::Guard;

    use super::*;

    fn written<E: std::fmt::Debug>(write: impl FnOnce(&mut Counted<u8>) -> Result<(), E>) -> String {
        let mut out = Counted::new(&Guard::new());
        write(&mut out).expect("no limit is set");
        String::from_utf8(out.take()).expect("json is utf-8")
    }

    #[test]
    fn numbers_read_back_and_whole_ones_have_no_fraction() {
        let table = [
            (0.0, "0"),
            (-0.0, "0"),
            (-1.0, "-1"),
            (1e15, "1000000000000000"),
            (EXACT, "9007199254740992"),
            (-EXACT, "-9007199254740992"),
            (EXACT + 2.0, "9007199254740994.0"),
            (1e21, "1e+21"),
            (0.1, "0.1"),
            (1.5e-7, "1.5e-7"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (-5e-324, "-5e-324"),
        ];
        for (value, text) in table {
            assert_eq!(written(|out| number(out, value)), text);
        }
    }

    #[test]
    fn a_string_is_escaped_as_little_as_json_allows() {
        for length in 0..20 {
            for special in 0..=0x7f_u8 {
                for end in ["", "€", "yyyyyyyyy"] {
                    let text = format!("{}{}{end}", "x".repeat(length), char::from(special));
                    assert_eq!(written(|out| string(out, text.as_bytes())), serde_json::to_string(&text).expect("a string"), "{special}");
                }
            }
        }
    }
}
