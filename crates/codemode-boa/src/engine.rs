//! The engine: what it supports, and how its interpreters are made.

use std::sync::Arc;

use codemode_core::{Engine, EngineError, Gap, Guard, Interpreter, OpenSpec, Raised, Support};

use crate::interpreter::{BoaInterpreter, compiles};

/// The engine's id, in messages and where a process bounds it.
pub(crate) const ID: &str = "boa";

/// Its id where nothing does.
const UNBOUNDED: &str = "boa-unbounded";

/// The cases that are known not to pass, as on the page of limitations.
const GAPS: &[Gap] = &[
    Gap {
        case: "js-deep-recursion-is-an-ordinary-error",
        reason: "Boa's error of a stack that overflowed cannot be caught: it ends the program, as an error with its place",
    },
    Gap {
        case: "js-error-place-without-a-name",
        reason: "Boa does not know where a pattern takes nothing apart: the failure has its class and message, and no line",
    },
    Gap { case: "library-explicit-resources", reason: "Boa reads `using` and disposes of nothing" },
];

/// Boa: runs programs of the profiles `batch`, `program` and `cell`.
#[derive(Debug, Clone)]
pub struct Boa {
    id: &'static str,
}

impl Boa {
    /// The engine on a thread of the host's process, where nothing bounds it: neither the time nor the memory that a program takes. Its id is
    /// `boa-unbounded`.
    ///
    /// Loops before the first `await` end at the bound, as does whatever calls a tool or prints; any other loop ends some time after it,
    /// and a builtin when it is done, which may be long after its run was reported as stopped. Memory is counted only where [`crate::memory::CountingAllocator`] is installed.
    /// For programs that nobody vouches for, run it in a worker process.
    #[must_use]
    pub fn unbounded_in_thread() -> Self {
        Self { id: UNBOUNDED }
    }

    /// The engine in a process that has [`crate::memory::CountingAllocator`] and that its host kills where a bound demands it.
    /// It is the same engine: the bounds are the process's. Its id is `boa`.
    #[must_use]
    pub fn in_worker() -> Self {
        Self { id: ID }
    }
}

impl Engine for Boa {
    fn id(&self) -> &'static str {
        self.id
    }

    fn support(&self) -> Support {
        Support {
            batch: true,
            program: true,
            cell: true,
            read_typescript: true,
            pass_local: true,
            run_deterministic: true,
            ..Support::default()
        }
    }

    fn gaps(&self) -> &'static [Gap] {
        GAPS
    }

    fn check(&self, spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        compiles(spec, source)
    }

    fn open(&self, spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        Ok(Box::new(BoaInterpreter::open(spec.clone(), guard)?))
    }
}
