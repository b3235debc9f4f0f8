//! Collecting the matching lines of one file after the other, within the limits of one answer.

use std::io::{self, Cursor, Read};
use std::path::Path;

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use grep_matcher::{LineTerminator, Matcher};
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkContextKind, SinkFinish, SinkMatch};
use rustix::fs::OFlags;
use serde::Serialize;

use crate::lines::is_utf16;
use crate::stop::{Stop, Stopping};
use crate::trouble::Trouble;

/// The most bytes of a line that are given.
pub(crate) const MAX_LINE_BYTES: usize = 500;
/// How much of a long line is given before its match.
const LEAD_BYTES: usize = 100;
/// The longest line that can be searched; a file with a longer one counts as unreadable.
const MAX_SEARCHED_LINE_BYTES: usize = 64 << 20;
/// About what the JSON of a match takes beside its texts.
const MATCH_OVERHEAD_BYTES: usize = 64;

/// One matching line.
#[derive(Debug, Serialize)]
pub(crate) struct Match {
    pub(crate) path: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) text: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) before: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) after: Vec<String>,
}

/// A file to look into, by the handle of its folder.
#[derive(Debug)]
pub(crate) struct FileSearch<'a> {
    pub(crate) folder: &'a Dir,
    pub(crate) name: &'a Path,
    /// As matches name it.
    pub(crate) path: &'a str,
}

/// Whether a search goes on after a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looked {
    Through,
    /// The answer is full and there is more.
    Full,
}

/// Everything found so far.
#[derive(Debug, Default)]
pub(crate) struct FoundMatches {
    pub(crate) matches: Vec<Match>,
    pub(crate) searched: u64,
    pub(crate) matched: u64,
    pub(crate) binary: u64,
    pub(crate) unreadable: u64,
    pub(crate) full: bool,
}

/// One search over many files.
#[derive(Debug)]
pub(crate) struct Search<'a> {
    matcher: &'a RegexMatcher,
    searcher: Searcher,
    most_matches: usize,
    most_bytes: usize,
    bytes: usize,
    stop: &'a Stop,
    found: FoundMatches,
}

impl<'a> Search<'a> {
    pub(crate) fn new(matcher: &'a RegexMatcher, context: u64, most_matches: u64, most_bytes: usize, stop: &'a Stop) -> Self {
        let context = usize::try_from(context).unwrap_or(usize::MAX);
        let searcher = SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .before_context(context)
            .after_context(context)
            .binary_detection(BinaryDetection::quit(0))
            .bom_sniffing(false)
            .heap_limit(Some(MAX_SEARCHED_LINE_BYTES))
            .build();
        let most_matches = usize::try_from(most_matches).unwrap_or(usize::MAX);
        Self { matcher, searcher, most_matches, most_bytes, bytes: 0, stop, found: FoundMatches::default() }
    }

    /// Searches one file. What cannot be read, or is no text, is counted and left.
    pub(crate) fn file(&mut self, file: FileSearch<'_>) -> Result<Looked, Trouble> {
        self.stop.check()?;
        let Some((head, rest)) = open(&file) else {
            self.found.unreadable += 1;
            return Ok(Looked::Through);
        };
        if is_utf16(&head) {
            self.found.binary += 1;
            return Ok(Looked::Through);
        }
        let head = head.strip_prefix(b"\xef\xbb\xbf").map_or(head.clone(), <[u8]>::to_vec);
        let reader = Stopping { inner: Cursor::new(head).chain(rest), stop: self.stop };
        let mut sink = FileSink {
            matcher: self.matcher,
            path: file.path,
            matches: Vec::new(),
            before: Vec::new(),
            matches_left: self.most_matches - self.found.matches.len(),
            bytes_left: self.most_bytes.saturating_sub(self.bytes),
            first: self.found.matches.is_empty(),
            full: false,
            binary: false,
        };
        let searched = self.searcher.search_reader(self.matcher, reader, &mut sink);
        self.stop.check()?;
        if sink.binary {
            self.found.binary += 1;
        } else if searched.is_err() {
            self.found.unreadable += 1;
        } else {
            self.found.searched += 1;
            self.found.matched += u64::from(!sink.matches.is_empty());
            self.bytes = self.most_bytes - sink.bytes_left.min(self.most_bytes);
            self.found.full |= sink.full;
            self.found.matches.append(&mut sink.matches);
        }
        Ok(if self.found.full { Looked::Full } else { Looked::Through })
    }

    pub(crate) fn finish(self) -> FoundMatches {
        self.found
    }
}

/// The first bytes of a regular file, and the rest of it.
fn open(file: &FileSearch<'_>) -> Option<(Vec<u8>, cap_std::fs::File)> {
    let mut options = OpenOptions::new();
    options.read(true).custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
    let mut rest = file.folder.open_with(file.name, &options).ok()?;
    if !rest.metadata().ok()?.is_file() {
        return None;
    }
    let mut head = Vec::with_capacity(3);
    rest.by_ref().take(3).read_to_end(&mut head).ok()?;
    Some((head, rest))
}

struct FileSink<'a> {
    matcher: &'a RegexMatcher,
    path: &'a str,
    matches: Vec<Match>,
    before: Vec<String>,
    matches_left: usize,
    bytes_left: usize,
    /// Whether no file has given a match yet: the first match is given however long it is.
    first: bool,
    full: bool,
    binary: bool,
}

impl FileSink<'_> {
    /// Takes room in the answer, or finds it full.
    fn take(&mut self, bytes: usize) -> bool {
        self.full |= self.bytes_left < bytes && !(self.first && self.matches.is_empty());
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        !self.full
    }
}

impl Sink for FileSink<'_> {
    type Error = io::Error;

    fn matched(&mut self, _searcher: &Searcher, line: &SinkMatch<'_>) -> Result<bool, io::Error> {
        let bytes = without_end(line.bytes());
        let at = self.matcher.find(bytes).ok().flatten().map_or(0, |found| found.start());
        let (text, cut) = window(bytes, at);
        if self.matches_left == 0 || !self.take(self.path.len() + text.len() + MATCH_OVERHEAD_BYTES) {
            self.full = true;
            return Ok(false);
        }
        self.matches_left -= 1;
        let column = 1 + String::from_utf8_lossy(&bytes[..at]).chars().count() as u64;
        let before = std::mem::take(&mut self.before);
        let line = line.line_number().unwrap_or(0);
        self.matches.push(Match { path: self.path.to_owned(), line, column, text, cut, before, after: Vec::new() });
        Ok(true)
    }

    fn context(&mut self, _searcher: &Searcher, line: &SinkContext<'_>) -> Result<bool, io::Error> {
        let (text, _) = window(without_end(line.bytes()), 0);
        if !self.take(text.len() + 4) {
            return Ok(false);
        }
        match (line.kind(), self.matches.last_mut()) {
            (SinkContextKind::After, Some(last)) => last.after.push(text),
            _ => self.before.push(text),
        }
        Ok(true)
    }

    fn context_break(&mut self, _searcher: &Searcher) -> Result<bool, io::Error> {
        self.before.clear();
        Ok(true)
    }

    fn binary_data(&mut self, _searcher: &Searcher, _offset: u64) -> Result<bool, io::Error> {
        self.binary = true;
        Ok(false)
    }

    fn finish(&mut self, _searcher: &Searcher, finish: &SinkFinish) -> Result<(), io::Error> {
        self.binary |= finish.binary_byte_offset().is_some();
        Ok(())
    }
}

fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line as text; of a long one the part around byte `at`, with an ellipsis where it was cut.
fn window(line: &[u8], at: usize) -> (String, bool) {
    if line.len() <= MAX_LINE_BYTES {
        return (String::from_utf8_lossy(line).into_owned(), false);
    }
    let start = boundary(line, at.saturating_sub(LEAD_BYTES).min(line.len() - MAX_LINE_BYTES));
    let end = boundary(line, start + MAX_LINE_BYTES);
    let mut text = String::with_capacity(end - start + 6);
    text.push_str(if start > 0 { "…" } else { "" });
    text.push_str(&String::from_utf8_lossy(&line[start..end]));
    text.push_str(if end < line.len() { "…" } else { "" });
    (text, true)
}

/// The nearest start of a character at or before `at`, where the bytes are UTF-8.
fn boundary(line: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at).rev().find(|&place| line.get(place).is_none_or(|byte| byte & 0xc0 != 0x80)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_its_match_at_characters() {
        let line = format!("{}match{}", "ä".repeat(400), "ö".repeat(400));
        let (text, cut) = window(line.as_bytes(), 800);
        assert_eq!(text, format!("…{}match{}…", "ä".repeat(50), "ö".repeat(197)));
        assert!(cut);
        assert_eq!(window(b"short\xff", 0), ("short\u{fffd}".to_owned(), false));
        let (text, _) = window("x".repeat(501).as_bytes(), 500);
        assert_eq!(text, format!("…{}", "x".repeat(500)));
    }
}
