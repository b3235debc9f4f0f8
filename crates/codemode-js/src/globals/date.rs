//! Dates in UTC and in en-US: reading them, `toString` and its like, `toLocaleString` and `Intl.DateTimeFormat`.

mod format;
mod options;
mod parse;

use crate::globals::arguments::{self, Arguments, throw};
use crate::globals::locale::look_at_locale;
use crate::realm::{ErrorClass, Kind, Realm, Thrown};
use crate::values::Civil;
use options::{DateOptions, Defaults};

/// Locales that write dates as en-US does.
pub(super) const ALIKE: &[&str] = &["en", "en-US"];

/// What `Date.prototype` writes of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// Date and time.
    Whole,
    /// The date alone.
    Date,
    /// The time alone.
    Time,
}

/// The time value of a date's text.
pub(super) fn parse_date<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    Ok(arguments.realm.make_number(parse::parse(&arguments.text(0)?)))
}

/// `toString`, `toDateString` and `toTimeString`.
pub(super) fn to_text<R: Realm>(realm: &R, this: &R::Value, written: Written) -> Result<R::Value, Thrown<R::Value>> {
    let Some(civil) = Civil::at(time_of(realm, this)?) else { return Ok(realm.make_text("Invalid Date")?) };
    let text = match written {
        Written::Whole => format!("{} {}", format::date_text(&civil), format::time_text(&civil)),
        Written::Date => format::date_text(&civil),
        Written::Time => format::time_text(&civil),
    };
    Ok(realm.make_text(&text)?)
}

/// `toLocaleString`, `toLocaleDateString` and `toLocaleTimeString`.
pub(super) fn to_locale_text<R: Realm>(
    realm: &R,
    this: &R::Value,
    arguments: &Arguments<'_, R>,
    written: Written,
) -> Result<R::Value, Thrown<R::Value>> {
    let time = time_of(realm, this)?;
    let defaults = match written {
        Written::Whole => Defaults::Any,
        Written::Date => Defaults::Date,
        Written::Time => Defaults::Time,
    };
    look_at_locale(arguments, 0, ALIKE)?;
    let options = options(arguments, 1, defaults)?;
    let text = Civil::at(time).map_or_else(|| "Invalid Date".to_owned(), |civil| format::format(&civil, &options));
    Ok(realm.make_text(&text)?)
}

/// The text of a time value for `Intl.DateTimeFormat`: of the time value and the options.
pub(super) fn format_date<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let options = options(arguments, 1, Defaults::Format)?;
    match Civil::at(arguments::number(realm, &arguments.value(0))?) {
        Some(civil) => Ok(realm.make_text(&format::format(&civil, &options))?),
        None => throw(realm, ErrorClass::Range, "Invalid time value"),
    }
}

fn options<R: Realm>(arguments: &Arguments<'_, R>, at: usize, defaults: Defaults) -> Result<DateOptions, Thrown<R::Value>> {
    match DateOptions::read(arguments, at, defaults)? {
        Ok(options) => Ok(options),
        Err(fault) => throw(arguments.realm, ErrorClass::Range, &fault),
    }
}

fn time_of<R: Realm>(realm: &R, this: &R::Value) -> Result<f64, Thrown<R::Value>> {
    if realm.kind(this) == Kind::Date { Ok(realm.number(this)) } else { throw(realm, ErrorClass::Type, "this is not a Date object.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_node_writes_them() {
        use Defaults::{Any, Date, Format, Time};
        // Monday, the 15th of January 2024, 09:05:07.089.
        let civil = Civil::at(1_705_309_507_089.0).unwrap();
        for (defaults, options, expected) in [
            (Any, "", "1/15/2024, 9:05:07 AM"),
            (Date, "", "1/15/2024"),
            (Time, "", "9:05:07 AM"),
            (Format, "", "1/15/2024"),
            (Date, "year=numeric month=short day=numeric", "Jan 15, 2024"),
            (Date, "year=numeric month=long day=numeric", "January 15, 2024"),
            (Date, "weekday=long year=numeric month=long day=numeric", "Monday, January 15, 2024"),
            (Date, "weekday=short month=short day=numeric", "Mon, Jan 15"),
            (Date, "year=numeric month=2-digit day=2-digit", "01/15/2024"),
            (Date, "weekday=short year=numeric month=numeric day=numeric", "Mon, 1/15/2024"),
            (Date, "month=long year=numeric", "January 2024"),
            (Date, "month=short day=numeric", "Jan 15"),
            (Date, "month=numeric year=numeric", "1/2024"),
            (Date, "month=long", "January"),
            (Date, "weekday=long", "Monday"),
            (Date, "year=numeric", "2024"),
            (Date, "year=2-digit month=numeric day=numeric", "1/15/24"),
            (Time, "hour=2-digit minute=2-digit", "09:05 AM"),
            (Time, "hour=numeric minute=2-digit", "9:05 AM"),
            (Time, "hour=numeric", "9 AM"),
            (Time, "hour12=false", "09:05:07"),
            (Time, "hour=2-digit minute=2-digit hour12=false", "09:05"),
            (Time, "hour=2-digit minute=2-digit hourCycle=h23", "09:05"),
            (Time, "timeZoneName=short", "9:05:07 AM UTC"),
            (Time, "hour=numeric minute=numeric second=numeric fractionalSecondDigits=3", "9:05:07.089 AM"),
            (Any, "month=short day=numeric hour=numeric minute=2-digit", "Jan 15, 9:05 AM"),
            (Any, "month=long day=numeric year=numeric hour=numeric minute=2-digit", "January 15, 2024 at 9:05 AM"),
            (Any, "dateStyle=full timeStyle=long", "Monday, January 15, 2024 at 9:05:07 AM UTC"),
            (Any, "dateStyle=medium timeStyle=short", "Jan 15, 2024, 9:05 AM"),
            (Any, "dateStyle=short", "1/15/24"),
            (Any, "timeStyle=full", "9:05:07 AM Coordinated Universal Time"),
        ] {
            assert_eq!(format::format(&civil, &DateOptions::written(options, defaults).unwrap()), expected, "{options}");
        }
        assert_eq!(DateOptions::written("timeStyle=short", Date), Err("Invalid option : timeStyle".to_owned()));
        assert_eq!(
            DateOptions::written("dateStyle=short day=numeric", Any),
            Err("Can't set option of a part when dateStyle or timeStyle is used".to_owned())
        );
        assert_eq!(format::date_text(&civil), "Mon Jan 15 2024");
        assert_eq!(format::time_text(&civil), "09:05:07 GMT+0000 (Coordinated Universal Time)");
        let midnight = Civil::at(0.0).unwrap();
        assert_eq!(format::format(&midnight, &DateOptions::written("", Time).unwrap()), "12:00:00 AM");
        assert_eq!(format::format(&midnight, &DateOptions::written("hour12=false", Time).unwrap()), "00:00:00");
    }
}
