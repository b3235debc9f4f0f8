//! One page of a long answer: where it starts, where it ends, and what the line-oriented text says about the rest.

use crate::trouble::Trouble;

/// Which part of all results a call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) offset: u64,
    pub(crate) limit: u64,
}

impl Page {
    /// How many entries a page has where the call does not say.
    pub(crate) const DEFAULT_LIMIT: u64 = 1000;
    /// The most entries that a page may have.
    pub(crate) const MAX_LIMIT: u64 = 10_000;

    pub(crate) fn new(offset: Option<u64>, limit: Option<u64>) -> Result<Self, Trouble> {
        let limit = limit.unwrap_or(Self::DEFAULT_LIMIT);
        if limit == 0 || limit > Self::MAX_LIMIT {
            return Err(Trouble::invalid(format!("limit is {limit}; 1 to {} are allowed", Self::MAX_LIMIT)));
        }
        Ok(Self { offset: offset.unwrap_or(0), limit })
    }

    pub(crate) fn end(self) -> u64 {
        self.offset.saturating_add(self.limit)
    }
}

/// Lines for a program that reads text: one record a line, and a last line in brackets where not all is there.
#[derive(Debug, Default)]
pub(crate) struct Records {
    text: String,
}

impl Records {
    pub(crate) fn push(&mut self, record: &str) {
        self.text.push_str(record);
        self.text.push('\n');
    }

    /// The whole text, which tells in its last line what is missing.
    pub(crate) fn finish(mut self, missing: &[String]) -> String {
        if !missing.is_empty() {
            self.push(&format!("[incomplete: {}]", missing.join("; ")));
        }
        self.text
    }
}
