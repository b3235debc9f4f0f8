//! The contract of code mode, without an engine, a protocol or a file system in it.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answer;
mod approve;
mod budget;
mod call;
mod catalog;
mod discover;
mod driver;
mod engine;
mod evidence;
mod given_back;
mod guard;
mod handle;
mod host;
mod journal;
mod json;
mod kind;
mod layer;
mod ledger;
mod local;
mod nearest;
mod observe;
mod outcome;
mod output;
mod presets;
mod profile;
mod render;
mod spill;
mod state;
pub mod text;
mod tool;

pub use answer::{Answer, Blob, Block, Content, Fault, code};
pub use approve::{Approval, Approver};
pub use budget::{BudgetError, Budgets, Ceilings, Range, Unit};
pub use call::{Call, CallContext, Control, Decision, Note, ParkRequest, RunId};
pub use catalog::{Catalog, DuplicateTool, Missing, Resolved, is_identifier};
pub use discover::discover_plainly;
pub use driver::{HostError, Run, RunRequest, Runner, RunnerBuilder, Session, Stopper, threads_left_behind};
pub use engine::{Death, End, Ended, Engine, EngineError, Gap, Input, Interpreter, Interrupt, Location, OpenSpec, Raised, Support, Value};
pub use guard::{Guard, Memory, Reserved, Stopped};
pub use handle::{Ask, CallId, Delivered, Handle, Next, Port, RunClock};
pub use host::{FnHost, ToolHost};
pub use journal::{Journal, JournalError, Recorder, Replayed, Room, RunStart};
pub use json::{Json, JsonError, MAX_JSON_DEPTH};
pub use kind::{Bound, FailureKind};
pub use layer::{Layer, Rest, Stage};
pub use ledger::{CallRecord, CallStatus, Effects, Ledger};
pub use local::{Local, LocalDone, LocalOp, LocalValue};
pub use nearest::nearest;
pub use observe::{Event, Observer};
pub use outcome::{Failure, MESSAGE_BYTES, Outcome, SHOWN_ARGUMENTS_BYTES, SHOWN_BLOBS, SHOWN_CALLS, Status, TRACEBACK_BYTES, Usage};
pub use profile::{Authority, Form, Isolation, Language, Profile};
pub use spill::Spill;
pub use tool::{Annotations, ToolSpec};
