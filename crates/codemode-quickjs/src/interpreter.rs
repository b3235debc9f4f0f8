//! One interpreter: a context with its globals, in which the shared code runs programs one after the other.

use std::ffi::c_void;
use std::rc::Rc;
use std::sync::Arc;

use codemode_core::{End, Ended, EngineError, Guard, Handle, Input, Interpreter, Interrupt, OpenSpec, Raised};
use codemode_js::{Halt, Program, Realm, Thrown, install_globals, read, read_thrown, run_program};
use rquickjs::qjs;

use crate::engine::ID;
use crate::held::Held;
use crate::interrupt::Latched;
use crate::js::Js;
use crate::load;
use crate::realm::QuickRealm;
use crate::realm::modules::allow_imports;
use crate::runtime::Runtime;
use crate::sweep::Sweep;

/// Globals that no program gets. The first two block a thread or share memory with another; the collector's are not there.
const REMOVED: [&str; 2] = ["Atomics", "SharedArrayBuffer"];

/// The stack that a program is compiled on where nothing but that is done, in bytes: whose thread it is is not known.
const CHECK_STACK: usize = 1 << 20;

/// The most of a text in a warning, in bytes.
const MOST_TOLD: usize = 300;

pub(crate) struct QuickJsInterpreter {
    spec: OpenSpec,
    guard: Arc<Guard>,
    // Dropped before the runtime, because its values point there.
    realm: Rc<QuickRealm>,
    runtime: Runtime,
}

impl QuickJsInterpreter {
    pub(crate) fn open(spec: OpenSpec, guard: &Arc<Guard>, sweep: Option<Sweep>) -> Result<Self, EngineError> {
        let runtime = Runtime::new(guard, sweep).ok_or_else(|| broke("no memory for a context"))?;
        runtime.limit_stack(spec.profile.budgets.stack_bytes, spec.stack_bytes);
        let realm = realm(&runtime, guard).ok_or_else(|| broke("the context has not the functions it should have"))?;
        if spec.granted_local().is_some() {
            // SAFETY: the context lives, and the realm is dropped with it.
            unsafe { allow_imports(runtime.context()) };
        }
        match install(&realm, &spec) {
            Ok(()) => {}
            // Stopped before it began: the first run finds that out.
            Err(Thrown::Halt) if guard.stopped() => {}
            Err(_) => return Err(broke("the globals cannot be installed")),
        }
        // SAFETY: the runtime lives, and drops its memory after the realm without a word to the tracker.
        unsafe {
            qjs::JS_SetHostPromiseRejectionTracker(
                qjs::JS_GetRuntime(runtime.context()),
                Some(track),
                Rc::as_ptr(&realm).cast_mut().cast(),
            );
        }
        Ok(Self { spec, guard: Arc::clone(guard), realm, runtime })
    }

    /// What went wrong in a run without a bound and without an end of the program's own: an operation of the shared code's
    /// that QuickJS refused, mostly for want of stack.
    fn refused(&self, program: Option<&Program>) -> Ended {
        let raised = self.realm.take_pending().and_then(|pending| {
            let locate = |line, column| program.and_then(|program| QuickRealm::locate(program, line, column));
            read_thrown(&*self.realm, &pending, self.spec.profile.form, &locate).ok()
        });
        let unknown = || Raised { message: "what the program raised cannot be shown".to_owned(), ..Raised::default() };
        Ended::new(End::Raised(raised.unwrap_or_else(unknown)))
    }

    /// Warns of what jobs threw that no promise takes up.
    fn tell_of_strays(&self, program: Option<&Program>, ended: &mut Ended) {
        let locate = |line, column| program.and_then(|program| QuickRealm::locate(program, line, column));
        for stray in self.realm.take_strays() {
            if let Ok(raised) = read_thrown(&*self.realm, &stray, self.spec.profile.form, &locate) {
                let message = codemode_core::text::one_line(&raised.message);
                ended.warnings.push(format!("a job threw, and nothing caught it: {}", codemode_core::text::cut(&message, MOST_TOLD)));
            }
        }
    }
}

impl Interpreter for QuickJsInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::new(Latched)
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        self.runtime.limit_stack(handle.budgets().stack_bytes, self.spec.stack_bytes);
        self.runtime.limit_memory();
        let mut compiled = None;
        let mut ended = run_program(&*self.realm, &self.spec, input, handle, |program| {
            compiled = Some(program.clone());
            evaluate(&self.realm, &self.runtime, program)
        });
        // What was over the budget at the end was so without anything having looked yet.
        self.runtime.collect_if_above();
        if self.guard.stopped() {
            ended.end = End::Stopped;
            (ended.value, ended.state) = (None, None);
        } else {
            if matches!(ended.end, End::Stopped) && self.realm.panic_message().is_none() {
                ended = Ended { warnings: ended.warnings, ..self.refused(compiled.as_ref()) };
            }
            self.tell_of_strays(compiled.as_ref(), &mut ended);
        }
        drop(self.realm.take_pending());
        self.runtime.unlimit_memory();
        match self.realm.panic_message() {
            Some(message) => Err(broke(format!("a function of the host's panicked: {message}"))),
            None => Ok(ended),
        }
    }
}

/// Whether a program is one, and compiles.
pub(crate) fn compiles(spec: &OpenSpec, source: &str) -> Result<(), Raised> {
    let none = || Raised { message: "no memory for a context".to_owned(), ..Raised::default() };
    let program = read(source, &spec.profile)?;
    let guard = Guard::new();
    let runtime = Runtime::new(&guard, None).ok_or_else(none)?;
    runtime.limit_stack(spec.profile.budgets.stack_bytes, CHECK_STACK);
    let realm = realm(&runtime, &guard).ok_or_else(none)?;
    match compile(&realm, &runtime, &program) {
        Ok(_) => Ok(()),
        Err(Thrown::Halt) => Err(none()),
        Err(Thrown::Value(thrown)) => {
            let locate = |line, column| QuickRealm::locate(&program, line, column);
            Err(read_thrown(&*realm, &thrown, spec.profile.form, &locate).unwrap_or_else(|Halt| none()))
        }
    }
}

fn realm(runtime: &Runtime, guard: &Arc<Guard>) -> Option<Rc<QuickRealm>> {
    // SAFETY: the context is fresh; whoever has the realm drops it, and every value, before the runtime.
    unsafe { QuickRealm::new(runtime.context(), Arc::clone(guard)) }.ok()
}

/// Gives a fresh context its globals, and takes away what no program gets.
fn install(realm: &QuickRealm, spec: &OpenSpec) -> Result<(), Thrown<Held>> {
    let names = REMOVED.map(|name| format!("delete globalThis.{name};")).concat();
    realm.evaluate("removed", &names)?;
    Ok(install_globals(realm, spec)?)
}

/// Compiles a program, which runs nothing of it, and evaluates it to the function that runs it.
fn evaluate(realm: &QuickRealm, runtime: &Runtime, program: &Program) -> Result<Held, Thrown<Held>> {
    let compiled = compile(realm, runtime, program)?;
    runtime.collect_if_above();
    if realm.guard().stopped() {
        return Err(Thrown::Halt);
    }
    // SAFETY: the context lives; the function's reference is handed over.
    let function = unsafe { Js::new(runtime.context()).take(qjs::JS_EvalFunction(runtime.context(), compiled.into_raw())) };
    function.map_err(|_| thrown(realm, runtime))
}

/// The script of a program as a function that evaluates it.
fn compile(realm: &QuickRealm, runtime: &Runtime, program: &Program) -> Result<Held, Thrown<Held>> {
    // SAFETY: the context lives and is on this thread; what it gives is handed over.
    let compiled = unsafe { Js::new(runtime.context()).take(load::compile(runtime.context(), load::PROGRAM, program.text())) };
    compiled.map_err(|_| thrown(realm, runtime))
}

/// The exception that waits in the context; the end of the run where a bound has fired.
fn thrown(realm: &QuickRealm, runtime: &Runtime) -> Thrown<Held> {
    // SAFETY: the context lives.
    let thrown = unsafe { Js::new(runtime.context()) }.exception();
    if realm.guard().stopped() { Thrown::Halt } else { Thrown::Value(thrown) }
}

/// Tells the shared code of promises that were rejected and that nothing handles.
///
/// # Safety
/// Called by QuickJS alone, with the realm as `data`, while a program runs.
unsafe extern "C" fn track(context: *mut qjs::JSContext, promise: qjs::JSValue, reason: qjs::JSValue, is_handled: bool, data: *mut c_void) {
    // SAFETY: the realm lives while programs run; the values are lent, and are counted once more.
    let (realm, promise, reason) = unsafe { (&*data.cast::<QuickRealm>(), Held::share(context, promise), Held::share(context, reason)) };
    realm.shielded(|| {
        if is_handled {
            realm.shared().handled(promise.address());
        } else {
            realm.shared().rejected(promise.address(), promise, reason);
        }
    });
}

fn broke(message: impl Into<String>) -> EngineError {
    EngineError { engine: ID, message: message.into() }
}
