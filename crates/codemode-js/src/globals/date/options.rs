//! The options of a date's text, read once and checked as `Intl.DateTimeFormat` checks them.

use crate::globals::arguments::{Arguments, shown};
use crate::realm::{Halt, Realm};

/// Which parts of a date are written, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DateOptions {
    pub(super) weekday: Option<Width>,
    pub(super) year: Option<Width>,
    pub(super) month: Option<Width>,
    pub(super) day: Option<Width>,
    pub(super) hour: Option<Width>,
    pub(super) minute: Option<Width>,
    pub(super) second: Option<Width>,
    pub(super) fraction: usize,
    pub(super) zone: Option<Width>,
    /// Whether hours count to 24.
    pub(super) all_day: bool,
    /// Whether date and time are joined as in a sentence.
    pub(super) joined_by_at: bool,
}

/// How a part is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    Numeric,
    TwoDigits,
    Short,
    Long,
    Narrow,
}

/// What is written where the options name nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Defaults {
    /// Date and time where neither is named.
    Any,
    /// The date where no part of a date is named.
    Date,
    /// The time where no part of a time is named.
    Time,
    /// The date where neither is named, as `Intl.DateTimeFormat` has it.
    Format,
}

/// The options that are words, and which there are.
const WORDS: &[(&str, &[&str])] = &[
    ("weekday", &["narrow", "short", "long"]),
    ("year", &["2-digit", "numeric"]),
    ("month", &["2-digit", "numeric", "narrow", "short", "long"]),
    ("day", &["2-digit", "numeric"]),
    ("hour", &["2-digit", "numeric"]),
    ("minute", &["2-digit", "numeric"]),
    ("second", &["2-digit", "numeric"]),
    ("timeZoneName", &["short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"]),
    ("dateStyle", &["full", "long", "medium", "short"]),
    ("timeStyle", &["full", "long", "medium", "short"]),
    ("hourCycle", &["h11", "h12", "h23", "h24"]),
];

impl DateOptions {
    /// Reads the options at `at`; inside is what is wrong with them.
    pub(super) fn read<R: Realm>(arguments: &Arguments<'_, R>, at: usize, defaults: Defaults) -> Result<Result<Self, String>, Halt> {
        let mut words = Vec::new();
        for (name, allowed) in WORDS {
            let word = arguments.option_text(at, name)?;
            if let Some(word) = &word
                && !allowed.contains(&word.as_str())
            {
                return Ok(Err(format!("Value {} out of range for Intl.DateTimeFormat options property {name}", shown(word))));
            }
            words.push(word);
        }
        if let Some(zone) = arguments.option_text(at, "timeZone")?
            && !is_utc(&zone)
        {
            return Ok(Err(format!(
                "time zone {} is not there: a program knows UTC alone; add the hours to the date, and leave timeZone out",
                shown(&zone)
            )));
        }
        let hour12 = arguments.option_boolean(at, "hour12")?;
        let fraction = match arguments.option_number(at, "fractionalSecondDigits")? {
            None => 0,
            Some(1.0) => 1,
            Some(2.0) => 2,
            Some(3.0) => 3,
            Some(_) => return Ok(Err("fractionalSecondDigits value is out of range.".to_owned())),
        };
        Ok(Self::from_words(&words.iter().map(Option::as_deref).collect::<Vec<_>>(), hour12, fraction, defaults))
    }

    fn from_words(words: &[Option<&str>], hour12: Option<bool>, fraction: usize, defaults: Defaults) -> Result<Self, String> {
        let word = |index: usize| words.get(index).copied().flatten();
        let width = |index: usize| word(index).map(Width::of);
        let mut options = Self {
            weekday: width(0),
            year: width(1),
            month: width(2),
            day: width(3),
            hour: width(4),
            minute: width(5),
            second: width(6),
            fraction,
            zone: width(7),
            all_day: hour12.map_or(matches!(word(10), Some("h23" | "h24")), |hour12| !hour12),
            joined_by_at: false,
        };
        options.joined_by_at = options.month == Some(Width::Long);
        let (date_style, time_style) = (word(8), word(9));
        if date_style.is_some() || time_style.is_some() {
            if options.has_date() || options.has_time() || options.zone.is_some() {
                return Err("Can't set option of a part when dateStyle or timeStyle is used".to_owned());
            }
            options.take_styles(date_style, time_style, defaults)?;
            return Ok(options);
        }
        let (names_date, names_time) = (options.has_date(), options.has_time());
        let adds_date = match defaults {
            Defaults::Any | Defaults::Format => !names_date && !names_time,
            Defaults::Date => !names_date,
            Defaults::Time => false,
        };
        let adds_time = match defaults {
            Defaults::Any => !names_date && !names_time,
            Defaults::Time => !names_time,
            Defaults::Date | Defaults::Format => false,
        };
        if adds_date {
            (options.year, options.month, options.day) = (Some(Width::Numeric), Some(Width::Numeric), Some(Width::Numeric));
        }
        if adds_time {
            (options.hour, options.minute, options.second) = (Some(Width::Numeric), Some(Width::Numeric), Some(Width::Numeric));
        }
        Ok(options)
    }

    fn take_styles(&mut self, date: Option<&str>, time: Option<&str>, defaults: Defaults) -> Result<(), String> {
        if defaults == Defaults::Date && time.is_some() {
            return Err("Invalid option : timeStyle".to_owned());
        }
        if defaults == Defaults::Time && date.is_some() {
            return Err("Invalid option : dateStyle".to_owned());
        }
        if let Some(style) = date {
            (self.month, self.day, self.year) = match style {
                "short" => (Some(Width::Numeric), Some(Width::Numeric), Some(Width::TwoDigits)),
                "medium" => (Some(Width::Short), Some(Width::Numeric), Some(Width::Numeric)),
                _ => (Some(Width::Long), Some(Width::Numeric), Some(Width::Numeric)),
            };
            self.weekday = (style == "full").then_some(Width::Long);
            self.joined_by_at = matches!(style, "full" | "long");
        }
        if let Some(style) = time {
            (self.hour, self.minute) = (Some(Width::Numeric), Some(Width::Numeric));
            self.second = (style != "short").then_some(Width::Numeric);
            self.zone = match style {
                "full" => Some(Width::Long),
                "long" => Some(Width::Short),
                _ => None,
            };
        }
        Ok(())
    }

    pub(super) fn has_date(&self) -> bool {
        self.weekday.is_some() || self.year.is_some() || self.month.is_some() || self.day.is_some()
    }

    pub(super) fn has_time(&self) -> bool {
        self.hour.is_some() || self.minute.is_some() || self.second.is_some() || self.fraction > 0
    }
}

impl Width {
    fn of(word: &str) -> Self {
        match word {
            "2-digit" => Self::TwoDigits,
            "long" | "longOffset" | "longGeneric" => Self::Long,
            "narrow" => Self::Narrow,
            "numeric" => Self::Numeric,
            _ => Self::Short,
        }
    }
}

fn is_utc(zone: &str) -> bool {
    let zone = zone.to_ascii_uppercase();
    matches!(zone.as_str(), "UTC" | "GMT" | "ETC/UTC" | "ETC/GMT" | "ETC/UCT" | "UCT" | "ZULU" | "+00:00" | "+00" | "+0000")
}

#[cfg(test)]
impl DateOptions {
    /// Options written as `name=value`, apart by spaces.
    pub(super) fn written(options: &str, defaults: Defaults) -> Result<Self, String> {
        let value = |name: &str| options.split(' ').find_map(|option| option.strip_prefix(name)?.strip_prefix('='));
        let words: Vec<_> = WORDS.iter().map(|(name, _)| value(name)).collect();
        let fraction = value("fractionalSecondDigits").map_or(0, |count| count.parse().unwrap());
        Self::from_words(&words, value("hour12").map(|word| word == "true"), fraction, defaults)
    }
}
