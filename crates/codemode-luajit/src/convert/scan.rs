//! JSON text to the tape, in one pass over the text: everything that can be wrong with it is found here.

use std::sync::Arc;

use codemode_core::Guard;

use super::counted::Counted;
use super::fault::{Fault, fault};
use super::halt::Halt;
use super::place::Step;
use super::tape::{Token, Word};
use super::write::{EXACT, plain_prefix};
use super::{MAX_DEPTH, VALUES_BETWEEN_LOOKS};

/// How much of one string is scanned between two looks at the guard, in bytes.
const STRING_BETWEEN_LOOKS: usize = 1 << 20;

/// What becomes of whole numbers past 2^53, which a Lua number cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BigIntegers {
    /// They are an error, since digits would be lost.
    Refuse,
    /// They become strings of their digits.
    Text,
}

/// The buffers of the scanner.
#[derive(Debug)]
pub(super) struct Scanned {
    pub(super) tape: Counted<Word>,
    /// Strings whose escapes were resolved.
    pub(super) resolved: Counted<u8>,
    guard: Arc<Guard>,
}

/// A container that is not closed yet.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    /// Where its head is on the tape.
    head: usize,
    /// Elements or pairs that are complete.
    count: usize,
    object: bool,
    /// Where the newest key is on the tape.
    key: usize,
}

struct Scanner<'s> {
    text: &'s [u8],
    at: usize,
    big_integers: BigIntegers,
    to: &'s mut Scanned,
    open: [Open; MAX_DEPTH as usize],
    depth: usize,
}

impl Scanned {
    pub(super) fn new(guard: &Arc<Guard>) -> Self {
        Self { tape: Counted::new(guard), resolved: Counted::new(guard), guard: Arc::clone(guard) }
    }

    /// Scans one document.
    pub(super) fn scan(&mut self, text: &[u8], big_integers: BigIntegers) -> Result<(), Halt> {
        if let Err(error) = std::str::from_utf8(text) {
            return Err(fault(Fault::NotUtf8, text, error.valid_up_to(), None));
        }
        let mut scanner = Scanner { text, at: 0, big_integers, to: self, open: [Open::default(); MAX_DEPTH as usize], depth: 0 };
        scanner.document()
    }
}

impl Scanner<'_> {
    fn document(&mut self) -> Result<(), Halt> {
        let mut left = VALUES_BETWEEN_LOOKS;
        loop {
            left -= 1;
            if left == 0 {
                left = VALUES_BETWEEN_LOOKS;
                self.to.guard.check()?;
            }
            if self.value()? {
                continue;
            }
            loop {
                let Some(open) = self.depth.checked_sub(1).and_then(|inner| self.open.get_mut(inner)) else {
                    return if self.skip_white().is_none() { Ok(()) } else { Err(self.fault(Fault::Trailing)) };
                };
                open.count += 1;
                let object = open.object;
                match (self.skip_white(), object) {
                    (Some(b','), false) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b','), true) => {
                        self.at += 1;
                        self.key()?;
                        break;
                    }
                    (Some(b']'), false) | (Some(b'}'), true) => self.close(),
                    (_, false) => return Err(self.fault(Fault::NoCommaInArray)),
                    (_, true) => return Err(self.fault(Fault::NoCommaInObject)),
                }
            }
        }
    }

    /// Reads a value; true where it is a container whose first element comes next.
    fn value(&mut self) -> Result<bool, Halt> {
        let token = match self.skip_white() {
            Some(b'"') => {
                self.string()?;
                return Ok(false);
            }
            Some(b'-' | b'0'..=b'9') => {
                self.number()?;
                return Ok(false);
            }
            Some(b'{') => return self.container(true),
            Some(b'[') => return self.container(false),
            Some(b't') => self.word(b"true", Token::True)?,
            Some(b'f') => self.word(b"false", Token::False)?,
            Some(b'n') => self.word(b"null", Token::Null)?,
            _ => return Err(self.fault(Fault::NoValue)),
        };
        self.to.tape.push(token.word())?;
        Ok(false)
    }

    fn container(&mut self, object: bool) -> Result<bool, Halt> {
        let head = self.to.tape.len();
        let Some(open) = self.open.get_mut(self.depth) else { return Err(self.fault(Fault::TooDeep)) };
        *open = Open { head, count: 0, object, key: 0 };
        self.at += 1;
        self.depth += 1;
        self.to.tape.push(Token::Array(0).word())?;
        if self.skip_white() == Some(if object { b'}' } else { b']' }) {
            self.close();
            return Ok(false);
        }
        if object {
            self.key()?;
        }
        Ok(true)
    }

    fn close(&mut self) {
        self.at += 1;
        self.depth -= 1;
        let open = self.open[self.depth];
        let token = if open.object { Token::Object(open.count) } else { Token::Array(open.count) };
        self.to.tape.items_mut()[open.head] = token.word();
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(), Halt> {
        if self.skip_white() != Some(b'"') {
            return Err(self.fault(Fault::NoKey));
        }
        self.open[self.depth - 1].key = self.to.tape.len();
        self.string()?;
        if self.skip_white() != Some(b':') {
            return Err(self.fault(Fault::NoColon));
        }
        self.at += 1;
        Ok(())
    }

    fn word(&mut self, word: &[u8], token: Token) -> Result<Token, Halt> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.fault(Fault::NoValue));
        }
        self.at += word.len();
        Ok(token)
    }

    fn number(&mut self) -> Result<(), Halt> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let digits = self.at;
        let whole = self.digits()?;
        if self.at - digits > 1 && self.text[digits] == b'0' {
            self.at = digits;
            return Err(self.fault(Fault::LeadingZero));
        }
        let mut fraction = false;
        if self.peek() == Some(b'.') {
            fraction = true;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            fraction = true;
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        if fraction {
            return self.fractional(start);
        }
        // Sixteen digits fit; more are past 2^53 in any case.
        if self.at - digits > 16 || whole > EXACT as u64 {
            return self.big_integer(start);
        }
        #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
        let number = whole as f64;
        Ok(self.to.tape.push(Token::Number(if digits > start { -number } else { number }).word())?)
    }

    /// Reads digits, at least one; what they say is right where there are at most nineteen.
    fn digits(&mut self) -> Result<u64, Halt> {
        let start = self.at;
        let mut value = 0_u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == start { Err(self.fault(Fault::NoDigit)) } else { Ok(value) }
    }

    fn fractional(&mut self, start: usize) -> Result<(), Halt> {
        let number = std::str::from_utf8(&self.text[start..self.at]).ok().and_then(|text| text.parse::<f64>().ok());
        match number {
            Some(number) if number.is_finite() => Ok(self.to.tape.push(Token::Number(number).word())?),
            _ => {
                self.at = start;
                Err(self.fault(Fault::OutOfRange))
            }
        }
    }

    fn big_integer(&mut self, start: usize) -> Result<(), Halt> {
        if self.big_integers == BigIntegers::Refuse {
            self.at = start;
            return Err(self.fault(Fault::BigInteger));
        }
        self.to.tape.push(Token::InText(start).word())?;
        Ok(self.to.tape.push((self.at - start) as Word)?)
    }

    fn string(&mut self) -> Result<(), Halt> {
        self.at += 1;
        let start = self.at;
        self.skip_plain()?;
        if self.peek() != Some(b'"') {
            return self.escaped(start);
        }
        self.to.tape.push(Token::InText(start).word())?;
        self.to.tape.push((self.at - start) as Word)?;
        self.at += 1;
        Ok(())
    }

    /// Goes to the next byte of a string that does not stand for itself.
    #[inline]
    fn skip_plain(&mut self) -> Result<(), Halt> {
        loop {
            let end = self.text.len().min(self.at + STRING_BETWEEN_LOOKS);
            self.at += plain_prefix(&self.text[self.at..end]);
            if self.at < end || end == self.text.len() {
                return Ok(());
            }
            self.to.guard.check()?;
        }
    }

    /// Goes on with a string whose plain part ended before its quote.
    #[cold]
    fn escaped(&mut self, start: usize) -> Result<(), Halt> {
        let offset = self.to.resolved.len();
        let mut plain = start;
        loop {
            self.to.resolved.extend(&self.text[plain..self.at])?;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(_) => return Err(self.fault(Fault::Control)),
                None => return Err(self.fault(Fault::OpenString)),
            }
            plain = self.at;
            self.skip_plain()?;
        }
        self.to.tape.push(Token::Resolved(offset).word())?;
        self.to.tape.push((self.to.resolved.len() - offset) as Word)?;
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Halt> {
        let byte = match self.text.get(self.at + 1) {
            Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.fault(Fault::Escape)),
        };
        self.at += 2;
        Ok(self.to.resolved.push(byte)?)
    }

    fn unicode_escape(&mut self) -> Result<(), Halt> {
        let Some(unit) = self.unit(self.at) else { return Err(self.fault(Fault::Escape)) };
        let (scalar, length) = match (unit, self.unit(self.at + 6)) {
            (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => (0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), 12),
            _ => (unit, 6),
        };
        let Some(character) = char::from_u32(scalar) else { return Err(self.fault(Fault::LoneSurrogate)) };
        self.at += length;
        Ok(self.to.resolved.extend(character.encode_utf8(&mut [0; 4]).as_bytes())?)
    }

    /// The UTF-16 unit that stands at `at` as `\uXXXX`.
    fn unit(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn skip_white(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    #[cold]
    fn fault(&self, what: Fault) -> Halt {
        let steps = self.open[..self.depth]
            .iter()
            .map(|open| if open.object { self.name(open.key) } else { Step::Position(open.count as u64 + 1) });
        fault(what, self.text, self.at, Some(&steps.collect::<Vec<_>>()))
    }

    /// The key whose words are at `at`.
    fn name(&self, at: usize) -> Step {
        let (tape, resolved) = (self.to.tape.items(), self.to.resolved.items());
        let length = usize::try_from(tape.get(at + 1).copied().unwrap_or_default()).unwrap_or_default();
        let bytes = match tape.get(at).map(|word| Token::read(*word)) {
            Some(Token::InText(offset)) => self.text.get(offset..offset + length),
            Some(Token::Resolved(offset)) => resolved.get(offset..offset + length),
            _ => None,
        };
        Step::name(bytes.unwrap_or_default())
    }
}
