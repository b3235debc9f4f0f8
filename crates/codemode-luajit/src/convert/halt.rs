//! Why a conversion gave nothing.

use codemode_core::Stopped;

use super::counted::Narrow;
use super::place::{Step, path};

/// Why a conversion gave nothing.
#[derive(Debug)]
pub(crate) enum Halt {
    /// A buffer would pass the memory budget: collect garbage once and convert again, then fire the bound.
    Crowded,
    /// The run is over.
    Stopped,
    /// Something was refused before, and looking for the first such takes too long.
    Impatient,
    /// The value or the text has no counterpart: the program gets this as an error.
    Refused(Box<Refusal>),
}

/// What has no counterpart, and where.
#[derive(Debug)]
pub(crate) struct Refusal {
    what: String,
    /// From the place outwards; nothing where `what` tells the place itself.
    steps: Option<Vec<Step>>,
}

impl Halt {
    #[cold]
    pub(super) fn refused(what: impl Into<String>) -> Self {
        Self::Refused(Box::new(Refusal { what: what.into(), steps: Some(Vec::new()) }))
    }

    /// A refusal that tells its place itself.
    #[cold]
    pub(super) fn refused_text(what: String) -> Self {
        Self::Refused(Box::new(Refusal { what, steps: None }))
    }

    /// The same within what this step leads to.
    #[cold]
    pub(super) fn within(mut self, step: impl FnOnce() -> Step) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.steps.get_or_insert_default().push(step());
        }
        self
    }
}

impl Refusal {
    /// The error that a program reads: place, what is wrong there, what to do.
    pub(crate) fn message(&self) -> String {
        match &self.steps {
            Some(steps) => format!("{}: {}", path(steps.iter().rev()), self.what),
            None => self.what.clone(),
        }
    }
}

impl From<Narrow> for Halt {
    fn from(narrow: Narrow) -> Self {
        match narrow {
            Narrow::Crowded => Self::Crowded,
            Narrow::Stopped => Self::Stopped,
        }
    }
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
