//! Names that stand for nothing that a program can call, and what is said of them.

use std::fmt;
use std::sync::Arc;

use crate::answer::{Fault, code};
use crate::text::{cut, one_line, prefix};

/// A name that stands for nothing that a program can call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The name asked for, at most 200 bytes of it.
    pub name: String,
    /// At most three names like it, best first.
    pub nearest: Vec<String>,
    /// Whether there is such a tool, but not for programs.
    pub not_for_programs: bool,
    /// The server whose tool it would be and why it is not there, where that is why.
    pub unavailable: Option<Unavailable>,
}

/// A server that was touched and gave no tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    /// The server's name.
    pub server: Arc<str>,
    /// Why it is not there, as its host says.
    pub why: Arc<str>,
}

impl fmt::Display for Unavailable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = one_line(prefix(&self.why, 2 * WHY_BYTES));
        write!(formatter, "server \"{}\" is not available: {}", shown(&self.server), cut(&why, WHY_BYTES))
    }
}

/// The most that is told of why a server is not there, in bytes.
const WHY_BYTES: usize = 500;

impl Missing {
    /// A name of which nothing more is known than that nothing has it.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: prefix(name, 200).to_owned(), nearest: Vec::new(), not_for_programs: false, unavailable: None }
    }

    /// What a call of the name is answered: the message, its code, and the nearest name as the way to mend it.
    #[must_use]
    pub fn fault(&self, roster: &str) -> Fault {
        let code = if self.unavailable.is_some() { code::UNAVAILABLE } else { code::UNKNOWN_TOOL };
        let fault = Fault::new(code, self.message(roster));
        match self.nearest.first() {
            Some(nearest) => fault.with_fix(nearest.as_str()),
            None => fault,
        }
    }

    /// One sentence on what was asked for and what there is; `roster` is how a program lists the tools.
    #[must_use]
    pub fn message(&self, roster: &str) -> String {
        let name = shown(&self.name);
        if let Some(unavailable) = &self.unavailable {
            return format!("tool \"{name}\" cannot be called, since {unavailable}");
        }
        if self.not_for_programs {
            return format!("tool \"{name}\" cannot be called from a program; {roster} lists what can");
        }
        match self.nearest.as_slice() {
            [] => format!("there is no tool \"{name}\"; {roster} lists what there is"),
            names => format!("there is no tool \"{name}\"; did you mean {}? {roster} lists what there is", quoted(names)),
        }
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{}\"", shown(name))).collect::<Vec<_>>().join(" or ")
}

/// A name in a message: on its line, and at most 100 bytes long.
fn shown(name: &str) -> String {
    cut(&one_line(prefix(name, 200)), 100).into_owned()
}
