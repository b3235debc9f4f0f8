//! Cases that leave a thread behind, or end the process: each runs in a process of its own, and the runner tells of it.

use std::sync::Arc;

use codemode_conformance::{Arguments, CaseError, Suite};
use codemode_core::{End, Ended, Engine, EngineError, Gap, Guard, Handle, Input, Interpreter, Interrupt, OpenSpec, Raised, Support};

const CASES: &str = r#"
[[case]]
id = "left-behind"
promises = []
wedges = true
budgets.compute = "50ms"
lua = 'hang'
[case.expect]
bound = "compute"
output = "hanging\n"
left_behind = 1

[[case]]
id = "dies"
promises = []
wedges = true
lua = 'abort'
"#;

fn main() -> Result<(), CaseError> {
    Suite::empty().with_cases("wedging", CASES)?.with_engine(Arc::new(Wedging)).run(&Arguments::from_args()).exit()
}

/// An engine whose programs hang or abort, whatever the guard says.
struct Wedging;

impl Engine for Wedging {
    fn id(&self) -> &'static str {
        "wedging"
    }

    fn support(&self) -> Support {
        Support { script: true, ..Support::default() }
    }

    /// The process dies, which is no pass: as a gap it is what is expected.
    fn gaps(&self) -> &'static [Gap] {
        &[Gap { case: "dies", reason: "it aborts on purpose" }]
    }

    fn check(&self, _spec: &OpenSpec, _source: &str) -> Result<(), Raised> {
        Ok(())
    }

    fn open(&self, _spec: &OpenSpec, _guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        Ok(Box::new(WedgingInterpreter))
    }
}

struct WedgingInterpreter;

struct Deaf;

impl Interrupt for Deaf {
    fn interrupt(&self) {}
}

impl Interpreter for WedgingInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::new(Deaf)
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        if &*input.source == "abort" {
            std::process::abort();
        }
        if handle.print("hanging\n").is_err() {
            return Ok(Ended::new(End::Stopped));
        }
        loop {
            std::thread::park();
        }
    }
}
