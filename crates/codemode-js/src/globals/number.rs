//! Numbers in en-US: `toLocaleString` and `Intl.NumberFormat`.

mod compose;
mod decimal;
mod options;
mod words;

use crate::globals::arguments::{self, Arguments, throw};
use crate::globals::locale::look_at_locale;
use crate::realm::{ErrorClass, Kind, Realm, Thrown};
use compose::compose;
use decimal::Decimal;
use options::NumberOptions;

/// Locales that write numbers as en-US does.
pub(super) const ALIKE: &[&str] = &["en", "en-US", "en-GB", "en-AU", "en-CA", "en-NZ", "en-IE"];

/// `toLocaleString` of numbers and of big integers.
pub(super) fn to_locale_string<R: Realm>(realm: &R, this: &R::Value, arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    if !matches!(realm.kind(this), Kind::Number | Kind::BigInt | Kind::Boxed) {
        return throw(realm, ErrorClass::Type, "toLocaleString of a number was called on something else");
    }
    look_at_locale(arguments, 0, ALIKE)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: f64, options: &str) -> String {
        match NumberOptions::written(options) {
            Ok(options) => compose(Decimal::from_number(number), &options),
            Err(fault) => fault,
        }
    }

    #[test]
    fn numbers_are_written_as_node_writes_them() {
        for (number, options, expected) in [
            (0.0, "", "0"),
            (-0.0, "", "-0"),
            (1234.5678, "", "1,234.568"),
            (-1234567.0, "", "-1,234,567"),
            (999.0, "", "999"),
            (1e21, "", "1,000,000,000,000,000,000,000"),
            (f64::NAN, "", "NaN"),
            (f64::NEG_INFINITY, "", "-∞"),
            (1.005, "maximumFractionDigits=2", "1.01"),
            (1234.5, "minimumFractionDigits=2", "1,234.50"),
            (1234.5, "minimumFractionDigits=2 maximumFractionDigits=2", "1,234.50"),
            (1234.5, "maximumFractionDigits=0", "1,235"),
            (1234.5, "useGrouping=false", "1234.5"),
            (1234.0, "useGrouping=min2", "1234"),
            (12345.0, "useGrouping=min2", "12,345"),
            (5.0, "minimumIntegerDigits=2", "05"),
            (123456.0, "maximumSignificantDigits=3", "123,000"),
            (0.00123456, "maximumSignificantDigits=3", "0.00123"),
            (1.5, "minimumSignificantDigits=4", "1.500"),
            (0.256, "style=percent", "26%"),
            (0.256, "style=percent minimumFractionDigits=1", "25.6%"),
            (12.5, "style=percent", "1,250%"),
            (1234.5, "style=currency currency=USD", "$1,234.50"),
            (-1234.5, "style=currency currency=USD", "-$1,234.50"),
            (-1234.5, "style=currency currency=USD currencySign=accounting", "($1,234.50)"),
            (1234.5, "style=currency currency=EUR", "€1,234.50"),
            (1234.5, "style=currency currency=GBP maximumFractionDigits=0", "£1,235"),
            (1234.5, "style=currency currency=JPY", "¥1,235"),
            (1234.5, "style=currency currency=CHF", "CHF\u{a0}1,234.50"),
            (1234.5, "style=currency currency=USD currencyDisplay=code", "USD\u{a0}1,234.50"),
            (1234.5, "style=currency currency=USD currencyDisplay=name", "1,234.50 US dollars"),
            (1.0, "style=currency currency=CAD currencyDisplay=narrowSymbol", "$1.00"),
            (1234.0, "notation=compact", "1.2K"),
            (12345.0, "notation=compact", "12K"),
            (999_999.0, "notation=compact", "1M"),
            (1_500_000.0, "notation=compact compactDisplay=long", "1.5 million"),
            (999.0, "notation=compact", "999"),
            (0.5, "notation=compact", "0.5"),
            (1_234_567.0, "notation=compact maximumFractionDigits=2", "1.23M"),
            (1234.0, "notation=compact style=currency currency=USD", "$1.2K"),
            (123456.0, "notation=scientific", "1.235E5"),
            (123456.0, "notation=engineering", "123.456E3"),
            (5.0, "style=unit unit=kilometer", "5 km"),
            (1.0, "style=unit unit=day", "1 day"),
            (2.0, "style=unit unit=day", "2 days"),
            (5.0, "style=unit unit=megabyte unitDisplay=long", "5 megabytes"),
            (21.5, "style=unit unit=celsius", "21.5°C"),
            (5.0, "signDisplay=always", "+5"),
            (0.0, "signDisplay=exceptZero", "0"),
            (-5.0, "signDisplay=never", "5"),
            (5.0, "style=currency", "Currency code is required with currency style."),
            (5.0, "style=currency currency=DOLLARS", "Invalid currency code : DOLLARS"),
            (5.0, "style=money", "Value money out of range for Intl.NumberFormat options property style"),
            (5.0, "minimumFractionDigits=101", "minimumFractionDigits value is out of range."),
            (5.0, "minimumFractionDigits=3 maximumFractionDigits=2", "maximumFractionDigits value is out of range."),
        ] {
            assert_eq!(text(number, options), expected, "{number} {options}");
        }
        let options = NumberOptions::written("").unwrap();
        assert_eq!(compose(Decimal::from_digits("-12345678901234567890"), &options), "-12,345,678,901,234,567,890");
    }
}
