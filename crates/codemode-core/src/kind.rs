//! Why a run failed: the kinds, and what a person or a model should do about each.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a run did not end well. A program's failure is data: it never is an `Err`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FailureKind {
    /// It would not parse, or is no program: nothing in it ran.
    Compile,
    /// The program raised.
    Error,
    /// It ended on a call that was refused.
    Denied,
    /// Its compute budget or the wall clock ran out.
    Time,
    /// It held more than its memory budget.
    Memory,
    /// It asked for more calls than its budget.
    Calls,
    /// The user or the host stopped it.
    Interrupted,
    /// A result, the sum of results or the returned value passed its budget.
    Results,
    /// The journal has no room for another call.
    History,
    /// What runs the program died under it.
    Crashed,
}

impl FailureKind {
    /// Every kind, in the order in which they are documented.
    pub const ALL: [Self; 10] = [
        Self::Compile,
        Self::Error,
        Self::Denied,
        Self::Time,
        Self::Memory,
        Self::Calls,
        Self::Interrupted,
        Self::Results,
        Self::History,
        Self::Crashed,
    ];

    /// The kind's word in headers and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Compile => "compile",
            Self::Error => "error",
            Self::Denied => "denied",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Calls => "calls",
            Self::Interrupted => "interrupted",
            Self::Results => "results",
            Self::History => "history",
            Self::Crashed => "crashed",
        }
    }

    /// Whether a host's circuit breaker counts it: only `compile`, where the call could not be made at all.
    ///
    /// Every other kind is a program that ran, as a shell command that exits with 1 ran.
    #[must_use]
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Compile)
    }

    /// What happened, in the words of the header a model reads.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Self::Compile => "the program would not parse, so nothing in it ran",
            Self::Error => "the program raised",
            Self::Denied => "a tool call was refused",
            Self::Time => "the program ran out of time",
            Self::Memory => "the program held more than its memory budget",
            Self::Calls => "the program asked for more calls than its budget",
            Self::Interrupted => "the run was stopped from outside",
            Self::Results => "a result passed its budget",
            Self::History => "the journal has no room for another call",
            Self::Crashed => "what ran the program died under it",
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::Compile => "fix the code",
            Self::Error => "read the traceback and the calls that already ran",
            Self::Denied => "stop trying; the program is fine",
            Self::Time => "narrow the work",
            Self::Memory => "stream instead of accumulating",
            Self::Calls => "narrow the loop",
            Self::Interrupted => "nothing to mend",
            Self::Results => "return or fetch less",
            Self::History => "split the work, or compact the session",
            Self::Crashed => "read the calls that already ran; do not just repeat",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A limit that fired: which one. The latch holds at most one a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[repr(u8)]
pub enum Bound {
    /// The compute budget, in milliseconds.
    Compute = 1,
    /// The wall clock, in milliseconds.
    Wall = 2,
    /// Memory held, in bytes.
    Memory = 3,
    /// Calls dispatched.
    Calls = 4,
    /// A stop from outside: a user, a host or a dropped future.
    Interrupted = 5,
    /// One result, in bytes.
    CallResult = 6,
    /// All results of a run together, in bytes.
    TotalResults = 7,
    /// The returned value, in the unit of its budget.
    Value = 8,
    /// Room in the journal, in bytes.
    History = 9,
    /// A hook that ends the run.
    Hook = 10,
    /// The state to commit, in bytes of JSON.
    StateBytes = 11,
    /// The state to commit, in levels of arrays and objects.
    StateDepth = 12,
    /// The state to commit, in values.
    StateNodes = 13,
}

impl Bound {
    /// The kind a run fails with when this bound fired.
    #[must_use]
    pub fn kind(self) -> FailureKind {
        match self {
            Self::Compute | Self::Wall => FailureKind::Time,
            Self::Memory => FailureKind::Memory,
            Self::Calls => FailureKind::Calls,
            Self::Interrupted => FailureKind::Interrupted,
            Self::CallResult | Self::TotalResults | Self::Value | Self::StateBytes | Self::StateDepth | Self::StateNodes => {
                FailureKind::Results
            }
            Self::History => FailureKind::History,
            Self::Hook => FailureKind::Denied,
        }
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        const ALL: [Bound; 13] = [
            Bound::Compute,
            Bound::Wall,
            Bound::Memory,
            Bound::Calls,
            Bound::Interrupted,
            Bound::CallResult,
            Bound::TotalResults,
            Bound::Value,
            Bound::History,
            Bound::Hook,
            Bound::StateBytes,
            Bound::StateDepth,
            Bound::StateNodes,
        ];
        ALL.into_iter().find(|bound| *bound as u8 == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_compile_is_a_fault() {
        let faults: Vec<_> = FailureKind::ALL.into_iter().filter(|kind| kind.is_fault()).collect();
        assert_eq!(faults, [FailureKind::Compile]);
    }

    #[test]
    fn codes_of_bounds_read_back() {
        for code in 0..=u8::MAX {
            assert!(Bound::from_code(code).is_none_or(|bound| bound as u8 == code));
        }
        assert_eq!((1..=13).filter_map(Bound::from_code).count(), 13);
    }
}
