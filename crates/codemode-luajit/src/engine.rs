//! The engine: what it supports, and its interpreters.

use std::sync::Arc;

use codemode_core::{
    End, Ended, Engine, EngineError, Gap, Guard, Handle, Input, Interpreter, Interrupt, OpenSpec, Raised, Support, Value,
};
use mlua::ffi;

use crate::guard::Switch;
use crate::state::State;
use crate::{fault, sandbox};

/// The engine's id.
const ID: &str = "luajit";

/// LuaJIT: runs programs of the profile `script`.
#[derive(Debug, Clone, Copy, Default)]
pub struct LuaJit {}

impl LuaJit {
    /// The engine, with its compiler on where compiled code can be stopped.
    #[must_use]
    pub fn new() -> Self {
        Self {}
    }
}

impl Engine for LuaJit {
    fn id(&self) -> &'static str {
        ID
    }

    fn support(&self) -> Support {
        Support { script: true, grant_local: true, run_deterministic: true, stop_compute: true, bound_memory: true, ..Support::default() }
    }

    fn gaps(&self) -> &'static [Gap] {
        &[]
    }

    fn check(&self, _spec: &OpenSpec, _source: &str) -> Result<(), Raised> {
        Ok(())
    }

    fn open(&self, spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        let switch = Arc::new(Switch::new(false));
        let state = State::new(guard, &switch).ok_or_else(|| broke("no memory for a state"))?;
        let interpreter = LuaJitInterpreter { spec: spec.clone(), guard: Arc::clone(guard), switch, state: Some(state) };
        Ok(Box::new(interpreter))
    }
}

fn broke(message: impl Into<String>) -> EngineError {
    EngineError { engine: ID, message: message.into() }
}

struct LuaJitInterpreter {
    spec: OpenSpec,
    guard: Arc<Guard>,
    switch: Arc<Switch>,
    /// Made ahead and used once: nothing of a run survives it.
    state: Option<State>,
}

impl Interpreter for LuaJitInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::clone(&self.switch) as Arc<dyn Interrupt>
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        let state = match self.state.take() {
            Some(state) => state,
            None => State::new(&self.guard, &self.switch).ok_or_else(|| broke("no memory for a state"))?,
        };
        // SAFETY: no program runs in this state yet.
        unsafe { state.context().set_handle(Some(handle.clone())) };
        let mut ended = Ended::new(End::Stopped);
        let source = input.source.as_bytes();
        let _ = &self.spec;
        let outcome = state.protect(&mut |lua| {
            // SAFETY: under protection; what is owned belongs to the frame outside.
            unsafe {
                sandbox::open(lua);
                let status = ffi::luaL_loadbuffer(lua, source.as_ptr().cast(), source.len(), c"=program".as_ptr());
                if status != 0 {
                    ended.end = End::Compile(fault::raised(lua, -1));
                    return;
                }
                if ffi::lua_pcall(lua, 0, ffi::LUA_MULTRET, 0) != 0 {
                    ended.end = End::Raised(fault::raised(lua, -1));
                    return;
                }
                ended.end = End::Returned;
                if ffi::lua_gettop(lua) > 0 {
                    let mut length = 0;
                    let text = ffi::lua_tolstring(lua, 1, &raw mut length);
                    if !text.is_null() {
                        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length);
                        ended.value = Some(Value::Text(String::from_utf8_lossy(bytes).into_owned()));
                    }
                }
            }
        });
        if let Err(status) = outcome {
            return Err(broke(format!("status {status}")));
        }
        ended.warnings = state.context().take_warnings();
        match state.context().take_broken() {
            Some(message) => Err(broke(message)),
            None => Ok(ended),
        }
    }
}
