//! Standard output: where outcomes go, without raw control characters and without a panic where nobody reads.

use std::borrow::Cow;
use std::io::{self, Write as _};

use codemode::text::visible;

use crate::exit::CliError;

/// Writes text for a person or a model.
///
/// Control characters are made visible wherever the text goes: what is piped is read by a model, or by a terminal after all.
pub(crate) fn write_text(text: &str) -> Result<(), CliError> {
    let shown = visible(text);
    write_line(&shown)
}

/// Writes one JSON document on one line.
pub(crate) fn write_json(json: &str) -> Result<(), CliError> {
    write_line(&escape_json(json))
}

/// Writes text that is ours alone, such as a completion script, as it is.
pub(crate) fn write_script(text: &str) -> Result<(), CliError> {
    write_line(text.strip_suffix('\n').unwrap_or(text))
}

fn write_line(text: &str) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush());
    match written {
        // A reader that has seen enough, such as `head`, is no trouble of ours.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CliError::new(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// The same JSON with every character that a terminal could act on escaped.
///
/// JSON escapes controls below U+0020 itself. Those above it, and characters that change the direction of text, can stand in
/// strings only, where an escape means the same.
fn escape_json(json: &str) -> Cow<'_, str> {
    if matches!(visible(json), Cow::Borrowed(_)) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        let mut buffer = [0; 4];
        let alone: &str = character.encode_utf8(&mut buffer);
        if matches!(visible(alone), Cow::Borrowed(_)) {
            escaped.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn json_loses_nothing_but_what_a_terminal_could_act_on() {
        let json = serde_json::json!({"output": "a\u{9b}31mb\u{7f}\u{202e}ä\u{1b}"}).to_string();
        let escaped = escape_json(&json);
        assert_eq!(escaped, "{\"output\":\"a\\u009b31mb\\u007f\\u202eä\\u001b\"}");
    }

    proptest! {
        #[test]
        fn escaped_json_means_the_same(text: String) {
            let json = serde_json::Value::from(text);
            let written = json.to_string();
            let escaped = escape_json(&written);
            prop_assert!(matches!(visible(&escaped), Cow::Borrowed(_)));
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).ok(), Some(json));
        }
    }
}
