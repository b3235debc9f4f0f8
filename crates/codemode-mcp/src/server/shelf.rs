//! What the runs of a connection left to be read: spill files, and binary parts that were given back.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use codemode_core::{Blob, Outcome, RunId};

/// The most that a connection keeps in its list; the oldest is left out first.
const MOST_KEPT: usize = 100;

/// Something that a client may read as a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kept {
    /// All that a run printed, in a file.
    Spill {
        /// The run.
        run: RunId,
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// A binary part of a result.
    Part(Blob),
}

/// What one connection may list and read, newest first.
#[derive(Debug, Default)]
pub(super) struct Shelf(Mutex<VecDeque<Kept>>);

impl Shelf {
    /// Keeps what an outcome gives back.
    pub(super) fn keep(&self, outcome: &Outcome) {
        for blob in &outcome.content {
            self.put(Kept::Part(blob.clone()));
        }
        if let Some(place) = &outcome.spill {
            self.put(Kept::Spill { run: outcome.run.clone(), path: PathBuf::from(place), bytes: outcome.output.len() as u64 });
        }
    }

    /// Keeps a binary part; one that is kept already becomes the newest.
    pub(super) fn keep_part(&self, blob: &Blob) {
        self.put(Kept::Part(blob.clone()));
    }

    fn put(&self, kept: Kept) {
        let mut shelf = self.lock();
        shelf.retain(|other| *other != kept);
        shelf.push_front(kept);
        shelf.truncate(MOST_KEPT);
    }

    /// All of it, newest first.
    pub(super) fn list(&self) -> Vec<Kept> {
        self.lock().iter().cloned().collect()
    }

    /// The spill file of a run, if it is one of this connection's.
    pub(super) fn spill(&self, run: &str) -> Option<PathBuf> {
        self.lock().iter().find_map(|kept| match kept {
            Kept::Spill { run: own, path, .. } if own.as_str() == run => Some(path.clone()),
            _ => None,
        })
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: usize) -> Blob {
        Blob { handle: format!("blob:{number}").into(), media_type: "image/png".into(), bytes: 1 }
    }

    #[test]
    fn the_newest_stand_first_each_once_and_the_oldest_are_left_out() {
        let shelf = Shelf::default();
        for number in (0..105).chain([50]) {
            shelf.keep_part(&part(number));
        }
        let expected: Vec<Kept> =
            [50].into_iter().chain((51..105).rev()).chain((5..50).rev()).map(|number| Kept::Part(part(number))).collect();
        assert_eq!(shelf.list(), expected);
        assert_eq!(shelf.spill("run"), None);
    }
}
