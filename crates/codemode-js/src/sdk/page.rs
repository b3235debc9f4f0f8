//! Pages: which part of what is found, or of a binary part of a result, a program asks for.

use codemode_core::{Ask, Fault, Form, text};
use serde_json::Value;

use crate::realm::{Kind, Realm, Thrown};
use crate::sdk::arguments::{encode, invalid, no_object};
use crate::sdk::names::LONGEST_NAME;
use crate::sdk::text_of;
use crate::shared::Surface;

/// How many tools a search gives where the program does not say it, and at most.
const FOUND: u64 = 50;
const MOST_FOUND: u64 = 500;

/// How much is opened where the program does not say it, in bytes.
const OPENED: u64 = 64 << 10;

/// The longest query, in bytes; what is past it is not looked at.
const LONGEST_QUERY: usize = 4096;

/// What `search(query, {offset, limit})` asks for, or what is wrong with its arguments.
pub(super) fn search_ask<R: Realm>(realm: &R, surface: &Surface, arguments: &[R::Value]) -> Result<Result<Ask, String>, Thrown<R::Value>> {
    let Some(query) = text_of(realm, arguments.first(), LONGEST_QUERY)? else {
        return Ok(Err("words as one string, as in search(\"open issues\")".to_owned()));
    };
    let shape = "and then a page, as in search(\"open issues\", {offset: 0, limit: 50})";
    let page = match page(realm, arguments, FOUND, MOST_FOUND)? {
        Ok(page) => page,
        Err(why) => return Ok(Err(format!("words {shape}; {why}"))),
    };
    let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
    Ok(Ok(Ask::Search { query, all_words: surface.form == Form::Batch, offset: number(page.offset), limit: number(page.limit) }))
}

/// What `open(handle, {offset, limit})` asks for, or what is wrong with its arguments. How much there is in one piece is the host's
/// to say.
pub(super) fn open_ask<R: Realm>(realm: &R, surface: &Surface, arguments: &[R::Value]) -> Result<Result<Ask, Fault>, Thrown<R::Value>> {
    let shape = format!("{0}.open takes a handle and a range, as in {0}.open(part.handle, {{offset: 0, limit: 4096}})", surface.name);
    let Some(handle) = text_of(realm, arguments.first(), LONGEST_NAME)? else { return Ok(Err(invalid(shape))) };
    Ok(match page(realm, arguments, OPENED, MOST_NUMBER)? {
        Ok(Page { offset, limit }) => Ok(Ask::Open { handle, offset, limit }),
        Err(why) => Err(invalid(format!("{shape}; {why}"))),
    })
}

struct Page {
    offset: u64,
    limit: u64,
}

/// The largest whole number that a program can write without loss.
const MOST_NUMBER: u64 = (1 << 53) - 1;

/// The page of the second argument; from the start where there is none. Otherwise what is wrong with it.
fn page<R: Realm>(realm: &R, arguments: &[R::Value], limit: u64, most: u64) -> Result<Result<Page, String>, Thrown<R::Value>> {
    let mut page = Page { offset: 0, limit };
    let kind = |place| arguments.get(place).map(|argument| realm.kind(argument));
    // An array's `map` gives the number of the element and the array as well.
    if kind(1) == Some(Kind::Number) && kind(2) == Some(Kind::Array) {
        return Ok(Ok(page));
    }
    if let Some(given) = kind(1).and_then(no_object) {
        return Ok(Err(format!("the page is {given}")));
    }
    let given = match encode(realm, || "the page".to_owned(), arguments, 1)? {
        Ok(given) => given,
        Err(fault) => return Ok(Err(fault.message)),
    };
    for (name, value) in given.tree().as_object().into_iter().flatten() {
        let (place, least, most) = match name.as_str() {
            "offset" => (&mut page.offset, 0, MOST_NUMBER),
            "limit" => (&mut page.limit, 1, most),
            _ => return Ok(Err(format!("it has \"{}\", and a page has offset and limit alone", shown(name)))),
        };
        match value.as_u64().filter(|number| (least..=most).contains(number)) {
            Some(number) => *place = number,
            None => return Ok(Err(format!("{name} is {}, and a whole number from {least} to {most} is allowed", written(value)))),
        }
    }
    Ok(Ok(page))
}

/// A value in a message: what it is, where it may be long.
fn written(value: &Value) -> String {
    match value {
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        plain => plain.to_string(),
    }
}

fn shown(name: &str) -> String {
    text::cut(&text::one_line(text::prefix(name, 100)), 50).into_owned()
}
