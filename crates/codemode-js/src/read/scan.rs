//! A lexical scan before the parse: what is code and what is text, and how deep the code can nest.
//!
//! The parser recurses, and so does whatever walks its tree, so that the depth has to be known before either starts.
//! The scan counts, in each open bracket, the tokens since the last place where every construct within that bracket has
//! ended, and adds up the brackets that are open. That is never less than the depth of the parser's recursion.
//! The parser takes any token for the arrow of a function type, a semicolon too, so that a row of `();` may nest; each
//! round bracket that could be of such a row is counted until something shows that it is none.
//! Where a token cannot be told without a grammar (a slash after a brace), all that could be a token is counted instead,
//! quoted or not.

mod quoted;

use super::source::Source;
use super::words::{self, Word};

/// What the scan found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scan {
    /// A bound on the nesting of the code.
    pub(super) depth: usize,
    /// The first byte of code.
    pub(super) first: Option<usize>,
    /// The end of the last token that is no semicolon.
    pub(super) last: usize,
    /// The spans of comments, strings, templates and patterns, in order.
    pub(super) quoted: Vec<(usize, usize)>,
    /// Where something stands that cannot be told without a grammar, so that all that follows may be read wrongly.
    pub(super) unsure: Option<usize>,
    /// How many tokens the parser may have to read again: each time it meets a `<`, or a `=` in round brackets, it tries
    /// types or parameters first, and keeps in memory what it tried.
    pub(super) rereads: usize,
    /// How many tokens there are.
    pub(super) tokens: usize,
    /// Where three backticks stand in code for the first time: as JavaScript they could only fail.
    pub(super) backticks: Option<usize>,
}

/// The token before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Operator,
    /// `++` or `--`, which may stand behind an operand.
    Step,
    /// `>`, which may end type arguments.
    Angle,
    Dot,
    Operand,
    Reserved,
    Contextual,
    /// `await`, `yield` or `of`, which may stand before a pattern or be names.
    Waiting,
    /// The end of the head of a statement.
    Head,
    Brace,
}

/// An open bracket, or the source itself.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    /// What closes it; a backtick for the hole of a template.
    closer: u8,
    is_head: bool,
    /// Tokens that may nest, since all within this bracket had ended.
    chain: usize,
    /// The part of `chain` that a comma does not end.
    kept: usize,
    /// `chain` before the end that was seen last, for a word that carries on after it.
    ended: Option<usize>,
    /// How many `do` have not met their `while`.
    loops: usize,
    /// How many round brackets may be parameters of function types within one another.
    rows: usize,
    /// Whether these round brackets may be such parameters.
    is_in_row: bool,
    /// How many tokens since all had ended make the parser try what follows.
    tries: usize,
}

impl Open {
    fn weight(&self) -> usize {
        self.chain + self.rows
    }
}

/// Scans `source`.
pub(super) fn scan(source: &str) -> Scan {
    let mut scanner = Scanner {
        source,
        bytes: source.as_bytes(),
        at: 0,
        found: Scan::default(),
        open: vec![Open::default()],
        below: 0,
        last: Last::Operator,
        after_line_end: true,
        head_follows: false,
        step_ends_operand: false,
        is_close: false,
        was_close: false,
        tries: 0,
        round: 0,
        no_patterns: false,
    };
    scanner.run();
    if scanner.found.unsure.is_some() {
        let (tokens, tries) = raw_tokens(source);
        scanner.found.depth = scanner.found.depth.max(tokens);
        scanner.found.rereads = scanner.found.rereads.max(tokens.saturating_mul(tries));
    }
    scanner.found
}

struct Scanner<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    found: Scan,
    open: Vec<Open>,
    /// The sum of `chain` over all open brackets but the innermost.
    below: usize,
    last: Last,
    after_line_end: bool,
    /// The next parenthesis is the head of a statement.
    head_follows: bool,
    /// The operator that is being read began right after an operand.
    step_ends_operand: bool,
    /// Whether the token before, and the one before that, closed a round bracket.
    is_close: bool,
    was_close: bool,
    /// The sum of `tries` over all open brackets.
    tries: usize,
    /// How many round brackets are open.
    round: usize,
    /// A pattern did not end, so that the parser stops there and what follows need not be told apart.
    no_patterns: bool,
}

/// The tokens of a source whatever is quoted in it, and those of them that make the parser try.
fn raw_tokens(source: &str) -> (usize, usize) {
    let (mut tokens, mut tries, mut in_word) = (0, 0, false);
    for character in source.chars() {
        let is_word = character.is_alphanumeric() || matches!(character, '_' | '$');
        tokens += usize::from(!(character.is_whitespace() || is_word && in_word));
        tries += usize::from(matches!(character, '<' | '='));
        in_word = is_word;
    }
    (tokens, tries)
}

impl Scanner<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => {
                    self.after_line_end = true;
                    self.at += 1;
                }
                b' ' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.follows("//") => self.comment_to_line_end(),
                b'/' if self.follows("/*") => self.block_comment(),
                b'/' => self.slash(),
                b'"' | b'\'' => self.string(byte),
                b'`' => {
                    if self.follows("```") && self.found.backticks.is_none() {
                        self.found.backticks = Some(self.at);
                    }
                    self.token_begins(true);
                    self.nest();
                    self.template(self.at + 1);
                }
                b'(' | b'[' | b'{' => self.opens(byte),
                b')' | b']' | b'}' => self.closes(byte),
                b';' => self.semicolon(),
                b',' => {
                    self.token_begins(true);
                    let top = self.top();
                    top.chain = top.kept;
                    self.ends(self.at + 1, Last::Operator);
                }
                b'0'..=b'9' => self.number(),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'#' => self.word(),
                0x80.. => self.beyond_ascii(),
                _ => self.operator(byte),
            }
        }
    }

    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the source itself is never closed")
    }

    fn follows(&self, text: &str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }

    /// Begins a token that is code. One that joins what stands before it ends nothing.
    fn token_begins(&mut self, joins: bool) {
        self.found.tokens += 1;
        self.found.rereads += self.tries;
        self.found.first.get_or_insert(self.at);
        let ended = match self.last {
            Last::Operand => self.after_line_end,
            Last::Brace => true,
            _ => false,
        };
        if ended && !joins {
            self.all_ended();
        } else {
            self.top().ended = None;
        }
    }

    fn all_ended(&mut self) {
        let top = self.top();
        let before = top.ended.unwrap_or(0).max(top.chain);
        let tries = top.tries;
        *top = Open {
            closer: top.closer,
            is_head: top.is_head,
            ended: Some(before),
            loops: top.loops,
            rows: top.rows,
            is_in_row: top.is_in_row,
            ..Open::default()
        };
        self.tries -= tries;
    }

    /// Counts a token in which what follows may be nested.
    fn nest(&mut self) {
        self.top().chain += 1;
        self.measure();
    }

    fn measure(&mut self) {
        let depth = self.below + self.top().weight();
        self.found.depth = self.found.depth.max(depth);
    }

    fn push(&mut self, open: Open) {
        self.below += self.top().weight();
        self.round += usize::from(open.closer == b')');
        self.open.push(open);
    }

    fn tries(&mut self) {
        self.top().tries += 1;
        self.tries += 1;
    }

    fn keep(&mut self) {
        let top = self.top();
        top.kept = top.chain;
    }

    /// Ends the token that reaches to `end`.
    fn ends(&mut self, end: usize, last: Last) {
        self.at = end;
        self.last = last;
        self.was_close = std::mem::take(&mut self.is_close);
        self.after_line_end = false;
        self.head_follows = false;
        self.found.last = end;
    }

    fn semicolon(&mut self) {
        let (last, is_first) = (self.found.last, self.found.first.is_none());
        self.token_begins(true);
        self.all_ended();
        self.ends(self.at + 1, Last::Operator);
        // Semicolons before all else are no token of the program either.
        if is_first {
            self.found.first = None;
        }
        self.found.last = last;
    }

    fn opens(&mut self, byte: u8) {
        let is_head = byte == b'(' && self.head_follows;
        // In a type, a round bracket after an operand ends it, unless that operand was taken for an arrow.
        let is_in_row = byte == b'(' && (self.last != Last::Operand || self.is_close || self.was_close);
        if byte == b'(' && !is_in_row {
            self.top().rows = 0;
        }
        self.token_begins(true);
        self.nest();
        let closer = match byte {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        self.push(Open { closer, is_head, is_in_row, ..Open::default() });
        self.ends(self.at + 1, Last::Operator);
    }

    fn closes(&mut self, byte: u8) {
        self.token_begins(true);
        let top = *self.top();
        if byte == b'}' && top.closer == b'`' {
            self.pop();
            self.template(self.at + 1);
            return;
        }
        if top.closer == byte {
            self.pop();
        }
        let last = match byte {
            b'}' => Last::Brace,
            b')' if top.is_head => Last::Head,
            _ => Last::Operand,
        };
        let is_close = byte == b')';
        if is_close && top.is_in_row && !self.source[Source { text: self.source, shift: 0 }.skip(self.at + 1)..].starts_with("=>") {
            self.top().rows += 1;
            self.measure();
        }
        self.ends(self.at + 1, last);
        self.is_close = is_close;
    }

    fn pop(&mut self) {
        if let Some(closed) = self.open.pop() {
            self.tries -= closed.tries;
            self.round -= usize::from(closed.closer == b')');
        }
        self.below -= self.top().weight();
    }

    fn word(&mut self) {
        let start = self.at;
        let end = self.word_end(start + self.source[start..].chars().next().map_or(1, char::len_utf8));
        let word = &self.source[start..end];
        let is_member = self.last == Last::Dot || word.starts_with('#');
        let part = if is_member { Word::Operand } else { words::part(word) };
        let may_be_statement = !self.is_close && !matches!(self.bytes[..self.found.last].last(), Some(b'<' | b','));
        let awaits_head = self.head_follows && word == "await";
        let (before, loops) = (self.top().ended, self.top().loops);
        // Where no `do` is open, `while` begins a statement like any other word.
        let carries_on = !is_member && words::carries_on(word) && (word != "while" || loops > 0);
        self.token_begins(carries_on || !is_member && !words::begins(word));
        let top = self.top();
        if carries_on && let Some(before) = before {
            top.chain = top.chain.max(before);
            top.kept = top.chain;
        }
        if part == Word::Reserved && words::is_no_type(word) && may_be_statement {
            top.rows = 0;
        }
        if part == Word::Reserved && word == "do" {
            top.loops += 1;
        } else if carries_on && word == "while" {
            top.loops -= 1;
        }
        if part != Word::Operand {
            self.nest();
        }
        if part != Word::Operand && words::keeps_open(word) {
            self.keep();
        }
        let last = match part {
            Word::Operand => Last::Operand,
            Word::Reserved => Last::Reserved,
            Word::Contextual if matches!(word, "await" | "yield" | "of") => Last::Waiting,
            Word::Contextual => Last::Contextual,
        };
        self.ends(end, last);
        self.head_follows = awaits_head || part == Word::Reserved && words::heads_statement(word);
    }

    fn word_end(&mut self, from: usize) -> usize {
        let rest = &self.source[from..];
        let length =
            rest.find(|character: char| !(character.is_alphanumeric() || matches!(character, '_' | '$' | '\u{200c}' | '\u{200d}')));
        from + length.unwrap_or(rest.len())
    }

    fn number(&mut self) {
        self.token_begins(false);
        let mut end = self.word_end(self.at);
        if self.bytes.get(end) == Some(&b'.') {
            end = self.word_end(end + 1);
        }
        self.ends(end, Last::Operand);
    }

    fn operator(&mut self, byte: u8) {
        let previous = if self.found.last == self.at && self.at > 0 { self.bytes[self.at - 1] } else { b' ' };
        let carries = matches!(previous, b'=' | b'!' | b'<' | b'>' | b'&' | b'|' | b'*' | b'?' | b'+' | b'-' | b'.' | b'/' | b'%' | b'^')
            && matches!(byte, b'=' | b'>' | b'&' | b'|' | b'*' | b'.' | b'?');
        // `++` belongs to an operand that stands before it on its line.
        if previous != byte {
            self.step_ends_operand = self.last == Last::Operand && !self.after_line_end;
        }
        let asserts = byte == b'!' && self.last == Last::Operand && !self.after_line_end && self.bytes.get(self.at + 1) != Some(&b'=');
        self.token_begins(true);
        if !carries {
            self.nest();
        }
        let last = match byte {
            b'<' => {
                self.keep();
                self.tries();
                Last::Operator
            }
            b'=' if self.round > 0 && !matches!(self.bytes.get(self.at + 1), Some(b'=' | b'>')) => {
                self.tries();
                Last::Operator
            }
            // After an arrow stands an expression.
            b'>' if previous == b'=' => Last::Operator,
            b'>' => Last::Angle,
            b'.' => Last::Dot,
            b'+' | b'-' if previous == byte => {
                if std::mem::take(&mut self.step_ends_operand) {
                    Last::Operand
                } else {
                    Last::Step
                }
            }
            b'!' if asserts => Last::Operand,
            // An escape in a name could hide a word; any other makes the parser stop.
            b'\\' if self.bytes.get(self.at + 1) == Some(&b'u') => {
                self.unsure();
                Last::Operator
            }
            _ => Last::Operator,
        };
        self.ends(self.at + 1, last);
    }

    fn slash(&mut self) {
        match self.last {
            Last::Operator | Last::Reserved | Last::Head if !self.no_patterns => {
                if let Some(end) = self.pattern_end() {
                    self.token_begins(true);
                    self.nest();
                    self.found.quoted.push((self.at, end));
                    let end = self.word_end(end);
                    self.ends(end, Last::Operand);
                    return;
                }
                self.no_patterns = true;
            }
            Last::Angle | Last::Waiting | Last::Brace => self.unsure(),
            _ => {}
        }
        self.operator(b'/');
    }

    fn unsure(&mut self) {
        self.found.unsure.get_or_insert(self.at);
    }

    fn beyond_ascii(&mut self) {
        let character = self.source[self.at..].chars().next().unwrap_or(' ');
        if character.is_alphanumeric() {
            self.word();
        } else if character.is_whitespace() || matches!(character, '\u{feff}' | '\u{180e}' | '\u{200b}') {
            self.after_line_end |= matches!(character, '\u{2028}' | '\u{2029}');
            self.at += character.len_utf8();
        } else {
            // Typographic quotes are a mistake that makes the parser stop; of others only a grammar knows.
            if !matches!(character, '\u{2018}'..='\u{201f}') {
                self.unsure();
            }
            self.token_begins(true);
            self.nest();
            self.ends(self.at + character.len_utf8(), Last::Operator);
        }
    }
}
