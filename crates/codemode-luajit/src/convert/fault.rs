//! What can be wrong with JSON text, and how a program is told: what, where, and what to do.

use codemode_core::text::{cut, one_line};

use super::MAX_DEPTH;
use super::halt::Halt;
use super::place::{Step, path};

/// How much of the text is shown, in bytes.
const NEAR_BYTES: usize = 24;

/// What is wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    NotUtf8,
    NoValue,
    NoKey,
    NoColon,
    NoCommaInArray,
    NoCommaInObject,
    NoDigit,
    LeadingZero,
    OutOfRange,
    BigInteger,
    Control,
    OpenString,
    Escape,
    LoneSurrogate,
    TooDeep,
    Trailing,
}

impl Fault {
    fn text(self) -> String {
        match self {
            Self::NotUtf8 => "a byte that is not utf-8",
            Self::NoValue => "expected a value",
            Self::NoKey => "expected a key in double quotes",
            Self::NoColon => "expected a colon after the key",
            Self::NoCommaInArray => "expected a comma or ]",
            Self::NoCommaInObject => "expected a comma or }",
            Self::NoDigit => "expected a digit",
            Self::LeadingZero => "a number that begins with a needless zero",
            Self::OutOfRange => "a number that no double can hold",
            Self::BigInteger => {
                "a whole number past 2^53, which would lose digits; pass {big_integers = \"text\"} to get such numbers as strings"
            }
            Self::Control => "a control character in a string; it must be escaped",
            Self::OpenString => "a string without its closing quote",
            Self::Escape => "an escape that json does not have",
            Self::LoneSurrogate => "half of a surrogate pair",
            Self::TooDeep => return format!("nests deeper than {MAX_DEPTH} levels"),
            Self::Trailing => "text after the end of the value",
        }
        .to_owned()
    }

    /// Whether the fault is one of a value, whose path in the document helps.
    fn of_value(self) -> bool {
        matches!(self, Self::OutOfRange | Self::BigInteger | Self::LoneSurrogate)
    }
}

/// The error for a fault at this offset, within what these steps lead to.
#[cold]
pub(super) fn fault(what: Fault, text: &[u8], at: usize, steps: Option<&[Step]>) -> Halt {
    let before = &text[..at.min(text.len())];
    let line = 1 + memchr::memchr_iter(b'\n', before).count();
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
    let place = match steps {
        Some(steps) if what.of_value() && !steps.is_empty() => format!(" ({})", path(steps.iter())),
        _ => String::new(),
    };
    let rest = &text[before.len()..];
    let near = if rest.is_empty() {
        "at the end of the text".to_owned()
    } else {
        let shown = String::from_utf8_lossy(&rest[..rest.len().min(2 * NEAR_BYTES)]).into_owned();
        format!("near {}", one_line(&cut(&shown, NEAR_BYTES)))
    };
    Halt::refused_text(format!("line {line} column {column}{place}: {}, {near}", what.text()))
}
