//! What `structuredClone` and its like must know of a value: read from internal slots.

use crate::globals::arguments::{Arguments, text};
use crate::realm::{Kind, Realm, Thrown};

/// The word for a value's kind, as the prelude parts know it.
pub(super) fn kind_of<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let word = match arguments.realm.kind(&arguments.value(0)) {
        Kind::Undefined | Kind::Null | Kind::Boolean | Kind::Number | Kind::BigInt | Kind::Text => "primitive",
        Kind::Symbol => "symbol",
        Kind::Function | Kind::Class => "function",
        Kind::Array => "array",
        Kind::Object => "object",
        Kind::Date => "date",
        Kind::RegExp => "regexp",
        Kind::Error => "error",
        Kind::Map => "map",
        Kind::Set => "set",
        Kind::Weak => "weak",
        Kind::Promise => "promise",
        Kind::Proxy => "proxy",
        Kind::TypedArray => "view",
        Kind::ArrayBuffer => "buffer",
        Kind::Boxed => "boxed",
        Kind::Iterator => "iterator",
    };
    Ok(arguments.realm.make_text(word)?)
}

/// The time value of a date.
pub(super) fn time_of<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    Ok(arguments.realm.make_number(arguments.realm.number(&arguments.value(0))))
}

/// The source and the flags of a regular expression.
pub(super) fn regexp_of<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let realm = arguments.realm;
    let whole = text(realm, &arguments.value(0))?;
    let (source, flags) = whole.strip_prefix('/').and_then(|rest| rest.rsplit_once('/')).unwrap_or((&whole, ""));
    Ok(realm.make_array(vec![realm.make_text(source)?, realm.make_text(flags)?])?)
}

/// The entries of a map, keys and values one after the other, or the values of a set, each twice.
pub(super) fn entries_of<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let (realm, value) = (arguments.realm, arguments.value(0));
    let count = usize::try_from(realm.length(&value)).unwrap_or(usize::MAX);
    let _reserved = realm.reserve(count.saturating_mul(2 * size_of::<(R::Value, R::Value)>()))?;
    let entries = realm.entries(&value, count)?;
    Ok(realm.make_array(entries.into_iter().flat_map(|(key, value)| [key, value]).collect())?)
}

/// A copy of the bytes of a buffer, or of those that a view covers.
pub(super) fn bytes_of<R: Realm>(arguments: &Arguments<'_, R>) -> Result<R::Value, Thrown<R::Value>> {
    let (realm, value) = (arguments.realm, arguments.value(0));
    let mut size = 0;
    realm.read_bytes(&value, &mut |bytes| size += bytes.len())?;
    let _reserved = realm.reserve(size)?;
    let mut copy = Vec::with_capacity(size);
    realm.read_bytes(&value, &mut |bytes| copy.extend_from_slice(bytes))?;
    Ok(realm.make_bytes(&copy)?)
}
