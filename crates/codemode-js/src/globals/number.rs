//! Numbers in en-US: `toLocaleString` and `Intl.NumberFormat`.

mod compose;
mod decimal;
mod options;
mod words;

use crate::globals::arguments::{self, Arguments, throw};
use crate::realm::{ErrorClass, Kind, Realm, Thrown};
use compose::compose;
use decimal::Decimal;
use options::NumberOptions;

/// `toLocaleString` of numbers and of big integers.
pub(super) fn to_locale_string<R: Realm>(realm: &R, this: &R::Value, arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    if !matches!(realm.kind(this), Kind::Number | Kind::BigInt | Kind::Boxed) {
        return throw(realm, ErrorClass::Type, "toLocaleString of a number was called on something else");
    }
    format(realm, this, arguments, 1)
}

/// The text of a number for `Intl.NumberFormat`: of the number and the options.
pub(super) fn format_number<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    format(arguments.realm, &arguments.value(0), arguments, 1)
}

fn format<R: Realm>(realm: &R, value: &R::Value, arguments: &Arguments<'_, R>, at: usize) -> Result<R::Value, Thrown<R::Value>> {
    let options = match NumberOptions::read(arguments, at)? {
        Ok(options) => options,
        Err(fault) => return throw(realm, ErrorClass::Range, &fault),
    };
    let number = if realm.kind(value) == Kind::BigInt {
        Decimal::from_digits(&arguments::text(realm, value)?)
    } else {
        Decimal::from_number(arguments::number(realm, value)?)
    };
    Ok(realm.make_text(&compose(number, &options))?)
}
