//! What a program printed: held up to the budget, counted past it.

use crate::budget::Unit;

/// Bounded output. What is held is a prefix of what was printed: after the first drop nothing more is kept.
#[derive(Debug, Clone)]
pub(crate) struct Output {
    text: String,
    unit: Unit,
    limit: u64,
    held: u64,
    dropped_bytes: u64,
    closed: bool,
}

impl Output {
    pub(crate) fn new(unit: Unit, limit: u64) -> Self {
        Self { text: String::new(), unit, limit, held: 0, dropped_bytes: 0, closed: false }
    }

    /// Keeps what fits, counts the rest, and gives what was kept.
    pub(crate) fn push<'a>(&mut self, text: &'a str) -> &'a str {
        let kept = if self.dropped_bytes > 0 { "" } else { self.unit.prefix(text, self.limit - self.held) };
        self.text.push_str(kept);
        self.held += self.unit.measure(kept);
        self.dropped_bytes += (text.len() - kept.len()) as u64;
        kept
    }

    /// The most bytes of UTF-8 that may still be kept.
    pub(crate) fn room(&self) -> u64 {
        if self.dropped_bytes > 0 { 0 } else { self.unit.most_bytes(self.limit - self.held) }
    }

    /// Counts text that was cut off elsewhere; nothing is held after it.
    pub(crate) fn skip(&mut self, bytes: u64) {
        if self.is_open() {
            self.dropped_bytes += bytes;
        }
    }

    /// Whether the run still takes output.
    pub(crate) fn is_open(&self) -> bool {
        !self.closed
    }

    pub(crate) fn close(&mut self) {
        self.closed = true;
    }

    /// Keeps at most `limit` of what is held, and counts the rest as dropped.
    pub(crate) fn shorten(&mut self, limit: u64) {
        let kept = self.unit.prefix(&self.text, limit).len();
        self.dropped_bytes += (self.text.len() - kept) as u64;
        self.text.truncate(kept);
        self.held = self.held.min(limit);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.dropped_bytes == 0
    }

    /// What was held, and how many bytes were not.
    pub(crate) fn take(&mut self) -> (String, u64) {
        (std::mem::take(&mut self.text), self.dropped_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_a_prefix_of_what_was_printed() {
        let mut output = Output::new(Unit::Bytes, 5);
        assert_eq!(output.push("abc"), "abc");
        assert_eq!(output.push("déf"), "d");
        assert_eq!(output.room(), 0);
        assert_eq!(output.push("x"), "");
        assert_eq!(output.take(), ("abcd".to_owned(), 4));
    }

    #[test]
    fn characters_are_counted_where_the_budget_says_so() {
        let mut output = Output::new(Unit::Scalars, 3);
        assert_eq!(output.room(), 12, "three characters of four bytes would be kept");
        assert_eq!(output.push("ééé"), "ééé");
        assert!(!output.is_empty());
        assert_eq!(output.take(), ("ééé".to_owned(), 0));
    }
}
