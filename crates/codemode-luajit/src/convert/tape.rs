//! The tape between JSON text and Lua values: one word for a scalar, two for a string, one for the head of a container.

/// One word: the bits of a double, or a tag above all doubles that JSON can write, with a payload of 48 bits.
pub(super) type Word = u64;

/// Every tagged word is at least this; no finite double has these bits.
const FIRST_TAG: Word = 0xfff9 << 48;

const PAYLOAD: Word = (1 << 48) - 1;

/// What a word says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Null,
    False,
    True,
    /// A string that stands in the text without escapes, from this offset on; the next word is its length.
    InText(usize),
    /// A string whose escapes were resolved into the side buffer; the next word is its length.
    Resolved(usize),
    /// The elements follow.
    Array(usize),
    /// So many pairs of string and value follow.
    Object(usize),
}

impl Token {
    #[inline]
    pub(super) fn word(self) -> Word {
        let (tag, payload) = match self {
            Self::Number(number) => return number.to_bits(),
            Self::Null => (0, 0),
            Self::False => (1, 0),
            Self::True => (2, 0),
            Self::InText(offset) => (3, offset),
            Self::Resolved(offset) => (4, offset),
            Self::Array(count) => (5, count),
            Self::Object(count) => (6, count),
        };
        FIRST_TAG + (tag << 48) + (payload as Word & PAYLOAD)
    }

    #[inline]
    pub(super) fn read(word: Word) -> Self {
        if word < FIRST_TAG {
            return Self::Number(f64::from_bits(word));
        }
        let payload = (word & PAYLOAD) as usize;
        match (word - FIRST_TAG) >> 48 {
            0 => Self::Null,
            1 => Self::False,
            2 => Self::True,
            3 => Self::InText(payload),
            4 => Self::Resolved(payload),
            5 => Self::Array(payload),
            _ => Self::Object(payload),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_read_as_it_was_written() {
        let numbers = [0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, -5e-324].map(Token::Number);
        let most = (1 << 48) - 1;
        let others = [
            Token::Null,
            Token::False,
            Token::True,
            Token::InText(0),
            Token::InText(most),
            Token::Resolved(7),
            Token::Array(most),
            Token::Object(0),
            Token::Object(most),
        ];
        for token in numbers.into_iter().chain(others) {
            assert_eq!(Token::read(token.word()), token);
        }
    }
}
