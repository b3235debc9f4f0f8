//! What authority `local` gives to engines without files and processes of their own: one service, run beside the interpreter.

use std::sync::Arc;

use crate::answer::Fault;
use crate::guard::Guard;
use crate::json::Json;

/// One operation on the machine that the host runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalOp {
    /// The operation's name, such as `fs.readFile`.
    pub name: String,
    /// Its arguments.
    pub arguments: Json,
    /// Bytes to write, where there are some.
    pub bytes: Option<Arc<[u8]>>,
}

/// What an operation gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalValue {
    /// A value.
    Json(Json),
    /// Bytes.
    Bytes(Arc<[u8]>),
}

/// Where an operation's result goes; calling it wakes the interpreter.
pub type LocalDone = Box<dyn FnOnce(Result<LocalValue, Fault>) + Send>;

/// Files, processes, network and imports for programs that have authority `local`.
///
/// Waiting for what was begun is no computing; what is performed is.
pub trait Local: Send + Sync {
    /// Does it now, on the interpreter's thread.
    ///
    /// # Errors
    /// When the operation failed.
    fn perform(&self, op: LocalOp, guard: &Arc<Guard>) -> Result<LocalValue, Fault>;

    /// Begins it elsewhere, and calls `done` once.
    fn begin(&self, op: LocalOp, guard: &Arc<Guard>, done: LocalDone);
}
