//! The four calls of Lua's `string` library over the counting matcher, without any engine's types.

use std::rc::Rc;

use codemode_core::Stopped;

use super::matcher::{Capture, Machine, Match};
use super::meter::{Halt, Meter};
use super::program::{Caret, Program};

/// A compiled pattern with its bytes.
#[derive(Debug, Clone)]
pub(crate) struct Pattern<'p> {
    program: Rc<Program>,
    bytes: &'p [u8],
    is_known: bool,
}

impl<'p> Pattern<'p> {
    /// Compiles a pattern; what is wrong with it shows only when a match comes to it, as in LuaJIT.
    pub(crate) fn new(bytes: &'p [u8], caret: Caret) -> Self {
        Self { program: Rc::new(Program::compile(bytes, caret)), bytes, is_known: false }
    }

    /// A pattern that was compiled before.
    pub(super) fn known(program: &Rc<Program>, bytes: &'p [u8]) -> Self {
        Self { program: Rc::clone(program), bytes, is_known: true }
    }

    pub(super) fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// Whether it was used before, as far as a cache remembers.
    pub(crate) fn is_known(&self) -> bool {
        self.is_known
    }

    /// The longest subject for which LuaJIT's own `find`, `match` and `gmatch` end within few steps, where one of `subject`
    /// bytes is not too long.
    pub(crate) fn longest_own_search(&self, subject: usize) -> Option<usize> {
        self.program.bounds(self.bytes).longest_for_search(self.bytes, subject)
    }

    /// The longest subject for which LuaJIT's own `gsub` ends within few steps when it replaces with a string of at most so
    /// many bytes, where one of `subject` bytes is not too long.
    pub(crate) fn longest_own_substitution(&self, replacement: usize, subject: usize) -> Option<usize> {
        self.program.bounds(self.bytes).longest_for_substitution(replacement, subject)
    }

    /// The matcher of this pattern over a subject.
    pub(crate) fn over<'a>(&'a self, subject: &'a [u8]) -> Matcher<'a> {
        Matcher { machine: Machine::new(&self.program, self.bytes, subject) }
    }
}

/// A pattern over a subject: `find` and `match` are [`Matcher::search`], `gmatch` an [`Iteration`], `gsub` a [`Substitution`].
#[derive(Debug)]
pub(crate) struct Matcher<'a> {
    machine: Machine<'a>,
}

impl Matcher<'_> {
    /// The first match from offset `from` on; an anchored pattern matches only there.
    pub(crate) fn search(&mut self, from: usize, meter: &mut Meter<'_>) -> Result<Option<Match<'_>>, Halt> {
        Ok(self.machine.search(from, meter)?.then(|| self.machine.found()))
    }
}

/// How far a `gmatch` has come, or any other that wants one match after the other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Iteration {
    from: usize,
}

impl Iteration {
    /// Before the first match.
    pub(crate) const START: Self = Self { from: 0 };

    /// The next match, or nothing at the end and ever after.
    pub(crate) fn next<'m>(&mut self, matcher: &'m mut Matcher<'_>, meter: &mut Meter<'_>) -> Result<Option<Match<'m>>, Halt> {
        Ok(self.advance(&mut matcher.machine, meter)?.then(|| matcher.machine.found()))
    }

    /// Whether there is another match, which the machine then has.
    fn advance(&mut self, machine: &mut Machine<'_>, meter: &mut Meter<'_>) -> Result<bool, Halt> {
        let end = machine.subject().len();
        if self.from > end || !machine.search(self.from, meter)? {
            self.from = end + 1;
            return Ok(false);
        }
        // An empty match goes on one byte later, which past the subject's end is the end, and an anchored one never.
        let whole = machine.found().whole();
        self.from = match (machine.is_anchored(), whole.is_empty()) {
            (true, _) => end + 1,
            (false, true) => whole.end + 1,
            (false, false) => whole.end,
        };
        Ok(true)
    }
}

/// How far a `gsub` has come: it goes on after its last whole replacement when it is run again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Substitution {
    iteration: Iteration,
    kept_from: usize,
    replaced: u64,
}

impl Substitution {
    /// Before the first match.
    pub(crate) const START: Self = Self { iteration: Iteration::START, kept_from: 0, replaced: 0 };

    /// How many matches were replaced.
    pub(crate) fn replaced(&self) -> u64 {
        self.replaced
    }

    /// Hands the subject to `output`, with matches replaced until `most` are.
    ///
    /// `replace` is called for each match in turn and puts its replacement into the output; to keep a match it puts the
    /// match itself. What was put out since the last replacement is void after an error.
    pub(crate) fn run<O: Output, E: From<Halt>>(
        &mut self,
        matcher: &mut Matcher<'_>,
        most: u64,
        meter: &mut Meter<'_>,
        output: &mut O,
        mut replace: impl FnMut(&Match<'_>, &mut Meter<'_>, &mut O) -> Result<(), E>,
    ) -> Result<(), E> {
        let machine = &mut matcher.machine;
        let subject = machine.subject();
        let mut iteration = self.iteration;
        while self.replaced < most && iteration.advance(machine, meter)? {
            let found = machine.found();
            let whole = found.whole();
            put(output, &subject[self.kept_from..whole.start], meter)?;
            replace(&found, meter, output)?;
            *self = Self { iteration, kept_from: whole.end, replaced: self.replaced + 1 };
        }
        // Should there be no room for the rest, it need not be searched again.
        self.iteration = Iteration { from: subject.len() + 1 };
        Ok(put(output, &subject[self.kept_from..], meter)?)
    }
}

/// Takes what a substitution makes, and may refuse it.
pub(crate) trait Output {
    /// Appends bytes, or says that the run was stopped.
    fn push(&mut self, bytes: &[u8]) -> Result<(), Stopped>;
}

#[inline]
fn put(output: &mut impl Output, bytes: &[u8], meter: &mut Meter<'_>) -> Result<(), Halt> {
    meter.spend(1 + bytes.len() / 16)?;
    if !bytes.is_empty() && output.push(bytes).is_err() {
        return Err(meter.stop());
    }
    Ok(())
}

/// A replacement string: `%0` to `%9` are the match and its captures, any other byte after `%` is itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Template<'t> {
    bytes: &'t [u8],
    is_plain: bool,
}

impl<'t> Template<'t> {
    pub(crate) fn new(bytes: &'t [u8]) -> Self {
        Self { bytes, is_plain: memchr::memchr(b'%', bytes).is_none() }
    }

    /// Puts what replaces a match into the output.
    #[inline]
    pub(crate) fn expand(&self, found: &Match<'_>, subject: &[u8], meter: &mut Meter<'_>, output: &mut impl Output) -> Result<(), Halt> {
        let mut rest = self.bytes;
        while !self.is_plain
            && let Some(percent) = memchr::memchr(b'%', rest)
        {
            put(output, &rest[..percent], meter)?;
            // LuaJIT reads the NUL behind the string where a `%` ends it.
            let byte = rest.get(percent + 1).copied().unwrap_or(0);
            rest = rest.get(percent + 2..).unwrap_or_default();
            match byte {
                b'0' => put(output, &subject[found.whole()], meter)?,
                b'1'..=b'9' => match found.value(usize::from(byte - b'1')).map_err(Halt::Fault)? {
                    Capture::Text(range) => put(output, &subject[range], meter)?,
                    Capture::Position(position) => put(output, position.to_string().as_bytes(), meter)?,
                },
                _ => put(output, &[byte], meter)?,
            }
        }
        put(output, rest, meter)
    }
}

/// The offset at which a search begins whose program gave `init`, counted from 1, or from the end where it is negative.
pub(crate) fn search_start(init: i64, subject: usize) -> usize {
    let from_one = usize::try_from(init.saturating_sub(1)).unwrap_or(0);
    if init < 0 {
        return subject.saturating_sub(usize::try_from(init.unsigned_abs()).unwrap_or(usize::MAX));
    }
    from_one.min(subject)
}
