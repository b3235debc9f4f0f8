//! A model of what LuaJIT's matcher spends: the plainest recursive matcher, which counts what it reads.
//!
//! It is only right for patterns without faults; where it finds one, it gives up.

use super::super::set;

/// Why a model run has no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Faulty,
    TooManySteps,
}

/// The end of a position capture, whose text cannot come again.
const POSITION: usize = usize::MAX;

pub(super) struct Model<'a> {
    pub(super) subject: &'a [u8],
    pub(super) pattern: &'a [u8],
    pub(super) steps: u64,
    pub(super) most_steps: u64,
    captures: Vec<(usize, Option<usize>)>,
}

impl<'a> Model<'a> {
    pub(super) fn new(subject: &'a [u8], pattern: &'a [u8], most_steps: u64) -> Self {
        Self { subject, pattern, steps: 0, most_steps, captures: Vec::new() }
    }

    /// The first match at `from` or after it.
    pub(super) fn search(&mut self, from: usize) -> Result<Option<(usize, usize)>, Cut> {
        let anchored = self.pattern.first() == Some(&b'^');
        for start in from..=self.subject.len() {
            self.spend(1)?;
            self.captures.clear();
            if let Some(end) = self.rest(start, usize::from(anchored))? {
                return Ok(Some((start, end)));
            }
            if anchored {
                break;
            }
        }
        Ok(None)
    }

    /// All matches after each other.
    pub(super) fn search_all(&mut self) -> Result<(), Cut> {
        let mut from = 0;
        while from <= self.subject.len()
            && let Some((start, end)) = self.search(from)?
            && self.pattern.first() != Some(&b'^')
        {
            from = if end > start { end } else { end + 1 };
        }
        Ok(())
    }

    fn spend(&mut self, steps: usize) -> Result<(), Cut> {
        self.steps += steps as u64;
        if self.steps > self.most_steps { Err(Cut::TooManySteps) } else { Ok(()) }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.pattern.get(at).copied()
    }

    /// Matches the pattern from `p` on at `s`.
    fn rest(&mut self, s: usize, p: usize) -> Result<Option<usize>, Cut> {
        self.spend(1)?;
        match (self.byte(p), self.byte(p + 1)) {
            (None, _) => Ok(Some(s)),
            (Some(b'$'), None) => Ok((s == self.subject.len()).then_some(s)),
            (Some(b'('), next) => {
                let position = next == Some(b')');
                self.captures.push((s, position.then_some(POSITION)));
                let found = self.rest(s, if position { p + 2 } else { p + 1 })?;
                if found.is_none() {
                    self.captures.pop();
                }
                Ok(found)
            }
            (Some(b')'), _) => {
                let open = self.captures.iter().rposition(|capture| capture.1.is_none()).ok_or(Cut::Faulty)?;
                self.captures[open].1 = Some(s);
                let found = self.rest(s, p + 1)?;
                if found.is_none() {
                    self.captures[open].1 = None;
                }
                Ok(found)
            }
            (Some(b'%'), Some(b'b')) => {
                let (open, close) = self.byte(p + 2).zip(self.byte(p + 3)).ok_or(Cut::Faulty)?;
                let mut depth = 0;
                for at in s..self.subject.len() {
                    self.spend(1)?;
                    let byte = self.subject[at];
                    if at == s && byte != open {
                        return Ok(None);
                    } else if at > s && byte == close {
                        depth -= 1;
                        if depth == 0 {
                            return self.rest(at + 1, p + 4);
                        }
                    } else if byte == open {
                        depth += 1;
                    }
                }
                Ok(None)
            }
            (Some(b'%'), Some(b'f')) if self.byte(p + 2) != Some(b'[') => Err(Cut::Faulty),
            (Some(b'%'), Some(b'f')) => {
                let end = self.item_end(p + 2)?;
                let before = if s == 0 { 0 } else { self.subject[s - 1] };
                let after = self.subject.get(s).copied().unwrap_or(0);
                let fits = !self.tests(before, p + 2, end)? && self.tests(after, p + 2, end)?;
                if fits { self.rest(s, end) } else { Ok(None) }
            }
            (Some(b'%'), Some(digit @ b'0'..=b'9')) => {
                let index = usize::from(digit.wrapping_sub(b'1'));
                let Some(&(start, Some(end))) = self.captures.get(index) else { return Err(Cut::Faulty) };
                if end == POSITION {
                    return Ok(None);
                }
                self.spend((end - start) / 16)?;
                let text = &self.subject[start..end];
                if self.subject[s..].starts_with(text) { self.rest(s + end - start, p + 2) } else { Ok(None) }
            }
            _ => self.repeated(s, p),
        }
    }

    fn repeated(&mut self, s: usize, p: usize) -> Result<Option<usize>, Cut> {
        let end = self.item_end(p)?;
        let here = self.matches(s, p, end)?;
        match self.byte(end) {
            Some(b'?') => {
                if here && let Some(found) = self.rest(s + 1, end + 1)? {
                    return Ok(Some(found));
                }
                self.rest(s, end + 1)
            }
            Some(repeat @ (b'*' | b'+')) => {
                if repeat == b'+' && !here {
                    return Ok(None);
                }
                let low = s + usize::from(repeat == b'+');
                let mut stop = low;
                while self.matches(stop, p, end)? {
                    stop += 1;
                }
                for stop in (low..=stop).rev() {
                    if let Some(found) = self.rest(stop, end + 1)? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
            Some(b'-') => {
                let mut stop = s;
                loop {
                    if let Some(found) = self.rest(stop, end + 1)? {
                        return Ok(Some(found));
                    }
                    if !self.matches(stop, p, end)? {
                        return Ok(None);
                    }
                    stop += 1;
                }
            }
            _ if here => self.rest(s + 1, end),
            _ => Ok(None),
        }
    }

    fn matches(&mut self, s: usize, p: usize, end: usize) -> Result<bool, Cut> {
        match self.subject.get(s) {
            Some(&byte) => self.tests(byte, p, end),
            None => Ok(false),
        }
    }

    /// Tests a byte against the item `p..end`, which is read for it.
    fn tests(&mut self, byte: u8, p: usize, end: usize) -> Result<bool, Cut> {
        self.spend(end - p)?;
        Ok(match self.pattern[p] {
            b'.' => true,
            b'%' => set::class(self.pattern[p + 1]).contains(byte),
            b'[' => {
                let negated = self.pattern[p + 1] == b'^';
                let inside = &self.pattern[p + 1 + usize::from(negated)..end - 1];
                let mut index = 0;
                let mut held = false;
                while index < inside.len() {
                    if inside[index] == b'%' {
                        index += 1;
                        held |= set::class(inside.get(index).copied().unwrap_or(b']')).contains(byte);
                    } else if index + 2 < inside.len() && inside[index + 1] == b'-' {
                        held |= (inside[index]..=inside[index + 2]).contains(&byte);
                        index += 2;
                    } else {
                        held |= inside[index] == byte;
                    }
                    index += 1;
                }
                held != negated
            }
            plain => plain == byte,
        })
    }

    /// Where the item at `p` ends; it is read for that.
    fn item_end(&mut self, p: usize) -> Result<usize, Cut> {
        let end = match self.byte(p) {
            Some(b'%') if self.byte(p + 1).is_some() => p + 2,
            Some(b'[') => {
                let mut at = p + 1 + usize::from(self.byte(p + 1) == Some(b'^'));
                loop {
                    at += if self.byte(at) == Some(b'%') { 2 } else { 1 };
                    if at >= self.pattern.len() {
                        return Err(Cut::Faulty);
                    }
                    if self.byte(at) == Some(b']') {
                        break at + 1;
                    }
                }
            }
            Some(byte) if byte != b'%' => p + 1,
            _ => return Err(Cut::Faulty),
        };
        self.spend(end - p)?;
        Ok(end)
    }
}
