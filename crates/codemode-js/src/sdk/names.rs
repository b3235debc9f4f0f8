//! Names of `tools` that are no property of it: aliases, servers, and names that nothing has.

use codemode_core::{Form, Resolved};

use crate::native::Native;
use crate::realm::{Realm, Thrown};
use crate::sdk::{Sdk, install, text_of};
use crate::shared::Surface;

/// The longest name that is looked up, in bytes: a longer one is no tool's.
pub(super) const LONGEST_NAME: usize = 4096;

/// Names that the language and its libraries look for on any object: they are no tools unless a tool is named so.
const LOOKED_FOR: &[&str] = &[
    "$$typeof",
    "__defineGetter__",
    "__defineSetter__",
    "__esModule",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "asymmetricMatch",
    "catch",
    "constructor",
    "finally",
    "hasOwnProperty",
    "inspect",
    "isPrototypeOf",
    "length",
    "nodeType",
    "propertyIsEnumerable",
    "prototype",
    "then",
    "toJSON",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// What a name stands for that is no property of the object it was asked of. A server that is not listed yet is waited for.
pub(super) fn touch<R: Realm>(
    realm: &R,
    surface: &Surface,
    bound: &[R::Value],
    arguments: &[R::Value],
) -> Result<R::Value, Thrown<R::Value>> {
    let Some(name) = text_of(realm, arguments.first(), LONGEST_NAME + 1)? else { return Ok(realm.undefined()) };
    if LOOKED_FOR.binary_search(&name.as_str()).is_ok() {
        return Ok(realm.undefined());
    }
    let prefix = text_of(realm, bound.first(), LONGEST_NAME)?.unwrap_or_default();
    let whole = format!("{prefix}{name}");
    let resolved = if whole.len() > LONGEST_NAME { None } else { Some(resolve(realm, &whole)?) };
    let (sdk, bound_name) = match resolved {
        // A program that calls tools by name is not kept from looking for a method: there may be none.
        Some(Resolved::Tool(tool)) if surface.form == Form::Batch => (Sdk::NoMethod, tool.name.to_string()),
        _ if surface.form == Form::Batch => return Ok(realm.undefined()),
        Some(Resolved::Tool(tool)) => (Sdk::Tool, tool.name.to_string()),
        Some(Resolved::Namespace(server)) => return Ok(install::server(realm, &server)?),
        Some(Resolved::Missing(_)) | None => (Sdk::Unknown, whole),
    };
    let run = realm.make_number(f64::from(realm.shared().number()));
    let told = codemode_core::text::prefix(&bound_name, LONGEST_NAME);
    Ok(realm.make_function(Native::Sdk(sdk), codemode_core::text::prefix(&name, 100), vec![realm.make_text(told)?, run])?)
}

/// What a name stands for, by the catalog of the run.
pub(super) fn resolve<R: Realm>(realm: &R, name: &str) -> Result<Resolved, Thrown<R::Value>> {
    let handle = realm.shared().handle().ok_or(Thrown::Halt)?;
    handle.resolve(name).map_err(|_| Thrown::Halt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_for_is_sorted_for_the_search() {
        assert!(LOOKED_FOR.is_sorted());
    }
}
