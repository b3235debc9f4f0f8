//! Addresses as the web reads them: the parts of a URL, and queries as lists of pairs.

use codemode_core::Reserved;
use url::{Position, Url, form_urlencoded, quirks};

use crate::globals::arguments::{Arguments, Text, text};
use crate::realm::{Realm, Slot, Thrown};

/// The most bytes that percent encoding makes of one.
const PERCENT_ENCODED: usize = 3;

/// Names and values, counted while they are held.
type Pairs<V> = (Vec<(V, V)>, Reserved);

/// The whole address of text, against a base where there is one; `undefined` where it is no address.
pub(super) fn parse_url<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let input = arguments.text(0)?;
    let _reserved = realm.reserve(input.len().saturating_mul(PERCENT_ENCODED))?;
    let parsed =
        if arguments.is_given(1) { Url::parse(&arguments.text(1)?).and_then(|base| base.join(&input)) } else { Url::parse(&input) };
    match parsed {
        Ok(url) => Ok(realm.make_text(url.as_str())?),
        Err(_) => Ok(realm.undefined()),
    }
}

/// A part of an address by its name on `URL`, or what is before its query and after it; `undefined` where there is no such part.
pub(super) fn url_part<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    match Url::parse(&arguments.text(0)?).ok().and_then(|url| part(&url, &arguments.text(1).ok()?)) {
        Some(part) => Ok(realm.make_text(&part)?),
        None => Ok(realm.undefined()),
    }
}

/// The address with one part replaced, unchanged where the part does not fit it; `undefined` where a whole address is none.
pub(super) fn with_url_part<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let (href, name, value) = (arguments.text(0)?, arguments.text(1)?, arguments.text(2)?);
    let _reserved = realm.reserve(value.len().saturating_mul(PERCENT_ENCODED))?;
    match Url::parse(&href).ok().and_then(|url| with_part(url, &name, &value)) {
        Some(url) => Ok(realm.make_text(url.as_str())?),
        None => Ok(realm.undefined()),
    }
}

/// The names and values of a query, one after the other; the question mark before them is no part of them.
pub(super) fn parse_query<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let whole = arguments.text(0)?;
    let query = whole.strip_prefix('?').unwrap_or(&whole);
    let count = query.bytes().filter(|byte| *byte == b'&').count() + 1;
    let _reserved = realm.reserve(count.saturating_mul(2 * size_of::<R::Value>()))?;
    let mut texts = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        texts.push(realm.make_text(&name)?);
        texts.push(realm.make_text(&value)?);
    }
    Ok(realm.make_array(texts)?)
}

/// The query of names and values that lie one after the other in an array.
pub(super) fn query_text<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let mut query = form_urlencoded::Serializer::new(String::new());
    let mut reserved = Vec::new();
    let (pairs, _counted) = pairs(arguments)?;
    for (name, value) in pairs {
        let (name, value) = (text(realm, &name)?, text(realm, &value)?);
        reserved.push(realm.reserve((name.len() + value.len()).saturating_mul(PERCENT_ENCODED))?);
        query.append_pair(&name, &value);
    }
    Ok(realm.make_text(&query.finish())?)
}

/// The same pairs in the order of their names' UTF-16 units; pairs of one name stay as they are.
pub(super) fn sort_query<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let (pairs, _counted) = pairs(arguments)?;
    let _reserved = realm.reserve(pairs.len().saturating_mul(size_of::<(Text, [R::Value; 4])>()))?;
    let mut named = Vec::with_capacity(pairs.len());
    for (name, value) in pairs {
        named.push((text(realm, &name)?, name, value));
    }
    named.sort_by(|(a, ..), (b, ..)| a.encode_utf16().cmp(b.encode_utf16()));
    Ok(realm.make_array(named.into_iter().flat_map(|(_, name, value)| [name, value]).collect())?)
}

/// Names and values that lie one after the other in an array.
fn pairs<R: Realm>(arguments: &Arguments<'_, R>) -> Result<Pairs<R::Value>, Thrown<R::Value>> {
    let (realm, list) = (arguments.realm, arguments.value(0));
    let count = u32::try_from(realm.length(&list) / 2).unwrap_or(u32::MAX / 2);
    let counted = realm.reserve((count as usize).saturating_mul(size_of::<(R::Value, R::Value)>()))?;
    let mut pairs = Vec::with_capacity(count as usize);
    for index in 0..count {
        if let (Slot::Data(name), Slot::Data(value)) = (realm.element(&list, index * 2)?, realm.element(&list, index * 2 + 1)?) {
            pairs.push((name, value));
        }
    }
    Ok((pairs, counted))
}

fn part(url: &Url, name: &str) -> Option<String> {
    Some(match name {
        "origin" => quirks::origin(url),
        "protocol" => quirks::protocol(url).to_owned(),
        "username" => quirks::username(url).to_owned(),
        "password" => quirks::password(url).to_owned(),
        "host" => quirks::host(url).to_owned(),
        "hostname" => quirks::hostname(url).to_owned(),
        "port" => quirks::port(url).to_owned(),
        "pathname" => quirks::pathname(url).to_owned(),
        "search" => quirks::search(url).to_owned(),
        "hash" => quirks::hash(url).to_owned(),
        "beforeSearch" => url[..Position::AfterPath].to_owned(),
        "afterSearch" => url[Position::AfterQuery..].to_owned(),
        _ => return None,
    })
}

/// The setters of the web ignore what does not fit, but for a whole address.
fn with_part(mut url: Url, name: &str, value: &str) -> Option<Url> {
    let _ignored = match name {
        "href" => return Url::parse(value).ok(),
        "protocol" => quirks::set_protocol(&mut url, value),
        "username" => quirks::set_username(&mut url, value),
        "password" => quirks::set_password(&mut url, value),
        "host" => quirks::set_host(&mut url, value),
        "hostname" => quirks::set_hostname(&mut url, value),
        "port" => quirks::set_port(&mut url, value),
        "pathname" => {
            quirks::set_pathname(&mut url, value);
            Ok(())
        }
        "search" => {
            quirks::set_search(&mut url, value);
            Ok(())
        }
        "hash" => {
            quirks::set_hash(&mut url, value);
            Ok(())
        }
        _ => return None,
    };
    Some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "https://me:pass@example.com:8080/a/b?q=1#top";

    #[test]
    fn each_part_is_read() {
        let url = Url::parse(ADDRESS).unwrap();
        for (name, value) in [
            ("origin", "https://example.com:8080"),
            ("protocol", "https:"),
            ("username", "me"),
            ("password", "pass"),
            ("host", "example.com:8080"),
            ("hostname", "example.com"),
            ("port", "8080"),
            ("pathname", "/a/b"),
            ("search", "?q=1"),
            ("hash", "#top"),
            ("beforeSearch", "https://me:pass@example.com:8080/a/b"),
            ("afterSearch", "#top"),
        ] {
            assert_eq!(part(&url, name).as_deref(), Some(value));
        }
        assert_eq!(part(&url, "nothing"), None);
    }

    #[test]
    fn each_part_is_set_and_what_does_not_fit_is_ignored() {
        for (name, value, href) in [
            ("protocol", "http", "http://me:pass@example.com:8080/a/b?q=1#top"),
            ("username", "you", "https://you:pass@example.com:8080/a/b?q=1#top"),
            ("password", "", "https://me@example.com:8080/a/b?q=1#top"),
            ("host", "a.test:1", "https://me:pass@a.test:1/a/b?q=1#top"),
            ("hostname", "a.test", "https://me:pass@a.test:8080/a/b?q=1#top"),
            ("port", "443", "https://me:pass@example.com/a/b?q=1#top"),
            ("port", "x", ADDRESS),
            ("pathname", "c d", "https://me:pass@example.com:8080/c%20d?q=1#top"),
            ("search", "", "https://me:pass@example.com:8080/a/b#top"),
            ("hash", "", "https://me:pass@example.com:8080/a/b?q=1"),
            ("href", "http://x.test", "http://x.test/"),
        ] {
            assert_eq!(with_part(Url::parse(ADDRESS).unwrap(), name, value).as_ref().map(Url::as_str), Some(href), "{name} {value}");
        }
        assert_eq!(with_part(Url::parse(ADDRESS).unwrap(), "href", "no address"), None);
    }
}
