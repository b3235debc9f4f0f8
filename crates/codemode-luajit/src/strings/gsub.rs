//! `string.gsub`: what it makes grows in a block of LuaJIT's own.

use std::ffi::c_int;

use codemode_core::Stopped;
use mlua::ffi;

use super::found::{Batch, Piece};
use super::{SHORT_REPLACEMENT, push_count, settle, work};
use crate::call::{self, Lua, Reply, bytes_at, check_stack, enter, push_bytes, raise_stop, text_argument, type_name};
use crate::pattern::{Caret, Halt, Match, Output, Substitution, Template};
use crate::state::Context;

/// Where the block is on the stack.
const BLOCK: c_int = 5;

/// `string.gsub(text, pattern, replacement, most?)`.
pub(super) unsafe extern "C-unwind" fn gsub(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; the arguments stay on the stack.
    unsafe {
        let context = enter(state);
        let (subject, pattern) = (text_argument(state, 1), text_argument(state, 2));
        let all = ffi::lua_Integer::try_from(subject.len()).unwrap_or(ffi::lua_Integer::MAX).saturating_add(1);
        #[expect(clippy::cast_possible_truncation, reason = "LuaJIT takes the low 32 bits")]
        let most = u64::try_from(ffi::luaL_optinteger(state, 4, all) as i32).unwrap_or(0);
        let kind = ffi::lua_type(state, 3);
        ffi::lua_settop(state, 4);
        check_stack(state, 10);
        let job = Job { state, context, subject, pattern, most };
        match kind {
            ffi::LUA_TSTRING | ffi::LUA_TNUMBER => job.with_template(text_argument(state, 3)),
            ffi::LUA_TFUNCTION | ffi::LUA_TTABLE => job.with_values(kind == ffi::LUA_TFUNCTION),
            _ => ffi::luaL_argerror(state, 3, c"string/function/table expected".as_ptr()),
        }
    }
}

/// One call.
struct Job<'a> {
    state: Lua,
    context: &'a Context,
    subject: &'a [u8],
    pattern: &'a [u8],
    most: u64,
}

impl Job<'_> {
    /// Replaces with a string. Rust works until the block is full, and again once there is a larger one.
    ///
    /// # Safety
    /// As [`call::reply`], with the arguments and nothing else on the stack.
    unsafe fn with_template(&self, template: &[u8]) -> c_int {
        let Self { state, context, subject, pattern, most } = *self;
        let mut substitution = Substitution::START;
        // SAFETY: the caller's promise.
        unsafe {
            let mut block = Block::new(state, subject.len());
            loop {
                let worked = work(
                    context,
                    (pattern, Caret::Anchors),
                    |pattern| pattern.longest_own_substitution(SHORT_REPLACEMENT.into(), subject.len()),
                    |pattern, meter| {
                        let mut filling = Filling::new(&mut block);
                        let template = Template::new(template);
                        let run = substitution.run(&mut pattern.over(subject), most, meter, &mut filling, |found, meter, filling| {
                            template.expand(found, subject, meter, filling)?;
                            filling.replaced()
                        });
                        filling.end(run)
                    },
                );
                let wanted = settle(state, context, &context.strings().substitutions, worked);
                match wanted {
                    Wanted::Nothing => break,
                    Wanted::Bytes(bytes) => block.grow(bytes),
                }
            }
            block.push();
            push_count(state, usize::try_from(substitution.replaced()).unwrap_or(usize::MAX));
        }
        2
    }

    /// Replaces with what a function gives for each match, or a table has.
    ///
    /// # Safety
    /// As [`Job::with_template`].
    unsafe fn with_values(&self, is_function: bool) -> c_int {
        let Self { state, context, subject, pattern, most } = *self;
        let mut batch = Batch::START;
        let (mut kept_from, mut replaced) = (0, 0);
        // SAFETY: the caller's promise; the stack is as it was after each round.
        unsafe {
            let mut block = Block::new(state, subject.len());
            while replaced < most {
                // A table may have all the answers, so that no program and no hook runs.
                if context.guard().stopped() {
                    raise_stop(state);
                }
                if batch.is_empty() {
                    let values = |found: &Match<'_>| if is_function { found.values() } else { 1 };
                    let worked = work(
                        context,
                        (pattern, Caret::Anchors),
                        |_| None,
                        |pattern, meter| batch.fill(&mut pattern.over(subject), meter, values),
                    );
                    settle(state, context, &context.strings().substitutions, worked);
                }
                let Some(found) = batch.next() else { break };
                let whole = found.whole;
                block.append(&subject[kept_from..whole.start()]);
                if is_function {
                    ffi::lua_pushvalue(state, 3);
                    let arguments = found.push(state, subject);
                    ffi::lua_call(state, arguments, 1);
                } else {
                    found.push(state, subject);
                    ffi::lua_gettable_(state, 3);
                }
                self.append_value(&mut block, whole);
                ffi::lua_settop(state, BLOCK);
                kept_from = whole.end();
                replaced += 1;
            }
            block.append(&subject[kept_from..]);
            block.push();
            push_count(state, usize::try_from(replaced).unwrap_or(usize::MAX));
        }
        2
    }

    /// Appends the value on top, or the match where it is nil or false.
    ///
    /// # Safety
    /// As [`Job::with_template`].
    unsafe fn append_value(&self, block: &mut Block, whole: Piece) {
        let Self { state, context, subject, .. } = *self;
        // SAFETY: the caller's promise; a number is made a string where it is.
        unsafe {
            if ffi::lua_toboolean(state, -1) == 0 {
                return block.append(&subject[whole.start()..whole.end()]);
            }
            if ffi::lua_type(state, -1) == ffi::LUA_TNUMBER {
                ffi::lua_tolstring(state, -1, std::ptr::null_mut());
            }
            match bytes_at(state, -1) {
                Some(bytes) => block.append(bytes),
                None => {
                    let message = format!("invalid replacement value (a {})", type_name(state, -1));
                    call::finish(state, context, Reply::Raise(message));
                }
            }
        }
    }
}

/// What a `gsub` made so far, in a block of LuaJIT's that stays at [`BLOCK`] on the stack.
struct Block {
    state: Lua,
    start: *mut u8,
    capacity: usize,
    length: usize,
}

impl Block {
    /// # Safety
    /// `state` is live with four values on its stack and room for more. May raise: the caller owns nothing.
    unsafe fn new(state: Lua, capacity: usize) -> Self {
        // SAFETY: the caller's promise.
        let start = unsafe { ffi::lua_newuserdata(state, capacity.max(1)) };
        Self { state, start: start.cast(), capacity, length: 0 }
    }

    /// # Safety
    /// As [`Block::new`].
    unsafe fn grow(&mut self, wanted: usize) {
        let capacity = wanted.max(self.capacity.saturating_mul(2));
        // SAFETY: the caller's promise; both blocks are on the stack while one is copied to the other.
        unsafe {
            let start = ffi::lua_newuserdata(self.state, capacity).cast::<u8>();
            std::ptr::copy_nonoverlapping(self.start, start, self.length);
            ffi::lua_replace(self.state, BLOCK);
            (self.start, self.capacity) = (start, capacity);
        }
    }

    /// # Safety
    /// As [`Block::new`].
    unsafe fn append(&mut self, bytes: &[u8]) {
        // SAFETY: the caller's promise.
        unsafe {
            if !self.write(bytes) {
                self.grow(self.length.saturating_add(bytes.len()));
                self.write(bytes);
            }
        }
    }

    /// Writes the bytes if there is room for them.
    fn write(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() > self.capacity - self.length {
            return false;
        }
        // SAFETY: there is room; the block is LuaJIT's, of which nothing else that we have is a part.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(self.length), bytes.len()) };
        self.length += bytes.len();
        true
    }

    /// Pushes it as a string.
    ///
    /// # Safety
    /// As [`Block::new`].
    unsafe fn push(&self) {
        // SAFETY: so many bytes were written.
        unsafe { push_bytes(self.state, std::slice::from_raw_parts(self.start, self.length)) }
    }
}

/// What a block still wants.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    Nothing,
    /// Room for so many bytes in all.
    Bytes(usize),
}

/// Why a substitution does not go on.
enum Pause {
    Halted(Halt),
    Full,
}

impl From<Halt> for Pause {
    fn from(halt: Halt) -> Self {
        Self::Halted(halt)
    }
}

/// A block that is filled while nothing of LuaJIT's may be called. What does not fit is counted.
struct Filling<'b> {
    block: &'b mut Block,
    /// How much of the block is whole: what came after it is made again once there is room.
    whole: usize,
    /// How long all of it is.
    length: usize,
}

impl<'b> Filling<'b> {
    fn new(block: &'b mut Block) -> Self {
        Self { whole: block.length, length: block.length, block }
    }

    fn fits(&self) -> bool {
        self.length <= self.block.capacity
    }

    /// A replacement is made.
    fn replaced(&mut self) -> Result<(), Pause> {
        if !self.fits() {
            return Err(Pause::Full);
        }
        self.whole = self.block.length;
        Ok(())
    }

    /// The substitution came to its end, or does not go on.
    fn end(self, run: Result<(), Pause>) -> Result<Wanted, Halt> {
        match run {
            Err(Pause::Halted(halt)) => Err(halt),
            Ok(()) if self.fits() => Ok(Wanted::Nothing),
            Ok(()) | Err(Pause::Full) => {
                self.block.length = self.whole;
                Ok(Wanted::Bytes(self.length))
            }
        }
    }
}

impl Output for Filling<'_> {
    fn push(&mut self, bytes: &[u8]) -> Result<(), Stopped> {
        self.length = self.length.saturating_add(bytes.len());
        if self.fits() {
            self.block.write(bytes);
        }
        Ok(())
    }
}
