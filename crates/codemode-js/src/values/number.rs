//! Numbers as JavaScript spells them.

use std::fmt::Write;

/// The most bytes that a number takes.
pub(super) const NUMBER_BYTES: usize = 32;

/// Below this, every whole number has its own spelling without an exponent.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes a number as `String(number)` does, but for negative zero, which becomes `0` there and here.
pub(super) fn write_number(text: &mut String, number: f64) {
    let magnitude = number.abs();
    // Writing to a string cannot fail.
    let _ = if number.fract() == 0.0 && magnitude < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 fits")]
        let whole = number as i64;
        write_whole(text, whole);
        Ok(())
    } else if number.is_nan() {
        text.write_str("NaN")
    } else if number.is_infinite() {
        text.write_str(if number > 0.0 { "Infinity" } else { "-Infinity" })
    } else if (1e-6..1e21).contains(&magnitude) {
        write!(text, "{number}")
    } else {
        write_with_exponent(text, number)
    };
}

/// Writes a whole number, which most are, without the formatter that the others need.
fn write_whole(text: &mut String, whole: i64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    let mut left = whole.unsigned_abs();
    loop {
        start -= 1;
        digits[start] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if whole < 0 {
        text.push('-');
    }
    text.extend(digits[start..].iter().map(|digit| char::from(*digit)));
}

/// The spelling with an exponent, whose sign is always written.
fn write_with_exponent(text: &mut String, number: f64) -> std::fmt::Result {
    let start = text.len();
    write!(text, "{number:e}")?;
    if let Some(at) = text[start..].find('e').map(|at| start + at + 1)
        && !text[at..].starts_with('-')
    {
        text.insert(at, '+');
    }
    Ok(())
}

/// The number as text.
pub(super) fn number_text(number: f64) -> String {
    let mut text = String::new();
    write_number(&mut text, number);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spelt_as_javascript_spells_them() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-17.5, "-17.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (0.000_001, "0.000001"),
            (1e-7, "1e-7"),
            (-1.25e-9, "-1.25e-9"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (123_456_789_012_345_680.0, "123456789012345680"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (number, expected) in cases {
            assert_eq!(number_text(number), expected);
            assert!(expected.len() <= NUMBER_BYTES);
        }
    }
}
