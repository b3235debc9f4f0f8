//! `Date.parse`: ISO dates, and the looser ones that other engines read. What names no zone is in UTC, as a program's clock is.

use crate::values::{days_to, time_value};

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/// Names of zones and their hours from UTC.
const ZONES: [(&str, i64); 11] = [
    ("utc", 0),
    ("gmt", 0),
    ("ut", 0),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
];

/// The time value of a date's text; NaN where it is none.
pub(super) fn parse(text: &str) -> f64 {
    let text = text.trim();
    if text.len() > 200 {
        return f64::NAN;
    }
    // Only an ISO year has a sign before it.
    let read = iso(text).or_else(|| if text.starts_with(['+', '-']) { None } else { loose(text) });
    read.map_or(f64::NAN, time_value)
}

/// What a date's text says, as far as it was read.
#[derive(Debug, Default)]
struct Said {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    time: Option<(i64, i64, i64, i64)>,
    afternoon: Option<bool>,
    /// Minutes from UTC.
    offset: Option<i64>,
}

fn iso(text: &str) -> Option<i64> {
    let mut reader = Reader { rest: text.as_bytes() };
    let year = match reader.rest.first()? {
        sign @ (b'+' | b'-') => {
            reader.rest = &reader.rest[1..];
            let year = reader.digits(6)?;
            // There is no negative year zero.
            if *sign == b'-' && year == 0 {
                return None;
            }
            if *sign == b'-' { -year } else { year }
        }
        _ => reader.digits(4)?,
    };
    let month = if reader.eat(b'-') { reader.digits(2)? } else { 1 };
    let day = if reader.eat(b'-') { reader.digits(2)? } else { 1 };
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (mut time, mut offset) = ((0, 0, 0, 0), 0);
    if reader.eat(b'T') || reader.eat(b't') || reader.eat(b' ') {
        time = reader.time(2)?;
        offset = reader.offset()?;
    }
    if reader.rest.is_empty() { milliseconds((year, month, day), time, offset) } else { None }
}

/// Reads numbers and words one after the other, as browsers have always done.
fn loose(text: &str) -> Option<i64> {
    let mut said = Said::default();
    let mut numbers: Vec<(i64, usize)> = Vec::new();
    let mut reader = Reader { rest: text.as_bytes() };
    while let Some(next) = reader.rest.first().copied() {
        match next {
            b'(' => reader.skip_parenthesis()?,
            b'0'..=b'9' => reader.number(&mut said, &mut numbers)?,
            b'+' | b'-' if said.time.is_some() || said.offset.is_some() => said.offset = Some(reader.offset()?),
            byte if byte.is_ascii_alphabetic() => {
                let word = reader.word();
                if !said.take_word(&word) && (!numbers.is_empty() || said.time.is_some()) && word != "t" && word != "at" && word != "of" {
                    return None;
                }
            }
            b' ' | b',' | b'-' | b'/' | b'.' | b'\t' => reader.rest = &reader.rest[1..],
            _ => return None,
        }
    }
    said.take_numbers(&numbers)?;
    let (hour, minute, second, millisecond) = said.time.unwrap_or_default();
    let hour = match said.afternoon {
        None => hour,
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(afternoon) => hour % 12 + if afternoon { 12 } else { 0 },
    };
    milliseconds(
        (said.year.unwrap_or(2001), said.month?, said.day.unwrap_or(1)),
        (hour, minute, second, millisecond),
        said.offset.unwrap_or(0),
    )
}

impl Said {
    /// Takes a word that means something; false for any other.
    fn take_word(&mut self, word: &str) -> bool {
        let start = word.get(..3).unwrap_or(word);
        if let Some(month) = MONTHS.iter().position(|month| *month == start) {
            self.month = i64::try_from(month + 1).ok();
            return true;
        }
        if word == "am" || word == "pm" {
            self.afternoon = Some(word == "pm");
            return true;
        }
        if word == "z" {
            self.offset = Some(0);
            return true;
        }
        if let Some((_, hours)) = ZONES.iter().find(|(zone, _)| *zone == word) {
            self.offset = Some(hours * 60);
            return true;
        }
        // The ends of 1st, 2nd, 3rd and 4th are no words of a date, and other engines refuse them.
        WEEKDAYS.contains(&start) && word.len() >= 3
    }

    /// Gives the numbers that are no time of day their meaning by where they stand.
    fn take_numbers(&mut self, numbers: &[(i64, usize)]) -> Option<()> {
        let year = |(number, digits): (i64, usize)| match (digits, number) {
            (1 | 2, 0..=49) => number + 2000,
            (1 | 2, _) => number + 1900,
            _ => number,
        };
        match (self.month, numbers) {
            (Some(_), [day]) if day.1 <= 2 => self.day = Some(day.0),
            (Some(_), [only]) => self.year = Some(only.0),
            (Some(_), [first, second]) if first.1 >= 3 => (self.year, self.day) = (Some(first.0), Some(second.0)),
            (Some(_), [first, second]) => (self.day, self.year) = (Some(first.0), Some(year(*second))),
            (None, [first, second, third]) if first.1 >= 3 => {
                (self.year, self.month, self.day) = (Some(first.0), Some(second.0), Some(third.0));
            }
            (None, [first, second, third]) => (self.month, self.day, self.year) = (Some(first.0), Some(second.0), Some(year(*third))),
            (None, [first, second]) if first.1 >= 3 => (self.year, self.month) = (Some(first.0), Some(second.0)),
            (None, [first, second]) if second.1 <= 2 => (self.month, self.day) = (Some(first.0), Some(second.0)),
            (None, [first, second]) => (self.month, self.year) = (Some(first.0), Some(second.0)),
            (None, [only]) if only.1 >= 3 || only.0 > 31 => (self.year, self.month) = (Some(year(*only)), Some(1)),
            (None, [only]) => self.month = Some(only.0),
            _ => return None,
        }
        let fits = (1..=12).contains(&self.month?) && (1..=31).contains(&self.day.unwrap_or(1));
        fits.then_some(())
    }
}

/// A moment in milliseconds since 1970. Midnight may be written as 24:00; a 31st of a shorter month runs over, as it does elsewhere.
fn milliseconds(
    (year, month, day): (i64, i64, i64),
    (hour, minute, second, millisecond): (i64, i64, i64, i64),
    offset: i64,
) -> Option<i64> {
    let midnight = hour == 24 && minute == 0 && second == 0 && millisecond == 0;
    if !(hour < 24 || midnight) || minute > 59 || second > 59 || year.abs() > 300_000 {
        return None;
    }
    let minutes = (days_to(year, month, day) * 24 + hour) * 60 + minute - offset;
    Some((minutes * 60 + second) * 1000 + millisecond)
}

/// What is left to read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn eat(&mut self, byte: u8) -> bool {
        let eaten = self.rest.first() == Some(&byte);
        if eaten {
            self.rest = &self.rest[1..];
        }
        eaten
    }

    /// Exactly so many digits.
    fn digits(&mut self, count: usize) -> Option<i64> {
        let digits = self.rest.get(..count)?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.rest = &self.rest[count..];
        std::str::from_utf8(digits).ok()?.parse().ok()
    }

    /// As many digits as there are.
    fn any_digits(&mut self) -> Option<(i64, usize)> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count > 9 {
            return None;
        }
        self.digits(count).map(|number| (number, count))
    }

    fn word(&mut self) -> String {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = self.rest[..count].iter().map(|byte| char::from(byte.to_ascii_lowercase())).collect();
        self.rest = &self.rest[count..];
        word
    }

    /// Hours of so many digits, minutes, and perhaps seconds and a fraction of them.
    fn time(&mut self, hour_digits: usize) -> Option<(i64, i64, i64, i64)> {
        let hour = self.digits(hour_digits)?;
        if !self.eat(b':') {
            return None;
        }
        let minute = self.digits(2)?;
        let second = if self.eat(b':') { self.digits(2)? } else { return Some((hour, minute, 0, 0)) };
        if !self.eat(b'.') && !self.eat(b',') {
            return Some((hour, minute, second, 0));
        }
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let fraction = self.rest[..count].iter().chain([b'0'; 3].iter()).take(3).fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'));
        self.rest = &self.rest[count..];
        (count > 0).then_some((hour, minute, second, fraction))
    }

    /// `Z`, or hours and minutes from UTC; zero where nothing stands there.
    fn offset(&mut self) -> Option<i64> {
        if self.eat(b'Z') || self.eat(b'z') {
            return Some(0);
        }
        let sign = match self.rest.first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Some(0),
        };
        self.rest = &self.rest[1..];
        let (hours, digits) = self.any_digits()?;
        let minutes = match digits {
            4 => hours / 100 * 60 + hours % 100,
            1 | 2 if self.eat(b':') => hours * 60 + self.digits(2)?,
            1 | 2 => hours * 60,
            _ => return None,
        };
        (minutes < 24 * 60).then_some(sign * minutes)
    }

    /// A number of a loose date: part of a time where a colon follows, else one of year, month and day.
    fn number(&mut self, said: &mut Said, numbers: &mut Vec<(i64, usize)>) -> Option<()> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if self.rest.get(count) == Some(&b':') && said.time.is_none() && count <= 2 {
            said.time = Some(self.time(count)?);
            return Some(());
        }
        let after: Vec<u8> = self.rest[count..].iter().filter(|byte| **byte != b' ').take(2).map(u8::to_ascii_lowercase).collect();
        if matches!(after.as_slice(), b"am" | b"pm") && said.time.is_none() && count <= 2 {
            said.time = Some((self.digits(count)?, 0, 0, 0));
            return Some(());
        }
        if numbers.len() == 3 {
            return None;
        }
        numbers.push(self.any_digits()?);
        Some(())
    }

    fn skip_parenthesis(&mut self) -> Option<()> {
        let end = self.rest.iter().position(|byte| *byte == b')')?;
        self.rest = &self.rest[end + 1..];
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_models_write_them() {
        let noon = 1_705_314_600_000.0;
        let day = 1_705_276_800_000.0;
        for (text, time) in [
            ("2024-01-15", day),
            ("2024-01-15T10:30:00Z", noon),
            ("2024-01-15T10:30:00.123Z", noon + 123.0),
            ("2024-01-15T10:30:00.123456789Z", noon + 123.0),
            ("2024-01-15T10:30", noon),
            ("2024-01-15 10:30:00", noon),
            ("2024-01-15T12:30:00+02:00", noon),
            ("2024-01-15T12:30:00+0200", noon),
            ("2024-01-15T24:00:00Z", day + 86_400_000.0),
            ("+002024-01-15T00:00:00Z", day),
            ("2024", 1_704_067_200_000.0),
            ("2024-01", 1_704_067_200_000.0),
            ("1/15/2024", day),
            ("01/15/24", day),
            ("2024/01/15", day),
            ("2024-1-15", day),
            ("Jan 15, 2024", day),
            ("January 15, 2024 10:30:00", noon),
            ("15 January 2024", day),
            ("15-Jan-2024", day),
            ("Mon, 15 Jan 2024 10:30:00 GMT", noon),
            ("Mon Jan 15 2024 11:30:00 GMT+0100 (Central European Standard Time)", noon),
            ("Mon Jan 15 10:30:00 2024", noon),
            ("Jan 15, 2024, 10:30 AM", noon),
            ("1/15/2024, 10:30:00 PM", noon + 43_200_000.0),
            ("Jan 15 2024 12:00 am", day),
            ("Jan 15 2024 05:30 EST", noon),
            ("Jan 2024", 1_704_067_200_000.0),
            ("5", 988_675_200_000.0),
            ("49", 2_493_072_000_000.0),
            ("2024-01-15 10:30:00 +0000", noon),
            ("2024-01-15T10:30:00.000+00:00", noon),
        ] {
            assert_eq!(parse(text), time, "{text}");
        }
        for text in [
            "",
            "not a date",
            "2024-13-01",
            "2024-01-32",
            "2024-01-15T25:00:00Z",
            "2024-01-15T10:61",
            "-000000-01-01",
            "Jan 15 2024 nonsense",
            "15:00",
            "1e9999",
        ] {
            assert!(parse(text).is_nan(), "{text}");
        }
    }
}
