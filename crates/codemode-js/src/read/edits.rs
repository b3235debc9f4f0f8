//! Edits of a source by span: blanking, overwriting single characters, and insertions within a line.

use std::collections::{BTreeMap, BTreeSet};

/// Edits that were collected over one source, in bytes from its start.
#[derive(Debug, Clone, Default)]
pub(super) struct Edits {
    blanks: Vec<(usize, usize)>,
    blank_ends: BTreeSet<usize>,
    overwritten: BTreeMap<usize, char>,
    closing: BTreeMap<usize, String>,
    opening: BTreeMap<usize, String>,
}

/// A source with its edits made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edited {
    pub(super) text: String,
    /// In order of place.
    pub(super) inserted: Vec<Inserted>,
}

/// An insertion, by its place in the edited text. Lines and columns count from 1, columns in scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Inserted {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) length: u32,
}

impl Edits {
    /// Puts one space for each character from `start` to `end`, and keeps the line ends.
    pub(super) fn blank(&mut self, start: usize, end: usize) {
        if start < end {
            self.blanks.push((start, end));
            self.blank_ends.insert(end);
        }
    }

    /// Puts `character` in the place of the one that begins at `at`, blanked or not. It must not be a line end.
    pub(super) fn overwrite(&mut self, at: usize, character: char) {
        self.overwritten.insert(at, character);
    }

    /// Inserts what ends something that stands before `at`.
    pub(super) fn close(&mut self, at: usize, text: &str) {
        self.closing.entry(at).or_default().push_str(text);
    }

    /// Inserts what begins something that stands from `at` on; it comes after all that was closed there.
    pub(super) fn open(&mut self, at: usize, text: &str) {
        self.opening.entry(at).or_default().push_str(text);
    }

    /// Whether the character that ends at `end` was blanked.
    pub(super) fn blanks_up_to(&self, end: usize) -> bool {
        self.blank_ends.contains(&end)
    }

    /// Makes the edits.
    pub(super) fn make(mut self, source: &str) -> Edited {
        self.blanks.sort_unstable();
        let mut blanks = self.blanks.iter().copied().peekable();
        let mut blank_end = 0;
        let mut text = String::with_capacity(source.len() + 64);
        let mut inserted = Vec::new();
        let (mut line, mut column) = (1, 1);
        let mut insert = |at: usize, text: &mut String, line: u32, column: &mut u32| {
            for piece in [self.closing.get(&at), self.opening.get(&at)].into_iter().flatten() {
                debug_assert!(!piece.contains('\n'), "an insertion stays within its line");
                text.push_str(piece);
                let length = u32::try_from(piece.chars().count()).unwrap_or(u32::MAX);
                inserted.push(Inserted { line, column: *column, length });
                *column += length;
            }
        };
        for (at, character) in source.char_indices() {
            insert(at, &mut text, line, &mut column);
            while let Some(&(start, end)) = blanks.peek()
                && start <= at
            {
                blank_end = blank_end.max(end);
                blanks.next();
            }
            let is_line_end = matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}');
            text.push(match self.overwritten.get(&at) {
                Some(&put) => put,
                None if at < blank_end && !is_line_end => ' ',
                None => character,
            });
            column += 1;
            if character == '\n' {
                (line, column) = (line + 1, 1);
            }
        }
        insert(source.len(), &mut text, line, &mut column);
        Edited { text, inserted }
    }
}
