//! Strings in quotes, as they are shown within values.

/// The length of a text in UTF-16 units.
pub(super) fn units(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// The longest start of `text` of at most so many UTF-16 units.
pub(super) fn first_units(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let mut taken = 0;
    for (at, character) in text.char_indices() {
        taken += character.len_utf16();
        if taken > most {
            return &text[..at];
        }
    }
    text
}

/// The start of `text` that is longer than what may still be written, by as little as shows that something was dropped.
pub(super) fn first_bytes(text: &str, most: usize) -> &str {
    codemode_core::text::prefix(text, most.saturating_add(4))
}

/// The text in the quotes that need the fewest escapes.
pub(super) fn quoted(text: &str) -> String {
    let quote = match () {
        () if !text.contains('\'') => '\'',
        () if !text.contains('"') => '"',
        () if !text.contains('`') && !text.contains("${") => '`',
        () => '\'',
    };
    let mut shown = String::with_capacity(text.len() + 2);
    shown.push(quote);
    write_escaped(&mut shown, text, Some(quote));
    shown.push(quote);
    shown
}

/// The text with its control characters escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    write_escaped(&mut shown, text, None);
    shown
}

fn write_escaped(shown: &mut String, text: &str, quote: Option<char>) {
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            '\u{8}' => shown.push_str("\\b"),
            '\u{c}' => shown.push_str("\\f"),
            '\\' => shown.push_str("\\\\"),
            '\'' if quote == Some('\'') => shown.push_str("\\'"),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => shown.push_str(&format!("\\x{:02X}", u32::from(character))),
            _ => shown.push(character),
        }
    }
}

/// A property's name: bare where it can be.
pub(super) fn name(name: &str) -> String {
    let mut characters = name.bytes();
    let bare = characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && characters.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match name {
        "__proto__" => "['__proto__']".to_owned(),
        _ if bare => name.to_owned(),
        _ => quoted(name),
    }
}
