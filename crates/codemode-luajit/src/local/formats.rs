//! The formats of `read` and `lines`.

use super::env::Env;
use super::numeral::{Bytes, Numeral};
use super::stream::Stream;
use super::trouble::Trouble;
use crate::convert::Counted;

/// What is read at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// `*n`.
    Number,
    /// `*l`, or `*L`, which keeps the line feed.
    Line { keep: bool },
    /// `*a`.
    All,
    /// So many bytes.
    Count(usize),
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Item {
    /// What the buffer holds.
    Text,
    Number(f64),
    /// The file has ended, or there is no number.
    Nothing,
}

impl Format {
    /// Reads a format as LuaJIT does: the star may be missing, and only the letter after it counts.
    pub(super) fn parse(format: &[u8]) -> Option<Self> {
        match format.strip_prefix(b"*").unwrap_or(format).first()? {
            b'n' => Some(Self::Number),
            b'l' => Some(Self::Line { keep: false }),
            b'L' => Some(Self::Line { keep: true }),
            b'a' => Some(Self::All),
            _ => None,
        }
    }
}

/// Reads one item, into `text` where it is text. After [`Trouble::Crowded`] it goes on from what `text` holds.
pub(super) fn read(stream: &mut Stream, env: &Env<'_>, format: Format, text: &mut Counted<u8>) -> Result<Item, Trouble> {
    match format {
        Format::Number => {
            let number = Numeral::default().read(&mut Source { stream, env })?;
            Ok(number.map_or(Item::Nothing, Item::Number))
        }
        Format::Line { keep } => line(stream, env, keep, text),
        Format::All => loop {
            let piece = stream.fill(env)?;
            if piece.is_empty() {
                return Ok(Item::Text);
            }
            let length = piece.len();
            text.extend(piece)?;
            stream.take(length);
        },
        Format::Count(0) => Ok(if stream.fill(env)?.is_empty() { Item::Nothing } else { Item::Text }),
        Format::Count(count) => {
            while text.len() < count {
                let piece = stream.fill(env)?;
                if piece.is_empty() {
                    break;
                }
                let piece = &piece[..piece.len().min(count - text.len())];
                let length = piece.len();
                text.extend(piece)?;
                stream.take(length);
            }
            Ok(if text.len() > 0 { Item::Text } else { Item::Nothing })
        }
    }
}

fn line(stream: &mut Stream, env: &Env<'_>, keep: bool, text: &mut Counted<u8>) -> Result<Item, Trouble> {
    loop {
        let piece = stream.fill(env)?;
        if piece.is_empty() {
            return Ok(if text.len() > 0 { Item::Text } else { Item::Nothing });
        }
        let feed = memchr::memchr(b'\n', piece);
        let length = feed.map_or(piece.len(), |feed| feed + 1);
        text.extend(&piece[..if feed.is_some() && !keep { length - 1 } else { length }])?;
        stream.take(length);
        if feed.is_some() {
            return Ok(Item::Text);
        }
    }
}

struct Source<'s, 'e> {
    stream: &'s mut Stream,
    env: &'s Env<'e>,
}

impl Bytes for Source<'_, '_> {
    fn peek(&mut self) -> Result<Option<u8>, Trouble> {
        Ok(self.stream.fill(self.env)?.first().copied())
    }

    fn skip(&mut self) {
        self.stream.take(1);
    }
}
