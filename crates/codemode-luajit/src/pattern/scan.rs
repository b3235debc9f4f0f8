//! Looks for the bytes of a set, a block at a time, so that long looks are counted too.

use super::meter::{Halt, Meter};
use super::set::{Tables, Test};

/// How many bytes are looked at before they are counted.
const BLOCK: usize = 2048;

impl Tables {
    /// The first byte of `text` in the set.
    #[inline]
    fn first_in(&self, test: Test, text: &[u8]) -> Option<usize> {
        match test {
            Test::Any => (!text.is_empty()).then_some(0),
            Test::Byte(only) => memchr::memchr(only, text),
            Test::Not(but) => text.iter().position(|byte| *byte != but),
            Test::Bit { table, mask } => {
                let table = self.table(table);
                text.iter().position(|byte| table[usize::from(*byte)] & mask != 0)
            }
        }
    }

    /// The first byte of `text` that is not in the set.
    #[inline]
    fn first_outside(&self, test: Test, text: &[u8]) -> Option<usize> {
        match test {
            Test::Any => None,
            Test::Byte(only) => text.iter().position(|byte| *byte != only),
            Test::Not(but) => memchr::memchr(but, text),
            Test::Bit { table, mask } => {
                let table = self.table(table);
                text.iter().position(|byte| table[usize::from(*byte)] & mask == 0)
            }
        }
    }

    /// The last byte of `text` in the set.
    #[inline]
    fn last_in(&self, test: Test, text: &[u8]) -> Option<usize> {
        match test {
            Test::Any => text.len().checked_sub(1),
            Test::Byte(only) => memchr::memrchr(only, text),
            Test::Not(but) => text.iter().rposition(|byte| *byte != but),
            Test::Bit { table, mask } => {
                let table = self.table(table);
                text.iter().rposition(|byte| table[usize::from(*byte)] & mask != 0)
            }
        }
    }

    /// Where the first byte of the set is from `at` on.
    #[inline]
    pub(super) fn seek(&self, test: Test, subject: &[u8], at: usize, meter: &mut Meter<'_>) -> Result<Option<usize>, Halt> {
        each_block(subject, at, meter, |block| self.first_in(test, block))
    }

    /// Where the run of the set that begins at `at` ends.
    #[inline]
    pub(super) fn run_end(&self, test: Test, subject: &[u8], at: usize, meter: &mut Meter<'_>) -> Result<usize, Halt> {
        let outside = each_block(subject, at, meter, |block| self.first_outside(test, block))?;
        Ok(outside.unwrap_or(subject.len()))
    }

    /// Where the last byte of the set is in `from..to`.
    #[inline]
    pub(super) fn seek_back(
        &self,
        test: Test,
        subject: &[u8],
        from: usize,
        to: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<usize>, Halt> {
        let mut end = to;
        while end > from {
            let start = from.max(end.saturating_sub(BLOCK));
            if let Some(found) = self.last_in(test, &subject[start..end]) {
                meter.spend(end - start - found)?;
                return Ok(Some(start + found));
            }
            meter.spend(end - start)?;
            end = start;
        }
        Ok(None)
    }
}

#[inline]
fn each_block(subject: &[u8], at: usize, meter: &mut Meter<'_>, look: impl Fn(&[u8]) -> Option<usize>) -> Result<Option<usize>, Halt> {
    let mut start = at;
    while start < subject.len() {
        let end = subject.len().min(start + BLOCK);
        if let Some(found) = look(&subject[start..end]) {
            meter.spend(found)?;
            return Ok(Some(start + found));
        }
        meter.spend(end - start)?;
        start = end;
    }
    Ok(None)
}
