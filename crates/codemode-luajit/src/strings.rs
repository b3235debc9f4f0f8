//! `string.find`, `match`, `gmatch` and `gsub`: no hook runs in LuaJIT's own, so that they are left what they end soon with.
//!
//! Programs get functions in Lua, which LuaJIT compiles: each knows of the patterns that were used how long a subject LuaJIT's
//! own function ends within few steps with, and tail-calls it for those. All else comes here, and runs in the counting
//! matcher; what is learned of a pattern on the way makes the next call go there directly.
//!
//! No frame here owns anything while LuaJIT may raise or a program's function runs: matches are copied out of the matcher
//! as plain values, and what `gsub` makes grows in a block of LuaJIT's own, which its allocator counts.

mod found;
mod gsub;

use std::cell::{Cell, RefCell};
use std::ffi::c_int;

use mlua::ffi;

use self::found::Batch;
use crate::call::{self, Lua, Reply, bytes_at, check_stack, enter, guarded, raise_stop, text_argument};
use crate::pattern::{Caret, Halt, Meter, Pattern, PatternCache, find_plain, has_specials, search_start};
use crate::state::Context;
use crate::traceback::OUR_CHUNK;

/// What programs get.
///
/// `sizes` tells by pattern how long a subject may be for LuaJIT's own function. The most arguments that a function takes are
/// passed, so that a missing one reads as nil in messages.
const FUNCTIONS: &str = "\
local string, type, our_find, our_match, our_gmatch, our_gsub, search_sizes, step_sizes, short_sizes, short = ...
local find, match, gmatch, gsub = string.find, string.match, string.gmatch, string.gsub
function string.find(s, p, init, plain)
  local size = search_sizes[p]
  if size and type(s) == 'string' and #s <= size then return find(s, p, init, plain) end
  return our_find(s, p, init, plain)
end
function string.match(s, p, init)
  local size = search_sizes[p]
  if size and type(s) == 'string' and #s <= size then return match(s, p, init) end
  return our_match(s, p, init)
end
function string.gmatch(s, p)
  local size = step_sizes[p]
  if size and type(s) == 'string' and #s <= size then return gmatch(s, p) end
  return our_gmatch(s, p)
end
function string.gsub(s, p, r, n)
  local size = short_sizes[p]
  if size and type(r) == 'string' and #r <= short and type(s) == 'string' and #s <= size then return gsub(s, p, r, n) end
  return our_gsub(s, p, r, n)
end
";

/// How long a replacement may be for LuaJIT's own `gsub`.
const SHORT_REPLACEMENT: u8 = 16;

/// The longest pattern of which something is learned, so that few bytes are held for it.
const LONGEST_LEARNED: usize = 128;

/// How many patterns are learned before all are forgotten.
const MOST_LEARNED: usize = 512;

/// What an interpreter keeps for its string functions.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    patterns: RefCell<PatternCache>,
    searches: Cell<usize>,
    steps: Cell<usize>,
    substitutions: Cell<usize>,
}

impl Strings {
    /// A compiled pattern. Called while Rust works only.
    fn pattern<'p>(&self, bytes: &'p [u8], caret: Caret) -> Pattern<'p> {
        self.patterns.borrow_mut().pattern(bytes, caret)
    }
}

/// Puts the functions into the library.
///
/// # Safety
/// `state` is live, under protection, with room for fifteen values; the `string` library is open and untouched.
pub(crate) unsafe fn install(state: Lua) {
    // SAFETY: the caller's promise; nothing of Rust's is owned.
    unsafe {
        let base = ffi::lua_gettop(state);
        for _ in 0..3 {
            ffi::lua_createtable(state, 0, 0);
        }
        let [search, step, short] = [base + 1, base + 2, base + 3];
        if ffi::luaL_loadbuffer(state, FUNCTIONS.as_ptr().cast(), FUNCTIONS.len(), OUR_CHUNK.as_ptr()) != 0 {
            ffi::lua_error(state);
        }
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"string".as_ptr());
        ffi::lua_getfield_(state, ffi::LUA_GLOBALSINDEX, c"type".as_ptr());
        let ours: [(ffi::lua_CFunction, c_int); 4] = [(find, search), (match_, search), (gmatch, step), (gsub::gsub, short)];
        for (function, sizes) in ours {
            ffi::lua_pushvalue(state, sizes);
            ffi::lua_pushcclosure(state, function, 1);
        }
        for sizes in [search, step, short] {
            ffi::lua_pushvalue(state, sizes);
        }
        ffi::lua_pushnumber(state, f64::from(SHORT_REPLACEMENT));
        ffi::lua_call(state, 10, 0);
        ffi::lua_settop(state, base);
    }
}

/// What became of a call, with what is learned of its pattern.
struct Worked<T> {
    result: Result<T, Halt>,
    /// The longest subject for LuaJIT's own function, where this call could have been for it.
    longest: Option<usize>,
}

/// Works with a pattern under the guard's eye. `longest` says how long a subject may be for LuaJIT's own function.
fn work<T>(
    context: &Context,
    (pattern, caret): (&[u8], Caret),
    longest: impl FnOnce(&Pattern<'_>) -> Option<usize>,
    job: impl FnOnce(&Pattern<'_>, &mut Meter<'_>) -> Result<T, Halt>,
) -> Result<Worked<T>, Reply> {
    guarded(context, || {
        let mut budget = |_| context.guard().check();
        let is_short = pattern.len() <= LONGEST_LEARNED;
        let pattern = context.strings().pattern(pattern, caret);
        // A pattern that is used once is not worth it.
        let is_learned = is_short && pattern.is_known();
        let result = job(&pattern, &mut Meter::new(&mut budget));
        Worked { result, longest: if is_learned { longest(&pattern) } else { None } }
    })
}

/// What a call gave, or else raises what stands in its way; learns what there is to learn.
///
/// # Safety
/// `state` is live, in a function whose upvalue is a table of sizes, with the pattern at 2. May raise: the caller owns
/// nothing, and neither does `T`.
unsafe fn settle<T: Copy>(state: Lua, context: &Context, learned: &Cell<usize>, worked: Result<Worked<T>, Reply>) -> T {
    // SAFETY: the caller's promise; a fault's reply is kept by the context.
    unsafe {
        match worked {
            Ok(Worked { result: Ok(value), longest }) => {
                if let Some(longest) = longest {
                    learn(state, learned, longest);
                }
                value
            }
            Ok(Worked { result: Err(halt), .. }) => raise(state, context, halt),
            Err(reply) => {
                call::finish(state, context, reply);
                unreachable!("a panic's reply raises")
            }
        }
    }
}

/// Raises a halt.
///
/// # Safety
/// As [`settle`].
unsafe fn raise(state: Lua, context: &Context, halt: Halt) -> ! {
    // SAFETY: the caller's promise.
    unsafe {
        match halt {
            Halt::Stopped => raise_stop(state),
            Halt::Fault(fault) => {
                call::finish(state, context, Reply::Raise(fault.message().to_owned()));
                unreachable!("a raise does not come back")
            }
        }
    }
}

/// Remembers how long a subject may be for LuaJIT's own function with the pattern at 2.
///
/// # Safety
/// As [`settle`].
unsafe fn learn(state: Lua, learned: &Cell<usize>, longest: usize) {
    let sizes = ffi::lua_upvalueindex(1);
    // SAFETY: the caller's promise.
    unsafe {
        check_stack(state, 4);
        if learned.get() == MOST_LEARNED {
            ffi::lua_pushnil(state);
            while ffi::lua_next(state, sizes) != 0 {
                ffi::lua_settop(state, -2);
                ffi::lua_pushvalue(state, -1);
                ffi::lua_pushnil(state);
                ffi::lua_rawset(state, sizes);
            }
            learned.set(0);
        }
        ffi::lua_pushvalue(state, 2);
        push_count(state, longest);
        ffi::lua_rawset(state, sizes);
        learned.set(learned.get() + 1);
    }
}

/// `string.find(text, pattern, init?, plain?)`.
unsafe extern "C-unwind" fn find(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; the arguments stay on the stack.
    unsafe {
        let context = enter(state);
        let (subject, pattern) = (text_argument(state, 1), text_argument(state, 2));
        let from = start_argument(state, subject);
        let is_plain = ffi::lua_toboolean(state, 4) != 0 || !has_specials(pattern);
        let mut batch = Batch::START;
        let mut plain = None;
        let worked = work(
            context,
            (pattern, Caret::Anchors),
            |pattern| pattern.longest_own_search(subject.len()),
            |compiled, meter| {
                if is_plain {
                    plain = find_plain(subject, pattern, from, meter)?;
                    return Ok(());
                }
                let mut matcher = compiled.over(subject);
                let found = matcher.search(from, meter)?;
                found.map_or(Ok(()), |found| batch.one(&found, found.captures()))
            },
        );
        settle(state, context, &context.strings().searches, worked);
        if let Some(start) = plain {
            push_count(state, start + 1);
            push_count(state, start + pattern.len());
            return 2;
        }
        let Some(found) = batch.next() else {
            ffi::lua_pushnil(state);
            return 1;
        };
        check_stack(state, 2);
        push_count(state, found.whole.start() + 1);
        push_count(state, found.whole.end());
        found.push(state, subject) + 2
    }
}

/// `string.match(text, pattern, init?)`.
unsafe extern "C-unwind" fn match_(state: Lua) -> c_int {
    // SAFETY: as above.
    unsafe {
        let context = enter(state);
        let (subject, pattern) = (text_argument(state, 1), text_argument(state, 2));
        let from = start_argument(state, subject);
        let mut batch = Batch::START;
        let worked = work(
            context,
            (pattern, Caret::Anchors),
            |pattern| pattern.longest_own_search(subject.len()),
            |pattern, meter| {
                let mut matcher = pattern.over(subject);
                let found = matcher.search(from, meter)?;
                found.map_or(Ok(()), |found| batch.one(&found, found.values()))
            },
        );
        settle(state, context, &context.strings().searches, worked);
        let Some(found) = batch.next() else {
            ffi::lua_pushnil(state);
            return 1;
        };
        found.push(state, subject)
    }
}

/// `string.gmatch(text, pattern)`.
unsafe extern "C-unwind" fn gmatch(state: Lua) -> c_int {
    // SAFETY: as above; the block is as large as a batch and aligned for any value.
    unsafe {
        let context = enter(state);
        let (subject, pattern) = (text_argument(state, 1).len(), text_argument(state, 2));
        let worked = work(context, (pattern, Caret::Literal), |pattern| pattern.longest_own_search(subject), |_, _| Ok(()));
        settle(state, context, &context.strings().steps, worked);
        ffi::lua_settop(state, 2);
        ffi::lua_newuserdata(state, size_of::<Batch>()).cast::<Batch>().write(Batch::START);
        ffi::lua_pushcclosure(state, gmatch_step, 3);
        1
    }
}

/// One step of a `gmatch`: the upvalues are the text, the pattern, and a batch of matches.
unsafe extern "C-unwind" fn gmatch_step(state: Lua) -> c_int {
    let [text, pattern, batch] = [1, 2, 3].map(ffi::lua_upvalueindex);
    // SAFETY: as above; the upvalues stay where they are for as long as this function does, and only it uses the batch.
    unsafe {
        let context = enter(state);
        let subject = bytes_at(state, text).unwrap_or_default();
        let batch = &mut *ffi::lua_touserdata(state, batch).cast::<Batch>();
        if batch.is_empty() {
            let pattern = bytes_at(state, pattern).unwrap_or_default();
            let worked = work(
                context,
                (pattern, Caret::Literal),
                |_| None,
                |pattern, meter| batch.fill(&mut pattern.over(subject), meter, |found| found.values()),
            );
            settle(state, context, &context.strings().steps, worked);
        }
        batch.next().map_or(0, |found| found.push(state, subject))
    }
}

/// Where a search begins whose third argument says so.
///
/// # Safety
/// As [`text_argument`].
unsafe fn start_argument(state: Lua, subject: &[u8]) -> usize {
    // SAFETY: the caller's promise.
    let init = unsafe { ffi::luaL_optinteger(state, 3, 1) };
    // LuaJIT takes what does not fit into 32 bits for the least number that does.
    search_start(i32::try_from(init).unwrap_or(i32::MIN).into(), subject.len())
}

/// Pushes a count or a position.
///
/// # Safety
/// `state` is live with room for one value.
unsafe fn push_count(state: Lua, count: usize) {
    #[expect(clippy::cast_precision_loss, reason = "strings are shorter than 2 GiB")]
    let count = count as f64;
    // SAFETY: the caller's promise.
    unsafe { ffi::lua_pushnumber(state, count) }
}
