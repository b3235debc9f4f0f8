//! Decimal numbers: the shortest digits that stand for a number, rounded half away from zero as `Intl` rounds.

/// A number as digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decimal {
    /// Not a number.
    NotANumber,
    /// Infinity, and whether it is negative.
    Infinite(bool),
    /// A finite number.
    Finite(Digits),
}

/// The digits of a finite number: `0.d1d2d3… × 10^point`, without leading or trailing zeros; none for zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Digits {
    pub(super) negative: bool,
    digits: Vec<u8>,
    point: i32,
}

impl Decimal {
    pub(super) fn from_number(number: f64) -> Self {
        if number.is_nan() {
            return Self::NotANumber;
        }
        if number.is_infinite() {
            return Self::Infinite(number < 0.0);
        }
        let text = format!("{:e}", number.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let point = exponent.parse::<i32>().unwrap_or(0) + 1;
        Self::Finite(Digits { negative: number.is_sign_negative(), digits, point }.trimmed())
    }

    /// A whole number from its decimal digits, perhaps with a sign.
    pub(super) fn from_digits(text: &str) -> Self {
        let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let point = i32::try_from(digits.len()).unwrap_or(i32::MAX);
        Self::Finite(Digits { negative: text.starts_with('-'), digits, point }.trimmed())
    }
}

impl Digits {
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// How many digits stand before the point; zero or less for numbers below one.
    pub(super) fn whole_digits(&self) -> i32 {
        if self.is_zero() { 1 } else { self.point }
    }

    /// The number times a power of ten.
    pub(super) fn scaled(mut self, power: i32) -> Self {
        if !self.is_zero() {
            self.point = self.point.saturating_add(power);
        }
        self
    }

    /// Rounded to at most so many digits after the point.
    pub(super) fn rounded_to_fraction(self, fraction_digits: i32) -> Self {
        let keep = self.point.saturating_add(fraction_digits);
        self.rounded_to(keep)
    }

    /// Rounded to at most so many significant digits.
    pub(super) fn rounded_to_significant(self, significant_digits: i32) -> Self {
        self.rounded_to(significant_digits)
    }

    /// Digits before the point, at least `whole`, and after it, at least `fraction`.
    pub(super) fn split(&self, whole: usize, fraction: usize) -> (String, String) {
        let digit = |place: i32| -> char {
            usize::try_from(place).ok().and_then(|place| self.digits.get(place)).map_or('0', |digit| char::from(b'0' + digit))
        };
        let point = if self.is_zero() { 0 } else { self.point };
        let wholes = point.max(i32::try_from(whole).unwrap_or(0));
        let before = (point - wholes..point).map(digit).collect();
        let fractions =
            i32::try_from(self.digits.len()).unwrap_or(i32::MAX).saturating_sub(point).max(i32::try_from(fraction).unwrap_or(0));
        let after = (point..point.saturating_add(fractions)).map(digit).collect();
        (before, after)
    }

    /// How many digits after the point would make so many significant ones.
    pub(super) fn fraction_for_significant(&self, significant_digits: i32) -> usize {
        usize::try_from(significant_digits - self.whole_digits()).unwrap_or(0)
    }

    fn rounded_to(mut self, keep: i32) -> Self {
        let Ok(keep) = usize::try_from(keep) else {
            // Even the first digit stands beyond what is kept.
            self.digits.clear();
            return self.trimmed();
        };
        if keep >= self.digits.len() {
            return self;
        }
        let up = self.digits[keep] >= 5;
        self.digits.truncate(keep);
        if up {
            let mut place = keep;
            loop {
                if place == 0 {
                    self.digits.insert(0, 1);
                    self.point += 1;
                    break;
                }
                place -= 1;
                if self.digits[place] == 9 {
                    self.digits[place] = 0;
                } else {
                    self.digits[place] += 1;
                    break;
                }
            }
        }
        self.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.point = if self.digits.is_empty() { 0 } else { self.point - i32::try_from(zeros).unwrap_or(0) };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(number: f64, fraction: i32) -> String {
        let Decimal::Finite(digits) = Decimal::from_number(number) else { return "none".to_owned() };
        let (whole, fraction) = digits.rounded_to_fraction(fraction).split(1, 0);
        format!("{whole}.{fraction}")
    }

    #[test]
    fn numbers_are_rounded_half_away_from_zero_by_their_shortest_digits() {
        for (number, fraction, text) in [
            (1.005, 2, "1.01"),
            (0.5, 0, "1."),
            (0.49, 0, "0."),
            (0.05, 0, "0."),
            (9.995, 2, "10."),
            (999.9999, 3, "1000."),
            (0.000_05, 3, "0."),
            (0.0005, 3, "0.001"),
            (123_456_789.123, 1, "123456789.1"),
            (1e21, 3, "1000000000000000000000."),
            (0.0, 3, "0."),
        ] {
            assert_eq!(rounded(number, fraction), text, "{number}");
        }
    }
}
