//! The text that is being written: escaped, counted by the guard, measured in bytes or Unicode scalar values.

use codemode_core::Unit;

use crate::realm::Halt;
use crate::values::counted::{CountedText, Counter};
use crate::values::number::{NUMBER_BYTES, write_number};

pub(super) struct Text<'r> {
    text: CountedText<'r>,
    unit: Unit,
    /// Bytes that begin no scalar value; counted only where scalar values are.
    continued: u64,
}

/// A point to which the text can go back.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    length: usize,
    continued: u64,
}

impl<'r> Text<'r> {
    pub(super) fn new(counter: &'r dyn Counter, unit: Unit) -> Self {
        Self { text: CountedText::new(counter), unit, continued: 0 }
    }

    /// Writes ASCII as it is.
    #[inline]
    pub(super) fn raw(&mut self, ascii: &str) -> Result<(), Halt> {
        self.text.push_str(ascii)
    }

    #[inline]
    pub(super) fn number(&mut self, number: f64) -> Result<(), Halt> {
        write_number(self.text.with_room(NUMBER_BYTES)?, number);
        Ok(())
    }

    /// Writes what stands between the quotes of a string.
    #[inline]
    pub(super) fn escaped(&mut self, piece: &str) -> Result<(), Halt> {
        self.text.room(piece.len() + 1)?;
        let bytes = piece.as_bytes();
        let mut start = 0;
        while let Some(length) = until_escape(&bytes[start..]) {
            let at = start + length;
            self.text.push_str(&piece[start..at])?;
            self.escape(bytes[at])?;
            start = at + 1;
        }
        self.text.push_str(&piece[start..])?;
        if self.unit == Unit::Scalars {
            self.continued += bytes.iter().map(|byte| u64::from(byte & 0xc0 == 0x80)).sum::<u64>();
        }
        Ok(())
    }

    #[cold]
    fn escape(&mut self, byte: u8) -> Result<(), Halt> {
        match byte {
            b'"' => self.text.push_str("\\\""),
            b'\\' => self.text.push_str("\\\\"),
            b'\n' => self.text.push_str("\\n"),
            b'\r' => self.text.push_str("\\r"),
            b'\t' => self.text.push_str("\\t"),
            0x08 => self.text.push_str("\\b"),
            0x0c => self.text.push_str("\\f"),
            _ => self.text.push_str(&format!("\\u{byte:04x}")),
        }
    }

    /// How much was written.
    #[inline]
    pub(super) fn size(&self) -> u64 {
        self.text.len() as u64 - self.continued
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { length: self.text.len(), continued: self.continued }
    }

    /// Takes away what was written since.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.text.truncate(mark.length);
        self.continued = mark.continued;
    }

    /// Whether what was written begins as an object does.
    pub(super) fn is_object(&self) -> bool {
        self.text.starts_with('{')
    }

    pub(super) fn take(self) -> String {
        self.text.take()
    }
}

/// Where the first byte is that must be escaped. Most text has none, and is looked at in pieces that the compiler compares as one.
#[inline]
fn until_escape(bytes: &[u8]) -> Option<usize> {
    const PIECE: usize = 16;
    let must = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    let plain = bytes.chunks_exact(PIECE).take_while(|piece| !piece.iter().fold(false, |any, byte| any | must(byte))).count() * PIECE;
    bytes[plain..].iter().position(must).map(|length| plain + length)
}
