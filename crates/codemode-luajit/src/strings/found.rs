//! Matches, copied out of the matcher as plain values, so that no frame owns anything while a program's code runs.

use std::ffi::c_int;

use codemode_core::Stopped;

use super::push_count;
use crate::call::{Lua, check_stack, push_bytes};
use crate::pattern::{Capture, Halt, Iteration, Match, Matcher, Meter, PatternFault};

/// How many pieces are taken at a time: the matches and values of a few steps, or the values of one.
const PIECES: usize = 66;

/// A part of a text, or a position in it. LuaJIT's strings are shorter than 2 GiB.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    start: u32,
    end: u32,
}

impl Piece {
    /// The end of what is no text but a position.
    const POSITION: u32 = u32::MAX;
    const NONE: Self = Self { start: 0, end: 0 };

    fn text(range: &std::ops::Range<usize>) -> Self {
        let [start, end] = [range.start, range.end].map(|offset| u32::try_from(offset).unwrap_or(0));
        Self { start, end }
    }

    fn new(capture: &Capture) -> Self {
        match capture {
            Capture::Text(range) => Self::text(range),
            Capture::Position(position) => Self { start: u32::try_from(*position).unwrap_or(0), end: Self::POSITION },
        }
    }

    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    pub(super) fn end(self) -> usize {
        self.end as usize
    }
}

/// A match and its values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'p> {
    pub(super) whole: Piece,
    values: &'p [Piece],
}

impl Found<'_> {
    /// Pushes the values, and says how many they are.
    ///
    /// # Safety
    /// `state` is live. May raise: the caller owns nothing.
    pub(super) unsafe fn push(&self, state: Lua, subject: &[u8]) -> c_int {
        // SAFETY: the caller's promise.
        unsafe {
            check_stack(state, self.values.len());
            for piece in self.values {
                match piece.end {
                    Piece::POSITION => push_count(state, piece.start()),
                    _ => push_bytes(state, &subject[piece.start()..piece.end()]),
                }
            }
        }
        c_int::try_from(self.values.len()).unwrap_or(0)
    }
}

/// A few matches after each other, found ahead: finding one costs less so than one at a time.
///
/// More than the next match is found only as far as that takes few steps, and what is wrong is kept until it would come up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Batch {
    iteration: Iteration,
    /// How many matches are found at a time; it doubles, as a program may want only the first.
    size: usize,
    /// How many pieces there are for a match: itself and its values.
    width: usize,
    found: usize,
    given: usize,
    fault: Option<PatternFault>,
    pieces: [Piece; PIECES],
}

impl Batch {
    /// Before the first match.
    pub(super) const START: Self =
        Self { iteration: Iteration::START, size: 1, width: 1, found: 0, given: 0, fault: None, pieces: [Piece::NONE; PIECES] };

    /// The one match of `found`, with as many values.
    pub(super) fn one(&mut self, found: &Match<'_>, values: usize) -> Result<(), Halt> {
        self.width = 1 + values;
        (self.found, self.given) = (0, 0);
        self.take(found).map_err(Halt::Fault)
    }

    /// The next match, of those that were found.
    pub(super) fn next(&mut self) -> Option<Found<'_>> {
        if self.given == self.found {
            return None;
        }
        let pieces = &self.pieces[self.given * self.width..][..self.width];
        self.given += 1;
        pieces.split_first().map(|(whole, values)| Found { whole: *whole, values })
    }

    /// Whether there is none left of those that were found.
    pub(super) fn is_empty(&self) -> bool {
        self.given == self.found
    }

    /// Finds more. `values` says how many values of a match are wanted, the same for each.
    pub(super) fn fill(
        &mut self,
        matcher: &mut Matcher<'_>,
        meter: &mut Meter<'_>,
        values: impl Fn(&Match<'_>) -> usize,
    ) -> Result<(), Halt> {
        (self.found, self.given) = (0, 0);
        if let Some(fault) = self.fault {
            return Err(Halt::Fault(fault));
        }
        let Some(first) = self.iteration.next(matcher, meter)? else { return Ok(()) };
        self.width = 1 + values(&first);
        self.take(&first).map_err(Halt::Fault)?;
        // Nobody has asked for what comes now, so that it must not take long.
        let mut no_more = |_| Err(Stopped);
        let mut few = Meter::new(&mut no_more);
        while self.found < self.size.min(PIECES / self.width) {
            match self.iteration.next(matcher, &mut few) {
                Ok(Some(found)) => {
                    if let Err(fault) = self.take(&found) {
                        self.fault = Some(fault);
                        break;
                    }
                }
                Err(Halt::Fault(fault)) => {
                    self.fault = Some(fault);
                    break;
                }
                Ok(None) | Err(Halt::Stopped) => break,
            }
        }
        self.size = (self.size * 2).min(PIECES);
        Ok(())
    }

    fn take(&mut self, found: &Match<'_>) -> Result<(), PatternFault> {
        let pieces = &mut self.pieces[self.found * self.width..][..self.width];
        pieces[0] = Piece::text(&found.whole());
        for (index, piece) in pieces[1..].iter_mut().enumerate() {
            *piece = Piece::new(&found.value(index)?);
        }
        self.found += 1;
        Ok(())
    }
}
