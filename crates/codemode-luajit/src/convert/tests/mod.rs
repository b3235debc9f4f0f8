//! The conversion, driven from Lua in a state of its own.

mod denied;
mod documents;
mod refused;
mod snippets;
mod values;

use std::sync::Arc;

use codemode_core::{Bound, Budgets, Guard, OpenSpec, Profile};
use mlua::ffi;

use crate::call;
use crate::convert;
use crate::guard::Switch;
use crate::state::State;
use crate::sweep::Sweep;

/// A state with the libraries and the table `host`, whose functions are those under test.
pub(super) struct Bench {
    pub(super) state: State,
    pub(super) guard: Arc<Guard>,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with_memory(64 << 20)
    }

    pub(super) fn with_memory(bytes: u64) -> Self {
        Self::with_sweep(bytes, None)
    }

    /// Denies allocations; the first of them must come after the libraries are open.
    pub(super) fn with_sweep(bytes: u64, sweep: Option<Sweep>) -> Self {
        let guard = Guard::new();
        guard.arm(&Budgets { memory_bytes: bytes, ..Budgets::default() });
        let spec = OpenSpec { profile: Profile::script(), deterministic: false, stack_bytes: 1 << 20, local: None };
        let state = State::new(&guard, &Arc::new(Switch::new()), &spec, sweep).expect("memory for a state");
        state
            .protect(&mut |lua| {
                // SAFETY: under protection; nothing is owned here.
                unsafe {
                    ffi::luaL_openlibs(lua);
                    ffi::lua_createtable(lua, 0, 4);
                    convert::install(lua, 1);
                    ffi::lua_setfield(lua, ffi::LUA_GLOBALSINDEX, c"host".as_ptr());
                }
            })
            .expect("memory for libraries");
        Self { state, guard }
    }

    /// Runs a chunk with one string argument: what it returns as text, or its error.
    pub(super) fn run(&self, chunk: &str, argument: &[u8]) -> Result<Vec<u8>, String> {
        let mut end = Err("it never ended".to_owned());
        let result = self.state.protect(&mut |lua| {
            // SAFETY: under protection; `end` belongs to the frame outside, and is written when nothing can raise.
            unsafe {
                let loaded = ffi::luaL_loadbuffer(lua, chunk.as_ptr().cast(), chunk.len(), c"=t".as_ptr());
                if loaded == 0 {
                    call::push_bytes(lua, argument);
                }
                let status = if loaded == 0 { ffi::lua_pcall(lua, 1, 1, 0) } else { loaded };
                let shown = call::bytes_at(lua, -1).map(<[u8]>::to_vec);
                end = match (status, shown) {
                    (0, shown) => Ok(shown.unwrap_or_else(|| call::type_name(lua, -1).into())),
                    (_, Some(message)) => Err(String::from_utf8_lossy(&message).into_owned()),
                    (status, None) => Err(format!("status {status}: {}", call::type_name(lua, -1))),
                };
            }
        });
        result.map_err(|status| format!("unprotected status {status}"))?;
        end
    }

    /// The same as text.
    pub(super) fn text(&self, chunk: &str, argument: &str) -> Result<String, String> {
        self.run(chunk, argument.as_bytes()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A document decoded and encoded again.
    pub(super) fn round(&self, document: &str) -> Result<String, String> {
        self.text("return (host.json_encode((host.json_decode(...))))", document)
    }

    pub(super) fn fired(&self) -> Option<Bound> {
        self.guard.fired().map(|(bound, _)| bound)
    }
}
