//! What is text and no code: strings, templates, patterns and comments.

use super::{Last, Open, Scanner};

impl Scanner<'_> {
    pub(super) fn pattern_end(&self) -> Option<usize> {
        let (mut at, mut in_class) = (self.at + 1, false);
        loop {
            match self.bytes.get(at)? {
                b'\n' | b'\r' => return None,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
    }

    pub(super) fn string(&mut self, quote: u8) {
        self.token_begins(false);
        let start = self.at;
        let mut at = start + 1;
        let end = loop {
            match self.bytes.get(at) {
                Some(&byte) if byte == quote => break at + 1,
                Some(b'\\') => at += if self.bytes[at + 1..].starts_with(b"\r\n") { 3 } else { 2 },
                // The parser stops at a string that its line does not end.
                Some(b'\n' | b'\r') | None => break at.min(self.bytes.len()),
                Some(_) => at += 1,
            }
        };
        let end = self.source.ceil_char_boundary(end);
        self.found.quoted.push((start, end));
        self.ends(end, Last::Operand);
    }

    /// Goes on within a template, from `at` to its end or its next hole.
    pub(super) fn template(&mut self, mut at: usize) {
        let start = self.at;
        let (end, has_hole) = loop {
            match self.bytes.get(at) {
                Some(b'`') => break (at + 1, false),
                Some(b'$') if self.bytes.get(at + 1) == Some(&b'{') => break (at + 2, true),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => break (self.bytes.len(), false),
            }
        };
        let end = self.source.ceil_char_boundary(end);
        self.found.quoted.push((start, end));
        if has_hole {
            self.push(Open { closer: b'`', ..Open::default() });
            self.ends(end, Last::Operator);
        } else {
            self.ends(end, Last::Operand);
        }
    }

    pub(super) fn comment_to_line_end(&mut self) {
        let start = self.at;
        let rest = &self.source[start..];
        let length = rest.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(rest.len());
        self.at = start + length;
        self.found.quoted.push((start, self.at));
    }

    pub(super) fn block_comment(&mut self) {
        let start = self.at;
        let rest = &self.source[start + 2..];
        let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
        self.at = start + 2 + length;
        self.after_line_end |= rest[..length].contains(['\n', '\r', '\u{2028}', '\u{2029}']);
        self.found.quoted.push((start, self.at));
    }
}
