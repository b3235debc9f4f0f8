//! What can be wrong with a pattern or a replacement, in LuaJIT's own words.

/// What is wrong with a pattern, its captures or a replacement.
///
/// Its text is LuaJIT's message without the position in the program, which the binding puts before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternFault {
    /// `%` with nothing after it.
    EndsWithPercent,
    /// A `[` without its `]`.
    MissingBracket,
    /// `%f` without a set.
    FrontierWithoutSet,
    /// `%b` without its two bytes.
    Unbalanced,
    /// A `)` without its `(`.
    InvalidPatternCapture,
    /// More than 32 captures.
    TooManyCaptures,
    /// A `%1` to `%9` whose capture is not there, or `%0` in a pattern.
    InvalidCaptureIndex,
    /// A `(` without its `)` whose text is wanted.
    UnfinishedCapture,
    /// More than 200 repeats and captures inside each other, or more than 65,536 parts.
    TooComplex,
}

impl PatternFault {
    /// LuaJIT's message.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::EndsWithPercent => "malformed pattern (ends with '%')",
            Self::MissingBracket => "malformed pattern (missing ']')",
            Self::FrontierWithoutSet => "missing '[' after '%f' in pattern",
            Self::Unbalanced => "unbalanced pattern",
            Self::InvalidPatternCapture => "invalid pattern capture",
            Self::TooManyCaptures => "too many captures",
            Self::InvalidCaptureIndex => "invalid capture index",
            Self::UnfinishedCapture => "unfinished capture",
            Self::TooComplex => "pattern too complex",
        }
    }
}
