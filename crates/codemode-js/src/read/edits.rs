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
    pub(super) fn make(self, source: &str) -> Edited {
        let blanks = self.merged_blanks();
        let mut marks: Vec<usize> = blanks.iter().flat_map(|&(start, end)| [start, end]).collect();
        marks.extend(self.overwritten.keys());
        marks.extend(self.closing.keys().chain(self.opening.keys()));
        marks.push(source.len());
        marks.sort_unstable();
        marks.dedup();

        let mut edited = Edited { text: String::with_capacity(source.len() + 64), inserted: Vec::new() };
        let mut blanks = blanks.into_iter().peekable();
        let (mut line, mut column, mut at) = (1, 1, 0);
        for mark in marks {
            while blanks.next_if(|&(_, end)| end <= at).is_some() {}
            let is_blank = blanks.peek().is_some_and(|&(start, _)| start <= at);
            let mut piece = &source[at..mark];
            let start = edited.text.len();
            if let Some(&put) = self.overwritten.get(&at).filter(|_| !piece.is_empty()) {
                edited.text.push(put);
                piece = piece.chars().next().map_or("", |first| &piece[first.len_utf8()..]);
            }
            if is_blank {
                edited.text.extend(piece.chars().map(|character| if is_line_end(character) { character } else { ' ' }));
            } else {
                edited.text.push_str(piece);
            }
            for character in edited.text[start..].chars() {
                (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            at = mark;
            for inserted in [self.closing.get(&at), self.opening.get(&at)].into_iter().flatten() {
                debug_assert!(!inserted.contains('\n'), "an insertion stays within its line");
                edited.text.push_str(inserted);
                let length = u32::try_from(inserted.chars().count()).unwrap_or(u32::MAX);
                edited.inserted.push(Inserted { line, column, length });
                column += length;
            }
        }
        edited
    }

    /// The blanked spans in order, none touching another.
    fn merged_blanks(&self) -> Vec<(usize, usize)> {
        let mut blanks = self.blanks.clone();
        blanks.sort_unstable();
        let mut merged: Vec<(usize, usize)> = Vec::with_capacity(blanks.len());
        for (start, end) in blanks {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        merged
    }
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}
