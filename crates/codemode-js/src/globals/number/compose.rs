//! Digits, signs and words put together as en-US has them.

use crate::globals::number::decimal::{Decimal, Digits};
use crate::globals::number::options::{Grouping, Notation, NumberOptions, Rounding, Sign, Style};

/// Letters and words of compact numbers, by their power of ten.
const COMPACT: [(i32, &str, &str); 5] =
    [(0, "", ""), (3, "K", " thousand"), (6, "M", " million"), (9, "B", " billion"), (12, "T", " trillion")];

/// The text of a number.
pub(super) fn compose(number: Decimal, options: &NumberOptions) -> String {
    let (negative, zero, text, is_one) = match number {
        Decimal::NotANumber => (false, false, "NaN".to_owned(), false),
        Decimal::Infinite(negative) => (negative, false, "∞".to_owned(), false),
        Decimal::Finite(digits) => {
            let negative = digits.negative;
            let digits = if matches!(options.style, Style::Percent) { digits.scaled(2) } else { digits };
            let (text, zero) = written(digits, options);
            let is_one = text == "1";
            (negative, zero, text, is_one)
        }
    };
    let sign = match options.sign {
        Sign::Never => "",
        Sign::Auto => {
            if negative {
                "-"
            } else {
                ""
            }
        }
        Sign::Negative => {
            if negative && !zero {
                "-"
            } else {
                ""
            }
        }
        Sign::Always => {
            if negative {
                "-"
            } else {
                "+"
            }
        }
        Sign::ExceptZero if zero || text == "NaN" => "",
        Sign::ExceptZero => {
            if negative {
                "-"
            } else {
                "+"
            }
        }
    };
    match &options.style {
        Style::Decimal => format!("{sign}{text}"),
        Style::Percent => format!("{sign}{text}%"),
        Style::Unit { one, several } => format!("{sign}{text}{}", if is_one { one } else { several }),
        Style::Currency { after: Some((one, several)), .. } => format!("{sign}{text} {}", if is_one { one } else { several }),
        Style::Currency { before, accounting: true, .. } if sign == "-" => format!("({before}{text})"),
        Style::Currency { before, .. } => format!("{sign}{before}{text}"),
    }
}

/// The digits without a sign, and whether they are all zero.
fn written(digits: Digits, options: &NumberOptions) -> (String, bool) {
    match options.notation {
        Notation::Standard => {
            let (digits, fraction) = rounded(digits, options.rounding);
            (grouped(&digits, fraction, options), digits.is_zero())
        }
        Notation::Compact { long } => {
            let mut step = COMPACT.iter().rposition(|(power, ..)| digits.whole_digits() > *power).unwrap_or(0);
            let (mut kept, mut fraction) = rounded(digits.clone().scaled(-COMPACT[step].0), options.rounding);
            // Rounding may have reached the next letter.
            if kept.whole_digits() > 3 && step + 1 < COMPACT.len() {
                step += 1;
                (kept, fraction) = rounded(digits.scaled(-COMPACT[step].0), options.rounding);
            }
            let (_, letter, word) = COMPACT[step];
            (format!("{}{}", grouped(&kept, fraction, options), if long { word } else { letter }), kept.is_zero())
        }
        Notation::Scientific(step) => {
            let power_of = |digits: &Digits| if digits.is_zero() { 0 } else { (digits.whole_digits() - 1).div_euclid(step) * step };
            let mut power = power_of(&digits);
            let (mut kept, mut fraction) = rounded(digits.clone().scaled(-power), options.rounding);
            if kept.whole_digits() > step {
                power += step;
                (kept, fraction) = rounded(digits.scaled(-power), options.rounding);
            }
            (format!("{}E{power}", grouped(&kept, fraction, options)), kept.is_zero())
        }
    }
}

/// The digits that are kept, and how many stand after the point at least.
fn rounded(digits: Digits, rounding: Rounding) -> (Digits, usize) {
    let count = |digits: usize| i32::try_from(digits).unwrap_or(i32::MAX);
    match rounding {
        Rounding::Fraction(least, most) => (digits.rounded_to_fraction(count(most)), least),
        Rounding::Significant(least, most) => {
            let kept = digits.rounded_to_significant(count(most));
            let fraction = kept.fraction_for_significant(count(least));
            (kept, fraction)
        }
        Rounding::Compact if digits.whole_digits() >= 2 => (digits.rounded_to_fraction(0), 0),
        Rounding::Compact => (digits.rounded_to_significant(2), 0),
    }
}

fn grouped(digits: &Digits, fraction: usize, options: &NumberOptions) -> String {
    let (whole, fraction) = digits.split(options.whole, fraction);
    let least = match options.grouping {
        Grouping::Never => usize::MAX,
        Grouping::FromFive => 5,
        Grouping::Always => 4,
    };
    let mut text = String::with_capacity(whole.len() * 4 / 3 + fraction.len() + 1);
    for (place, digit) in whole.char_indices() {
        if place > 0 && whole.len() >= least && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(&fraction);
    }
    text
}
