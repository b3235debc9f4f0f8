//! The counting matcher: runs a compiled pattern over a subject with a small explicit stack.
//!
//! Each frame stands for a part that could have matched otherwise; there are at most as many as LuaJIT lets its calls nest.
//! Captures need no frame: a pattern has no alternatives, so that whatever comes after a capture is tried again only with
//! that capture as it was set last.

use std::ops::Range;

use super::fault::PatternFault;
use super::meter::{Halt, Meter};
use super::parse::{CaptureKind, MAX_CAPTURES};
use super::program::{Entry, MAX_DEPTH, Op, Program};
use super::set::Test;

/// One value that a match gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Capture {
    /// These bytes of the subject.
    Text(Range<usize>),
    /// A position as a program counts it: the first byte is 1.
    Position(usize),
}

/// Where a pattern matched, and what it captured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match<'m> {
    kinds: &'m [CaptureKind],
    slots: &'m [Slot; MAX_CAPTURES],
    start: usize,
    end: usize,
}

impl Match<'_> {
    /// The bytes of the subject that matched.
    pub(crate) fn whole(&self) -> Range<usize> {
        self.start..self.end
    }

    /// How many captures the pattern has: what `find` gives after its two positions.
    pub(crate) fn captures(&self) -> usize {
        self.kinds.len()
    }

    /// How many values `match`, `gmatch` and a replacement function get: the captures, or the whole match where there are none.
    pub(crate) fn values(&self) -> usize {
        self.captures().max(1)
    }

    /// The value at an index from 0, or why there is none.
    pub(crate) fn value(&self, index: usize) -> Result<Capture, PatternFault> {
        let Slot { start, end } = self.slots.get(index).copied().unwrap_or_default();
        match self.kinds.get(index) {
            None if index == 0 => Ok(Capture::Text(self.whole())),
            None => Err(PatternFault::InvalidCaptureIndex),
            Some(CaptureKind::Unfinished) => Err(PatternFault::UnfinishedCapture),
            Some(CaptureKind::Position) => Ok(Capture::Position(start + 1)),
            Some(CaptureKind::Text) => Ok(Capture::Text(start..end)),
        }
    }
}

/// The bytes of one capture, or of a match.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    start: usize,
    end: usize,
}

/// A part that has another way to match, and where.
#[derive(Debug, Clone, Copy)]
struct Frame {
    op: usize,
    /// How many options are taken, as LuaJIT nests deeper with each.
    taken: usize,
    /// For [`Op::Most`] the shortest run's end; else unused.
    low: usize,
    /// For [`Op::Most`] the longest run's end that is not tried yet, for [`Op::Least`] the one that was tried last.
    at: usize,
}

/// How many bytes are compared or gone through before they are counted.
const COMPARED: usize = 2048;

/// One pattern over one subject.
#[derive(Debug)]
pub(super) struct Machine<'a> {
    program: &'a Program,
    pattern: &'a [u8],
    subject: &'a [u8],
    slots: [Slot; MAX_CAPTURES],
    found: Slot,
    frames: Vec<Frame>,
    /// Where the run of the repeat ended with which the pattern begins.
    lead_end: usize,
}

impl<'a> Machine<'a> {
    /// `pattern` is what `program` was compiled from.
    pub(super) fn new(program: &'a Program, pattern: &'a [u8], subject: &'a [u8]) -> Self {
        let (slots, found) = ([Slot::default(); MAX_CAPTURES], Slot::default());
        Self { program, pattern, subject, slots, found, frames: Vec::new(), lead_end: 0 }
    }

    pub(super) fn subject(&self) -> &'a [u8] {
        self.subject
    }

    pub(super) fn is_anchored(&self) -> bool {
        self.program.anchored
    }

    /// Looks for the first match that begins at `from` or after it, or exactly there when the pattern is anchored.
    ///
    /// Says whether there is one, which [`Machine::found`] then gives.
    pub(super) fn search(&mut self, from: usize, meter: &mut Meter<'_>) -> Result<bool, Halt> {
        if self.program.anchored {
            return self.attempt(from, meter);
        }
        let mut from = from;
        while let Some(start) = self.next_start(from, meter)? {
            if self.attempt(start, meter)? {
                return Ok(true);
            }
            // What follows the leading repeat failed wherever its run may stop, so it fails for all that begin in that run.
            from = if self.program.lead.is_some() { self.lead_end + 1 } else { start + 1 };
        }
        Ok(false)
    }

    /// The match that was found last.
    #[inline]
    pub(super) fn found(&self) -> Match<'_> {
        Match { kinds: &self.program.captures, slots: &self.slots, start: self.found.start, end: self.found.end }
    }

    fn next_start(&self, from: usize, meter: &mut Meter<'_>) -> Result<Option<usize>, Halt> {
        let Entry { first, at_end } = self.program.entry;
        // The next byte often begins a match, or the one after it.
        if self.holds(first, from) {
            return Ok(Some(from));
        }
        if self.holds(first, from + 1) {
            return Ok(Some(from + 1));
        }
        if let Some(start) = self.program.tables.seek(first, self.subject, from, meter)? {
            return Ok(Some(start));
        }
        Ok((at_end && from <= self.subject.len()).then_some(self.subject.len()))
    }

    /// Whether there is a match that begins at `start`.
    fn attempt(&mut self, start: usize, meter: &mut Meter<'_>) -> Result<bool, Halt> {
        let (program, subject) = (self.program, self.subject);
        let may_be_deep = !program.depths.is_empty();
        self.frames.clear();
        let (mut op, mut at, mut taken) = (0, start, 0);
        loop {
            let resumed = op;
            // Goes forward while parts match.
            loop {
                if may_be_deep && program.depths[op] + taken > MAX_DEPTH {
                    return Err(Halt::Fault(PatternFault::TooComplex));
                }
                let next = match program.ops[op] {
                    Op::One(test) => self.holds(test, at).then(|| at + 1),
                    Op::Bytes { from, to } => {
                        let want = &self.pattern[from as usize..to as usize];
                        is_prefix(want, &subject[at..], meter)?.then(|| at + want.len())
                    }
                    Op::Optional { test, rest, settled } => {
                        if !self.holds(test, at) {
                            Some(at)
                        } else {
                            if !settled && self.may_enter(rest, at) {
                                self.frames.push(Frame { op, taken, low: at, at });
                            }
                            taken += 1;
                            Some(at + 1)
                        }
                    }
                    Op::Run { test, at_least_once } => {
                        let end = self.run_end(op, test, at, meter)?;
                        (end > at || !at_least_once).then_some(end)
                    }
                    Op::Most { test, rest, at_least_once } => {
                        let end = self.run_end(op, test, at, meter)?;
                        let low = at + usize::from(at_least_once);
                        let stop = if end < low { None } else { self.stop_back(rest, low, end, meter)? };
                        if let Some(stop) = stop
                            && stop > low
                        {
                            self.frames.push(Frame { op, taken, low, at: stop - 1 });
                        }
                        stop
                    }
                    Op::Least { pause, rest, .. } => {
                        let stop = self.stop_forward(op, pause, rest, at, meter)?;
                        if let Some(at) = stop {
                            self.frames.push(Frame { op, taken, low: at, at });
                        }
                        stop
                    }
                    Op::Open(capture) => {
                        self.slots[usize::from(capture)].start = at;
                        Some(at)
                    }
                    Op::Close(capture) => {
                        self.slots[usize::from(capture)].end = at;
                        Some(at)
                    }
                    Op::Balanced { open, close } => balanced_end(subject, at, open, close, meter)?,
                    Op::Frontier(test) => {
                        let before = if at == 0 { 0 } else { subject[at - 1] };
                        let after = subject.get(at).copied().unwrap_or(0);
                        (!program.tables.holds(test, before) && program.tables.holds(test, after)).then_some(at)
                    }
                    Op::Again(capture) => self.again(capture, at, meter)?,
                    Op::SubjectEnd => (at == subject.len()).then_some(at),
                    Op::Matched => {
                        meter.spend(1 + op - resumed)?;
                        self.found = Slot { start, end: at };
                        return Ok(true);
                    }
                    Op::Raise(fault) => return Err(Halt::Fault(fault)),
                };
                let Some(next) = next else { break };
                at = next;
                op += 1;
            }
            meter.spend(1 + op - resumed)?;
            // Goes back to the latest part that can match otherwise.
            loop {
                let Some(&frame) = self.frames.last() else { return Ok(false) };
                let stop = match program.ops[frame.op] {
                    Op::Most { rest, .. } => self.stop_back(rest, frame.low, frame.at, meter)?,
                    Op::Least { test, .. } if !self.holds(test, frame.at) => {
                        self.note_lead(frame.op, frame.at);
                        None
                    }
                    Op::Least { pause, rest, .. } => self.stop_forward(frame.op, pause, rest, frame.at + 1, meter)?,
                    // An option, now left out.
                    _ => Some(frame.at),
                };
                // Whether there is yet another way, and from where.
                let left = match (program.ops[frame.op], stop) {
                    (Op::Most { .. }, Some(stop)) if stop > frame.low => Some(stop - 1),
                    (Op::Least { .. }, stop) => stop,
                    _ => None,
                };
                match (left, self.frames.last_mut()) {
                    (Some(left), Some(top)) => top.at = left,
                    _ => drop(self.frames.pop()),
                }
                if let Some(stop) = stop {
                    (op, at, taken) = (frame.op + 1, stop, frame.taken);
                    break;
                }
            }
        }
    }

    #[inline]
    fn holds(&self, test: Test, at: usize) -> bool {
        self.subject.get(at).is_some_and(|byte| self.program.tables.holds(test, *byte))
    }

    #[inline]
    fn may_enter(&self, rest: Entry, at: usize) -> bool {
        match self.subject.get(at) {
            Some(byte) => self.program.tables.holds(rest.first, *byte),
            None => rest.at_end,
        }
    }

    #[inline]
    fn note_lead(&mut self, op: usize, end: usize) {
        if self.program.lead == Some(op) {
            self.lead_end = end;
        }
    }

    #[inline]
    fn run_end(&mut self, op: usize, test: Test, at: usize, meter: &mut Meter<'_>) -> Result<usize, Halt> {
        let end = match self.holds(test, at) {
            true => self.program.tables.run_end(test, self.subject, at + 1, meter)?,
            false => at,
        };
        self.note_lead(op, end);
        Ok(end)
    }

    /// The last place from `high` down to `low` where the rest may match.
    #[inline]
    fn stop_back(&self, rest: Entry, low: usize, high: usize, meter: &mut Meter<'_>) -> Result<Option<usize>, Halt> {
        if self.may_enter(rest, high) {
            return Ok(Some(high));
        }
        self.program.tables.seek_back(rest.first, self.subject, low, high, meter)
    }

    /// The first place from `at` on where the rest may match, as far as the run goes.
    #[inline]
    fn stop_forward(&mut self, op: usize, pause: Test, rest: Entry, at: usize, meter: &mut Meter<'_>) -> Result<Option<usize>, Halt> {
        let paused = if self.holds(pause, at) {
            at
        } else {
            self.program.tables.seek(pause, self.subject, at, meter)?.unwrap_or(self.subject.len())
        };
        if self.may_enter(rest, paused) {
            return Ok(Some(paused));
        }
        self.note_lead(op, paused);
        Ok(None)
    }

    fn again(&self, capture: u8, at: usize, meter: &mut Meter<'_>) -> Result<Option<usize>, Halt> {
        let capture = usize::from(capture);
        // A position has no text that could come again.
        if self.program.captures[capture] == CaptureKind::Position {
            return Ok(None);
        }
        let Slot { start, end } = self.slots[capture];
        let same = is_prefix(&self.subject[start..end], &self.subject[at..], meter)?;
        Ok(same.then(|| at + end - start))
    }
}

/// Whether `text` begins with `want`.
#[inline]
fn is_prefix(want: &[u8], text: &[u8], meter: &mut Meter<'_>) -> Result<bool, Halt> {
    if want.len() <= COMPARED {
        return Ok(text.starts_with(want));
    }
    let Some(text) = text.get(..want.len()) else { return Ok(false) };
    for (want, text) in want.chunks(COMPARED).zip(text.chunks(COMPARED)) {
        meter.spend(COMPARED / 16)?;
        if want != text {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where the text ends that begins at `at` with `open` and in which `open` and `close` are balanced.
fn balanced_end(subject: &[u8], at: usize, open: u8, close: u8, meter: &mut Meter<'_>) -> Result<Option<usize>, Halt> {
    if subject.get(at) != Some(&open) {
        return Ok(None);
    }
    let mut depth = 1usize;
    let mut start = at + 1;
    for block in subject[start..].chunks(COMPARED) {
        // The two may be the same byte, which then closes.
        let end = block.iter().position(|byte| {
            if *byte == close {
                depth -= 1;
                return depth == 0;
            }
            depth += usize::from(*byte == open);
            false
        });
        meter.spend(end.unwrap_or(block.len()))?;
        if let Some(end) = end {
            return Ok(Some(start + end + 1));
        }
        start += block.len();
    }
    Ok(None)
}
