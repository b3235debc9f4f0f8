//! Tells how long a subject LuaJIT's own functions may take with a pattern: as long as their steps are provably few.
//!
//! A pattern is looked at from its end: each part adds what LuaJIT spends on it to what it spends on the rest. A repeat
//! multiplies that by the number of places where it may stop, unless the rest cannot even begin at any of them but the
//! last. The steps count what LuaJIT does (calls, tests, bytes of a set read for a test, bytes compared), not what our
//! matcher does.

use super::parse::{self, MAX_CAPTURES, Part, Repeat};
use super::program::Caret;
use super::rest::Rest;
use super::set::ByteSet;
use super::steps::Steps;

/// The most steps that a call of LuaJIT's own functions may need: about three milliseconds.
const OWN_STEPS: u64 = 1 << 20;

/// Steps that a substitution spends on a match beside the matching: a call, a look-up, a string made.
const STEPS_A_SUBSTITUTION: u64 = 16;

/// Steps for each byte of a replacement with captures in it: two bytes can make a string.
const STEPS_A_CAPTURE_BYTE: u64 = 16;

/// Whether `string.find` takes this pattern for more than plain text.
pub(crate) fn has_specials(pattern: &[u8]) -> bool {
    pattern.iter().any(|byte| b"^$*+?.([%-".contains(byte))
}

/// What LuaJIT's own functions need at most with a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    /// `find`, `match`, and each step of `gmatch`.
    pub(super) search: Steps,
    /// All matches of `gsub`, without what is put in their place.
    pub(super) all_matches: Steps,
}

impl Bounds {
    /// The bounds of a pattern.
    pub(super) fn of(pattern: &[u8], caret: Caret) -> Self {
        let anchored = caret.anchors(pattern);
        let parts = parse::parse(pattern, usize::from(anchored)).parts;
        let widths = capture_widths(&parts);
        let mut cost = Cost::end();
        for part in parts.iter().rev() {
            cost.put_before(part, pattern, &widths);
        }
        cost.bounds(anchored)
    }

    /// The longest subject for LuaJIT's own `find`, `match` and `gmatch`, where one of `subject` bytes is not too long.
    ///
    /// The pattern may be looked for as plain text as well.
    pub(super) fn longest_for_search(&self, pattern: &[u8], subject: usize) -> Option<usize> {
        // Looking for plain bytes, LuaJIT at worst compares all of them at each position, sixteen bytes a step.
        let plain = Steps::linear(2 + pattern.len() as u64 / 16);
        Some(longest(&self.search, subject)?.min(longest(&plain, subject)?))
    }

    /// The longest subject for LuaJIT's own `gsub` with a replacement of so many bytes, where one of `subject` bytes is not
    /// too long.
    pub(super) fn longest_for_substitution(&self, replacement: usize, subject: usize) -> Option<usize> {
        let each = STEPS_A_SUBSTITUTION.saturating_add((replacement as u64).saturating_mul(STEPS_A_CAPTURE_BYTE));
        longest(&self.all_matches.plus(Steps::linear(each)), subject)
    }
}

fn longest(steps: &Steps, subject: usize) -> Option<usize> {
    if steps.at(subject) <= OWN_STEPS { steps.longest_within(OWN_STEPS) } else { None }
}

/// What LuaJIT spends on the end of a pattern from some part on.
struct Cost {
    rest: Rest,
    /// The steps to fail at a byte that it cannot begin with.
    refuse: u64,
    /// The steps to fail, from a position with `n` bytes left.
    fail: Steps,
    /// The steps to fail or to match.
    any: Steps,
    /// Whether a match of `n` bytes needs only `any` of `n`, however long the subject.
    by_length: bool,
}

impl Cost {
    /// The end of a pattern, where it has matched.
    fn end() -> Self {
        Self { rest: Rest::end(), refuse: 1, fail: Steps::NONE, any: Steps::constant(1), by_length: true }
    }

    /// The bounds of the whole pattern, when this is the whole pattern.
    fn bounds(&self, anchored: bool) -> Bounds {
        let any = self.any.plus_constant(1);
        if anchored {
            return Bounds { search: any, all_matches: any };
        }
        let failing = if self.rest.can_fail { self.fail.plus_constant(1).at_each_position() } else { Steps::NONE };
        let shared = if self.by_length { any.shared_by_matches() } else { None };
        let matching = shared.unwrap_or_else(|| any.at_each_position());
        Bounds { search: failing.plus(any), all_matches: failing.plus(matching) }
    }

    /// Puts `part` of the pattern `source` before this. `widths` are those of [`capture_widths`].
    fn put_before(&mut self, part: &Part, source: &[u8], widths: &[Option<u64>; MAX_CAPTURES]) {
        match *part {
            Part::Bytes { from, to } => self.put_required(2, Steps::constant(3 * (to - from) as u64)),
            Part::Item { set, repeat, width } => {
                // Each test reads the whole set, and so does the look for its end.
                let test = 1 + width as u64;
                match repeat {
                    Repeat::Once => self.put_required(2 * test, Steps::NONE),
                    Repeat::Optional => self.put_optional(&set, 2 * test),
                    Repeat::Most { at_least_once } => self.put_most(&set, test, at_least_once),
                    Repeat::Least => self.put_least(&set, test),
                }
            }
            Part::Open { .. } | Part::Position { .. } | Part::Close { .. } => {
                self.refuse += 1;
                self.add(Steps::constant(1));
            }
            Part::Balanced { .. } => self.put_required(1, Steps::linear(2)),
            Part::Frontier { width, .. } => self.put_required(3 * (1 + width as u64), Steps::NONE),
            Part::Again { capture } => self.put_required(
                1,
                match widths[usize::from(capture)] {
                    Some(width) => Steps::constant(1 + width / 8),
                    None => Steps::linear(1),
                },
            ),
            Part::SubjectEnd => *self = Self { fail: Steps::constant(1), ..Self::end() },
            // Raising is the end of the call.
            Part::Raise(_) => *self = Self { any: Steps::constant(2 + source.len() as u64), ..Self::end() },
        }
        self.rest.put_before(part, source);
        if !self.rest.can_fail {
            self.fail = Steps::NONE;
        }
    }

    fn add(&mut self, steps: Steps) {
        self.fail = self.fail.plus(steps);
        self.any = self.any.plus(steps);
    }

    /// Something that must match: it refuses a wrong byte within `refuse` steps, and needs up to `more` else.
    fn put_required(&mut self, refuse: u64, more: Steps) {
        self.refuse = refuse;
        self.add(more.plus_constant(refuse));
    }

    fn put_optional(&mut self, set: &ByteSet, steps: u64) {
        let steps = steps + 1;
        if self.rest.refuses(set) {
            self.add(Steps::constant(steps + self.refuse));
        } else {
            // Both ways may be gone.
            self.by_length &= self.fail.is_constant();
            self.any = self.any.plus(self.fail).plus_constant(steps);
            self.fail = self.fail.plus(self.fail).plus_constant(steps);
        }
        self.refuse += steps;
    }

    fn put_most(&mut self, set: &ByteSet, test: u64, at_least_once: bool) {
        if self.rest.is_sure_after_all_of(set) {
            self.any = self.any.plus(Steps::linear(test + 1)).plus_constant(2 * test);
            self.fail = Steps::constant(2 * test);
        } else if self.rest.refuses(set) {
            self.add(Steps::linear(test + 1 + self.refuse).plus_constant(2 * test));
        } else {
            // It stops at each position of its run, and reads on past where it stops at last.
            let tries = self.fail.plus_constant(test + 1).at_each_position().plus_constant(2 * test);
            self.any = self.any.plus(tries);
            self.fail = tries;
            self.by_length = false;
        }
        self.refuse = if at_least_once { 2 * test } else { self.refuse + 2 * test + 1 };
    }

    fn put_least(&mut self, set: &ByteSet, test: u64) {
        let steps = 2 * test + 1;
        if !self.rest.can_fail {
            self.any = self.any.plus_constant(steps);
        } else if self.rest.refuses(set) {
            self.add(Steps::linear(test + 1 + self.refuse).plus_constant(steps));
        } else {
            let tries = self.fail.plus_constant(test + 1).at_each_position().plus_constant(steps);
            self.by_length &= self.fail.is_constant();
            self.any = self.any.plus(tries);
            self.fail = tries;
        }
        self.refuse += steps;
    }
}

/// How many bytes each capture can hold, where there is a limit.
fn capture_widths(parts: &[Part]) -> [Option<u64>; MAX_CAPTURES] {
    let mut widths = [Some(0u64); MAX_CAPTURES];
    let mut open = [false; MAX_CAPTURES];
    for part in parts {
        let width = match *part {
            Part::Open { capture } => {
                open[usize::from(capture)] = true;
                continue;
            }
            Part::Close { capture } => {
                open[usize::from(capture)] = false;
                continue;
            }
            Part::Bytes { from, to } => Some((to - from) as u64),
            Part::Item { repeat: Repeat::Once | Repeat::Optional, .. } => Some(1),
            Part::Item { .. } | Part::Balanced { .. } => None,
            Part::Again { capture } => widths[usize::from(capture)],
            Part::Position { .. } | Part::Frontier { .. } | Part::SubjectEnd | Part::Raise(_) => Some(0),
        };
        for (total, _) in widths.iter_mut().zip(open).filter(|(_, open)| *open) {
            *total = total.zip(width).map(|(total, width)| total + width);
        }
    }
    widths
}
