//! Compiles a pattern for our matcher: its parts, with what is known about the rest of the pattern after each.

use std::cell::OnceCell;

use super::classify::Bounds;
use super::fault::PatternFault;
use super::parse::{self, CaptureKind, Part, Repeat};
use super::rest::Rest;
use super::set::{ByteSet, Tables, Test};

/// The deepest that LuaJIT lets calls of its matcher nest.
pub(super) const MAX_DEPTH: usize = 200;

/// Where something may match: the bytes it can begin with, and whether it can at the subject's end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) first: Test,
    pub(super) at_end: bool,
}

/// One instruction; the next one follows it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Op {
    /// The bytes `from..to` of the pattern.
    Bytes {
        from: u32,
        to: u32,
    },
    One(Test),
    Optional {
        test: Test,
        rest: Entry,
        /// Whether the item is taken for good where it matches.
        settled: bool,
    },
    /// The longest run, then shorter ones.
    Most {
        test: Test,
        rest: Entry,
        at_least_once: bool,
    },
    /// The longest run and no other.
    Run {
        test: Test,
        at_least_once: bool,
    },
    /// The shortest run, then longer ones.
    Least {
        test: Test,
        /// The bytes at which its run is looked at: those that are not in it, and those with which the rest can begin.
        pause: Test,
        rest: Entry,
    },
    Open(u8),
    Close(u8),
    Balanced {
        open: u8,
        close: u8,
    },
    Frontier(Test),
    Again(u8),
    SubjectEnd,
    Matched,
    Raise(PatternFault),
}

/// What a `^` at the start of a pattern means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caret {
    /// The match must begin where the search begins: `find`, `match` and `gsub`.
    Anchors,
    /// It is a byte like any other: `gmatch`.
    Literal,
}

impl Caret {
    /// Whether the pattern is anchored.
    pub(super) fn anchors(self, pattern: &[u8]) -> bool {
        self == Self::Anchors && pattern.first() == Some(&b'^')
    }
}

/// A compiled pattern. It does not hold the pattern's bytes, which are given to it again when it runs.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) tables: Tables,
    pub(super) captures: Vec<CaptureKind>,
    pub(super) anchored: bool,
    /// Where the whole pattern may match.
    pub(super) entry: Entry,
    /// The repeat that the pattern begins with: where it fails, it fails from all of its run.
    pub(super) lead: Option<usize>,
    /// How deep LuaJIT is nested at each instruction, options taken apart; empty where it cannot come too deep.
    pub(super) depths: Vec<usize>,
    caret: Caret,
    bounds: OnceCell<Bounds>,
}

impl Program {
    pub(super) fn compile(pattern: &[u8], caret: Caret) -> Self {
        let anchored = caret.anchors(pattern);
        let parsed = parse::parse(pattern, usize::from(anchored));
        let parts = &parsed.parts;
        let depths = depths(parts);
        let mut compiler = Compiler { tables: Tables::default(), exact: !depths.is_empty() };
        let mut rest = Rest::end();
        let mut ops = Vec::with_capacity(parts.len() + 1);
        ops.push(Op::Matched);
        for part in parts.iter().rev() {
            ops.push(compiler.op(part, &rest));
            rest.put_before(part, pattern);
        }
        ops.reverse();
        let entry = compiler.entry(&rest);
        Self {
            lead: lead(parts),
            ops,
            tables: compiler.tables,
            captures: parsed.captures,
            anchored,
            entry,
            depths,
            caret,
            bounds: OnceCell::new(),
        }
    }

    /// What LuaJIT's own functions need at most with `pattern`, from which this was compiled.
    pub(super) fn bounds(&self, pattern: &[u8]) -> &Bounds {
        self.bounds.get_or_init(|| Bounds::of(pattern, self.caret))
    }
}

struct Compiler {
    tables: Tables,
    /// Nothing is left out that LuaJIT would try, as it may be nested too deep there.
    exact: bool,
}

impl Compiler {
    fn op(&mut self, part: &Part, rest: &Rest) -> Op {
        match *part {
            // LuaJIT's strings are shorter than 2 GiB.
            Part::Bytes { from, to } => Op::Bytes { from: from as u32, to: to as u32 },
            Part::Item { set, repeat, .. } => self.item(&set, repeat, rest),
            Part::Open { capture } | Part::Position { capture } => Op::Open(capture),
            Part::Close { capture } => Op::Close(capture),
            Part::Balanced { open, close } => Op::Balanced { open, close },
            Part::Frontier { set, .. } => Op::Frontier(self.tables.test(&set)),
            Part::Again { capture } => Op::Again(capture),
            Part::SubjectEnd => Op::SubjectEnd,
            Part::Raise(fault) => Op::Raise(fault),
        }
    }

    fn item(&mut self, set: &ByteSet, repeat: Repeat, rest: &Rest) -> Op {
        let test = self.tables.test(set);
        let refuses = !self.exact && rest.refuses(set);
        let settled = refuses || (!self.exact && !rest.can_fail);
        let sure = !self.exact && rest.is_sure_after_all_of(set);
        match repeat {
            Repeat::Once => Op::One(test),
            Repeat::Optional => Op::Optional { test, rest: self.entry(rest), settled },
            Repeat::Most { at_least_once } if refuses || sure => Op::Run { test, at_least_once },
            Repeat::Most { at_least_once } => Op::Most { test, rest: self.entry(rest), at_least_once },
            Repeat::Least if refuses => Op::Run { test, at_least_once: false },
            Repeat::Least => {
                let rest_first = if self.exact { ByteSet::ALL } else { rest.first };
                let pause = self.tables.test(&set.complement().union(rest_first));
                Op::Least { test, pause, rest: self.entry(rest) }
            }
        }
    }

    fn entry(&mut self, rest: &Rest) -> Entry {
        if self.exact {
            return Entry { first: Test::Any, at_end: true };
        }
        Entry { first: self.tables.test(&rest.first), at_end: rest.at_end }
    }
}

/// The repeat that a pattern begins with, captures aside; none where a later part looks at what was captured.
fn lead(parts: &[Part]) -> Option<usize> {
    let is_capture = |part: &Part| matches!(part, Part::Open { .. } | Part::Position { .. } | Part::Close { .. });
    let first = parts.iter().position(|part| !is_capture(part))?;
    let repeats = matches!(parts[first], Part::Item { repeat: Repeat::Most { .. } | Repeat::Least, .. });
    let looks_back = parts.iter().any(|part| matches!(part, Part::Again { .. }));
    (repeats && !looks_back).then_some(first)
}

/// LuaJIT's depth at each part and past the last, or nothing when no match can come too deep.
fn depths(parts: &[Part]) -> Vec<usize> {
    let deeper = |part: &Part| match part {
        Part::Open { .. } | Part::Position { .. } | Part::Close { .. } => 1,
        Part::Item { repeat: Repeat::Most { .. } | Repeat::Least, .. } => 1,
        _ => 0,
    };
    let may_be_deeper = |part: &Part| usize::from(matches!(part, Part::Item { repeat: Repeat::Optional, .. }));
    let deepest: usize = 1 + parts.iter().map(|part| deeper(part) + may_be_deeper(part)).sum::<usize>();
    if deepest <= MAX_DEPTH {
        return Vec::new();
    }
    let after = parts.iter().scan(1, |depth, part| {
        *depth += deeper(part);
        Some(*depth)
    });
    std::iter::once(1).chain(after).collect()
}
