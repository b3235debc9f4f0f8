//! What an engine's loader of modules asks: which module is meant, and what it is made of.

use crate::globals::part;
use crate::realm::{ErrorClass, Halt, Kind, Realm, Slot, Thrown};

/// A module, as an engine makes it.
#[derive(Debug, Clone)]
pub enum Loaded<V> {
    /// An ES module: its text, whose lines are those of its file.
    Source(String),
    /// A module that is there already: its exports.
    Values(Vec<(String, V)>),
}

/// The name of the module that `specifier` means in the module or script `base`: a path of a file, or `node:` and a name.
///
/// # Errors
/// What the import is rejected with.
pub fn resolve_import<R: Realm>(realm: &R, base: &str, specifier: &str) -> Result<String, Thrown<R::Value>> {
    let name = call(realm, "resolve", &[realm.make_text(base)?, realm.make_text(specifier)?])?;
    let mut text = String::new();
    realm.read_text(&name, &mut |piece| text.push_str(piece))?;
    Ok(text)
}

/// The module of a name that was resolved. What is no ES module runs now, if it has not yet.
///
/// # Errors
/// What the import is rejected with.
pub fn load_module<R: Realm>(realm: &R, name: &str) -> Result<Loaded<R::Value>, Thrown<R::Value>> {
    let loaded = call(realm, "load", &[realm.make_text(name)?])?;
    if realm.kind(&loaded) == Kind::Text {
        let mut text = String::new();
        realm.read_text(&loaded, &mut |piece| text.push_str(piece))?;
        return Ok(Loaded::Source(text));
    }
    let mut values = Vec::new();
    let mut index = 0;
    while let (Slot::Data(name), Slot::Data(value)) = (realm.element(&loaded, index)?, realm.element(&loaded, index + 1)?) {
        let mut text = String::new();
        realm.read_text(&name, &mut |piece| text.push_str(piece))?;
        values.push((text, value));
        index += 2;
    }
    Ok(Loaded::Values(values))
}

fn call<R: Realm>(realm: &R, function: &str, arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    realm.guard().check().map_err(|_| Halt)?;
    let none = || realm.make_error(ErrorClass::Error, "imports are not available here");
    let Some(kept) = realm.shared().parts() else { return Err(Thrown::Value(none()?)) };
    let modules = part(realm, &kept, "modules")?;
    match realm.property(&modules, function)? {
        Slot::Data(function) => realm.call(&function, &realm.undefined(), arguments),
        Slot::Accessor { .. } | Slot::Missing => Err(Thrown::Value(none()?)),
    }
}

/// What `import.meta` of the module in a file has: names and texts.
#[must_use]
pub fn import_meta(path: &str) -> [(&'static str, String); 3] {
    let mut url = String::from("file://");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'@' | b'+' | b'(' | b')' | b',' | b'=' | b'!' => {
                url.push(char::from(byte))
            }
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    [("url", url), ("filename", path.to_owned()), ("dirname", if folder.is_empty() { "/".to_owned() } else { folder.to_owned() })]
}
