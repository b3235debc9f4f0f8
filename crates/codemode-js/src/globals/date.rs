//! Dates in UTC and in en-US: reading them, `toString` and its like, `toLocaleString` and `Intl.DateTimeFormat`.

mod civil;
mod format;
mod options;
mod parse;

use crate::globals::arguments::{self, Arguments, throw};
use crate::realm::{ErrorClass, Kind, Realm, Thrown};
use civil::Civil;
use options::{DateOptions, Defaults};

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
