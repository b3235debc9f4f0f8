//! The options of a number's text, read once and checked as `Intl.NumberFormat` checks them.

use crate::globals::arguments::{Arguments, shown};
use crate::globals::number::words::{CURRENCIES, Currency, UNITS, Unit};
use crate::realm::{Halt, Kind, Realm};

/// The most digits after the point.
const MOST_FRACTION: f64 = 100.0;
/// The most significant digits, and the most digits before the point.
const MOST_DIGITS: f64 = 21.0;

/// How a number is written.
#[derive(Debug)]
pub(super) struct NumberOptions {
    pub(super) style: Style,
    pub(super) notation: Notation,
    pub(super) grouping: Grouping,
    pub(super) sign: Sign,
    pub(super) whole: usize,
    pub(super) rounding: Rounding,
}

/// What stands beside the number.
#[derive(Debug)]
pub(super) enum Style {
    Decimal,
    Percent,
    Currency { before: String, after: Option<(String, String)>, accounting: bool },
    Unit { one: String, several: String },
}

/// How large numbers are shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Standard,
    /// By a letter, or by a word.
    Compact {
        long: bool,
    },
    /// By a power of ten that is a multiple of so much.
    Scientific(i32),
}

/// When thousands are set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grouping {
    Never,
    /// From five digits on.
    FromFive,
    Always,
}

/// When the sign is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Auto,
    Always,
    Never,
    ExceptZero,
    Negative,
}

/// Which digits are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    /// At least and at most so many after the point.
    Fraction(usize, usize),
    /// At least and at most so many significant ones.
    Significant(usize, usize),
    /// Whole from two digits on, else two significant ones: what compact numbers have by default.
    Compact,
}

impl NumberOptions {
    /// Reads the options at `at`; inside is what is wrong with them.
    pub(super) fn read<R: Realm>(arguments: &Arguments<'_, R>, at: usize) -> Result<Result<Self, String>, Halt> {
        let mut words = Vec::new();
        for name in WORDS {
            words.push(arguments.option_text(at, name.0)?);
        }
        let mut digits = Vec::new();
        for name in DIGITS {
            digits.push(arguments.option_number(at, name.0)?);
        }
        let grouping = match arguments.option(at, "useGrouping")? {
            Some(value) if arguments.realm.kind(&value) == Kind::Boolean => {
                Some(if arguments.realm.boolean(&value) { "always" } else { "false" }.to_owned())
            }
            _ => arguments.option_text(at, "useGrouping")?,
        };
        Ok(Self::checked(&words, &digits, grouping.as_deref()))
    }

    fn checked(words: &[Option<String>], digits: &[Option<f64>], grouping: Option<&str>) -> Result<Self, String> {
        for ((name, allowed), word) in WORDS.iter().zip(words) {
            if let Some(word) = word
                && !allowed.is_empty()
                && !allowed.contains(&word.as_str())
            {
                return Err(format!("Value {} out of range for Intl.NumberFormat options property {name}", shown(word)));
            }
        }
        let mut counts = Vec::new();
        for ((name, least, most), value) in DIGITS.iter().zip(digits) {
            counts.push(match value {
                None => None,
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was looked at")]
                Some(value) if (*least..=*most).contains(value) => Some(*value as usize),
                Some(_) => return Err(format!("{name} value is out of range.")),
            });
        }
        let word = |index: usize| words.get(index).and_then(Option::as_deref);
        let count = |index: usize| counts.get(index).copied().flatten();

        let notation = match (word(1), word(2)) {
            (Some("compact"), display) => Notation::Compact { long: display == Some("long") },
            (Some("scientific"), _) => Notation::Scientific(1),
            (Some("engineering"), _) => Notation::Scientific(3),
            _ => Notation::Standard,
        };
        let currency = word(3).map(known_currency).transpose()?;
        let style = match word(0) {
            Some("percent") => Style::Percent,
            Some("currency") => currency_style(currency.as_ref(), word(4), word(5) == Some("accounting"))?,
            Some("unit") => unit_style(word(6), word(7))?,
            _ => Style::Decimal,
        };
        let default_fraction = match (&style, notation) {
            (Style::Currency { .. }, Notation::Standard) => {
                let digits = currency.map_or(2, |currency| currency.digits);
                (digits, digits)
            }
            (Style::Percent, _) => (0, 0),
            _ => (0, 3),
        };
        Ok(Self {
            style,
            notation,
            grouping: match grouping {
                Some("false") => Grouping::Never,
                Some("min2") => Grouping::FromFive,
                Some("always" | "true") => Grouping::Always,
                _ if matches!(notation, Notation::Compact { .. }) => Grouping::FromFive,
                _ => Grouping::Always,
            },
            sign: match word(8) {
                Some("always") => Sign::Always,
                Some("never") => Sign::Never,
                Some("exceptZero") => Sign::ExceptZero,
                Some("negative") => Sign::Negative,
                _ => Sign::Auto,
            },
            whole: count(0).unwrap_or(1),
            rounding: rounding((count(1), count(2)), (count(3), count(4)), default_fraction, notation)?,
        })
    }
}

/// Options that are words, and which there are; none where the word is a name.
const WORDS: &[(&str, &[&str])] = &[
    ("style", &["decimal", "percent", "currency", "unit"]),
    ("notation", &["standard", "scientific", "engineering", "compact"]),
    ("compactDisplay", &["short", "long"]),
    ("currency", &[]),
    ("currencyDisplay", &["code", "symbol", "narrowSymbol", "name"]),
    ("currencySign", &["standard", "accounting"]),
    ("unit", &[]),
    ("unitDisplay", &["short", "narrow", "long"]),
    ("signDisplay", &["auto", "never", "always", "exceptZero", "negative"]),
];

/// Options that are counts of digits, from and to.
const DIGITS: &[(&str, f64, f64)] = &[
    ("minimumIntegerDigits", 1.0, MOST_DIGITS),
    ("minimumFractionDigits", 0.0, MOST_FRACTION),
    ("maximumFractionDigits", 0.0, MOST_FRACTION),
    ("minimumSignificantDigits", 1.0, MOST_DIGITS),
    ("maximumSignificantDigits", 1.0, MOST_DIGITS),
];

type Bounds = (Option<usize>, Option<usize>);

fn rounding(fraction: Bounds, significant: Bounds, default: (usize, usize), notation: Notation) -> Result<Rounding, String> {
    if significant != (None, None) {
        let least = significant.0.unwrap_or(1);
        let most = significant.1.unwrap_or(21);
        return if least > most {
            Err("maximumSignificantDigits value is out of range.".to_owned())
        } else {
            Ok(Rounding::Significant(least, most))
        };
    }
    Ok(match fraction {
        (None, None) if matches!(notation, Notation::Compact { .. }) => Rounding::Compact,
        (None, None) => Rounding::Fraction(default.0, default.1),
        (Some(least), None) => Rounding::Fraction(least, default.1.max(least)),
        (None, Some(most)) => Rounding::Fraction(default.0.min(most), most),
        (Some(least), Some(most)) if least <= most => Rounding::Fraction(least, most),
        _ => return Err("maximumFractionDigits value is out of range.".to_owned()),
    })
}

/// A currency as far as it is needed: by its code alone where nothing more is known.
#[derive(Debug)]
struct Known {
    code: String,
    digits: usize,
    entry: Option<&'static Currency>,
}

fn known_currency(code: &str) -> Result<Known, String> {
    if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(format!("Invalid currency code : {}", shown(code)));
    }
    let code = code.to_ascii_uppercase();
    let entry = CURRENCIES.iter().find(|entry| entry.code == code);
    Ok(Known { digits: entry.map_or(2, |entry| entry.digits), code, entry })
}

fn currency_style(currency: Option<&Known>, display: Option<&str>, accounting: bool) -> Result<Style, String> {
    let Some(known) = currency else { return Err("Currency code is required with currency style.".to_owned()) };
    let code = || known.code.clone();
    let sign = match display {
        Some("code") => code(),
        Some("name") => {
            let names = known.entry.map_or_else(|| (code(), code()), |entry| (entry.one.to_owned(), entry.several.to_owned()));
            return Ok(Style::Currency { before: String::new(), after: Some(names), accounting });
        }
        Some("narrowSymbol") => known.entry.map_or_else(code, |entry| entry.narrow.to_owned()),
        _ => known.entry.map_or_else(code, |entry| entry.sign.to_owned()),
    };
    // A sign that ends in a letter is set apart from the digits.
    let before = if sign.ends_with(char::is_alphabetic) { format!("{sign}\u{a0}") } else { sign };
    Ok(Style::Currency { before, after: None, accounting })
}

fn unit_style(name: Option<&str>, display: Option<&str>) -> Result<Style, String> {
    let Some(name) = name else { return Err("Required unit for unit style is missing.".to_owned()) };
    let Some(Unit { short, narrow, long, .. }) = UNITS.iter().find(|unit| unit.name == name) else {
        let known: Vec<&str> = UNITS.iter().map(|unit| unit.name).collect();
        return Err(format!("unit {} is not known here: known are {}", shown(name), known.join(", ")));
    };
    let (one, several) = match display {
        Some("narrow") => (*narrow, *narrow),
        Some("long") => *long,
        _ => *short,
    };
    Ok(Style::Unit { one: one.to_owned(), several: several.to_owned() })
}

#[cfg(test)]
impl NumberOptions {
    /// Options written as `name=value`, apart by spaces.
    pub(super) fn written(options: &str) -> Result<Self, String> {
        let value = |name: &str| options.split(' ').find_map(|option| option.strip_prefix(name)?.strip_prefix('='));
        let words: Vec<_> = WORDS.iter().map(|(name, _)| value(name).map(str::to_owned)).collect();
        let digits: Vec<_> = DIGITS.iter().map(|(name, ..)| value(name).map(|count| count.parse().unwrap())).collect();
        Self::checked(&words, &digits, value("useGrouping"))
    }
}
