//! The ledger: the ordered record of the calls of a run.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::answer::{Answer, code};
use crate::handle::CallId;
use crate::json::Json;

/// How a dispatched call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CallStatus {
    /// It ran and succeeded.
    Ok,
    /// It ran and reported failure.
    Failed,
    /// It was not run, whatever the reason.
    Denied,
    /// It was started and no answer was seen.
    Unknown,
}

impl CallStatus {
    /// The status's word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Unknown => "unknown",
        }
    }

    /// The status of a call with this answer.
    #[must_use]
    pub fn of(answer: &Answer) -> Self {
        match answer {
            Answer::Succeeded(_) => Self::Ok,
            Answer::Failed(_) => Self::Failed,
            Answer::NotRun(_) => Self::Denied,
            Answer::Unknown(_) => Self::Unknown,
        }
    }
}

impl fmt::Display for CallStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Whether anything that could change the world was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effects {
    /// Nothing was: a plain retry is safe.
    None,
    /// At least one call was started that may change the world.
    Some,
    /// A raw function was touched that no layer sees.
    Unknown,
}

/// One dispatched call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// Its place, counted from 1.
    pub seq: u64,
    /// The ask it came from.
    pub id: CallId,
    /// The tool's raw name.
    pub tool: Arc<str>,
    /// Its arguments as the program sent them.
    pub arguments: Json,
    /// How it ended; `Unknown` until an answer was seen.
    pub status: CallStatus,
    /// The size of its answer in bytes.
    pub bytes: u64,
    /// How long it took.
    pub took: Duration,
    /// Whether the tool may change the world.
    pub may_change_world: bool,
    /// Whether its refusal, uncaught, ends the run as `denied`.
    pub refused: bool,
}

/// The ordered record of the calls of a run.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    records: Vec<CallRecord>,
}

impl Ledger {
    /// Every dispatched call, in order.
    #[must_use]
    pub fn records(&self) -> &[CallRecord] {
        &self.records
    }

    /// How many calls were dispatched.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether anything that could change the world was started; `raw` says that a raw function was touched.
    #[must_use]
    pub fn effects(&self, raw: bool) -> Effects {
        if raw {
            return Effects::Unknown;
        }
        let started = |record: &CallRecord| record.may_change_world && record.status != CallStatus::Denied;
        if self.records.iter().any(started) { Effects::Some } else { Effects::None }
    }

    /// Whether the ask of this id was dispatched and refused.
    #[must_use]
    pub fn refused(&self, id: CallId) -> bool {
        self.records.iter().any(|record| record.id == id && record.refused)
    }

    pub(crate) fn dispatched(&mut self, id: CallId, tool: Arc<str>, arguments: Json, may_change_world: bool) -> u64 {
        let seq = self.records.len() as u64 + 1;
        let status = CallStatus::Unknown;
        self.records.push(CallRecord {
            seq,
            id,
            tool,
            arguments,
            status,
            bytes: 0,
            took: Duration::ZERO,
            may_change_world,
            refused: false,
        });
        seq
    }

    pub(crate) fn answered(&mut self, seq: u64, answer: &Answer, bytes: u64, took: Duration) -> Option<&CallRecord> {
        let record = self.records.get_mut(usize::try_from(seq).ok()?.checked_sub(1)?)?;
        record.status = CallStatus::of(answer);
        record.bytes = bytes;
        record.took = took;
        record.refused = matches!(answer, Answer::NotRun(fault) if fault.code == code::DENIED);
        Some(record)
    }

    /// At most `most` calls and how many were left out: failures and unknowns first, then in order; given back in order.
    #[must_use]
    pub fn sample(&self, most: usize) -> (Vec<&CallRecord>, usize) {
        if self.records.len() <= most {
            return (self.records.iter().collect(), 0);
        }
        let (troubled, fine): (Vec<_>, Vec<_>) = self.records.iter().partition(|record| record.status != CallStatus::Ok);
        let mut chosen: Vec<_> = troubled.into_iter().chain(fine).take(most).collect();
        chosen.sort_by_key(|record| record.seq);
        (chosen, self.records.len() - most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(answers: &[Answer]) -> Ledger {
        let mut ledger = Ledger::default();
        for (index, answer) in answers.iter().enumerate() {
            let seq = ledger.dispatched(CallId(index as u64 + 1), Arc::from("tool"), Json::empty_object(), true);
            ledger.answered(seq, answer, 0, Duration::ZERO);
        }
        ledger
    }

    #[test]
    fn a_sample_keeps_trouble_and_gives_it_in_order() {
        let ledger = ledger(&[Answer::text("a"), Answer::text("b"), Answer::failed("no"), Answer::text("c"), Answer::denied("never")]);
        let (sample, omitted) = ledger.sample(3);
        assert_eq!((sample.iter().map(|record| record.seq).collect::<Vec<_>>(), omitted), (vec![1, 3, 5], 2));
    }

    #[test]
    fn what_was_refused_had_no_effect() {
        assert_eq!(ledger(&[Answer::denied("no")]).effects(false), Effects::None);
        assert_eq!(ledger(&[Answer::failed("no")]).effects(false), Effects::Some);
        assert_eq!(ledger(&[]).effects(true), Effects::Unknown);
    }
}
