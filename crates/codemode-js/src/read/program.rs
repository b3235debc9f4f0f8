//! What the front end gives an engine: one script, and the way back from its positions to the model's own.

use codemode_core::Location;

use super::edits::{Edited, Edits, Inserted};

/// A program as an engine evaluates it.
///
/// The text is a prefix on a line of its own, the model's source, and a suffix from a line of its own.
/// Evaluating it gives a function of no arguments; calling that function with `this` undefined runs the program.
/// Of the source, only spans are blanked, character for character, and a few insertions are made within lines:
/// line `n` of the source is always line `n + 1` of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    text: String,
    is_async: bool,
    warnings: Vec<String>,
    inserted: Vec<Inserted>,
    source_lines: u32,
}

impl Program {
    pub(super) fn new(source: &str, edits: Edits, is_async: bool, suffix: &str, warnings: Vec<String>) -> Self {
        let prefix = if is_async { "(async function program(){\"use strict\";\n" } else { "(function program(){\"use strict\";\n" };
        let Edited { mut text, inserted, lines } = edits.make(prefix, source);
        for part in ["\n", suffix, "})"] {
            text.push_str(part);
        }
        Self { text, is_async, warnings, inserted, source_lines: lines }
    }

    /// The script to evaluate. It is strict code, whatever mode the engine is in.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether calling the function gives a promise (forms `program` and `cell`) or the value itself (form `batch`).
    #[must_use]
    pub fn is_async(&self) -> bool {
        self.is_async
    }

    /// What the reader of the outcome should know about how the source was read.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The place in the source as it was sent of a place in [`text`](Self::text), both counted from 1.
    ///
    /// Columns count Unicode scalar values. Nothing for a place in the prefix or the suffix;
    /// a place inside an insertion is the place before which it was made.
    #[must_use]
    pub fn locate(&self, line: u32, column: u32) -> Option<Location> {
        let line = line.checked_sub(1).filter(|line| (1..=self.source_lines).contains(line))?;
        let first = self.inserted.partition_point(|inserted| inserted.line < line);
        let mut shift = 0;
        for inserted in self.inserted[first..].iter().take_while(|inserted| inserted.line == line) {
            if column < inserted.column {
                break;
            }
            shift += inserted.length.min(column - inserted.column);
        }
        Some(Location { line, column: Some(column.saturating_sub(shift).max(1)) })
    }

    /// [`locate`](Self::locate) for engines whose columns count bytes of UTF-8. A place within a character is the character's.
    #[must_use]
    pub fn locate_byte(&self, line: u32, column: u32) -> Option<Location> {
        let before = (column as usize).saturating_sub(1);
        let of_line = self.text.split('\n').nth(line.checked_sub(1)? as usize)?;
        let scalars = of_line[..of_line.floor_char_boundary(before)].chars().count();
        self.locate(line, u32::try_from(scalars).unwrap_or(u32::MAX).saturating_add(1))
    }
}
