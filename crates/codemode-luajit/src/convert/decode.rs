//! JSON text to a Lua value: scanned to a tape first, then built without owning anything of Rust's.

use std::ffi::c_int;
use std::sync::Arc;

use codemode_core::{Guard, Stopped};
use mlua::ffi::{
    lua_State, lua_checkstack, lua_createtable, lua_gettop, lua_insert, lua_pushboolean, lua_pushlstring_, lua_pushnumber, lua_pushvalue,
    lua_rawset, lua_rawseti_, lua_setmetatable, lua_settop,
};

use super::halt::Halt;
use super::scan::{BigIntegers, Scanned};
use super::tape::{Token, Word};
use super::{MAX_DEPTH, VALUES_BETWEEN_LOOKS, sentinel};

/// How much memory the buffers keep from one use to the next, in bytes each.
const KEPT: usize = 16 << 10;

/// The buffers of the decoder, kept from one use to the next.
#[derive(Debug)]
pub(crate) struct Decoder {
    scanned: Scanned,
    guard: Arc<Guard>,
}

impl Decoder {
    pub(crate) fn new(guard: &Arc<Guard>) -> Self {
        Self { scanned: Scanned::new(guard), guard: Arc::clone(guard) }
    }

    /// Finds out what the text says, or what is wrong with it. Touches no state.
    pub(crate) fn scan(&mut self, text: &[u8], big_integers: BigIntegers) -> Result<(), Halt> {
        self.clear();
        self.scanned.scan(text, big_integers)
    }

    /// Pushes the value that was scanned. May raise out of memory, and owns nothing meanwhile; cannot panic.
    ///
    /// # Errors
    /// When the run is over, or the stack has no room: then nothing is pushed.
    ///
    /// # Safety
    /// The state is live, [`sentinel::install`] has run, and `text` is what was scanned last and stays alive.
    pub(crate) unsafe fn build(&self, state: *mut lua_State, text: &[u8]) -> Result<(), NotBuilt> {
        // SAFETY: room for what each level holds is made sure of here, so that only allocations can raise.
        unsafe {
            let top = lua_gettop(state);
            // Each level holds a table and a key; the constants and the innermost value come on top.
            if lua_checkstack(state, 2 * c_int::from(MAX_DEPTH) + 8) == 0 {
                return Err(NotBuilt::NoStack);
            }
            sentinel::push_array_marker(state);
            sentinel::push_null(state);
            let mut build = Build {
                state,
                constants: top,
                text,
                resolved: self.scanned.resolved.items(),
                tape: self.scanned.tape.items().iter(),
                left: VALUES_BETWEEN_LOOKS,
                guard: &self.guard,
            };
            if build.value().is_err() {
                lua_settop(state, top);
                return Err(NotBuilt::Stopped);
            }
            lua_insert(state, top + 1);
            lua_settop(state, top + 1);
        }
        Ok(())
    }

    /// Empties the buffers, and gives large ones back.
    pub(crate) fn clear(&mut self) {
        self.scanned.tape.clear(KEPT);
        self.scanned.resolved.clear(KEPT);
    }
}

/// Why a scanned value was not built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotBuilt {
    /// The run is over.
    Stopped,
    /// The Lua stack cannot grow by what a deep value needs.
    NoStack,
}

/// Borrows everything: an error of the allocator goes past it without a drop.
struct Build<'b> {
    state: *mut lua_State,
    /// The slot below the metatable of arrays and the sentinel.
    constants: c_int,
    text: &'b [u8],
    resolved: &'b [u8],
    tape: std::slice::Iter<'b, Word>,
    left: u32,
    guard: &'b Guard,
}

impl Build<'_> {
    /// Pushes the next value of the tape.
    unsafe fn value(&mut self) -> Result<(), Stopped> {
        self.left = self.left.wrapping_sub(1);
        if self.left == 0 {
            self.left = VALUES_BETWEEN_LOOKS;
            self.guard.check()?;
        }
        // A scanned tape is whole; were it not, `null` would be the honest end of it.
        let token = self.tape.next().map_or(Token::Null, |word| Token::read(*word));
        // SAFETY: `build` made room, and every table that is written to was made here.
        unsafe {
            match token {
                Token::Number(number) => lua_pushnumber(self.state, number),
                Token::Null => lua_pushvalue(self.state, self.constants + 2),
                Token::False => lua_pushboolean(self.state, 0),
                Token::True => lua_pushboolean(self.state, 1),
                Token::InText(offset) => self.string(self.text, offset),
                Token::Resolved(offset) => self.string(self.resolved, offset),
                Token::Array(count) => return self.array(size(count)),
                Token::Object(count) => return self.object(size(count)),
            }
        }
        Ok(())
    }

    unsafe fn string(&mut self, from: &[u8], offset: usize) {
        let length = self.tape.next().map_or(0, |word| usize::try_from(*word).unwrap_or(0));
        let bytes = from.get(offset..).and_then(|rest| rest.get(..length)).unwrap_or(b"");
        // SAFETY: LuaJIT copies the bytes before anything else.
        unsafe { lua_pushlstring_(self.state, bytes.as_ptr().cast(), bytes.len()) }
    }

    unsafe fn array(&mut self, count: c_int) -> Result<(), Stopped> {
        // SAFETY: as in `value`.
        unsafe {
            lua_createtable(self.state, count, 0);
            for position in 1..=count {
                self.value()?;
                lua_rawseti_(self.state, -2, position);
            }
            lua_pushvalue(self.state, self.constants + 1);
            lua_setmetatable(self.state, -2);
        }
        Ok(())
    }

    unsafe fn object(&mut self, count: c_int) -> Result<(), Stopped> {
        // SAFETY: as in `value`; keys are strings, which every table takes.
        unsafe {
            lua_createtable(self.state, 0, count);
            for _ in 0..count {
                self.value()?;
                self.value()?;
                lua_rawset(self.state, -3);
            }
        }
        Ok(())
    }
}

/// A count of what a text of less than 2 GiB holds.
fn size(count: usize) -> c_int {
    c_int::try_from(count).unwrap_or(c_int::MAX)
}
