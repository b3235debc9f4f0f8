//! What authority `local` gives to engines without files and processes of their own: one service, run beside the interpreter.

use std::sync::Arc;

use crate::guard::{Guard, Reserved};
use crate::json::Json;

/// One operation on the machine that the program runs on: a name, a document and byte parts, so that whoever passes it on need not know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalOp {
    /// The operation's name, such as `fs.readFile`.
    pub name: String,
    /// Its arguments, one object. Paths in it are absolute: a working directory is the program's own affair.
    pub arguments: Json,
    /// Bytes that it takes: what to write, what to send.
    pub parts: Vec<Arc<[u8]>>,
}

/// What an operation gave.
#[derive(Debug)]
pub struct LocalAnswer {
    /// A value.
    pub value: Json,
    /// Bytes: what was read, what a process wrote.
    pub parts: Vec<Arc<[u8]>>,
    /// Counts the parts in the guard until the program has them.
    pub held: Option<Reserved>,
}

impl LocalAnswer {
    /// An answer without bytes.
    #[must_use]
    pub fn of(value: Json) -> Self {
        Self { value, parts: Vec::new(), held: None }
    }
}

/// Why an operation failed, in the fields that programs read from such errors.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LocalFault {
    /// What it was, such as `ENOENT`, or a word such as `ERR_MODULE_NOT_FOUND`.
    pub code: String,
    /// The operating system's number, negative, where it has one.
    pub errno: Option<i32>,
    /// What was being done, such as `open`.
    pub syscall: Option<Box<str>>,
    /// The path or the program that it was done to.
    pub path: Option<Box<str>>,
    /// The second path, of what has two.
    pub dest: Option<Box<str>>,
    /// The whole message, at most 2,000 bytes.
    pub message: String,
}

/// Where an operation's result goes; calling it wakes the interpreter.
pub type LocalDone = Box<dyn FnOnce(Result<LocalAnswer, LocalFault>) + Send>;

/// Files, processes, network and imports for programs that have authority `local`.
///
/// Waiting for what was begun is no computing; what is performed is. Both look at the guard: once a bound has fired, what waits ends
/// soon, and what is given is dropped.
pub trait Local: Send + Sync {
    /// Does it now, on the interpreter's thread.
    ///
    /// # Errors
    /// When the operation failed, or the run is over.
    fn perform(&self, op: LocalOp, guard: &Arc<Guard>) -> Result<LocalAnswer, LocalFault>;

    /// Begins it elsewhere, does not block, and calls `done` once.
    fn begin(&self, op: LocalOp, guard: &Arc<Guard>, done: LocalDone);

    /// Ends what was begun under this guard and goes on: its processes, with all of their group, and what waits. Called once a run, at its end.
    fn ended(&self, guard: &Arc<Guard>);
}
