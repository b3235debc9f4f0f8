//! The messages.

use std::sync::Arc;

use codemode_core::{Ask, Bound, Budgets, Json, Missing, Profile, Resolved, Support, ToolSpec, Unavailable};
use serde::{Deserialize, Serialize};

use super::answer::WireAnswer;
use super::ended::{WireEnd, WireRaised};
use super::frames::FrameError;
use super::malformed;
use crate::sandbox::{Enforced, SandboxOptions};

/// What a host says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToChild<'a> {
    /// The first message.
    Hello(Hello),
    /// What does this engine support?
    Describe { engine: &'a str },
    /// Make an interpreter, and drop the one there is.
    Open { engine: &'a str, profile: Box<Profile>, deterministic: bool },
    /// Parse this.
    Check { source: &'a str },
    /// Run this.
    Run { source: &'a str, cwd: &'a str, state: Option<&'a str>, budgets: Box<Budgets>, seed: Option<(u64, u64)> },
    /// Drop the interpreter, say so, and make a fresh one.
    Renew,
    /// An answer ends a wait.
    Answer { id: u64, took_ns: u64, answer: WireAnswer<'a> },
    /// The time that was waited for has come.
    Due,
    /// The worker woke itself.
    Woken,
    /// The run is over.
    Stopped,
    /// What a name stands for.
    Resolved(#[serde(borrow)] WireResolved<'a>),
    /// All tools.
    Tools(#[serde(borrow)] Vec<WireTool<'a>>),
}

/// What a worker is told first.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Hello {
    pub(crate) version: u32,
    /// The stack of its main thread, in bytes.
    pub(crate) stack_bytes: u64,
    pub(crate) sandbox: SandboxOptions,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToParent<'a> {
    /// The first message: what it is, and what holds it.
    Ready { version: u32, enforced: Box<Enforced> },
    /// What an engine supports, and the cases that it is known not to pass, with the reasons.
    Described { support: Support, gaps: Vec<(&'a str, &'a str)> },
    /// There is a fresh interpreter.
    Opened,
    /// The engine panicked. The worker is of no use any more.
    Panicked { message: &'a str },
    /// The engine broke, or has no such interpreter.
    Broke { message: &'a str },
    /// What was wrong with a text that was to be parsed.
    Checked(#[serde(borrow)] Option<WireRaised<'a>>),
    /// The program asks its host.
    Ask { id: u64, ask: WireAsk<'a> },
    /// The program printed this, and so many bytes more that do not fit.
    Print { text: &'a str, skipped: u64 },
    /// The program used a raw function that may change the world.
    RawEffect,
    /// The program waits, at most so long.
    Wait { until_ns: Option<u64>, held: u64, peak: u64 },
    /// The worker woke itself while it waits.
    Awake,
    /// What does this name stand for?
    Resolve { name: &'a str },
    /// What tools are there?
    Tools,
    /// The program ended.
    Ended {
        end: WireEnd<'a>,
        value: Option<WireValue<'a>>,
        state: Option<&'a str>,
        warnings: Vec<&'a str>,
        fired: Option<(Bound, u64)>,
        held: u64,
        peak: u64,
        processor_ns: u64,
    },
}

/// What a program returned.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum WireValue<'a> {
    Json(&'a str),
    Text(&'a str),
}

/// An [`Ask`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WireAsk<'a> {
    Call { name: &'a str, arguments: &'a str, intent: Option<&'a str> },
    List,
    Search { query: &'a str, all_words: bool, offset: usize, limit: usize },
    Describe { name: &'a str },
    Open { handle: &'a str, offset: u64, limit: u64 },
    Budget,
}

/// A [`Resolved`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WireResolved<'a> {
    Tool(#[serde(borrow)] WireTool<'a>),
    Namespace(&'a str),
    Missing { name: &'a str, nearest: Vec<&'a str>, not_for_programs: bool, unavailable: Option<(&'a str, &'a str)> },
}

/// What an interpreter must know of a tool: its names.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct WireTool<'a> {
    name: &'a str,
    namespace: Option<&'a str>,
    short_name: &'a str,
}

impl<'a> WireAsk<'a> {
    /// Nothing for a kind that this version does not know.
    pub(crate) fn of(ask: &'a Ask) -> Option<Self> {
        Some(match ask {
            Ask::Call { name, arguments, intent } => Self::Call { name, arguments: arguments.text(), intent: intent.as_deref() },
            Ask::List => Self::List,
            Ask::Search { query, all_words, offset, limit } => {
                Self::Search { query, all_words: *all_words, offset: *offset, limit: *limit }
            }
            Ask::Describe { name } => Self::Describe { name },
            Ask::Open { handle, offset, limit } => Self::Open { handle, offset: *offset, limit: *limit },
            Ask::Budget => Self::Budget,
            _ => return None,
        })
    }

    /// A host believes nothing that its worker says: arguments are one JSON document, or the worker is broken.
    pub(crate) fn read(self) -> Result<Ask, FrameError> {
        Ok(match self {
            Self::Call { name, arguments, intent } => Ask::Call {
                name: name.to_owned(),
                arguments: Json::parse(arguments).map_err(|error| malformed(&error))?,
                intent: intent.map(str::to_owned),
            },
            Self::List => Ask::List,
            Self::Search { query, all_words, offset, limit } => Ask::Search { query: query.to_owned(), all_words, offset, limit },
            Self::Describe { name } => Ask::Describe { name: name.to_owned() },
            Self::Open { handle, offset, limit } => Ask::Open { handle: handle.to_owned(), offset, limit },
            Self::Budget => Ask::Budget,
        })
    }
}

impl<'a> WireResolved<'a> {
    pub(crate) fn of(resolved: &'a Resolved) -> Self {
        match resolved {
            Resolved::Tool(tool) => Self::Tool(WireTool::of(tool)),
            Resolved::Namespace(namespace) => Self::Namespace(namespace),
            Resolved::Missing(missing) => Self::Missing {
                name: &missing.name,
                nearest: missing.nearest.iter().map(String::as_str).collect(),
                not_for_programs: missing.not_for_programs,
                unavailable: missing.unavailable.as_ref().map(|unavailable| (&*unavailable.server, &*unavailable.why)),
            },
        }
    }

    pub(crate) fn read(self) -> Resolved {
        match self {
            Self::Tool(tool) => Resolved::Tool(Arc::new(tool.read())),
            Self::Namespace(namespace) => Resolved::Namespace(namespace.into()),
            Self::Missing { name, nearest, not_for_programs, unavailable } => Resolved::Missing(Missing {
                name: name.to_owned(),
                nearest: nearest.into_iter().map(str::to_owned).collect(),
                not_for_programs,
                unavailable: unavailable.map(|(server, why)| Unavailable { server: server.into(), why: why.into() }),
            }),
        }
    }
}

impl<'a> WireTool<'a> {
    pub(crate) fn of(tool: &'a ToolSpec) -> Self {
        Self { name: &tool.name, namespace: tool.namespace.as_deref(), short_name: &tool.short_name }
    }

    pub(crate) fn read(self) -> ToolSpec {
        let tool = ToolSpec::new(self.name);
        match self.namespace {
            Some(namespace) => tool.in_namespace(namespace, self.short_name),
            None => ToolSpec { short_name: self.short_name.into(), ..tool },
        }
    }
}
