//! The four calls of Lua's `string` library over the counting matcher, without any engine's types.

use std::rc::Rc;

use codemode_core::Stopped;

use super::classify::Route;
use super::matcher::{Capture, Machine, Match};
use super::meter::{Halt, Meter};
use super::program::{Caret, Program};

/// A compiled pattern with its bytes.
#[derive(Debug, Clone)]
pub(crate) struct Pattern<'p> {
    program: Rc<Program>,
    bytes: &'p [u8],
}

impl<'p> Pattern<'p> {
    /// Compiles a pattern; what is wrong with it shows only when a match comes to it, as in LuaJIT.
    pub(crate) fn new(bytes: &'p [u8], caret: Caret) -> Self {
        Self::with_program(Rc::new(Program::compile(bytes, caret)), bytes)
    }

    pub(super) fn with_program(program: Rc<Program>, bytes: &'p [u8]) -> Self {
        Self { program, bytes }
    }

    /// Who may take `find`, `match` or a step of `gmatch` over this many bytes of subject.
    pub(crate) fn route_search(&self, subject: usize) -> Route {
        self.program.bounds.search(subject)
    }

    /// Who may take `gsub` over this many bytes of subject; `template` is its replacement where that is a string, else empty.
    pub(crate) fn route_substitute(&self, subject: usize, template: &[u8]) -> Route {
        self.program.bounds.substitute(subject, template)
    }

    /// The longest subject that LuaJIT's own search may take within so many steps, if there is one.
    pub(crate) fn longest_own_search(&self, steps: u64) -> Option<usize> {
        self.program.bounds.search.longest_within(steps)
    }

    /// The matcher of this pattern over a subject.
    pub(crate) fn over<'a>(&'a self, subject: &'a [u8]) -> Matcher<'a> {
        Matcher { machine: Machine::new(&self.program, self.bytes, subject) }
    }
}

/// A pattern over a subject: `find` and `match` are [`Matcher::search`], the others keep their own state.
#[derive(Debug)]
pub(crate) struct Matcher<'a> {
    machine: Machine<'a>,
}

impl Matcher<'_> {
    /// The first match from offset `from` on; an anchored pattern matches only there.
    pub(crate) fn search(&mut self, from: usize, meter: &mut Meter<'_>) -> Result<Option<Match<'_>>, Halt> {
        Ok(self.machine.search(from, meter)?.then(|| self.machine.found()))
    }

    /// `gsub`: hands the subject to `output` with up to `most` matches replaced, and says how many were.
    ///
    /// `replace` is called for each match in turn and puts its replacement into the output; to keep a match it puts the
    /// match itself. Nothing is put out after a halt, and what was put out before it is void.
    pub(crate) fn substitute<O: Output, E: From<Halt>>(
        &mut self,
        most: u64,
        meter: &mut Meter<'_>,
        output: &mut O,
        mut replace: impl FnMut(&Match<'_>, &mut Meter<'_>, &mut O) -> Result<(), E>,
    ) -> Result<u64, E> {
        let subject = self.machine.subject();
        let mut walk = Walk::default();
        let (mut kept_from, mut replaced) = (0, 0);
        while replaced < most && walk.next(&mut self.machine, meter)? {
            let found = self.machine.found();
            let whole = found.whole();
            put(output, &subject[kept_from..whole.start], meter)?;
            replace(&found, meter, output)?;
            kept_from = whole.end;
            replaced += 1;
            if self.machine.is_anchored() {
                break;
            }
        }
        put(output, &subject[kept_from..], meter)?;
        Ok(replaced)
    }
}

/// The state of a `gmatch` between its steps.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Iteration {
    walk: Walk,
}

impl Iteration {
    /// The next match, or nothing at the end and ever after.
    pub(crate) fn next<'m>(&mut self, matcher: &'m mut Matcher<'_>, meter: &mut Meter<'_>) -> Result<Option<Match<'m>>, Halt> {
        Ok(self.walk.next(&mut matcher.machine, meter)?.then(|| matcher.machine.found()))
    }
}

/// How far matches that follow each other have come.
#[derive(Debug, Clone, Copy, Default)]
struct Walk {
    from: usize,
}

impl Walk {
    /// Whether there is another match, which the machine then has.
    fn next(&mut self, machine: &mut Machine<'_>, meter: &mut Meter<'_>) -> Result<bool, Halt> {
        if self.from > machine.subject().len() || !machine.search(self.from, meter)? {
            self.from = usize::MAX;
            return Ok(false);
        }
        // An empty match goes on one byte later; past the subject's end is the end.
        let whole = machine.found().whole();
        self.from = if whole.is_empty() { whole.end + 1 } else { whole.end };
        Ok(true)
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
