//! Reads a number as the C library's `scanf` does for `%lf`, which is what LuaJIT reads `*n` with.

use super::trouble::Trouble;

/// Bytes that can be looked at one by one.
pub(super) trait Bytes {
    /// The next byte, which stays; nothing at the end.
    fn peek(&mut self) -> Result<Option<u8>, Trouble>;

    /// Takes the byte that was looked at.
    fn skip(&mut self);
}

/// The longest number that is read, in bytes; a longer one is none.
const LONGEST: usize = 4096;

/// What is read on the way to a number; kept, so that reading can go on after a break.
#[derive(Debug, Default)]
pub(super) struct Numeral {
    text: Vec<u8>,
    state: State,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Blank,
    /// After the sign.
    Begin,
    /// Within a word, which must go on like this.
    Word(&'static [u8]),
    /// After `inf`, which may go on to `infinity`.
    AfterInf,
    /// After a leading zero.
    Zero,
    /// Among digits.
    Digits {
        hex: bool,
        point: bool,
        exponent: bool,
        any: bool,
    },
    Done,
    Failed,
}

impl Numeral {
    /// Reads on; nothing where there is no number. What was looked at and does not belong to it stays.
    pub(super) fn read(&mut self, bytes: &mut impl Bytes) -> Result<Option<f64>, Trouble> {
        while !matches!(self.state, State::Done | State::Failed) {
            let next = bytes.peek()?;
            let (state, taken) = self.step(next);
            self.state = state;
            if let (true, Some(byte)) = (taken, next) {
                bytes.skip();
                if state != State::Blank {
                    self.text.push(byte);
                }
                if self.text.len() > LONGEST {
                    self.state = State::Failed;
                }
            }
        }
        if self.state == State::Failed {
            return Ok(None);
        }
        Ok(self.value())
    }

    /// The state after this byte, and whether it belongs to the number.
    fn step(&self, next: Option<u8>) -> (State, bool) {
        let digits = State::Digits { hex: false, point: false, exponent: false, any: false };
        let lower = next.map(|byte| byte.to_ascii_lowercase());
        match (self.state, lower) {
            (State::Blank, Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)) => (State::Blank, true),
            (State::Blank, Some(b'+' | b'-')) => (State::Begin, true),
            (State::Blank | State::Begin, Some(b'n')) => (State::Word(b"an"), true),
            (State::Blank | State::Begin, Some(b'i')) => (State::Word(b"nf"), true),
            (State::Blank | State::Begin, Some(b'0')) => (State::Zero, true),
            (State::Blank | State::Begin, Some(b'1'..=b'9' | b'.')) => self.digit(digits, lower),
            (State::Word(word), Some(byte)) if word.first() == Some(&byte) => match word {
                [_] if *word == *b"f" => (State::AfterInf, true),
                [_] => (State::Done, true),
                [_, rest @ ..] => (State::Word(rest), true),
                [] => (State::Failed, false),
            },
            // What a word breaks off at is taken too.
            (State::Word(_), Some(_)) => (State::Failed, true),
            (State::AfterInf, Some(b'i')) => (State::Word(b"nity"), true),
            (State::AfterInf, _) => (State::Done, false),
            (State::Zero, Some(b'x')) => (State::Digits { hex: true, point: false, exponent: false, any: false }, true),
            (State::Zero, _) => self.digit(State::Digits { hex: false, point: false, exponent: false, any: true }, lower),
            (state @ State::Digits { .. }, _) => self.digit(state, lower),
            _ => (State::Failed, false),
        }
    }

    fn digit(&self, state: State, lower: Option<u8>) -> (State, bool) {
        let State::Digits { hex, point, exponent, any } = state else { return (State::Failed, false) };
        let mark = if hex { b'p' } else { b'e' };
        match lower {
            Some(b'0'..=b'9') => (State::Digits { hex, point, exponent, any: true }, true),
            Some(b'a'..=b'f') if hex && !exponent => (State::Digits { hex, point, exponent, any: true }, true),
            Some(b'+' | b'-') if exponent && self.text.last().is_some_and(|last| last.to_ascii_lowercase() == mark) => (state, true),
            Some(byte) if byte == mark && any && !exponent => (State::Digits { hex, point: true, exponent: true, any }, true),
            Some(b'.') if !point => (State::Digits { hex, point: true, exponent, any }, true),
            _ if any => (State::Done, false),
            _ => (State::Failed, false),
        }
    }

    /// What the text says, by the same function that `scanf` uses.
    fn value(&mut self) -> Option<f64> {
        self.text.push(0);
        let start = self.text.as_ptr().cast();
        let mut end = std::ptr::null_mut();
        // SAFETY: the text ends with a zero, and outlives the call.
        let value = unsafe { libc::strtod(start, &raw mut end) };
        (end.cast_const() != start).then_some(value)
    }
}
