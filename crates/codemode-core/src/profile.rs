//! Profiles: what a program sees and what it gets back, as data.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::{Budgets, Ceilings};

/// The language a program is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Language {
    /// Lua 5.1 as LuaJIT reads it.
    Lua,
    /// JavaScript, with erasable TypeScript.
    JavaScript,
}

impl Language {
    /// The language's name in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lua => "lua",
            Self::JavaScript => "javascript",
        }
    }
}

/// Which of the four contracts a profile follows: entry form, surface and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Form {
    /// A Lua chunk with synchronous `tool.name{...}`.
    Script,
    /// A synchronous JavaScript function body with `tools.call`.
    Batch,
    /// An asynchronous JavaScript program with `await tools.name(...)`.
    Program,
    /// A JavaScript cell with `scratch` and committed `state`.
    Cell,
}

impl Form {
    /// Every form, in the order in which they are documented.
    pub const ALL: [Self; 4] = [Self::Script, Self::Batch, Self::Program, Self::Cell];

    /// The form's word, which is also its profile's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Batch => "batch",
            Self::Program => "program",
            Self::Cell => "cell",
        }
    }
}

/// What a program may touch besides the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Authority {
    /// Nothing: the tools are all there is.
    None,
    /// What the host's own process may: files, processes, environment.
    Local,
}

/// Where an interpreter lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Isolation {
    /// On a thread of the host's process: bounds are as good as the engine allows.
    Thread,
    /// In a process of its own, which can be killed.
    Process,
}

/// What a program sees and what it gets back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The contract it follows.
    pub form: Form,
    /// The language it reads.
    pub language: Language,
    /// The name of the table of raw helpers in a `script`, and of the object with the tools in a `cell` (`host`); the embedder's to
    /// set.
    pub namespace: Arc<str>,
    /// The name and the version of the host that `host.version` tells a program.
    pub host_version: Arc<str>,
    /// The limits of a run that asks for none of its own.
    pub budgets: Budgets,
    /// The greatest limits that a run may ask for.
    pub ceilings: Ceilings,
    /// What a program may touch besides the tools.
    pub authority: Authority,
    /// Where it should run. A [`Runner`](crate::Runner) runs it in a thread whatever this says; it is for who has workers, or must
    /// refuse what wants one.
    pub isolation: Isolation,
    /// How long calls in flight are awaited after a stop; one still silent then is `unknown`.
    pub settle: Duration,
    /// Whether the returned value is output: it is what comes back where nothing was printed, cut like output.
    pub value_is_output: bool,
    /// Whether a run needs an intent of its host's: one without a nonblank intent is a [`HostError`](crate::HostError).
    pub intent_required: bool,
    /// Whether each call needs a nonblank `intent` among its arguments; the host's to set, off by default.
    ///
    /// The tool gets its arguments without it, and the layers get it as
    /// [`CallContext::intent`](crate::CallContext::intent). A tool of a server has its own arguments inside `arguments` then:
    /// `{intent, arguments}`. A call without one is invalid arguments and not dispatched.
    pub call_intents: bool,
}

impl Profile {
    /// The same profile with another authority.
    #[must_use]
    pub fn with_authority(mut self, authority: Authority) -> Self {
        self.authority = authority;
        self
    }

    /// The same profile with other default budgets.
    #[must_use]
    pub fn with_budgets(mut self, budgets: Budgets) -> Self {
        self.budgets = budgets;
        self
    }

    /// The same profile with another name for the host's table or object.
    #[must_use]
    pub fn with_namespace(mut self, namespace: impl Into<Arc<str>>) -> Self {
        self.namespace = namespace.into();
        self
    }

    /// The same profile with other ceilings: the greatest budgets that a run may ask for.
    #[must_use]
    pub fn with_ceilings(mut self, ceilings: Ceilings) -> Self {
        self.ceilings = ceilings;
        self
    }

    /// The same profile in another isolation.
    #[must_use]
    pub fn with_isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// The same profile with another time for which calls in flight are awaited after a stop.
    #[must_use]
    pub fn with_settle(mut self, settle: Duration) -> Self {
        self.settle = settle;
        self
    }

    /// The same profile, in which a run needs an intent or does not.
    #[must_use]
    pub fn with_intent_required(mut self, required: bool) -> Self {
        self.intent_required = required;
        self
    }

    /// The same profile, in which each call needs an intent of its own or does not.
    #[must_use]
    pub fn with_call_intents(mut self, needed: bool) -> Self {
        self.call_intents = needed;
        self
    }

    /// The profile's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.form.as_str()
    }
}
