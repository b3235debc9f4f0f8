//! Reads a pattern into its parts, exactly as LuaJIT would come across them while it matches.
//!
//! LuaJIT reads a pattern only as far as a match gets, so what is wrong with it is a part like any other: it raises when it
//! is reached, and a pattern whose faulty end is never reached does no harm.

use super::fault::PatternFault;
use super::set::{self, ByteSet};

/// The most captures that a pattern may have, LuaJIT's own limit.
pub(super) const MAX_CAPTURES: usize = 32;

/// The most parts that are kept of a pattern; reaching a later one raises "pattern too complex".
///
/// It bounds what a program can make us hold outside its memory budget. LuaJIT has no such limit.
pub(super) const MAX_PARTS: usize = 1 << 16;

/// What one part of a pattern does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The plain bytes `from..to` of the pattern, at least one.
    Bytes {
        from: usize,
        to: usize,
    },
    /// A single-byte item and what follows it. `width` is its length in the pattern: what LuaJIT reads for each test.
    Item {
        set: ByteSet,
        repeat: Repeat,
        width: usize,
    },
    Open {
        capture: u8,
    },
    Position {
        capture: u8,
    },
    Close {
        capture: u8,
    },
    Balanced {
        open: u8,
        close: u8,
    },
    Frontier {
        set: ByteSet,
        width: usize,
    },
    /// The text of an earlier capture again.
    Again {
        capture: u8,
    },
    /// The `$` that ends a pattern.
    SubjectEnd,
    Raise(PatternFault),
}

/// How often an item may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    Once,
    /// `?`
    Optional,
    /// `*`, or `+` when `at_least_once`.
    Most {
        at_least_once: bool,
    },
    /// `-`
    Least,
}

/// What a capture holds once the whole pattern has matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaptureKind {
    /// Its `)` never came.
    Unfinished,
    Text,
    Position,
}

/// A pattern's parts in order, and its captures.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    pub(super) captures: Vec<CaptureKind>,
}

/// Reads a pattern; the leading `^` of an anchored one is already gone.
pub(super) fn parse(pattern: &[u8], start: usize) -> Parts {
    // LuaJIT's patterns are C strings: they end at the first NUL.
    let end = memchr::memchr(0, &pattern[start..]).map_or(pattern.len(), |length| start + length);
    let mut reader = Reader { pattern: &pattern[..end], at: start, captures: Vec::new() };
    let mut parts = Vec::new();
    loop {
        let part = match reader.next() {
            Ok(Some(_)) if parts.len() + 1 == MAX_PARTS => Part::Raise(PatternFault::TooComplex),
            Ok(Some(part)) => part,
            Ok(None) => break,
            Err(fault) => Part::Raise(fault),
        };
        parts.push(part);
        if matches!(part, Part::Raise(_)) {
            break;
        }
    }
    Parts { parts, captures: reader.captures }
}

struct Reader<'p> {
    pattern: &'p [u8],
    at: usize,
    captures: Vec<CaptureKind>,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<Option<Part>, PatternFault> {
        let Some(byte) = self.peek(0) else { return Ok(None) };
        let part = match byte {
            b'(' => self.open()?,
            b')' => self.close()?,
            b'$' if self.peek(1).is_none() => {
                self.at += 1;
                Part::SubjectEnd
            }
            b'%' => match self.peek(1) {
                Some(b'b') => self.balanced()?,
                Some(b'f') => self.frontier()?,
                Some(digit @ b'0'..=b'9') => self.again(digit)?,
                _ => self.item()?,
            },
            _ => self.item()?,
        };
        Ok(Some(part))
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.pattern.get(self.at + ahead).copied()
    }

    fn open(&mut self) -> Result<Part, PatternFault> {
        let capture = self.captures.len() as u8;
        if self.captures.len() == MAX_CAPTURES {
            return Err(PatternFault::TooManyCaptures);
        }
        if self.peek(1) == Some(b')') {
            self.at += 2;
            self.captures.push(CaptureKind::Position);
            return Ok(Part::Position { capture });
        }
        self.at += 1;
        self.captures.push(CaptureKind::Unfinished);
        Ok(Part::Open { capture })
    }

    fn close(&mut self) -> Result<Part, PatternFault> {
        let last_open = self.captures.iter().rposition(|kind| *kind == CaptureKind::Unfinished);
        let index = last_open.ok_or(PatternFault::InvalidPatternCapture)?;
        self.captures[index] = CaptureKind::Text;
        self.at += 1;
        Ok(Part::Close { capture: index as u8 })
    }

    fn balanced(&mut self) -> Result<Part, PatternFault> {
        let (Some(open), Some(close)) = (self.peek(2), self.peek(3)) else {
            return Err(PatternFault::Unbalanced);
        };
        self.at += 4;
        Ok(Part::Balanced { open, close })
    }

    fn frontier(&mut self) -> Result<Part, PatternFault> {
        self.at += 2;
        if self.peek(0) != Some(b'[') {
            return Err(PatternFault::FrontierWithoutSet);
        }
        let from = self.at;
        let set = self.bracket()?;
        Ok(Part::Frontier { set, width: self.at - from })
    }

    fn again(&mut self, digit: u8) -> Result<Part, PatternFault> {
        let capture = digit.wrapping_sub(b'1');
        match self.captures.get(usize::from(capture)) {
            None | Some(CaptureKind::Unfinished) => Err(PatternFault::InvalidCaptureIndex),
            Some(CaptureKind::Text | CaptureKind::Position) => {
                self.at += 2;
                Ok(Part::Again { capture })
            }
        }
    }

    fn item(&mut self) -> Result<Part, PatternFault> {
        let from = self.at;
        while let Some(byte) = self.peek(0)
            && self.is_plain(byte)
            && !is_repeat(self.peek(1))
        {
            self.at += 1;
        }
        if self.at > from {
            return Ok(Part::Bytes { from, to: self.at });
        }
        let set = match self.peek(0) {
            Some(b'.') => self.single(ByteSet::ALL),
            Some(b'[') => self.bracket()?,
            Some(b'%') => {
                let letter = self.peek(1).ok_or(PatternFault::EndsWithPercent)?;
                self.at += 1;
                self.single(set::class(letter))
            }
            byte => self.single(ByteSet::of(byte.unwrap_or_default())),
        };
        let width = self.at - from;
        let repeat = match self.peek(0) {
            Some(b'?') => Repeat::Optional,
            Some(b'*') => Repeat::Most { at_least_once: false },
            Some(b'+') => Repeat::Most { at_least_once: true },
            Some(b'-') => Repeat::Least,
            _ => return Ok(Part::Item { set, repeat: Repeat::Once, width }),
        };
        self.at += 1;
        Ok(Part::Item { set, repeat, width })
    }

    fn single(&mut self, set: ByteSet) -> ByteSet {
        self.at += 1;
        set
    }

    /// Whether the byte here stands for itself.
    fn is_plain(&self, byte: u8) -> bool {
        match byte {
            b'(' | b')' | b'%' | b'.' | b'[' => false,
            b'$' => self.peek(1).is_some(),
            _ => true,
        }
    }

    /// A set from its `[` to past its `]`.
    fn bracket(&mut self) -> Result<ByteSet, PatternFault> {
        let mut first = self.at + 1;
        let negated = self.pattern.get(first) == Some(&b'^');
        if negated {
            first += 1;
        }
        let close = self.closing_bracket(first)?;
        let inside = &self.pattern[first..close];
        let mut set = ByteSet::NONE;
        let mut index = 0;
        while let Some(&byte) = inside.get(index) {
            index += 1;
            match (byte, inside.get(index), inside.get(index + 1)) {
                // After a range that ends in `%`, the next `%` can be the last byte: LuaJIT then takes the `]` for its letter.
                (b'%', letter, _) => {
                    set = set.union(set::class(letter.copied().unwrap_or(b']')));
                    index += 1;
                }
                (_, Some(b'-'), Some(&to)) => {
                    set = set.with_range(byte, to);
                    index += 2;
                }
                _ => set = set.with_range(byte, byte),
            }
        }
        self.at = close + 1;
        Ok(if negated { set.complement() } else { set })
    }

    /// Where the `]` of a set is whose first byte is at `first`; that byte belongs to the set even if it is a `]`.
    fn closing_bracket(&self, first: usize) -> Result<usize, PatternFault> {
        let mut at = first;
        loop {
            let escaped = match self.pattern.get(at) {
                None => return Err(PatternFault::MissingBracket),
                Some(b'%') => at + 1 < self.pattern.len(),
                Some(_) => false,
            };
            at += if escaped { 2 } else { 1 };
            if self.pattern.get(at) == Some(&b']') {
                return Ok(at);
            }
        }
    }
}

fn is_repeat(byte: Option<u8>) -> bool {
    matches!(byte, Some(b'?' | b'*' | b'+' | b'-'))
}
