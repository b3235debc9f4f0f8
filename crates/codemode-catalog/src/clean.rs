//! Makes foreign text harmless to print: one physical line, nothing invisible, cut at a number of bytes.

/// What stands at the end of a text that was cut.
const ELLIPSIS: char = '…';

/// `text` on one line: white space and control characters become single blanks, invisible characters are left out, and
/// what is longer than `max_bytes` is cut at a character and ends in `…`.
///
/// Gives `None` where nothing is left to see.
pub(crate) fn one_line(text: &str, max_bytes: usize) -> Option<String> {
    let mut line = String::new();
    let mut blank = false;
    let mut cut = false;
    for letter in text.chars() {
        if is_blank(letter) {
            blank = !line.is_empty();
            continue;
        }
        if is_invisible(letter) {
            continue;
        }
        if line.len() + usize::from(blank) + letter.len_utf8() > max_bytes {
            cut = true;
            break;
        }
        if blank {
            line.push(' ');
            blank = false;
        }
        line.push(letter);
    }
    if cut {
        end_with_ellipsis(&mut line, max_bytes);
    }
    (!line.is_empty()).then_some(line)
}

/// `text` as it is, or cut at a character to `max_bytes` with `…` at its end.
pub(crate) fn cut(text: &str, max_bytes: usize) -> String {
    let mut short = text.to_owned();
    if short.len() > max_bytes {
        end_with_ellipsis(&mut short, max_bytes);
    }
    short
}

/// `text` as a JSON string in which nothing is invisible, cut to about `max_bytes` bytes before it is quoted.
pub(crate) fn quoted(text: &str, max_bytes: usize) -> String {
    let mut line = String::from("\"");
    for letter in cut(text, max_bytes).chars() {
        match letter {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            letter if needs_escape(letter) => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    line.push_str(&format!("\\u{unit:04x}"));
                }
            }
            letter => line.push(letter),
        }
    }
    line.push('"');
    line
}

/// `text` as a Lua string in which nothing is invisible; Lua 5.1 reads it back as the same bytes.
pub(crate) fn lua_quoted(text: &str) -> String {
    let mut line = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            letter if needs_escape(letter) => {
                // Three digits, so that a digit that follows is not read as a part of the number.
                for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                    line.push_str(&format!("\\{byte:03}"));
                }
            }
            letter => line.push(letter),
        }
    }
    line.push('"');
    line
}

/// Shortens `line` until the ellipsis fits within `max_bytes`, and adds it.
fn end_with_ellipsis(line: &mut String, max_bytes: usize) {
    let room = max_bytes.saturating_sub(ELLIPSIS.len_utf8());
    let mut end = room.min(line.len());
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line.truncate(end);
    line.truncate(line.trim_end().len());
    if max_bytes >= ELLIPSIS.len_utf8() {
        line.push(ELLIPSIS);
    }
}

/// Whether a printer must write `letter` as an escape: it ends a line, moves the cursor, or cannot be seen.
pub(crate) fn needs_escape(letter: char) -> bool {
    letter != ' ' && (is_blank(letter) || is_invisible(letter))
}

/// White space and control characters, line and paragraph separators among them.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// Characters that change how others are shown, or that show nothing: bidirectional marks, joiners, tags, variation
/// selectors, fillers, private use and what is no character.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e000}'..='\u{f8ff}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_one_visible_line() {
        for (text, expected) in [
            ("plain", Some("plain")),
            ("  two\r\n\t lines \u{2028} and\u{85}more ", Some("two lines and more")),
            ("red \u{1b}[31m and \u{9b}1m", Some("red [31m and 1m")),
            ("left \u{202e}right\u{202c} \u{2066}isolated\u{2069} \u{feff}mark", Some("left right isolated mark")),
            ("zero\u{200b}width \u{e0041}tag", Some("zerowidth tag")),
            ("日本語 é", Some("日本語 é")),
            (" \n\t\u{200b} ", None),
            ("", None),
        ] {
            assert_eq!(one_line(text, 100).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn quoted_text_shows_everything() {
        let text = "a\"b\\c\n\r\t\0\u{1b}1\u{202e}\u{e0041}é日";
        assert_eq!(quoted(text, 100), r#""a\"b\\c\n\r\t\u0000\u001b1\u202e\udb40\udc41é日""#);
        assert_eq!(serde_json::from_str::<String>(&quoted(text, 100)).expect("it is JSON"), text);
        assert_eq!(lua_quoted(text), r#""a\"b\\c\n\r\009\000\0271\226\128\174\243\160\129\129é日""#);
        assert_eq!(quoted("abcdefghi", 8), r#""abcde…""#);
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(one_line("abcdefgh", 8).as_deref(), Some("abcdefgh"));
        assert_eq!(one_line("abcdefghi", 8).as_deref(), Some("abcde…"));
        assert_eq!(one_line("日本語日本語", 10).as_deref(), Some("日本…"));
        assert_eq!(one_line("ab cd ef gh", 8).as_deref(), Some("ab cd…"));
        assert_eq!(one_line("abcdefghi", 2).as_deref(), None);
        assert_eq!(cut("abcdefghi", 8), "abcde…");
    }
}
