//! Evidence: what the host saw of a run, whatever the program says of itself.

use std::collections::HashSet;

use serde::Serialize;

use crate::ledger::CallStatus;
use crate::outcome::{Outcome, millis};

/// The most changed paths that are shown.
const SHOWN_PATHS: usize = 50;
/// The most changed paths that are told from each other.
const COUNTED_PATHS: usize = 1_000;

/// The paths that calls of a run said they changed.
#[derive(Default)]
pub(crate) struct ChangedPaths {
    /// The first of them, each once, in the order in which they were changed.
    pub(crate) sample: Vec<String>,
    seen: HashSet<String>,
    /// Whether there are more than were counted.
    pub(crate) incomplete: bool,
}

impl ChangedPaths {
    /// How many different ones were counted.
    pub(crate) fn count(&self) -> usize {
        self.seen.len()
    }

    pub(crate) fn add(&mut self, path: String) {
        if self.seen.contains(&path) {
            return;
        }
        if self.seen.len() == COUNTED_PATHS {
            self.incomplete = true;
            return;
        }
        if self.sample.len() < SHOWN_PATHS {
            self.sample.push(path.clone());
        }
        self.seen.insert(path);
    }
}

/// The evidence in the outcome's JSON.
#[derive(Serialize)]
pub(crate) struct Evidence<'a> {
    succeeded: usize,
    failed: usize,
    denied: usize,
    unknown: usize,
    elapsed_ms: u64,
    changed_paths: &'a [String],
    changed_paths_count: usize,
    changed_paths_incomplete: bool,
}

impl<'a> Evidence<'a> {
    pub(crate) fn of(outcome: &'a Outcome) -> Self {
        let count = |status| outcome.ledger.records().iter().filter(|record| record.status == status).count();
        Self {
            succeeded: count(CallStatus::Ok),
            failed: count(CallStatus::Failed),
            denied: count(CallStatus::Denied),
            unknown: count(CallStatus::Unknown),
            elapsed_ms: millis(outcome.usage.wall),
            changed_paths: &outcome.changed_paths,
            changed_paths_count: outcome.changed_paths_count,
            changed_paths_incomplete: outcome.changed_paths_incomplete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_paths_are_shown_and_a_thousand_counted() {
        let mut paths = ChangedPaths::default();
        for number in (0..1_000).chain(0..1_000) {
            paths.add(number.to_string());
        }
        assert_eq!((paths.sample.len(), paths.count(), paths.incomplete), (50, 1_000, false));
        paths.add("1000".to_owned());
        assert_eq!((paths.sample.len(), paths.count(), paths.incomplete), (50, 1_000, true));
    }
}
