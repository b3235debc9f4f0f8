//! What a program threw, read without running any of its code.

use codemode_core::text::cut;
use codemode_core::{Form, Location, MESSAGE_BYTES, Raised};

use super::inspect::inspect;
use super::lookup::{class_name, class_names, text_property};
use super::stack::{PROGRAM, read_stack};
use crate::realm::{Halt, Kind, Realm, Slot};

/// How much of a thrown value that is no error is shown, in bytes.
const SHOWN_BYTES: usize = 1024;

/// How much of a cause, or of each error of several, is told, in bytes.
const PART_BYTES: usize = 400;

/// How many errors of an `AggregateError` are told.
const SHOWN_ERRORS: u32 = 3;

/// What a batch is told of a thrown value that is no error.
const NO_ERROR: &str = "the program threw a value that is no Error; throw new Error(message) to say what went wrong";

/// Reads a thrown value. `locate` gives the program's own place for a line and a column of the text that was evaluated.
///
/// Frames of the text evaluated as [`PROGRAM`] make the traceback; the topmost of them is where it was raised. The constructors
/// of the error's own classes are left out above that, as in Node: it was raised where `new` stands.
///
/// # Errors
/// When the run is over.
pub fn read_thrown<R: Realm>(
    realm: &R,
    thrown: &R::Value,
    form: Form,
    locate: &dyn Fn(u32, u32) -> Option<Location>,
) -> Result<Raised, Halt> {
    if realm.kind(thrown) != Kind::Error {
        let message = match form {
            Form::Batch => NO_ERROR.to_owned(),
            _ => format!("threw {}", cut(&inspect(realm, thrown, SHOWN_BYTES)?, SHOWN_BYTES)),
        };
        return Ok(Raised { message, ..Raised::default() });
    }
    // A byte more than is kept, so that a message which is cut shows it.
    let mut message = headline(realm, thrown, MESSAGE_BYTES + 1)?;
    if let Some(errors) = own_errors(realm, thrown)? {
        message.push_str(&errors);
    }
    if let Slot::Data(cause) = realm.property(thrown, "cause")?
        && realm.kind(&cause) != Kind::Undefined
    {
        message.push_str("\ncause: ");
        message.push_str(&part(realm, &cause)?);
    }
    let (traceback, location) = match realm.stack(thrown)? {
        Some(stack) => read_stack(&stack, PROGRAM, &class_names(realm, thrown)?, locate),
        None => (None, None),
    };
    Ok(Raised { message: cut(&message, MESSAGE_BYTES).into_owned(), traceback, location, ..Raised::default() })
}

/// The class and message of an error, from data properties alone.
fn headline<R: Realm>(realm: &R, error: &R::Value, most: usize) -> Result<String, Halt> {
    let name = text_property(realm, error, "name", 256)?.unwrap_or_else(|| "Error".to_owned());
    let name = match class_name(realm, error)? {
        // A class of the program's that did not set the name is told by its own.
        Some(class) if name == "Error" && class.ends_with("Error") => class,
        _ => name,
    };
    let message = text_property(realm, error, "message", most)?.unwrap_or_default();
    Ok(match (name.is_empty(), message.is_empty()) {
        (_, true) => name,
        (true, false) => message,
        (false, false) => format!("{name}: {message}"),
    })
}

/// What the first few errors of an `AggregateError` say.
fn own_errors<R: Realm>(realm: &R, error: &R::Value) -> Result<Option<String>, Halt> {
    let Slot::Data(errors) = realm.property(error, "errors")? else { return Ok(None) };
    if realm.kind(&errors) != Kind::Array {
        return Ok(None);
    }
    let length = realm.length(&errors);
    let mut told = String::new();
    for index in 0..SHOWN_ERRORS.min(u32::try_from(length).unwrap_or(u32::MAX)) {
        if let Slot::Data(error) = realm.element(&errors, index)? {
            told.push_str("\n- ");
            told.push_str(&part(realm, &error)?);
        }
    }
    match length.saturating_sub(u64::from(SHOWN_ERRORS)) {
        0 => {}
        more => told.push_str(&format!("\n- and {more} more")),
    }
    Ok(Some(told))
}

/// A value within an error, on one line.
fn part<R: Realm>(realm: &R, value: &R::Value) -> Result<String, Halt> {
    let told = if realm.kind(value) == Kind::Error { headline(realm, value, PART_BYTES)? } else { inspect(realm, value, PART_BYTES)? };
    Ok(cut(&told, PART_BYTES).into_owned())
}
