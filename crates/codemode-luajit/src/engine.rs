//! The engine: what it supports, and how its interpreters are made.

use std::fmt;
use std::sync::Arc;

use codemode_core::{Engine, EngineError, Gap, Guard, Interpreter, OpenSpec, Raised, Support};

use crate::interpreter::{LuaJitInterpreter, Setup, compiles};
use crate::probe;
use crate::sweep::Sweep;

/// The engine's id.
pub(crate) const ID: &str = "luajit";

/// LuaJIT: runs programs of the profile `script`.
///
/// Its compiler is on where compiled code can be made and stopped, which is found out once a process, when its first interpreter is
/// made: a sandbox that forbids new code comes before that. What a program sees is the same without it.
#[derive(Clone)]
pub struct LuaJit {
    jit: bool,
    sweep: Option<Sweep>,
}

impl LuaJit {
    /// The engine, with its compiler on where compiled code can be made and stopped.
    #[must_use]
    pub fn new() -> Self {
        Self { jit: true, sweep: None }
    }

    /// Whether the compiler may be on. It stays off all the same where compiled code cannot be made or stopped.
    #[must_use]
    pub fn with_jit(mut self, jit: bool) -> Self {
        self.jit = jit;
        self
    }

    /// Whether the compiler is on in interpreters of this engine.
    #[must_use]
    pub fn has_jit(&self) -> bool {
        self.jit && probe::may_compile()
    }

    /// Denies allocations by their number, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_sweep(mut self, sweep: Sweep) -> Self {
        self.sweep = Some(sweep);
        self
    }

    fn setup(&self, spec: &OpenSpec) -> Setup {
        Setup { spec: spec.clone(), jit: self.has_jit(), sweep: self.sweep.clone() }
    }
}

impl Default for LuaJit {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for LuaJit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("LuaJit").field("jit", &self.jit).finish_non_exhaustive()
    }
}

impl Engine for LuaJit {
    fn id(&self) -> &'static str {
        ID
    }

    fn support(&self) -> Support {
        Support {
            script: true,
            grant_local: cfg!(unix),
            run_deterministic: true,
            stop_compute: true,
            bound_memory: true,
            ..Support::default()
        }
    }

    fn gaps(&self) -> &'static [Gap] {
        &[]
    }

    fn check(&self, spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        compiles(&self.setup(spec), source)
    }

    fn open(&self, spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        Ok(Box::new(LuaJitInterpreter::open(self.setup(spec), guard)?))
    }
}
