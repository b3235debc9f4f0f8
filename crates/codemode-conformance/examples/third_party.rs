//! A third party's engine against the suite. The engine is a sketch that knows five statements of Lua; the glue is `main`.
//!
//! `cargo run -p codemode-conformance --example third_party -- --list` shows the trials.

use std::sync::Arc;

use codemode_conformance::{Arguments, CaseError, Suite};
use codemode_core::{
    Answer, Ask, CallId, End, Ended, Engine, EngineError, Gap, Guard, Handle, Input, Interpreter, Interrupt, Json, Location, OpenSpec,
    Raised, Stopped, Support, Value,
};

/// What the sketch can run already. A finished engine runs all cases: it drops this list, and `only` with it.
const READY: &[&str] = &[
    "an-empty-program-is-fine",
    "printed-output-comes-back-and-not-the-value",
    "returned-text-comes-back-where-nothing-was-printed",
    "error-without-a-position",
    "what-was-not-run-raises",
    "unavailable-server-that-escapes-is-an-error",
    "source-past-its-limit",
    "javascript-is-no-lua",
    "compute-runs-out",
    "wall-runs-out-while-a-call-is-out",
    "stopped-while-it-computes",
    "stopped-before-it-starts",
    "dropped-while-a-call-is-out",
    "no-effects-of-looking",
    "some-effects-of-a-tool-without-annotations",
    "envelope-quiet",
    "envelope-time",
    "envelope-wall",
    "envelope-interrupted",
    "envelope-results",
    "envelope-history",
    "envelope-notes",
];

/// Cases of the engine's own, in the same format.
const OWN_CASES: &str = r#"
[[case]]
id = "sketch-compile-error"
promises = []
lua = '''
print("never")
goto nowhere
'''
[case.expect]
status = "compile"
line = 2
message = "program:2: the sketch does not know this statement"
"#;

fn main() -> Result<(), CaseError> {
    let suite = Suite::builtin().only(|_, case| READY.contains(&case)).with_cases("sketch", OWN_CASES)?;
    suite.with_engine(Arc::new(Sketch)).run(&Arguments::from_args()).exit()
}

/// An engine of a few statements, one a line.
struct Sketch;

impl Engine for Sketch {
    fn id(&self) -> &'static str {
        "sketch"
    }

    /// A case that needs more is not run.
    fn support(&self) -> Support {
        Support { script: true, stop_compute: true, ..Support::default() }
    }

    /// A case that is known to fail stands here with its reason; one that passes all the same fails the suite.
    fn gaps(&self) -> &'static [Gap] {
        &[]
    }

    fn check(&self, _spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        parse(source).map(drop)
    }

    fn open(&self, _spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        Ok(Box::new(SketchInterpreter(Arc::clone(guard))))
    }
}

/// One interpreter. Its loops look at the guard, so that an interrupt has nothing to do.
struct SketchInterpreter(Arc<Guard>);

struct NothingToDo;

impl Interrupt for NothingToDo {
    fn interrupt(&self) {}
}

impl Interpreter for SketchInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::new(NothingToDo)
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        let program = match parse(&input.source) {
            Ok(program) => program,
            Err(raised) => return Ok(Ended::new(End::Compile(raised))),
        };
        let mut ended = Ended::new(End::Returned);
        for (line, statement) in program {
            match self.perform(line, statement, handle) {
                Ok(Flow::Next) => {}
                Ok(Flow::Return(text)) => {
                    ended.value = Some(Value::Text(text));
                    break;
                }
                Ok(Flow::Raise(raised)) => return Ok(Ended::new(End::Raised(raised))),
                Err(Stopped) => return Ok(Ended::new(End::Stopped)),
            }
        }
        Ok(ended)
    }
}

enum Statement {
    Print(String),
    Error(String),
    Return(String),
    Call { name: String, arguments: Json },
    Forever,
}

enum Flow {
    Next,
    Return(String),
    Raise(Raised),
}

impl SketchInterpreter {
    fn perform(&self, line: u32, statement: Statement, handle: &Handle) -> Result<Flow, Stopped> {
        match statement {
            Statement::Print(text) => handle.print(&format!("{text}\n"))?,
            Statement::Error(message) => {
                let location = Some(Location { line, column: None });
                return Ok(Flow::Raise(Raised { message, location, ..Raised::default() }));
            }
            Statement::Return(text) => return Ok(Flow::Return(text)),
            Statement::Forever => loop {
                self.0.check()?;
                std::hint::spin_loop();
            },
            Statement::Call { name, arguments } => {
                let delivered = handle.call(Ask::Call { name, arguments, intent: None })?;
                // A reported failure is a value, which this program does not look at. What was not run raises.
                if let Answer::NotRun(fault) = delivered.answer {
                    return Ok(Flow::Raise(raised_at(line, &fault.message, Some(delivered.id))));
                }
            }
        }
        Ok(Flow::Next)
    }
}

fn raised_at(line: u32, message: &str, refusal: Option<CallId>) -> Raised {
    let location = Some(Location { line, column: None });
    Raised { message: format!("program:{line}: {message}"), location, refusal, ..Raised::default() }
}

fn parse(source: &str) -> Result<Vec<(u32, Statement)>, Raised> {
    let lines = (1..).zip(source.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| statement(line.trim()).map(|statement| (number, statement)).ok_or_else(|| unknown(number))).collect()
}

fn unknown(line: u32) -> Raised {
    raised_at(line, "the sketch does not know this statement", None)
}

fn statement(line: &str) -> Option<Statement> {
    let between = |start: &str, end: &str| line.strip_prefix(start)?.strip_suffix(end).map(str::to_owned);
    if line == "while true do end" {
        return Some(Statement::Forever);
    }
    if let Some(text) = between("print(\"", "\")") {
        return Some(Statement::Print(text));
    }
    if let Some(text) = between("error(\"", "\", 0)") {
        return Some(Statement::Error(text));
    }
    if let Some(text) = between("return \"", "\"") {
        return Some(Statement::Return(text));
    }
    let (name, arguments) = line.strip_prefix("tool.")?.strip_suffix('}')?.split_once('{')?;
    let arguments = match arguments.split_once('=') {
        Some((key, value)) => format!("{{\"{}\":{}}}", key.trim(), value.trim()),
        None => "{}".to_owned(),
    };
    Some(Statement::Call { name: name.to_owned(), arguments: Json::parse(arguments).ok()? })
}
