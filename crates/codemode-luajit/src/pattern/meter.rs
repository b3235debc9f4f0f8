//! Counts the steps of a call and asks now and then whether it may go on.

use codemode_core::Stopped;

use super::fault::PatternFault;

/// The most steps between two questions: a few microseconds.
pub(crate) const STEPS_BETWEEN_QUESTIONS: u64 = 4096;

/// Why a call gave no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The budget said so, or the output did: nothing more is done.
    Stopped,
    /// The pattern or the replacement is wrong: the program gets this as an error.
    Fault(PatternFault),
}

/// Is told how many steps were taken since it was last asked, and says whether to go on.
pub(crate) type Budget<'b> = dyn FnMut(u64) -> Result<(), Stopped> + 'b;

/// The steps of one call. It is stopped for good once the budget has said so.
pub(crate) struct Meter<'b> {
    budget: &'b mut Budget<'b>,
    left: u64,
    stopped: bool,
}

impl std::fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Meter").field("left", &self.left).field("stopped", &self.stopped).finish_non_exhaustive()
    }
}

impl<'b> Meter<'b> {
    pub(crate) fn new(budget: &'b mut Budget<'b>) -> Self {
        Self { budget, left: STEPS_BETWEEN_QUESTIONS, stopped: false }
    }

    /// Takes `steps`, fewer than a few thousand at a time.
    #[inline]
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Halt> {
        match self.left.checked_sub(steps as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.ask(steps as u64),
        }
    }

    /// No step is taken after this.
    pub(super) fn stop(&mut self) -> Halt {
        self.stopped = true;
        self.left = 0;
        Halt::Stopped
    }

    #[cold]
    fn ask(&mut self, steps: u64) -> Result<(), Halt> {
        let taken = STEPS_BETWEEN_QUESTIONS - self.left + steps;
        if self.stopped || (self.budget)(taken).is_err() {
            return Err(self.stop());
        }
        self.left = STEPS_BETWEEN_QUESTIONS;
        Ok(())
    }
}
