//! Text that a model or a terminal reads: cut at a boundary, and free of control characters.

use std::borrow::Cow;

/// What stands where text was cut.
const MARK: &str = "…";

/// The longest start of `text` that is at most `bytes` long and ends at a character boundary.
#[must_use]
pub fn prefix(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes.min(text.len()))]
}

/// `text` itself where it is at most `bytes` long, else a prefix of it with an ellipsis, together at most `bytes` long.
#[must_use]
pub fn cut(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return Cow::Borrowed(text);
    }
    let mut kept = prefix(text, bytes.saturating_sub(MARK.len())).to_owned();
    if bytes >= MARK.len() {
        kept.push_str(MARK);
    }
    Cow::Owned(kept)
}

/// `text` on one line, for places where a line is a record: line ends become `\n`, other controls `\u{…}`.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    replace_controls(text, false)
}

/// `text` as it may be shown on a terminal: line feeds and tabs stay, every other control character becomes visible.
///
/// Bidirectional overrides count as controls, since they can make a line read as another.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    replace_controls(text, true)
}

fn replace_controls(text: &str, keep_layout: bool) -> Cow<'_, str> {
    let bad = |character: char| match character {
        '\n' | '\t' | '\u{2028}' | '\u{2029}' => !keep_layout,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    };
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if bad(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cutting_never_passes_the_limit_nor_splits_a_character() {
        for limit in 0..12 {
            let shown = cut("aäöü€𝄞z", limit);
            assert!(shown.len() <= limit, "{shown:?} is over {limit}");
        }
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer text", 8), "longe…");
    }

    #[test]
    fn controls_are_shown_and_never_sent() {
        assert_eq!(visible("a\u{1b}[31mb\n\tc"), "a\\u{1b}[31mb\n\tc");
        assert_eq!(one_line("a\nb\u{202e}c"), "a\\nb\\u{202e}c");
    }
}
