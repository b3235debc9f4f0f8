//! An engine whose programs are Rust closures: what a program may do, without a language.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use codemode_core::{
    Annotations, Answer, Ask, Call, CallContext, Catalog, Delivered, End, Ended, Engine, EngineError, FnHost, Form, Gap, Guard, Handle,
    Input, Interpreter, Interrupt, Json, OpenSpec, Profile, Raised, RunRequest, Runner, RunnerBuilder, Stopped, Support, ToolHost,
    ToolSpec,
};

/// What a program does. It gets the count of earlier runs of its interpreter.
pub(crate) type Program = dyn Fn(usize, &Input, &Handle) -> Result<Ended, EngineError> + Send + Sync;

pub(crate) struct ClosureEngine {
    program: Arc<Program>,
    pub(crate) opened: Arc<AtomicUsize>,
    pub(crate) interrupted: Arc<AtomicUsize>,
    pub(crate) grants_local: bool,
}

impl ClosureEngine {
    pub(crate) fn new(program: impl Fn(usize, &Handle) -> Result<Ended, EngineError> + Send + Sync + 'static) -> Arc<Self> {
        Self::reading(move |earlier, _, handle| program(earlier, handle))
    }

    /// Of a program that looks at its input as well.
    pub(crate) fn reading(program: impl Fn(usize, &Input, &Handle) -> Result<Ended, EngineError> + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self { program: Arc::new(program), opened: Arc::default(), interrupted: Arc::default(), grants_local: true })
    }
}

struct ClosureInterpreter {
    program: Arc<Program>,
    interrupted: Arc<AtomicUsize>,
    runs: usize,
}

struct Counted(Arc<AtomicUsize>);

impl Interrupt for Counted {
    fn interrupt(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Engine for ClosureEngine {
    fn id(&self) -> &'static str {
        "closure"
    }

    fn support(&self) -> Support {
        Support { script: true, batch: true, program: true, cell: true, grant_local: self.grants_local, ..Support::default() }
    }

    fn gaps(&self) -> &'static [Gap] {
        &[]
    }

    /// Recurses once for each byte, with a kilobyte of stack each time, as a parser may.
    fn check(&self, _spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        fn descend(left: usize) -> usize {
            let frame = std::hint::black_box([1_u8; 1024]);
            if left == 0 { 0 } else { descend(left - 1) + usize::from(frame[left % 1024]) }
        }
        Err(Raised { message: format!("{} levels", descend(source.len())), ..Raised::default() })
    }

    fn open(&self, _spec: &OpenSpec, _guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        let (program, interrupted) = (Arc::clone(&self.program), Arc::clone(&self.interrupted));
        Ok(Box::new(ClosureInterpreter { program, interrupted, runs: 0 }))
    }
}

impl Interpreter for ClosureInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::new(Counted(Arc::clone(&self.interrupted)))
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        self.runs += 1;
        (self.program)(self.runs - 1, input, handle)
    }
}

/// The calls that reached the host, as `name arguments`.
pub(crate) type Reached = Arc<Mutex<Vec<String>>>;

/// A host with tools of every temper. What reaches it is written down.
pub(crate) fn host() -> (Arc<dyn ToolHost>, Reached) {
    let reached = Reached::default();
    let seen = Arc::clone(&reached);
    let parallel = Annotations { parallel: Some(true), ..Annotations::read_only() };
    let hasty = Annotations { deadline: Some(std::time::Duration::from_millis(20)), ..Annotations::read_only() };
    let tools = [
        ToolSpec::new("echo").with_annotations(Annotations::read_only()),
        ToolSpec::new("write"),
        ToolSpec::new("refuse"),
        ToolSpec::new("never").with_annotations(Annotations::read_only()),
        ToolSpec::new("until_cancelled").with_annotations(Annotations::read_only()),
        ToolSpec::new("panics").with_annotations(Annotations::read_only()),
        ToolSpec::new("big").with_annotations(Annotations::read_only()),
        ToolSpec::new("overlaps").with_annotations(parallel),
        ToolSpec::new("alone"),
        ToolSpec::new("hasty").with_annotations(hasty),
    ];
    let answer = move |context: CallContext, call: Call| {
        if let Ok(mut seen) = seen.lock() {
            seen.push(format!("{} {}", call.tool.name, call.arguments));
        }
        async move {
            match &*call.tool.name {
                "refuse" => Answer::denied("not today"),
                "never" | "hasty" => std::future::pending().await,
                "until_cancelled" => {
                    context.cancelled.cancelled().await;
                    Answer::failed("cancelled")
                }
                "panics" => panic!("a tool's own fault"),
                "big" => Answer::text("x".repeat(1000)),
                _ => Answer::text(call.arguments.text()),
            }
        }
    };
    (Arc::new(FnHost::new(Catalog::new(tools).expect("distinct"), answer)), reached)
}

/// The profile of these tests: `script`, whose engine is a closure.
pub(crate) fn profile() -> Profile {
    let mut profile = Profile::script();
    profile.settle = std::time::Duration::from_millis(100);
    assert_eq!(profile.form, Form::Script);
    profile
}

/// A runner of one closure over [`host`], with a short grace.
pub(crate) fn runner(engine: Arc<ClosureEngine>) -> (RunnerBuilder, Reached) {
    let (host, reached) = host();
    (Runner::builder(engine, profile(), host).grace(std::time::Duration::from_millis(200)), reached)
}

pub(crate) fn request() -> RunRequest {
    RunRequest::new("a closure")
}

pub(crate) fn ask(name: &str, arguments: &str) -> Ask {
    Ask::Call { name: name.to_owned(), arguments: Json::parse(arguments).expect("json"), intent: None }
}

pub(crate) fn call(handle: &Handle, name: &str, arguments: &str) -> Result<Delivered, Stopped> {
    handle.call(ask(name, arguments))
}

pub(crate) fn returned() -> Ended {
    Ended::new(End::Returned)
}

/// What reached the host.
pub(crate) fn names(reached: &Reached) -> Vec<String> {
    reached.lock().map(|names| names.clone()).unwrap_or_default()
}
