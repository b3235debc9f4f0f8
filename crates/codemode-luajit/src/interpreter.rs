//! One interpreter: a state made ahead for the first run, and a fresh one for each run after it.

use std::sync::Arc;

use codemode_core::{End, Ended, EngineError, Guard, Handle, Input, Interpreter, Interrupt, OpenSpec, Raised};
use mlua::ffi;

use crate::call::Lua;
use crate::engine::ID;
use crate::fault::PROGRAM;
use crate::guard::Switch;
use crate::state::{Context, State, ThisRun};
use crate::sweep::Sweep;
use crate::{errors, fault, load, returned, sandbox, source, surface};

/// How an interpreter is made.
pub(crate) struct Setup {
    pub(crate) spec: OpenSpec,
    /// Whether LuaJIT's compiler is on.
    pub(crate) jit: bool,
    pub(crate) sweep: Option<Sweep>,
}

pub(crate) struct LuaJitInterpreter {
    setup: Setup,
    guard: Arc<Guard>,
    switch: Arc<Switch>,
    /// Made ahead and used once: nothing of a run survives it. Nothing where the run was stopped before it began.
    fresh: Option<State>,
    /// The state of the last run, which is closed off the compute clock.
    spent: Option<State>,
}

impl LuaJitInterpreter {
    pub(crate) fn open(setup: Setup, guard: &Arc<Guard>) -> Result<Self, EngineError> {
        let switch = Arc::new(Switch::new());
        let fresh = fresh(&setup, guard, &switch)?;
        Ok(Self { setup, guard: Arc::clone(guard), switch, fresh, spent: None })
    }
}

impl Interpreter for LuaJitInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::clone(&self.switch) as Arc<dyn Interrupt>
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        let state = match self.fresh.take() {
            Some(state) => state,
            None => {
                self.spent = None;
                match fresh(&self.setup, &self.guard, &self.switch)? {
                    Some(state) => state,
                    None => return Ok(Ended::new(End::Stopped)),
                }
            }
        };
        let context = state.context();
        // SAFETY: no program runs in this state yet.
        unsafe { context.set_run(Some(ThisRun { handle: handle.clone(), cwd: Arc::clone(&input.cwd) })) };
        state.limit_memory();
        let text = source::without_fence(&input.source);
        let mut ended = None;
        let status = state.protect(&mut |lua| {
            // SAFETY: the state is under protection; what is owned is this frame's, which nothing that raises passes.
            ended = Some(unsafe { execute(lua, context, &input.cwd, &text, handle) });
        });
        state.unlimit_memory();
        #[cfg(unix)]
        crate::local::finish(context);
        let mut ended = match (status, ended) {
            _ if self.guard.stopped() => Ended::new(End::Stopped),
            (Ok(()), Some(ended)) => ended,
            // Only the program's own values are handled there, so that this is its doing.
            (_, _) => {
                Ended::new(End::Raised(Raised { message: "what the program raised cannot be shown".to_owned(), ..Raised::default() }))
            }
        };
        ended.warnings = context.take_warnings();
        let broken = context.take_broken();
        // SAFETY: the program is over; what it left behind says "stopped" from now on.
        unsafe { context.set_run(None) };
        self.spent = Some(state);
        match broken {
            Some(message) => Err(broke(format!("a callback panicked: {message}"))),
            None => Ok(ended),
        }
    }
}

/// Whether a program compiles.
pub(crate) fn compiles(setup: &Setup, program: &str) -> Result<(), Raised> {
    let none = || Raised { message: "no memory for a LuaJIT state".to_owned(), ..Raised::default() };
    let guard = Guard::new();
    let state = State::new(&guard, &Arc::new(Switch::new()), &setup.spec, None).ok_or_else(none)?;
    let text = source::without_fence(program);
    let mut result = Err(none());
    let _ = state.protect(&mut |lua| {
        // SAFETY: as in `run`.
        result = unsafe { compile(lua, &text) };
    });
    result
}

/// A state with its libraries and the surface; nothing where the run was stopped meanwhile.
fn fresh(setup: &Setup, guard: &Arc<Guard>, switch: &Arc<Switch>) -> Result<Option<State>, EngineError> {
    let Some(state) = State::new(guard, switch, &setup.spec, setup.sweep.clone()) else {
        return if guard.stopped() { Ok(None) } else { Err(broke("no memory for a state")) };
    };
    let opened = state.protect(&mut |lua| {
        // SAFETY: the state is new and under protection.
        unsafe { sandbox::open(lua, setup.jit) };
    });
    match opened {
        Ok(()) => Ok(Some(state)),
        Err(_) if guard.stopped() => Ok(None),
        Err(status) => Err(broke(format!("the libraries do not open: status {status}"))),
    }
}

/// Runs a program to its end.
///
/// # Safety
/// `state` is live, under protection, with an empty stack, and no frame of Rust's up to the protection owns anything that
/// must be dropped.
unsafe fn execute(state: Lua, context: &Context, cwd: &str, program: &str, handle: &Handle) -> Ended {
    // SAFETY: the caller's promise.
    unsafe {
        surface::set_cwd(state, cwd);
        ffi::lua_pushcclosure(state, errors::note, 0);
        if let Err(raised) = compile(state, program) {
            return Ended::new(End::Compile(raised));
        }
        let status = ffi::lua_pcall(state, 0, ffi::LUA_MULTRET, 1);
        if context.guard().stopped() {
            return Ended::new(End::Stopped);
        }
        ffi::lua_remove(state, 1);
        if status != 0 {
            return Ended::new(End::Raised(fault::raised(state, context)));
        }
        let value = returned::value(state, context, handle);
        Ended { value, ..Ended::new(End::Returned) }
    }
}

/// Compiles a program; its function is pushed.
///
/// # Safety
/// As [`execute`].
unsafe fn compile(state: Lua, program: &str) -> Result<(), Raised> {
    // SAFETY: the caller's promise.
    unsafe {
        match load::text(state, program.as_bytes(), PROGRAM.as_ptr()) {
            0 => Ok(()),
            _ => Err(fault::compile(state, -1, program)),
        }
    }
}

fn broke(message: impl Into<String>) -> EngineError {
    EngineError { engine: ID, message: message.into() }
}
