//! Properties read along the prototype chain, and names of classes, from data properties alone.

use crate::realm::{Halt, Kind, Realm, Slot};

/// How many prototypes are looked at.
const PROTOTYPES: usize = 16;

/// A data property of the object itself or of its nearest prototype that has one. An accessor or a proxy ends the search.
pub(super) fn data_property<R: Realm>(realm: &R, object: &R::Value, name: &str) -> Result<Option<R::Value>, Halt> {
    let mut holder = object.clone();
    for _ in 0..PROTOTYPES {
        if realm.kind(&holder) == Kind::Proxy {
            return Ok(None);
        }
        match realm.property(&holder, name)? {
            Slot::Data(value) => return Ok(Some(value)),
            Slot::Accessor { .. } => return Ok(None),
            Slot::Missing => {}
        }
        match realm.prototype(&holder)? {
            Some(prototype) => holder = prototype,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// The text of a string, at most `most` bytes of it; nothing where the value is no string.
pub(crate) fn text_of<R: Realm>(realm: &R, value: &R::Value, most: usize) -> Result<Option<String>, Halt> {
    if realm.kind(value) != Kind::Text {
        return Ok(None);
    }
    let mut text = String::new();
    realm.read_text(value, &mut |piece| text.push_str(codemode_core::text::prefix(piece, most.saturating_sub(text.len()))))?;
    Ok(Some(text))
}

/// The text of a data property found as [`data_property`] finds it.
pub(super) fn text_property<R: Realm>(realm: &R, object: &R::Value, name: &str, most: usize) -> Result<Option<String>, Halt> {
    match data_property(realm, object, name)? {
        Some(value) => text_of(realm, &value, most),
        None => Ok(None),
    }
}

/// The longest name of a class or function that is read, in bytes.
pub(super) const NAME_BYTES: usize = 128;

/// A function's own name, where it is a string.
pub(super) fn function_name<R: Realm>(realm: &R, function: &R::Value) -> Result<String, Halt> {
    match realm.property(function, "name")? {
        Slot::Data(name) => Ok(text_of(realm, &name, NAME_BYTES)?.unwrap_or_default()),
        Slot::Accessor { .. } | Slot::Missing => Ok(String::new()),
    }
}

/// The name of an object's class: of the constructor that its nearest prototype names. Nothing where it has no prototype.
pub(super) fn class_name<R: Realm>(realm: &R, object: &R::Value) -> Result<Option<String>, Halt> {
    let Some(mut holder) = realm.prototype(object)? else { return Ok(None) };
    for _ in 0..PROTOTYPES {
        if realm.kind(&holder) == Kind::Proxy {
            break;
        }
        if let Slot::Data(constructor) = realm.property(&holder, "constructor")?
            && matches!(realm.kind(&constructor), Kind::Function | Kind::Class)
        {
            let name = function_name(realm, &constructor)?;
            if !name.is_empty() {
                return Ok(Some(name));
            }
        }
        match realm.prototype(&holder)? {
            Some(prototype) => holder = prototype,
            None => break,
        }
    }
    Ok(Some("Object".to_owned()))
}

/// The names of the classes that an object is of, its own first, from data properties alone.
pub(super) fn class_names<R: Realm>(realm: &R, object: &R::Value) -> Result<Vec<String>, Halt> {
    let mut names = Vec::new();
    let mut holder = object.clone();
    for _ in 0..PROTOTYPES {
        let Some(prototype) = realm.prototype(&holder)? else { break };
        if realm.kind(&prototype) == Kind::Proxy {
            break;
        }
        if let Slot::Data(constructor) = realm.property(&prototype, "constructor")?
            && matches!(realm.kind(&constructor), Kind::Function | Kind::Class)
        {
            names.push(function_name(realm, &constructor)?);
        }
        holder = prototype;
    }
    Ok(names)
}

/// Whether the object's prototype is the intrinsic one, or `null`.
pub(super) fn is_plain<R: Realm>(realm: &R, object: &R::Value) -> Result<bool, Halt> {
    Ok(realm.prototype(object)?.is_none_or(|prototype| realm.is_plain_prototype(&prototype)))
}
