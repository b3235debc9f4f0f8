//! Dates as `toISOString` writes them.

/// The largest time value of a date, in milliseconds.
const MOST: f64 = 8.64e15;

const DAY_MS: i64 = 86_400_000;

/// The date of this time value as `YYYY-MM-DDTHH:mm:ss.sssZ`; nothing where the date is invalid.
pub(super) fn iso_date(time: f64) -> Option<String> {
    if !(-MOST..=MOST).contains(&time) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was looked at")]
    let time = time as i64;
    let (days, of_day) = (time.div_euclid(DAY_MS), time.rem_euclid(DAY_MS));
    let (year, month, day) = civil(days);
    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ if year < 0 => format!("-{:06}", -year),
        _ => format!("+{year:06}"),
    };
    let (hour, minute) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (second, millisecond) = (of_day / 1000 % 60, of_day % 1000);
    Some(format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z"))
}

/// Year, month and day of so many days since 1970, in the Gregorian calendar extended both ways.
///
/// Counts in spans of 400 years from the first of March of the year 0, so that the leap day comes last.
fn civil(days: i64) -> (i64, i64, i64) {
    const SPAN_DAYS: i64 = 146_097;
    let from_march = days + 719_468;
    let (span, of_span) = (from_march.div_euclid(SPAN_DAYS), from_march.rem_euclid(SPAN_DAYS));
    let year_of_span = (of_span - of_span / 1460 + of_span / 36_524 - of_span / 146_096) / 365;
    let of_year = of_span - (365 * year_of_span + year_of_span / 4 - year_of_span / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (year_of_span + span * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_iso_strings() {
        let cases = [
            (0.0, Some("1970-01-01T00:00:00.000Z")),
            (-1.0, Some("1969-12-31T23:59:59.999Z")),
            (951_782_400_000.0, Some("2000-02-29T00:00:00.000Z")),
            (1_796_083_200_123.0, Some("2026-12-01T00:00:00.123Z")),
            (-62_198_755_200_000.0, Some("-000001-01-01T00:00:00.000Z")),
            (8.64e15, Some("+275760-09-13T00:00:00.000Z")),
            (-8.64e15, Some("-271821-04-20T00:00:00.000Z")),
            (8.64e15 + 1.0, None),
            (f64::NAN, None),
        ];
        for (time, expected) in cases {
            assert_eq!(iso_date(time).as_deref(), expected, "{time}");
        }
    }
}
