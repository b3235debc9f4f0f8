//! What was left out of a value that was written as JSON.

/// Parts of a value that JSON cannot hold, and that were left out or became `null`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// How many.
    pub count: u64,
    /// Where the first one was; bounded.
    pub path: String,
    /// What the first one was: `a function`, `a symbol`.
    pub what: &'static str,
}

impl LeftOut {
    /// What a reader of the outcome is told.
    #[must_use]
    pub fn warning(&self) -> String {
        let Self { count, path, what } = self;
        match count {
            1 => format!("{path} was left out: it is {what}, which json cannot hold"),
            2 => format!("{path} was left out: it is {what}, which json cannot hold; so was 1 more value"),
            _ => format!("{path} was left out: it is {what}, which json cannot hold; so were {} more values", count - 1),
        }
    }
}
