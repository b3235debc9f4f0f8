//! Units: durations, sizes and counts as people write them in settings and on the command line, and as messages write them back.

use std::fmt;

/// A duration's suffixes, each with its milliseconds.
const DURATIONS: &[(&str, u64)] = &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];
/// A size's suffixes, each with its bytes.
const SIZES: &[(&str, u64)] =
    &[("B", 1), ("KB", 1_000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("GiB", 1 << 30)];
/// The most bytes of a wrong value that a message shows.
const SHOWN_BYTES: usize = 60;

/// What a budget counts, and how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Milliseconds, written as `250ms`, `30s`, `2m` or `1h`.
    Duration,
    /// Bytes, written as `65536`, `64KB` or `64KiB`.
    Size,
    /// Things, written as a whole number.
    Count,
}

/// A text that is no quantity of its unit. Prints on one line, with at most 60 bytes of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitError {
    given: String,
    why: Why,
    unit: Unit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    NoNumber,
    NoUnit,
    UnknownUnit,
    NotWhole,
    TooLarge,
}

impl Unit {
    /// Reads a quantity: milliseconds, bytes or things.
    ///
    /// # Errors
    /// Where the text is no whole quantity of this unit, naming what was given and how one is written.
    pub fn parse(self, text: &str) -> Result<u64, UnitError> {
        let error = |why| UnitError { given: codemode_core::text::cut(text, SHOWN_BYTES).into_owned(), why, unit: self };
        let number_end = text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
        let (number, suffix) = text.split_at(number_end);
        let Some((whole, fraction)) = split_number(number) else {
            return Err(error(Why::NoNumber));
        };
        let factor = match (self.factor(suffix), suffix) {
            (Some(factor), _) => factor,
            (None, "") => return Err(error(Why::NoUnit)),
            (None, _) => return Err(error(Why::UnknownUnit)),
        };
        let whole = match whole {
            "" => 0,
            digits => digits.parse::<u64>().map_err(|_| error(Why::TooLarge))?,
        };
        let whole = whole.checked_mul(factor).ok_or_else(|| error(Why::TooLarge))?;
        let part = scaled(fraction, factor).ok_or_else(|| error(Why::NotWhole))?;
        whole.checked_add(part).ok_or_else(|| error(Why::TooLarge))
    }

    /// How a quantity is written, in the largest suffix that divides it.
    #[must_use]
    pub fn write(self, quantity: u64) -> String {
        let written = |suffixes: &[(&str, u64)]| {
            let fits = |(_, factor): &&(&str, u64)| quantity >= *factor && quantity.is_multiple_of(*factor);
            suffixes.iter().rev().find(fits).map(|(suffix, factor)| format!("{}{suffix}", quantity / factor))
        };
        match self {
            Self::Duration => written(DURATIONS).unwrap_or_else(|| format!("{quantity}ms")),
            Self::Size => written(BINARY_SIZES).unwrap_or_else(|| format!("{quantity}B")),
            Self::Count => quantity.to_string(),
        }
    }

    /// What the values of an option are called in its help.
    #[must_use]
    pub fn value_name(self) -> &'static str {
        match self {
            Self::Duration => "DURATION",
            Self::Size => "SIZE",
            Self::Count => "N",
        }
    }

    fn factor(self, suffix: &str) -> Option<u64> {
        let known = match self {
            Self::Duration => DURATIONS,
            // A size without a suffix is in bytes, as in the outcome's JSON.
            Self::Size if suffix.is_empty() => return Some(1),
            Self::Size => SIZES,
            Self::Count => return suffix.is_empty().then_some(1),
        };
        known.iter().find(|(name, _)| name.eq_ignore_ascii_case(suffix)).map(|(_, factor)| *factor)
    }

    fn form(self) -> &'static str {
        match self {
            Self::Duration => "a duration is a number and ms, s, m or h, as in 250ms, 30s, 2m or 1h",
            Self::Size => "a size is a number and B, KB, KiB, MB, MiB, GB or GiB, as in 64KiB, or plain bytes, as in 65536",
            Self::Count => "a count is written in digits, as in 64",
        }
    }
}

/// The sizes that messages are written in: one family, so that two sizes compare at a glance.
const BINARY_SIZES: &[(&str, u64)] = &[("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

/// The digits before and after the point; nothing where there are no digits or two points.
fn split_number(number: &str) -> Option<(&str, &str)> {
    let (whole, fraction) = match number.split_once('.') {
        Some((_, fraction)) if fraction.is_empty() || fraction.contains('.') => return None,
        Some(parts) => parts,
        None => (number, ""),
    };
    (!whole.is_empty() || !fraction.is_empty()).then_some((whole, fraction))
}

/// A decimal fraction of `factor`, if it is a whole number.
fn scaled(fraction: &str, factor: u64) -> Option<u64> {
    let digits = fraction.trim_end_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    // Longer ones are whole in no unit: no factor has more than 30 twos or fives to divide by.
    let ten_to = 10_u128.checked_pow(u32::try_from(digits.len()).ok().filter(|length| *length <= 30)?)?;
    let scaled = digits.parse::<u128>().ok()?.checked_mul(u128::from(factor))?;
    if scaled.is_multiple_of(ten_to) { u64::try_from(scaled / ten_to).ok() } else { None }
}

impl fmt::Display for UnitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = codemode_core::text::one_line(&self.given);
        let wrong = match (self.why, self.unit) {
            (Why::TooLarge, _) => "is too large a number",
            (_, Unit::Count) => "is no whole number",
            (Why::NoNumber, _) => "begins with no number",
            (Why::NoUnit, _) => "has no unit",
            (Why::UnknownUnit, _) => "has a unit that is not known",
            (Why::NotWhole, Unit::Duration) => "is no whole number of milliseconds",
            (Why::NotWhole, Unit::Size) => "is no whole number of bytes",
        };
        write!(formatter, "\"{given}\" {wrong}; {}", self.unit.form())
    }
}

impl std::error::Error for UnitError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(unit: Unit, text: &str, expected: Result<u64, &str>) {
        assert_eq!(unit.parse(text).map_err(|error| error.to_string()), expected.map_err(str::to_owned), "{text:?}");
    }

    #[test]
    fn durations_have_a_unit_and_may_have_a_fraction() {
        check(Unit::Duration, "250ms", Ok(250));
        check(Unit::Duration, "30s", Ok(30_000));
        check(Unit::Duration, "1.5S", Ok(1_500));
        check(Unit::Duration, ".25m", Ok(15_000));
        check(Unit::Duration, "1h", Ok(3_600_000));
        check(Unit::Duration, "0s", Ok(0));
        let form = "a duration is a number and ms, s, m or h, as in 250ms, 30s, 2m or 1h";
        check(Unit::Duration, "30", Err(&format!("\"30\" has no unit; {form}")));
        check(Unit::Duration, "30 s", Err(&format!("\"30 s\" has a unit that is not known; {form}")));
        check(Unit::Duration, "1m30s", Err(&format!("\"1m30s\" has a unit that is not known; {form}")));
        check(Unit::Duration, "-1s", Err(&format!("\"-1s\" begins with no number; {form}")));
        check(Unit::Duration, "0.5ms", Err(&format!("\"0.5ms\" is no whole number of milliseconds; {form}")));
        check(Unit::Duration, "1.s", Err(&format!("\"1.s\" begins with no number; {form}")));
        check(Unit::Duration, "", Err(&format!("\"\" begins with no number; {form}")));
        check(Unit::Duration, "99999999999999999999s", Err(&format!("\"99999999999999999999s\" is too large a number; {form}")));
        check(Unit::Duration, "9999999999999999999h", Err(&format!("\"9999999999999999999h\" is too large a number; {form}")));
    }

    #[test]
    fn sizes_tell_thousands_from_1024s_and_need_no_unit() {
        check(Unit::Size, "64KiB", Ok(65_536));
        check(Unit::Size, "64kb", Ok(64_000));
        check(Unit::Size, "65536", Ok(65_536));
        check(Unit::Size, "7B", Ok(7));
        check(Unit::Size, "1.5MiB", Ok(1_572_864));
        check(Unit::Size, "2GiB", Ok(2 << 30));
        check(Unit::Size, "1GB", Ok(1_000_000_000));
        let form = "a size is a number and B, KB, KiB, MB, MiB, GB or GiB, as in 64KiB, or plain bytes, as in 65536";
        check(Unit::Size, "64M", Err(&format!("\"64M\" has a unit that is not known; {form}")));
        check(Unit::Size, "1.5", Err(&format!("\"1.5\" is no whole number of bytes; {form}")));
        check(Unit::Size, "KiB", Err(&format!("\"KiB\" begins with no number; {form}")));
    }

    #[test]
    fn counts_are_whole_numbers() {
        check(Unit::Count, "64", Ok(64));
        for wrong in ["64x", "many", "6.5", "-1", ""] {
            check(Unit::Count, wrong, Err(&format!("\"{wrong}\" is no whole number; a count is written in digits, as in 64")));
        }
    }

    #[test]
    fn a_wrong_value_is_shown_on_one_line_and_cut() {
        let error = Unit::Size.parse(&format!("\u{1b}[31m\n{}", "x".repeat(500))).expect_err("no size");
        let expected = format!(
            "\"\\u{{1b}}[31m\\n{}…\" begins with no number; {}",
            "x".repeat(SHOWN_BYTES - "\u{1b}[31m\n…".len()),
            Unit::Size.form()
        );
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn quantities_are_written_in_the_largest_unit_that_is_exact() {
        let durations = [0, 250, 30_000, 600_000, 90_000, 3_600_000].map(|quantity| Unit::Duration.write(quantity));
        assert_eq!(durations, ["0ms", "250ms", "30s", "10m", "90s", "1h"]);
        let sizes = [0, 1_000, 65_536, 1 << 30, 1_572_864].map(|quantity| Unit::Size.write(quantity));
        assert_eq!(sizes, ["0B", "1000B", "64KiB", "1GiB", "1536KiB"]);
    }

    fn units() -> impl Strategy<Value = Unit> {
        prop_oneof![Just(Unit::Duration), Just(Unit::Size), Just(Unit::Count)]
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(unit in units(), quantity: u64) {
            prop_assert_eq!(unit.parse(&unit.write(quantity)), Ok(quantity));
        }

        #[test]
        fn a_fraction_is_exact_or_refused(whole in 0_u64..1_000, thousandths in 0_u64..1_000) {
            let read = Unit::Duration.parse(&format!("{whole}.{thousandths:03}s"));
            prop_assert_eq!(read, Ok(whole * 1_000 + thousandths));
            let read = Unit::Size.parse(&format!("{whole}.{thousandths:03}KiB")).ok();
            let exact = (thousandths * 1_024).is_multiple_of(1_000).then(|| whole * 1_024 + thousandths * 1_024 / 1_000);
            prop_assert_eq!(read, exact);
        }

        #[test]
        fn no_text_breaks_a_parser_and_errors_are_bounded(unit in units(), text: String) {
            if let Err(error) = unit.parse(&text) {
                let shown = error.to_string();
                prop_assert!(shown.len() < 600 && !shown.contains(char::is_control), "{shown:?}");
            }
        }
    }
}
