//! `table.sort` that can be stopped: LuaJIT's own runs no hook, and takes quadratic time over some orders.

use std::cmp::Ordering;
use std::ffi::c_int;

use codemode_core::{Guard, Stopped};
use mlua::ffi;

use crate::call::{self, Lua, Reply, bytes_at, enter, guarded, raise_stop};
use crate::state::Context;

/// How many values are sorted between two looks at the guard.
const CHUNK: usize = 1 << 15;

/// `table.sort(table, before?)`.
pub(crate) unsafe extern "C-unwind" fn sort(state: Lua) -> c_int {
    // SAFETY: LuaJIT calls it with a live coroutine; nothing of Rust's is owned while LuaJIT may raise.
    unsafe {
        let context = enter(state);
        ffi::luaL_checktype(state, 1, ffi::LUA_TTABLE);
        let length = c_int::try_from(ffi::lua_objlen(state, 1)).unwrap_or(c_int::MAX);
        ffi::lua_settop(state, 2);
        let has_order = ffi::lua_type(state, 2) != ffi::LUA_TNIL;
        if has_order {
            ffi::luaL_checktype(state, 2, ffi::LUA_TFUNCTION);
        }
        call::check_stack(state, 40);
        if length < 2 {
            return 0;
        }
        match if has_order { Ok(Ok(false)) } else { guarded(context, || alike(state, context, length)) } {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => Quick { state, context, has_order }.sort(1, length),
            Ok(Err(Stopped)) => raise_stop(state),
            Err(reply) => return call::finish(state, context, reply),
        }
        0
    }
}

/// Sorts a table of numbers alone or of strings alone, which needs nothing of LuaJIT's; false for any other.
///
/// # Safety
/// The table is at 1; nothing here raises.
unsafe fn alike(state: Lua, context: &Context, length: c_int) -> Result<bool, Stopped> {
    // SAFETY: the caller's promise.
    unsafe {
        ffi::lua_rawgeti_(state, 1, 1);
        let kind = ffi::lua_type(state, -1);
        ffi::lua_settop(state, 2);
        match kind {
            ffi::LUA_TNUMBER => numbers(state, context, length),
            ffi::LUA_TSTRING => strings(state, context, length),
            _ => Ok(false),
        }
    }
}

/// Room for `length` values and as many again to merge into; nothing where it does not fit the budget.
fn room<T>(context: &Context, length: c_int) -> Option<(Vec<T>, codemode_core::Reserved)> {
    let length = usize::try_from(length).ok()?;
    let bytes = length.checked_mul(2 * size_of::<T>())?;
    if context.guard().held().saturating_add(bytes) > context.guard().memory_limit() {
        return None;
    }
    let reserved = context.guard().reserve(bytes).ok()?;
    Some((Vec::with_capacity(length), reserved))
}

/// # Safety
/// As [`alike`].
unsafe fn numbers(state: Lua, context: &Context, length: c_int) -> Result<bool, Stopped> {
    let Some((mut values, _reserved)) = room::<f64>(context, length) else { return Ok(false) };
    // SAFETY: the caller's promise; the slots that are written are there already.
    unsafe {
        for place in 1..=length {
            ffi::lua_rawgeti_(state, 1, place);
            let value = ffi::lua_tonumber(state, -1);
            let is_number = ffi::lua_type(state, -1) == ffi::LUA_TNUMBER;
            ffi::lua_settop(state, 2);
            if !is_number || value.is_nan() {
                return Ok(false);
            }
            values.push(value);
        }
        let sorted = in_order(values, context.guard(), |a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal))?;
        for (place, value) in (1..).zip(sorted) {
            ffi::lua_pushnumber(state, value);
            ffi::lua_rawseti_(state, 1, place);
        }
    }
    Ok(true)
}

/// A string of the table, and where it was.
#[derive(Clone, Copy)]
struct Text<'a> {
    bytes: &'a [u8],
    from: c_int,
}

/// # Safety
/// As [`alike`].
unsafe fn strings(state: Lua, context: &Context, length: c_int) -> Result<bool, Stopped> {
    let Some((mut values, _reserved)) = room::<Text<'_>>(context, length) else { return Ok(false) };
    // SAFETY: the caller's promise; the strings stay where they are, since the table holds them and nothing collects.
    unsafe {
        for place in 1..=length {
            ffi::lua_rawgeti_(state, 1, place);
            let bytes = bytes_at(state, -1);
            ffi::lua_settop(state, 2);
            let Some(bytes) = bytes else { return Ok(false) };
            values.push(Text { bytes, from: place });
        }
        let sorted = in_order(values, context.guard(), |a, b| a.bytes.cmp(b.bytes))?;
        let mut from: Vec<c_int> = sorted.iter().map(|text| text.from).collect();
        drop(sorted);
        put(state, &mut from);
    }
    Ok(true)
}

/// Moves values to their places: the one at `from[n]` goes to place `n + 1`, circle by circle.
///
/// # Safety
/// As [`alike`]; `from` holds each place once.
unsafe fn put(state: Lua, from: &mut [c_int]) {
    let index = |place: c_int| usize::try_from(place - 1).unwrap_or(0);
    for start in 1..=c_int::try_from(from.len()).unwrap_or(c_int::MAX) {
        if from[index(start)] == start {
            continue;
        }
        // SAFETY: the caller's promise.
        unsafe {
            ffi::lua_rawgeti_(state, 1, start);
            let mut place = start;
            loop {
                let next = std::mem::replace(&mut from[index(place)], place);
                if next == start {
                    break;
                }
                ffi::lua_rawgeti_(state, 1, next);
                ffi::lua_rawseti_(state, 1, place);
                place = next;
            }
            ffi::lua_rawseti_(state, 1, place);
        }
    }
}

/// Sorts in chunks and merges them, looking at the guard after each chunk.
fn in_order<T: Copy>(mut values: Vec<T>, guard: &Guard, order: impl Fn(&T, &T) -> Ordering) -> Result<Vec<T>, Stopped> {
    for chunk in values.chunks_mut(CHUNK) {
        guard.check()?;
        chunk.sort_unstable_by(&order);
    }
    let mut width = CHUNK;
    let mut merged = Vec::with_capacity(if values.len() > width { values.len() } else { 0 });
    while width < values.len() {
        merged.clear();
        for pair in values.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                if merged.len() % CHUNK == 0 {
                    guard.check()?;
                }
                if order(second, first) == Ordering::Less {
                    merged.push(*second);
                    right = right_rest;
                } else {
                    merged.push(*first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut values, &mut merged);
        width *= 2;
    }
    Ok(values)
}

/// Lua 5.1's quicksort over the table at 1, with its results for any order function, and the guard looked at each time.
struct Quick<'a> {
    state: Lua,
    context: &'a Context,
    has_order: bool,
}

impl Quick<'_> {
    /// Whether the value at `a` comes before the one at `b`; both count from the top.
    ///
    /// # Safety
    /// As [`call::enter`].
    unsafe fn before(&self, a: c_int, b: c_int) -> bool {
        let state = self.state;
        // SAFETY: the caller's promise.
        unsafe {
            if self.context.guard().stopped() {
                raise_stop(state);
            }
            if !self.has_order {
                return ffi::lua_lessthan(state, a, b) != 0;
            }
            ffi::lua_pushvalue(state, 2);
            ffi::lua_pushvalue(state, a - 1);
            ffi::lua_pushvalue(state, b - 2);
            ffi::lua_call(state, 2, 1);
            let before = ffi::lua_toboolean(state, -1) != 0;
            ffi::lua_settop(state, -2);
            before
        }
    }

    unsafe fn get(&self, place: c_int) {
        // SAFETY: as above.
        unsafe { ffi::lua_rawgeti_(self.state, 1, place) }
    }

    /// Stores the topmost value at `first` and the one below at `second`.
    unsafe fn set(&self, first: c_int, second: c_int) {
        // SAFETY: as above.
        unsafe {
            ffi::lua_rawseti_(self.state, 1, first);
            ffi::lua_rawseti_(self.state, 1, second);
        }
    }

    unsafe fn pop(&self, count: c_int) {
        // SAFETY: as above.
        unsafe { ffi::lua_settop(self.state, -count - 1) }
    }

    unsafe fn no_order(&self) {
        // SAFETY: as above.
        unsafe {
            call::finish(self.state, self.context, Reply::Raise("invalid order function for sorting".to_owned()));
        }
    }

    /// Sorts from `low` to `high`. Recursion goes into the smaller part, so that it is never deep.
    ///
    /// # Safety
    /// As [`call::enter`], with the table at 1 and the order function at 2.
    unsafe fn sort(&self, mut low: c_int, mut high: c_int) {
        // SAFETY: the caller's promise.
        unsafe {
            while low < high {
                self.get(low);
                self.get(high);
                if self.before(-1, -2) {
                    self.set(low, high)
                } else {
                    self.pop(2)
                }
                if high - low == 1 {
                    return;
                }
                let middle = low + (high - low) / 2;
                self.get(middle);
                self.get(low);
                if self.before(-2, -1) {
                    self.set(middle, low);
                } else {
                    self.pop(1);
                    self.get(high);
                    if self.before(-1, -2) { self.set(middle, high) } else { self.pop(2) }
                }
                if high - low == 2 {
                    return;
                }
                let pivot = self.partition(low, middle, high);
                if pivot - low < high - pivot {
                    self.sort(low, pivot - 1);
                    low = pivot + 1;
                } else {
                    self.sort(pivot + 1, high);
                    high = pivot - 1;
                }
            }
        }
    }

    /// Parts what lies between by the value in the middle, and gives its place.
    ///
    /// # Safety
    /// As [`Quick::sort`].
    unsafe fn partition(&self, low: c_int, middle: c_int, high: c_int) -> c_int {
        // SAFETY: the caller's promise.
        unsafe {
            self.get(middle);
            ffi::lua_pushvalue(self.state, -1);
            self.get(high - 1);
            self.set(middle, high - 1);
            let (mut up, mut down) = (low, high - 1);
            loop {
                up += 1;
                self.get(up);
                while self.before(-1, -2) {
                    if up >= high {
                        self.no_order();
                    }
                    self.pop(1);
                    up += 1;
                    self.get(up);
                }
                down -= 1;
                self.get(down);
                while self.before(-3, -1) {
                    if down <= low {
                        self.no_order();
                    }
                    self.pop(1);
                    down -= 1;
                    self.get(down);
                }
                if down < up {
                    self.pop(3);
                    break;
                }
                self.set(up, down);
            }
            self.get(high - 1);
            self.get(up);
            self.set(high - 1, up);
            up
        }
    }
}
