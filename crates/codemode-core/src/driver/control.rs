//! What a layer may do to the run that its call belongs to.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use async_trait::async_trait;

use super::exchange::Exchange;
use crate::call::{Control, Decision, Note, ParkRequest};
use crate::evidence::ChangedPaths;
use crate::kind::Bound;
use crate::outcome::MESSAGE_BYTES;

/// The control of one run, and what was noted through it.
pub(super) struct RunControl {
    exchange: Weak<Exchange>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
pub(super) struct Kept {
    pub(super) notes: Vec<Note>,
    /// Notes past the limit.
    pub(super) dropped: usize,
    pub(super) paths: ChangedPaths,
}

/// The most bytes of one note: a page for context, the longest path there is.
const NOTE_BYTES: usize = 4096;

fn bounded(note: Note) -> Note {
    let cut = |text: String, bytes: usize| if text.len() <= bytes { text } else { crate::text::cut(&text, bytes).into_owned() };
    match note {
        Note::Warning(text) => Note::Warning(cut(text, MESSAGE_BYTES)),
        Note::Context(text) => Note::Context(cut(text, NOTE_BYTES)),
        Note::ChangedPath(path) => Note::ChangedPath(cut(path, NOTE_BYTES)),
        Note::Progress(text) => Note::Progress(cut(text, MESSAGE_BYTES)),
    }
}

/// The most notes that a run keeps: more than a reader reads, and a bound for a layer that never tires.
const MOST_NOTES: usize = 1000;

impl RunControl {
    pub(super) fn new(exchange: &Arc<Exchange>) -> Arc<Self> {
        Arc::new(Self { exchange: Arc::downgrade(exchange), kept: Mutex::default() })
    }

    pub(super) fn take(&self) -> Kept {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Control for RunControl {
    fn stop(&self, bound: Bound, why: String) {
        if let Some(exchange) = self.exchange.upgrade() {
            exchange.stop_because(bound, why);
        }
    }

    fn note(&self, note: Note) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let note = match bounded(note) {
            Note::ChangedPath(path) => return kept.paths.add(path),
            note => note,
        };
        if kept.notes.len() < MOST_NOTES {
            kept.notes.push(note);
        } else {
            kept.dropped += 1;
        }
    }

    /// No host can take a parked run up again yet, so that none is parked.
    async fn park(&self, _request: ParkRequest) -> Decision {
        Decision::Unparkable
    }
}
