//! The implementer's interface: what an engine and its interpreters are.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::guard::Guard;
use crate::handle::{CallId, Handle};
use crate::json::Json;
use crate::local::Local;
use crate::profile::{Authority, Form, Profile};

/// Something that runs programs of one language.
///
/// Blame: whatever a program does is data in [`Ended`]; an [`EngineError`] says that the engine itself broke.
/// Adapters are thin and synchronous; they count, schedule and decide nothing.
pub trait Engine: Send + Sync {
    /// The engine's word: folder suffix, feature, docs page.
    fn id(&self) -> &'static str;

    /// What it supports.
    fn support(&self) -> Support;

    /// The conformance cases that it is known not to pass; one that passes fails the suite.
    fn gaps(&self) -> &'static [Gap];

    /// Parses `source` as [`Interpreter::run`] would, and runs nothing.
    ///
    /// # Errors
    /// What is wrong with the program.
    fn check(&self, spec: &OpenSpec, source: &str) -> Result<(), Raised>;

    /// Makes an interpreter on the thread that will run and drop it.
    ///
    /// The guard is the interpreter's, and is armed anew before each run.
    ///
    /// # Errors
    /// When the engine cannot start, or has no such profile.
    fn open(&self, spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError>;
}

/// One live instance of an engine. It stays on the thread that made it.
pub trait Interpreter {
    /// What the watchdog fires to stop a program that computes.
    fn interrupt(&self) -> Arc<dyn Interrupt>;

    /// Runs one program to its end. The handle is the program's only way out and says `Stopped` once the run is over.
    ///
    /// The driver reads the latch itself, so that an adapter reports how the program ended and not why it was stopped.
    ///
    /// # Errors
    /// When the engine broke, never for anything that the program did.
    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError>;
}

/// Stops a program from another thread.
pub trait Interrupt: Send + Sync {
    /// Makes the interpreter look at its latch soon. Called again and again until `run` returns; harmless after the drop.
    fn interrupt(&self);
}

/// How an interpreter is made.
#[derive(Clone)]
pub struct OpenSpec {
    /// What its programs see.
    pub profile: Profile,
    /// Whether iteration order, addresses, clocks and random numbers must be the same in each run.
    pub deterministic: bool,
    /// The stack of the thread it lives on, in bytes.
    pub stack_bytes: usize,
    /// What authority `local` gives, for engines that have no files and processes of their own.
    pub local: Option<Arc<dyn Local>>,
}

impl OpenSpec {
    /// What authority `local` gives, where the profile has that authority and the host a service for it.
    #[must_use]
    pub fn granted_local(&self) -> Option<Arc<dyn Local>> {
        self.local.clone().filter(|_| self.profile.authority == Authority::Local)
    }
}

impl fmt::Debug for OpenSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("OpenSpec")
            .field("profile", &self.profile)
            .field("deterministic", &self.deterministic)
            .finish_non_exhaustive()
    }
}

/// What one run of an interpreter gets.
#[derive(Debug, Clone)]
pub struct Input {
    /// The program.
    pub source: Arc<str>,
    /// The working directory that the program is told.
    pub cwd: Arc<str>,
    /// Committed state, for a profile that has it.
    pub state: Option<Json>,
}

/// How one run of an interpreter ended.
#[derive(Debug)]
pub struct Ended {
    /// How the program ended.
    pub end: End,
    /// What it returned, if it returned.
    pub value: Option<Value>,
    /// State to commit, for a profile that has it.
    pub state: Option<Json>,
    /// What the reader of the outcome should know.
    pub warnings: Vec<String>,
    /// What the processor spent on it, where it had a process of its own.
    pub processor: Option<Duration>,
}

impl Ended {
    /// An end without value, state or warnings.
    #[must_use]
    pub fn new(end: End) -> Self {
        Self { end, value: None, state: None, warnings: Vec::new(), processor: None }
    }
}

/// What a program returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A value that crossed as JSON.
    Json(Json),
    /// Text, for a profile whose returned value is output.
    Text(String),
}

/// How a program ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum End {
    /// It came to its end.
    Returned,
    /// It is no program: nothing in it ran.
    Compile(Raised),
    /// It raised, and nothing in it caught that.
    Raised(Raised),
    /// It waits for something that nothing can settle.
    NeverSettles,
    /// It was stopped by a bound.
    Stopped,
    /// What ran it died.
    Died(Death),
}

/// What a program raised, safely read: no code of the program runs to make it text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Raised {
    /// The message, without traceback.
    pub message: String,
    /// The traceback without the interpreter's own frames.
    pub traceback: Option<String>,
    /// Where it was raised in the program.
    pub location: Option<Location>,
    /// The call whose refusal this very value is.
    pub refusal: Option<CallId>,
    /// How to mend it, where the adapter knows.
    pub fix: Option<String>,
}

/// A place in the program, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Location {
    /// The line.
    pub line: u32,
    /// The column, where the engine tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// How a worker died.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Death {
    /// What is known: a signal, an exit status.
    pub cause: String,
    /// Whether it died for want of memory.
    pub of_memory: bool,
}

/// The engine itself broke, or cannot do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("engine {engine}: {message}")]
pub struct EngineError {
    /// The engine's id.
    pub engine: &'static str,
    /// What broke.
    pub message: String,
}

/// What an engine supports. A case names what it needs, and does not run where that is missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Support {
    /// Has the form `script`.
    pub script: bool,
    /// Has the form `batch`.
    pub batch: bool,
    /// Has the form `program`.
    pub program: bool,
    /// Has the form `cell`.
    pub cell: bool,
    /// Reads erasable TypeScript.
    pub read_typescript: bool,
    /// Gives authority `local`.
    pub grant_local: bool,
    /// Gives it to cells where the host has a service for it: [`OpenSpec::local`].
    pub pass_local: bool,
    /// Runs deterministically.
    pub run_deterministic: bool,
    /// Stops any program that computes, from inside, without a process to kill.
    pub stop_compute: bool,
    /// Bounds memory from inside.
    pub bound_memory: bool,
}

impl Support {
    /// Whether it has this form.
    #[must_use]
    pub fn form(&self, form: Form) -> bool {
        match form {
            Form::Script => self.script,
            Form::Batch => self.batch,
            Form::Program => self.program,
            Form::Cell => self.cell,
        }
    }

    /// The flag of this name, as cases write it; nothing where there is no such flag.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        Some(match name {
            "script" => self.script,
            "batch" => self.batch,
            "program" => self.program,
            "cell" => self.cell,
            "read_typescript" => self.read_typescript,
            "grant_local" => self.grant_local,
            "pass_local" => self.pass_local,
            "run_deterministic" => self.run_deterministic,
            "stop_compute" => self.stop_compute,
            "bound_memory" => self.bound_memory,
            _ => return None,
        })
    }
}

/// A conformance case that an engine is known not to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The case's id, as on the engine's page of limitations.
    pub case: &'static str,
    /// Why.
    pub reason: &'static str,
}
