//! The source as it is read: what was sent, with what is no program blanked, and small questions about its text.

/// A source, and how far the positions of its tree are ahead of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'s> {
    /// The text that is edited.
    pub(super) text: &'s str,
    /// The parser may have seen a bracket before the text, which its positions count.
    pub(super) shift: usize,
}

impl<'s> Source<'s> {
    /// The byte of the text at a position of the tree.
    pub(super) fn at(self, position: u32) -> usize {
        (position as usize).saturating_sub(self.shift)
    }

    /// The text between two bytes.
    pub(super) fn between(self, start: usize, end: usize) -> &'s str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The first byte from `at` on that is neither white space nor comment.
    pub(super) fn skip(self, mut at: usize) -> usize {
        loop {
            let rest = &self.text[at.min(self.text.len())..];
            let trimmed = rest.trim_start_matches(|character: char| character.is_whitespace() || character == '\u{feff}');
            at = self.text.len() - trimmed.len();
            if trimmed.starts_with("//") {
                at += trimmed.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                at += comment.find("*/").map_or(trimmed.len(), |end| end + 4);
            } else {
                return at;
            }
        }
    }

    /// The character from `at` on that is neither white space nor comment, if there is one.
    pub(super) fn next(self, at: usize) -> Option<char> {
        self.text[self.skip(at)..].chars().next()
    }

    /// The word that begins at `at`, empty where none does.
    pub(super) fn word(self, at: usize) -> &'s str {
        let rest = &self.text[at.min(self.text.len())..];
        let end = rest.find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '$')));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// The byte at which the last character before `end` begins.
    pub(super) fn last_before(self, end: usize) -> usize {
        self.text[..end].char_indices().next_back().map_or(0, |(at, _)| at)
    }

    /// Whether a line ends between two bytes.
    pub(super) fn breaks_line(self, start: usize, end: usize) -> bool {
        self.between(start, end).contains(['\n', '\r', '\u{2028}', '\u{2029}'])
    }

    /// Whether what stands from `at` on would join an expression that ended before it without a semicolon.
    pub(super) fn joins(self, at: usize) -> bool {
        matches!(self.next(at), Some('(' | '[' | '`' | '/' | '+' | '-' | '*'))
    }
}
