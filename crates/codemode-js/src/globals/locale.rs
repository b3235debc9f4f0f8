//! The locales that a program asks for: each is read, and all of them become en-US.

use crate::globals::arguments::{Arguments, SHORT_BYTES, throw};
use crate::realm::{ErrorClass, Halt, Kind, Realm, Slot, Thrown};
use crate::values::text_of;

/// What is said of what is no locale.
const NO_LOCALE: &str = "Incorrect locale information provided";

/// Warns that en-US is followed where another locale than those of `alike` is asked for at `index`.
pub(super) fn look_at_locale<R: Realm>(arguments: &Arguments<'_, R>, index: usize, alike: &[&str]) -> Result<(), Halt> {
    let realm = arguments.realm;
    let mut locale = arguments.value(index);
    if realm.kind(&locale) == Kind::Array
        && let Slot::Data(first) = realm.element(&locale, 0)?
    {
        locale = first;
    }
    let Some(asked) = text_of(realm, &locale, SHORT_BYTES)? else { return Ok(()) };
    if !alike.iter().any(|alike| asked.eq_ignore_ascii_case(alike)) {
        let shown = codemode_core::text::cut(&asked, 40);
        realm.shared().warn(format!("locale {shown:?} is not there: numbers, dates and order follow en-US"));
    }
    Ok(())
}

/// Refuses a list of locales, or a single one, where one is none, as the classes of `Intl` do; then as [`look_at_locale`].
pub(super) fn check_locales<R: Realm>(arguments: &Arguments<'_, R>, alike: &[&str]) -> Result<R::Value, Thrown<R::Value>> {
    let (realm, locales) = (arguments.realm, arguments.value(0));
    match realm.kind(&locales) {
        Kind::Null => return throw(realm, ErrorClass::Type, "Cannot convert undefined or null to object"),
        Kind::Text => check_locale(realm, &locales)?,
        Kind::Array => {
            for index in 0..u32::try_from(realm.length(&locales)).unwrap_or(u32::MAX) {
                match realm.element(&locales, index)? {
                    Slot::Data(locale) => check_locale(realm, &locale)?,
                    Slot::Accessor { .. } | Slot::Missing => return throw(realm, ErrorClass::Range, NO_LOCALE),
                }
            }
        }
        _ => {}
    }
    look_at_locale(arguments, 0, alike)?;
    Ok(realm.undefined())
}

fn check_locale<R: Realm>(realm: &R, locale: &R::Value) -> Result<(), Thrown<R::Value>> {
    if text_of(realm, locale, SHORT_BYTES)?.is_some_and(|text| is_locale(&text)) {
        return Ok(());
    }
    throw(realm, ErrorClass::Range, NO_LOCALE)
}

/// Whether a text has the form of a locale: a language, and what tells more of it after hyphens.
fn is_locale(text: &str) -> bool {
    let mut parts = text.split(['-', '_']);
    let is_language = |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    parts.next().is_some_and(is_language)
        && parts.all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_is_a_language_and_what_tells_more_of_it() {
        for text in ["en", "en-US", "zh_Hant_TW", "de-DE-u-co-phonebk"] {
            assert!(is_locale(text), "{text}");
        }
        for text in ["", "e", "en-", "not a locale", "12", "en-US\n", "languages1"] {
            assert!(!is_locale(text), "{text}");
        }
    }
}
