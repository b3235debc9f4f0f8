//! Messages and places of the engine's, made to say what was called and where: it tells a failure's kind, and the program has the rest.

use codemode_core::{Location, Raised};

/// The longest expression that a message names, in bytes.
const LONGEST: usize = 80;

/// Says in a failure what the program's source tells about it.
pub(crate) fn explain(raised: &mut Raised, source: &str) {
    if raised.location.is_none() {
        raised.location = place_of_name(&raised.message, source);
        if let (Some(Location { line, column: Some(column) }), None) = (raised.location, &raised.traceback) {
            raised.traceback = Some(format!("    at program:{line}:{column}"));
        }
    }
    let Some(Location { line, column: Some(column) }) = raised.location else { return };
    let Some(text) = source.split('\n').nth(line as usize - 1) else { return };
    let at = text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at);
    let (before, after) = text.split_at(at);
    if let Some(rest) = raised.message.strip_prefix("TypeError: not a callable function")
        && let Some(callee) = callee(before)
    {
        raised.message = format!("TypeError: {callee} is not a function{rest}");
    } else if let Some(rest) = raised.message.strip_prefix("TypeError: cannot convert 'null' or 'undefined' to object") {
        let name: &str = &after[..after.find(|letter| !is_of_name(letter)).unwrap_or(after.len())];
        if before.ends_with('.') && !name.is_empty() && name.len() <= LONGEST {
            raised.message = format!("TypeError: cannot read property '{name}' of null or undefined{rest}");
        }
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '#')
}

/// The names with dots between that a text ends with.
fn callee(text: &str) -> Option<&str> {
    let text = text.trim_end().trim_end_matches("?.");
    let from =
        text.rfind(|letter| !is_of_name(letter) && letter != '.').map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let name = text[from..].trim_start_matches('.');
    (!name.is_empty() && name.len() <= LONGEST && !name.starts_with(|letter: char| letter.is_ascii_digit())).then_some(name)
}

/// Where a name stands that is not defined, if it stands on one line alone: the engine does not tell.
fn place_of_name(message: &str, source: &str) -> Option<Location> {
    let name = codemode_js::missing_name(message.strip_prefix("ReferenceError: ")?)?;
    let mut found: Option<Location> = None;
    for (line, text) in (1..).zip(source.split('\n')) {
        let stands = text.match_indices(name).find(|(at, _)| {
            let after = &text[at + name.len()..];
            !text[..*at].ends_with(|letter| is_of_name(letter) || letter == '.') && !after.starts_with(is_of_name)
        });
        let Some((at, _)) = stands else { continue };
        if found.is_some() {
            return None;
        }
        let column = u32::try_from(text[..at].chars().count()).unwrap_or(u32::MAX).saturating_add(1);
        found = Some(Location { line, column: Some(column) });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(message: &str, location: Option<(u32, u32)>, source: &str) -> (String, Option<(u32, Option<u32>)>) {
        let location = location.map(|(line, column)| Location { line, column: Some(column) });
        let mut raised = Raised { message: message.to_owned(), location, ..Raised::default() };
        explain(&mut raised, source);
        (raised.message, raised.location.map(|location| (location.line, location.column)))
    }

    #[test]
    fn what_was_called_is_named() {
        let call = "TypeError: not a callable function";
        for (source, column, named) in [
            ("tools.a.b(1)", 10, "tools.a.b"),
            ("const x = f ()", 13, "f"),
            ("é.größe()", 8, "é.größe"),
            ("x[1]()", 5, "not a callable function"),
            ("(1)()", 4, "not a callable function"),
        ] {
            let said = if named == "not a callable function" { call.to_owned() } else { format!("TypeError: {named} is not a function") };
            assert_eq!(explained(call, Some((1, column)), source), (said, Some((1, Some(column)))), "{source}");
        }
    }

    #[test]
    fn what_was_read_of_nothing_is_named() {
        let read = "TypeError: cannot convert 'null' or 'undefined' to object";
        let said = "TypeError: cannot read property 'name' of null or undefined".to_owned();
        assert_eq!(explained(read, Some((2, 6)), "\nuser.name.first"), (said, Some((2, Some(6)))));
        assert_eq!(explained(read, Some((1, 1)), "const {a} = null"), (read.to_owned(), Some((1, Some(1)))));
    }

    #[test]
    fn a_name_that_stands_on_one_line_alone_has_its_place() {
        let missing = "ReferenceError: missing is not defined";
        let place = |source: &str| explained(missing, None, source).1;
        assert_eq!(place("const missingLink = 1\nreturn é(missing)"), Some((2, Some(10))));
        assert_eq!(place("missing()\nmissing()"), None);
        assert_eq!(place("a.missing\nx"), None);
        assert_eq!(explained("TypeError: x", None, "x").1, None);
    }
}
