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
    /// What was put before the source, and the edited source.
    pub(super) text: String,
    /// In order of place.
    pub(super) inserted: Vec<Inserted>,
    /// How many lines the source has.
    pub(super) lines: u32,
}

/// An insertion, by its place in the edited source. Lines and columns count from 1, columns in scalar values.
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

    /// Makes the edits, and puts the source behind `prefix`.
    pub(super) fn make(mut self, prefix: &str, source: &str) -> Edited {
        let blanks = merged(std::mem::take(&mut self.blanks));
        let mut marks: Vec<usize> = blanks.iter().flat_map(|&(start, end)| [start, end]).collect();
        marks.extend(self.overwritten.keys());
        marks.extend(self.closing.keys().chain(self.opening.keys()));
        marks.push(source.len());
        marks.sort_unstable();
        marks.dedup();

        let mut edited = Edited { text: String::with_capacity(prefix.len() + source.len() + 64), inserted: Vec::new(), lines: 1 };
        edited.text.push_str(prefix);
        let mut blanks = blanks.into_iter().peekable();
        let (mut column, mut at) = (1, 0);
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
            let put = &edited.text[start..];
            if let Some(end) = put.rfind('\n') {
                edited.lines += count(put.matches('\n'));
                column = 1 + count(put[end + 1..].chars());
            } else {
                column += count(put.chars());
            }
            at = mark;
            for inserted in [self.closing.get(&at), self.opening.get(&at)].into_iter().flatten() {
                debug_assert!(!inserted.contains('\n'), "an insertion stays within its line");
                edited.text.push_str(inserted);
                let length = count(inserted.chars());
                edited.inserted.push(Inserted { line: edited.lines, column, length });
                column += length;
            }
        }
        edited
    }
}

/// The spans in order, none touching another.
fn merged(mut spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    spans.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::with_capacity(spans.len());
    for (start, end) in spans {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}
