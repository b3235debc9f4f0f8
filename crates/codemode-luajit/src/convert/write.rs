//! Writes JSON's scalars: strings with their escapes, and numbers that read back as they were.

use super::counted::{Counted, Narrow};

/// The greatest magnitude up to which every whole number is a double of its own: 2^53.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes a string that is known to be UTF-8.
pub(super) fn string(out: &mut Counted<u8>, text: &str) -> Result<(), Narrow> {
    let bytes = text.as_bytes();
    out.room(bytes.len() + 2)?;
    out.push(b'"')?;
    let mut rest = bytes;
    loop {
        let plain = plain_prefix(rest);
        out.extend(&rest[..plain])?;
        let Some(&special) = rest.get(plain) else { break };
        escape(out, special)?;
        rest = &rest[plain + 1..];
    }
    out.push(b'"')
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

/// How many bytes from the start stand for themselves within a JSON string: all but quotes, backslashes and controls.
pub(super) fn plain_prefix(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    // A byte of `word` is zero where `zeros(word)` has its high bit set; bytes after the first such may be wrong.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let mut at = 0;
    for chunk in bytes.chunks_exact(8) {
        let word = u64::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3], chunk[4], chunk[5], chunk[6], chunk[7]]);
        let controls = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
        let found = controls | zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| !matches!(byte, 0..=0x1f | b'"' | b'\\')).count()
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

    fn written(write: impl FnOnce(&mut Counted<u8>) -> Result<(), Narrow>) -> String {
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
                let text = format!("{}{}€{}", "x".repeat(length), char::from(special), "y".repeat(9));
                assert_eq!(written(|out| string(out, &text)), serde_json::to_string(&text).expect("a string"), "{special}");
            }
        }
    }
}
