//! One interpreter: a context with its globals, in which the shared code runs programs one after the other.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use boa_engine::context::ContextBuilder;
use boa_engine::script::Script;
use boa_engine::{Context, JsValue, Source};
use codemode_core::{End, Ended, EngineError, Guard, Handle, Input, Interpreter, Interrupt, OpenSpec, Raised};
use codemode_js::{Halt, PROGRAM, Program, Realm as _, Thrown, install_globals, read, read_thrown, run_program};

use crate::engine::ID;
use crate::hooks::{Hooks, NoClock};
use crate::jobs::Jobs;
use crate::memory::Watch;
use crate::realm::modules::Loader;
use crate::realm::{BoaRealm, Inner};
use crate::words::explain;

/// Globals that no program gets: they block a thread, share memory with another, or show the collector at work.
const REMOVED: [&str; 4] = ["Atomics", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry"];

/// The stack of one call from the engine into a function of its own that calls back, at most, in bytes.
const CALL_STACK: usize = 8 << 10;

/// What one call of the program's counts of its stack budget, in bytes.
const FRAME: u64 = 640;

/// What a turn of a loop takes at the least, in nanoseconds: an empty one takes more than twice as long. A loop that turned as often
/// as the compute budget has room for such turns has spent it, wherever it stands, and is ended by the engine's own limit: nothing
/// else ends a loop that calls no function of ours.
const TURN_NANOS: u128 = 10;

/// The fewest turns that a loop is left, whatever the budget.
const LEAST_TURNS: u64 = 1_000_000;

/// The most values that the engine's own stack holds.
const MOST_VALUES: usize = 1 << 20;

/// The most frames of an error's stack.
const FRAMES: usize = 64;

/// The most of a text in a warning, in bytes.
const MOST_TOLD: usize = 300;

pub(crate) struct BoaInterpreter {
    spec: OpenSpec,
    guard: Arc<Guard>,
    // Both are dropped, and what they held collected, before memory is no longer counted.
    context: Option<Box<Context>>,
    inner: Option<Rc<Inner>>,
    watch: Option<Watch>,
}

impl BoaInterpreter {
    pub(crate) fn open(spec: OpenSpec, guard: &Arc<Guard>) -> Result<Self, EngineError> {
        let watch = Watch::new(guard);
        let mut context = context(guard).ok_or_else(|| broke("no context can be made"))?;
        let inner = Inner::install(&mut context, guard).ok_or_else(|| broke("the context has not the functions it should have"))?;
        if spec.granted_local().is_some()
            && let Some(loader) = context.downcast_module_loader::<Loader>()
        {
            loader.allow();
        }
        let realm = BoaRealm::of(&mut context, &inner);
        match install(&realm, &spec) {
            Ok(()) => {}
            // Stopped before it began: the first run finds that out.
            Err(Thrown::Halt) if guard.stopped() => {}
            Err(thrown) => return Err(broke(format!("the globals cannot be installed: {thrown:?}"))),
        }
        drop(realm);
        Ok(Self { spec, guard: Arc::clone(guard), context: Some(context), inner: Some(inner), watch: Some(watch) })
    }
}

impl Drop for BoaInterpreter {
    fn drop(&mut self) {
        let inner = self.inner.take();
        if let Some(inner) = &inner {
            inner.clear();
        }
        drop((inner, self.context.take()));
        // The collector is the thread's: what the context held is freed by a collection alone.
        boa_gc::force_collect();
        drop(self.watch.take());
    }
}

/// Nothing has to be told: the latch is looked at wherever this engine can be stopped.
struct Latched;

impl Interrupt for Latched {
    fn interrupt(&self) {}
}

impl Interpreter for BoaInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::new(Latched)
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        let (Some(context), Some(inner)) = (self.context.as_mut(), self.inner.as_ref()) else { return Err(broke("it was taken down")) };
        limit(context, handle.budgets().stack_bytes, self.spec.stack_bytes);
        let turns = u64::try_from(handle.budgets().compute.as_nanos() / TURN_NANOS).unwrap_or(u64::MAX).max(LEAST_TURNS);
        context.runtime_limits_mut().set_loop_iteration_limit(turns);
        let realm = BoaRealm::of(context, inner);
        let mut compiled = None;
        let mut ended = run_program(&realm, &self.spec, input, handle, |program| {
            compiled = Some(program.clone());
            let function = evaluate(&realm, program)?;
            realm.set_root(&function);
            Ok(function)
        });
        inner.look_at_memory();
        if self.guard.stopped() {
            ended.end = End::Stopped;
            (ended.value, ended.state) = (None, None);
        } else {
            let locate = |line, column| compiled.as_ref().and_then(|program| program.locate(line, column));
            let form = self.spec.profile.form;
            if matches!(ended.end, End::Stopped) && inner.panic_message().is_none() {
                let raised = inner.take_pending().and_then(|pending| read_thrown(&realm, &pending, form, &locate).ok());
                let unknown = || Raised { message: "what the program raised cannot be shown".to_owned(), ..Raised::default() };
                ended = Ended { warnings: ended.warnings, ..Ended::new(End::Raised(raised.unwrap_or_else(unknown))) };
            }
            for stray in inner.take_strays() {
                if let Ok(raised) = read_thrown(&realm, &stray, form, &locate) {
                    let message = codemode_core::text::one_line(&raised.message);
                    ended.warnings.push(format!("a job threw, and nothing caught it: {}", codemode_core::text::cut(&message, MOST_TOLD)));
                }
            }
        }
        drop(inner.take_pending());
        if let End::Raised(raised) = &mut ended.end {
            explain(raised, &input.source);
        }
        match inner.panic_message() {
            Some(message) => Err(broke(format!("a function of the host's panicked: {message}"))),
            None => Ok(ended),
        }
    }
}

/// Whether a program is one, and compiles.
pub(crate) fn compiles(spec: &OpenSpec, source: &str) -> Result<(), Raised> {
    let none = || Raised { message: "no context can be made".to_owned(), ..Raised::default() };
    let program = read(source, &spec.profile)?;
    let guard = Guard::new();
    let mut context = context(&guard).ok_or_else(none)?;
    let inner = Inner::install(&mut context, &guard).ok_or_else(none)?;
    let realm = BoaRealm::of(&mut context, &inner);
    let checked = match compile(&realm, &program) {
        Ok(_) => Ok(()),
        Err(Thrown::Halt) => Err(none()),
        Err(Thrown::Value(thrown)) => {
            let locate = |line, column| program.locate(line, column);
            Err(read_thrown(&realm, &thrown, spec.profile.form, &locate).unwrap_or_else(|Halt| none()))
        }
    };
    drop(realm);
    inner.clear();
    checked
}

fn context(guard: &Arc<Guard>) -> Option<Box<Context>> {
    let context = ContextBuilder::new()
        .host_hooks(Rc::new(Hooks(Arc::clone(guard))))
        .clock(Rc::new(NoClock))
        .job_executor(Rc::new(Jobs::default()))
        .module_loader(Rc::new(Loader::default()))
        .build();
    let mut context = Box::new(context.ok()?);
    context.runtime_limits_mut().set_backtrace_limit(FRAMES);
    context.runtime_limits_mut().set_stack_size_limit(MOST_VALUES);
    limit(&mut context, 512 << 10, 2 << 20);
    Some(context)
}

/// Bounds the program's recursion: `asked` bytes of its own, as far as the thread's stack of `thread` bytes has them.
fn limit(context: &mut Context, asked: u64, thread: usize) {
    let most = (thread / CALL_STACK).clamp(64, 10_000);
    let asked = usize::try_from(asked / FRAME).unwrap_or(usize::MAX);
    context.runtime_limits_mut().set_recursion_limit(asked.clamp(64, most));
}

/// Gives a fresh context its globals, and takes away what no program gets.
fn install(realm: &BoaRealm<'_>, spec: &OpenSpec) -> Result<(), Thrown<JsValue>> {
    let names = REMOVED.map(|name| format!("delete globalThis.{name};")).concat();
    realm.evaluate("codemode:removed", &names)?;
    realm.shim()?;
    Ok(install_globals(realm, spec)?)
}

/// Compiles a program, which runs nothing of it, and evaluates it to the function that runs it.
fn evaluate(realm: &BoaRealm<'_>, program: &Program) -> Result<JsValue, Thrown<JsValue>> {
    let script = compile(realm, program)?;
    realm.settled(|context| script.evaluate(context))
}

fn compile(realm: &BoaRealm<'_>, program: &Program) -> Result<Script, Thrown<JsValue>> {
    realm.parsed(|context| {
        let script = Script::parse(Source::from_bytes(program.text()).with_path(Path::new(PROGRAM)), None, context)?;
        script.codeblock(context)?;
        Ok(script)
    })
}

fn broke(message: impl Into<String>) -> EngineError {
    EngineError { engine: ID, message: message.into() }
}
