//! A mock engine for the tests of the runner: its programs are lists of plain commands, one a line.

use std::sync::Arc;

use codemode_core::{
    Answer, Ask, CallId, End, Ended, Engine, EngineError, Gap, Guard, Handle, Input, Interpreter, Interrupt, Json, Location, OpenSpec,
    Raised, Support,
};

/// `print TEXT`, `call NAME JSON`, `raise MESSAGE`, `spin`, `hang` and `compile MESSAGE`.
pub(crate) struct Mock {
    pub(crate) id: &'static str,
    pub(crate) gaps: &'static [Gap],
    /// Stands before every message that it words itself.
    pub(crate) accent: &'static str,
}

impl Mock {
    pub(crate) fn engine(id: &'static str, accent: &'static str, gaps: &'static [Gap]) -> Arc<dyn Engine> {
        Arc::new(Self { id, gaps, accent })
    }
}

impl Engine for Mock {
    fn id(&self) -> &'static str {
        self.id
    }

    fn support(&self) -> Support {
        Support { script: true, ..Support::default() }
    }

    fn gaps(&self) -> &'static [Gap] {
        self.gaps
    }

    fn check(&self, _spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        match source.strip_prefix("compile ") {
            Some(message) => Err(Raised { message: message.trim_end().to_owned(), ..Raised::default() }),
            None => Ok(()),
        }
    }

    fn open(&self, _spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        Ok(Box::new(MockInterpreter { guard: Arc::clone(guard), accent: self.accent }))
    }
}

struct MockInterpreter {
    guard: Arc<Guard>,
    accent: &'static str,
}

struct Looks;

impl Interrupt for Looks {
    fn interrupt(&self) {}
}

impl Interpreter for MockInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::new(Looks)
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        for (line, number) in input.source.lines().zip(1..) {
            let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
            let raised = |message: String, refusal: Option<CallId>| {
                let location = Some(Location { line: number, column: None });
                Raised { message, location, refusal, ..Raised::default() }
            };
            match command {
                "print" if handle.print(&format!("{rest}\n")).is_err() => return Ok(Ended::new(End::Stopped)),
                "call" => {
                    let (name, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
                    let arguments = Json::parse(arguments).unwrap_or_else(|_| Json::empty_object());
                    let ask = Ask::Call { name: name.to_owned(), arguments, intent: None };
                    let Ok(delivered) = handle.call(ask) else { return Ok(Ended::new(End::Stopped)) };
                    if let Answer::NotRun(fault) = delivered.answer {
                        return Ok(Ended::new(End::Raised(raised(fault.message, Some(delivered.id)))));
                    }
                }
                "raise" => return Ok(Ended::new(End::Raised(raised(format!("{}{rest}", self.accent), None)))),
                "compile" => return Ok(Ended::new(End::Compile(Raised { message: rest.to_owned(), ..Raised::default() }))),
                "spin" => {
                    while !self.guard.stopped() {
                        std::hint::spin_loop();
                    }
                    return Ok(Ended::new(End::Stopped));
                }
                "hang" => loop {
                    std::thread::park();
                },
                _ => {}
            }
        }
        Ok(Ended::new(End::Returned))
    }
}
