//! The engine: what it supports, and how its interpreters are made.

use std::fmt;
use std::sync::Arc;

use codemode_core::{Engine, EngineError, Gap, Guard, Interpreter, OpenSpec, Raised, Support};

use crate::interpreter::{QuickJsInterpreter, compiles};
use crate::sweep::Sweep;

/// The engine's id.
pub(crate) const ID: &str = "quickjs";

/// QuickJS: runs programs of the profiles `batch`, `program` and `cell`.
#[derive(Clone, Default)]
pub struct QuickJs {
    sweep: Option<Sweep>,
}

impl QuickJs {
    /// The engine.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Refuses allocations by their number, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_sweep(mut self, sweep: Sweep) -> Self {
        self.sweep = Some(sweep);
        self
    }
}

impl fmt::Debug for QuickJs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("QuickJs").finish_non_exhaustive()
    }
}

impl Engine for QuickJs {
    fn id(&self) -> &'static str {
        ID
    }

    fn support(&self) -> Support {
        Support {
            batch: true,
            program: true,
            cell: true,
            read_typescript: true,
            pass_local: true,
            bound_memory: true,
            run_deterministic: true,
            ..Support::default()
        }
    }

    fn gaps(&self) -> &'static [Gap] {
        &[]
    }

    fn check(&self, spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        compiles(spec, source)
    }

    fn open(&self, spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        Ok(Box::new(QuickJsInterpreter::open(spec.clone(), guard, self.sweep.clone())?))
    }
}
