//! The arguments of a call: one object, as JSON.

use codemode_core::{Fault, Json, Unit, code, is_identifier};

use crate::realm::{Kind, Realm, Thrown};
use crate::shared::Surface;
use crate::values::{Crossing, EncodeBounds, Unencoded, to_json};

/// The first argument as JSON, or what is wrong with it. More arguments are not looked at: `paths.map(tools.read)` gives them.
pub(super) fn encode<R: Realm>(
    realm: &R,
    called: impl FnOnce() -> String,
    arguments: &[R::Value],
    place: usize,
) -> Result<Result<Json, Fault>, Thrown<R::Value>> {
    let Some(value) = arguments.get(place).filter(|value| realm.kind(value) != Kind::Undefined) else {
        return Ok(Ok(Json::empty_object()));
    };
    let kind = realm.kind(value);
    if let Some(given) = no_object(kind) {
        let message = format!("{} takes one object of named arguments, as in {{name: value}}; given {given}", called());
        return Ok(Err(invalid(message)));
    }
    let limit = realm.shared().with(|run| run.handle.budgets().call_arguments_bytes).ok_or(Thrown::Halt)?;
    match to_json(realm, value, Crossing::Arguments, &EncodeBounds::size(limit, Unit::Bytes)) {
        Ok(encoded) => Ok(Ok(encoded.json)),
        Err(Unencoded::Halt) => Err(Thrown::Halt),
        Err(Unencoded::Refused(why)) => Ok(Err(invalid(why))),
        Err(Unencoded::TooLarge { observed, .. }) => {
            let message = format!("the arguments have at least {observed} bytes as json, and at most {limit} are allowed; send less");
            Ok(Err(invalid(message)))
        }
        // Promises in arguments are refused above; should the encoder tell of one, it says the same.
        Err(Unencoded::Pending(_) | Unencoded::Rejected(_)) => {
            Ok(Err(invalid("a promise is among the arguments; await it first".to_owned())))
        }
    }
}

/// What a value is that is no object of named arguments.
pub(super) fn no_object(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Null => "null",
        Kind::Boolean => "a boolean",
        Kind::Number => "a number",
        Kind::BigInt => "a big integer",
        Kind::Text => "a string",
        Kind::Symbol => "a symbol",
        Kind::Function | Kind::Class => "a function",
        Kind::Array => "an array",
        Kind::Promise => "a promise; await it first",
        _ => return None,
    })
}

pub(super) fn invalid(message: String) -> Fault {
    Fault::new(code::INVALID_ARGUMENTS, message)
}

/// A tool as a program writes it.
pub(super) fn written(surface: &Surface, tool: &str) -> String {
    let shown = codemode_core::text::cut(tool, 100);
    let shown = codemode_core::text::one_line(&shown);
    if is_identifier(&shown) { format!("{}.{shown}", surface.name) } else { format!("{}[\"{shown}\"]", surface.name) }
}
