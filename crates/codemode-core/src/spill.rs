//! Where output goes that is too long to show.

use std::io;

use crate::call::RunId;

/// Keeps the whole of what a run held, where only a part is shown. Written elsewhere than in core, which knows no files.
pub trait Spill: Send + Sync {
    /// Writes `text` to a place that its reader can open, and gives that place's name.
    ///
    /// # Errors
    /// When it cannot be written; the outcome then carries a warning.
    fn spill(&self, run: &RunId, text: &str) -> io::Result<String>;
}
