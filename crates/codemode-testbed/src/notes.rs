//! A run that keeps what it is told, for tests of tools, layers and hosts without a program.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use codemode_core::{Bound, CallContext, Control, Decision, Note, ParkRequest};

/// Keeps the notes of calls, in order. It is never stopped, and nobody can be asked.
#[derive(Debug, Default)]
pub struct Notes(Mutex<Vec<Note>>);

impl Notes {
    /// Without notes yet.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// A direct call of this tool, whose notes are kept here.
    #[must_use]
    pub fn context(self: &Arc<Self>, tool: &str) -> CallContext {
        let mut context = CallContext::direct(tool);
        context.control = Arc::clone(self) as Arc<dyn Control>;
        context
    }

    /// What was noted so far.
    #[must_use]
    pub fn all(&self) -> Vec<Note> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Control for Notes {
    fn stop(&self, _bound: Bound, _why: String) {}

    fn note(&self, note: Note) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    async fn park(&self, _request: ParkRequest) -> Decision {
        Decision::Unparkable
    }
}
