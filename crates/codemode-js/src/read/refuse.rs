//! How the front end says no: a message, the place in the model's own lines, and that line with a mark under it.

use codemode_core::{Location, Raised, text};

/// The longest message, in bytes.
const MESSAGE_BYTES: usize = 512;

/// How many characters of a line are shown to each side of the place.
const SHOWN_TO_A_SIDE: usize = 60;

/// A refusal at the byte `at` of the source.
pub(super) fn refuse_at(source: &str, at: usize, message: &str) -> Raised {
    let at = source.floor_char_boundary(at.min(source.len()));
    let line_start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = source[..line_start].matches('\n').count() + 1;
    let column = source[line_start..at].chars().count() + 1;
    Raised {
        message: text::cut(&text::one_line(message), MESSAGE_BYTES).into_owned(),
        traceback: Some(excerpt(&source[line_start..], line, column)),
        location: Some(Location { line: u32::try_from(line).unwrap_or(u32::MAX), column: u32::try_from(column).ok() }),
        ..Raised::default()
    }
}

/// A refusal of the source as a whole.
pub(super) fn refuse(message: &str) -> Raised {
    Raised { message: text::cut(&text::one_line(message), MESSAGE_BYTES).into_owned(), ..Raised::default() }
}

/// The line that `rest` begins with, cut around the column, and a caret under that column.
fn excerpt(rest: &str, line: usize, column: usize) -> String {
    let whole = rest.lines().next().unwrap_or_default();
    let skipped = (column - 1).saturating_sub(SHOWN_TO_A_SIDE);
    let shown: String =
        whole
            .chars()
            .skip(skipped)
            .take(2 * SHOWN_TO_A_SIDE)
            .map(|character| {
                if character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
                    ' '
                } else {
                    character
                }
            })
            .collect();
    let number = line.to_string();
    let (before, after) =
        (if skipped > 0 { "…" } else { "" }, if whole.chars().nth(skipped + 2 * SHOWN_TO_A_SIDE).is_some() { "…" } else { "" });
    let margin = " ".repeat(number.len());
    let indent = " ".repeat(column - 1 - skipped + before.chars().count());
    format!("{number} | {before}{}{after}\n{margin} | {indent}^", shown.trim_end())
}
