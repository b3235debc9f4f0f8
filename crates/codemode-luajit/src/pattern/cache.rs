//! Keeps the patterns that a program used last, compiled.

use std::rc::Rc;

use super::calls::Pattern;
use super::program::{Caret, Program};

/// How many patterns are kept; a new one takes the place of the one with the same hash.
const PLACES: usize = 64;

/// The longest pattern that has one of the places.
const LONGEST_HASHED: usize = 128;

/// The longest pattern that is kept: of those without a place only the last one is.
const LONGEST_KEPT: usize = 1 << 14;

/// The compiled patterns of one interpreter: 64 of at most 128 bytes, and one of at most 16 KiB.
#[derive(Debug, Default)]
pub(crate) struct PatternCache {
    places: Vec<Option<Kept>>,
    long: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    bytes: Box<[u8]>,
    caret: Caret,
    program: Rc<Program>,
}

impl PatternCache {
    /// The compiled pattern, from here where it was used before.
    pub(crate) fn pattern<'p>(&mut self, bytes: &'p [u8], caret: Caret) -> Pattern<'p> {
        if bytes.len() > LONGEST_KEPT {
            return Pattern::new(bytes, caret);
        }
        self.places.resize_with(PLACES, || None);
        let place = if bytes.len() > LONGEST_HASHED { &mut self.long } else { &mut self.places[place(bytes)] };
        if let Some(kept) = place
            && kept.caret == caret
            && *kept.bytes == *bytes
        {
            return Pattern::known(&kept.program, bytes);
        }
        let pattern = Pattern::new(bytes, caret);
        *place = Some(Kept { bytes: bytes.into(), caret, program: Rc::clone(pattern.program()) });
        pattern
    }
}

/// FNV-1a: a program that makes hashes meet only makes its own patterns be compiled again.
fn place(bytes: &[u8]) -> usize {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    (hash >> 32) as usize % PLACES
}
