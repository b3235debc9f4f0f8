//! What is known about the end of a pattern from some part on: with which bytes it can begin, and whether it can fail.

use super::parse::{Part, Repeat};
use super::set::ByteSet;

/// The end of a pattern from some part on.
#[derive(Debug, Clone)]
pub(super) struct Rest {
    /// The bytes with which it can begin: at any other it fails at once.
    pub(super) first: ByteSet,
    /// Whether it can match at the subject's end.
    pub(super) at_end: bool,
    /// Whether it can fail. What raises does not fail.
    pub(super) can_fail: bool,
    /// Whether it matches at the subject's end, whatever came before.
    sure_at_end: bool,
}

impl Rest {
    /// The end of a pattern, where it has matched.
    pub(super) fn end() -> Self {
        Self { first: ByteSet::ALL, at_end: true, can_fail: false, sure_at_end: true }
    }

    /// Whether this fails at once wherever a byte of `set` comes next.
    pub(super) fn refuses(&self, set: &ByteSet) -> bool {
        self.can_fail && !self.first.meets(set)
    }

    /// Whether this matches at the end of any run of `set`.
    pub(super) fn is_sure_after_all_of(&self, set: &ByteSet) -> bool {
        !self.can_fail || (*set == ByteSet::ALL && self.sure_at_end)
    }

    /// Puts `part` of the pattern `source` before this.
    pub(super) fn put_before(&mut self, part: &Part, source: &[u8]) {
        match *part {
            Part::Bytes { from, .. } => self.put_required(ByteSet::of(source[from])),
            Part::Item { set, repeat, .. } => match repeat {
                Repeat::Once => self.put_required(set),
                Repeat::Most { at_least_once: true } => self.put_required(set),
                Repeat::Optional => self.first = self.first.union(set),
                Repeat::Most { at_least_once: false } | Repeat::Least => {
                    self.can_fail &= !self.is_sure_after_all_of(&set);
                    self.first = self.first.union(set);
                }
            },
            Part::Open { .. } | Part::Position { .. } | Part::Close { .. } => {}
            Part::Balanced { open, .. } => self.put_required(ByteSet::of(open)),
            Part::Frontier { set, .. } => {
                self.put_required(set);
                self.at_end = set.contains(0);
            }
            Part::Again { .. } => {
                self.put_required(ByteSet::ALL);
                self.at_end = true;
            }
            Part::SubjectEnd => *self = Self { first: ByteSet::NONE, can_fail: true, ..Self::end() },
            // Whatever comes after is never reached.
            Part::Raise(_) => *self = Self::end(),
        }
    }

    /// Something that needs one byte of `set`.
    fn put_required(&mut self, set: ByteSet) {
        *self = Self { first: set, at_end: false, can_fail: true, sure_at_end: false };
    }
}
