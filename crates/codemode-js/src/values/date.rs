//! Time values as years, months, days and times of day, in UTC, and back; and as `toISOString` writes them.

/// The largest time value of a date, in milliseconds.
const MOST: f64 = 8.64e15;
const DAY_MS: i64 = 86_400_000;
/// Days of 400 years, after which the calendar repeats.
const SPAN_DAYS: i64 = 146_097;

/// A moment in UTC. Month and day count from 1, the weekday from Sunday as 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    pub(crate) month: usize,
    pub(crate) day: i64,
    pub(crate) weekday: usize,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
    pub(crate) millisecond: i64,
}

impl Civil {
    /// The moment of a time value; nothing where it is no valid one.
    pub(crate) fn at(time: f64) -> Option<Self> {
        if !(-MOST..=MOST).contains(&time) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the range was looked at")]
        let time = time.floor() as i64;
        let (days, of_day) = (time.div_euclid(DAY_MS), time.rem_euclid(DAY_MS));
        // Years begin in March here, so that the leap day comes last.
        let from_march = days + 719_468;
        let (span, of_span) = (from_march.div_euclid(SPAN_DAYS), from_march.rem_euclid(SPAN_DAYS));
        let year_of_span = (of_span - of_span / 1460 + of_span / 36_524 - of_span / 146_096) / 365;
        let of_year = of_span - (365 * year_of_span + year_of_span / 4 - year_of_span / 100);
        let march_month = (5 * of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Some(Self {
            year: year_of_span + span * 400 + i64::from(month <= 2),
            month: usize::try_from(month).unwrap_or(1),
            day: of_year - (153 * march_month + 2) / 5 + 1,
            weekday: usize::try_from((days + 4).rem_euclid(7)).unwrap_or(0),
            hour: of_day / 3_600_000,
            minute: of_day / 60_000 % 60,
            second: of_day / 1000 % 60,
            millisecond: of_day % 1000,
        })
    }
}

/// The date of this time value as `YYYY-MM-DDTHH:mm:ss.sssZ`; nothing where the date is invalid.
pub(super) fn iso_date(time: f64) -> Option<String> {
    let Civil { year, month, day, hour, minute, second, millisecond, .. } = Civil::at(time)?;
    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ if year < 0 => format!("-{:06}", -year),
        _ => format!("+{year:06}"),
    };
    Some(format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z"))
}

/// Days from 1970 to this day, the month and the day counted from 1.
pub(crate) fn days_to(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (span, of_span) = (year.div_euclid(400), year.rem_euclid(400));
    let march_month = (month + 9) % 12;
    let of_year = (153 * march_month + 2) / 5 + day - 1;
    span * SPAN_DAYS + of_span * 365 + of_span / 4 - of_span / 100 + of_year - 719_468
}

/// The time value of so many milliseconds, where a date can hold it.
pub(crate) fn time_value(milliseconds: i64) -> f64 {
    let time = milliseconds as f64;
    if (-MOST..=MOST).contains(&time) { time } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_lead_to_moments_and_back() {
        for (year, month, day, days, weekday) in [
            (1970, 1, 1, 0, 4),
            (2000, 2, 29, 11_016, 2),
            (2024, 1, 15, 19_737, 1),
            (1969, 12, 31, -1, 3),
            (1, 1, 1, -719_162, 1),
            (0, 3, 1, -719_468, 3),
        ] {
            assert_eq!(days_to(year, month, day), days);
            let civil = Civil::at((days * DAY_MS) as f64).unwrap();
            assert_eq!((civil.year, civil.month as i64, civil.day, civil.weekday), (year, month, day, weekday));
        }
        assert_eq!(Civil::at(f64::NAN), None);
    }

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
