//! Text that is a number, read as JavaScript reads it.

/// What `Number(text)` gives.
pub(crate) fn number_of_text(text: &str) -> f64 {
    let text = text.trim();
    let whole = leading_numeral(text);
    match text {
        "" => 0.0,
        _ if whole.len() == text.len() => whole.parse().unwrap_or(f64::NAN),
        _ => radix_number(text),
    }
}

/// The longest start of a text that is a decimal numeral or `Infinity`.
pub(super) fn leading_numeral(text: &str) -> &str {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    if text[sign..].starts_with("Infinity") {
        return &text[..sign + "Infinity".len()];
    }
    let whole = digits(sign);
    let mut end = sign + whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return "";
        }
        end += 1 + fraction;
    } else if whole == 0 {
        return "";
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits((end + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    &text[..end]
}

/// The number of a numeral such as `0xff`; NaN where it is none.
fn radix_number(text: &str) -> f64 {
    let radix = match text.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => return f64::NAN,
    };
    let digits = &text[2..];
    let number = digits.chars().try_fold(0.0, |sum, digit| digit.to_digit(radix).map(|digit| sum * f64::from(radix) + f64::from(digit)));
    number.filter(|_| !digits.is_empty()).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_end_where_javascript_ends_them() {
        let cases = [
            ("12px", "12"),
            ("-1.5e3x", "-1.5e3"),
            (".5", ".5"),
            ("5.", "5."),
            ("1e", "1"),
            ("-Infinity!", "-Infinity"),
            ("abc", ""),
            (".", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(leading_numeral(text), expected);
        }
        let numbers = [("", 0.0), (" 12 ", 12.0), ("0xff", 255.0), ("-1e3", -1000.0), ("Infinity", f64::INFINITY)];
        for (text, expected) in numbers {
            assert_eq!(number_of_text(text), expected, "{text}");
        }
        for text in ["0x", "12px", "inf", "nan", "infinity", "-0xff"] {
            assert!(number_of_text(text).is_nan(), "{text}");
        }
    }
}
