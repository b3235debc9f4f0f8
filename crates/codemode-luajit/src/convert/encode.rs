//! A Lua value to JSON text: read raw, in one pass, with the keys of objects sorted by their bytes.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::Arc;

use codemode_core::Guard;
use mlua::ffi::{
    LUA_REGISTRYINDEX, LUA_TBOOLEAN, LUA_TFUNCTION, LUA_TNIL, LUA_TNONE, LUA_TNUMBER, LUA_TSTRING, LUA_TTABLE, LUA_TTHREAD, lua_State,
    lua_checkstack, lua_gettop, lua_next, lua_pop, lua_pushnil, lua_pushvalue, lua_rawgeti_, lua_settop, lua_toboolean, lua_tolstring,
    lua_tonumber, lua_topointer, lua_type,
};

use super::counted::Counted;
use super::halt::Halt;
use super::place::Step;
use super::write::Unwritten;
use super::{MAX_DEPTH, VALUES_BETWEEN_LOOKS, keys, sentinel, write};

/// How much memory the buffers keep from one use to the next, in bytes each.
const KEPT: usize = 16 << 10;

/// How many values are walked through after something was refused.
const PATIENCE: u32 = 1 << 20;

/// What the text must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Any value.
    Any,
    /// The arguments of a call: an object, which nothing at all and `nil` stand for too.
    Arguments,
}

/// The buffers of the encoder, kept from one use to the next.
#[derive(Debug)]
pub(crate) struct Encoder {
    text: Counted<u8>,
    entries: Counted<Entry>,
    sorted: Counted<u8>,
    guard: Arc<Guard>,
}

/// One entry of an object that is being written: its key, and where in the text it stands as `"key":value,`.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The key's first eight bytes as a number of the same order, zeros behind a shorter one.
    begin: u64,
    key: *const u8,
    length: usize,
    start: usize,
    end: usize,
}

impl Encoder {
    pub(crate) fn new(guard: &Arc<Guard>) -> Self {
        Self { text: Counted::new(guard), entries: Counted::new(guard), sorted: Counted::new(guard), guard: Arc::clone(guard) }
    }

    /// Writes the value at `index` as text, which [`Encoder::text`] then gives. Raises nothing and runs no code of the program.
    ///
    /// # Safety
    /// The state is live, the index is valid, and [`sentinel::install`] has run.
    pub(crate) unsafe fn encode(&mut self, state: *mut lua_State, index: c_int, shape: Shape) -> Result<(), Halt> {
        self.clear();
        // SAFETY: every slot that the walk uses is made sure of here, so that no push can raise, and given back.
        unsafe {
            let top = lua_gettop(state);
            // Each level holds a key and a value; a copy of the root, the marker of arrays and two more come first and last.
            if lua_checkstack(state, 2 * c_int::from(MAX_DEPTH) + 8) == 0 {
                return Err(Halt::refused("the stack is too deep for encoding here; call it from a shallower function"));
            }
            let kind = lua_type(state, index);
            if shape == Shape::Arguments && kind != LUA_TTABLE {
                return match kind {
                    LUA_TNONE | LUA_TNIL => Ok(self.text.extend(b"{}")?),
                    _ => Err(Halt::refused(format!("arguments are one table of names, as in {{path = \"x\"}}, not {}", a_kind(kind)))),
                };
            }
            // The marker comes first: a table must be the topmost slot in use when it is walked.
            sentinel::push_array_marker(state);
            lua_pushvalue(state, if index < 0 && index > LUA_REGISTRYINDEX { index - 1 } else { index });
            let mut walk = Walk {
                state,
                marker: top + 1,
                shape,
                open: [ptr::null(); MAX_DEPTH as usize],
                left: VALUES_BETWEEN_LOOKS,
                refused: false,
                patience: PATIENCE,
                to: self,
            };
            let walked = walk.value(top + 2, 0);
            lua_settop(state, top);
            walked
        }
    }

    /// The text that was written.
    pub(crate) fn text(&self) -> &str {
        // SAFETY: only whole strings that were checked to be UTF-8, and ASCII, are written.
        unsafe { std::str::from_utf8_unchecked(self.text.items()) }
    }

    /// The text itself, which is then no longer counted here.
    pub(crate) fn take_text(&mut self) -> String {
        let text = self.text.take();
        self.clear();
        // SAFETY: as in `text`.
        unsafe { String::from_utf8_unchecked(text) }
    }

    /// Empties the buffers, and gives large ones back.
    pub(crate) fn clear(&mut self) {
        self.text.clear(KEPT);
        self.entries.clear(KEPT);
        self.sorted.clear(KEPT);
    }
}

struct Walk<'e> {
    state: *mut lua_State,
    /// The slot of the metatable of arrays.
    marker: c_int,
    shape: Shape,
    /// The tables around the one at hand.
    open: [*const c_void; MAX_DEPTH as usize],
    /// Values until the latch is looked at.
    left: u32,
    /// Something was refused; what is walked through after that serves to tell the same one each time.
    refused: bool,
    /// Values that are still walked through after that: tables that hold each other make very many.
    patience: u32,
    to: &'e mut Encoder,
}

impl Walk<'_> {
    /// Writes the value in `slot`, inside of `depth` tables.
    unsafe fn value(&mut self, slot: c_int, depth: usize) -> Result<(), Halt> {
        self.left -= 1;
        if self.left == 0 {
            self.left = VALUES_BETWEEN_LOOKS;
            self.to.guard.check()?;
        }
        if self.refused {
            self.patience = self.patience.saturating_sub(1);
            if self.patience == 0 {
                return Err(Halt::Impatient);
            }
        }
        // SAFETY: the slot is one of those that `encode` made sure of.
        unsafe {
            match lua_type(self.state, slot) {
                LUA_TSTRING => self.string(slot),
                LUA_TNUMBER => self.number(lua_tonumber(self.state, slot)),
                LUA_TTABLE => self.table(slot, depth),
                LUA_TBOOLEAN if lua_toboolean(self.state, slot) != 0 => Ok(self.to.text.extend(b"true")?),
                LUA_TBOOLEAN => Ok(self.to.text.extend(b"false")?),
                LUA_TNIL => Ok(self.to.text.extend(b"null")?),
                _ if sentinel::is_null(self.state, slot) => Ok(self.to.text.extend(b"null")?),
                kind => Err(Halt::refused(format!("{} has no json form; leave it out or make it text", a_kind(kind)))),
            }
        }
    }

    fn number(&mut self, number: f64) -> Result<(), Halt> {
        if !number.is_finite() {
            let name = if number.is_nan() { "nan" } else { "infinity" };
            return Err(Halt::refused(format!("{name} has no json form; use json_null or text")));
        }
        Ok(write::number(&mut self.to.text, number)?)
    }

    unsafe fn string(&mut self, slot: c_int) -> Result<(), Halt> {
        // SAFETY: the slot holds a string, which stays where it is while it is there.
        let bytes = unsafe { string_bytes(self.state, slot) };
        write::string(&mut self.to.text, bytes).map_err(|unwritten| unwritten_string(unwritten, "a string"))
    }

    unsafe fn table(&mut self, table: c_int, depth: usize) -> Result<(), Halt> {
        // SAFETY: `table` is the topmost slot in use and holds a table; `lua_next` gets a key that it gave or `nil`,
        // and nothing changes a table meanwhile, so that it cannot raise.
        unsafe {
            let this = lua_topointer(self.state, table);
            if self.open[..depth].contains(&this) {
                return Err(Halt::refused("a cycle: this table holds itself; break it before encoding"));
            }
            let Some(open) = self.open.get_mut(depth) else {
                return Err(Halt::refused(format!("nests deeper than {MAX_DEPTH} levels; flatten it")));
            };
            *open = this;
            let marked = sentinel::has_array_marker(self.state, table, self.marker);
            lua_pushnil(self.state);
            if lua_next(self.state, table) == 0 {
                self.refuse_array_arguments(marked, depth)?;
                return Ok(self.to.text.extend(if marked { b"[]" } else { b"{}" })?);
            }
            let written = match lua_type(self.state, table + 1) {
                LUA_TNUMBER => match self.refuse_array_arguments(true, depth) {
                    Ok(()) => self.array(table, depth + 1),
                    refused => refused,
                },
                LUA_TSTRING if !marked => self.object(table, depth + 1),
                _ => Err(Halt::refused("a table whose keys are neither positions nor names")),
            };
            match written {
                // What is wrong with the keys comes first, so that it does not depend on their order what is told.
                Err(halt @ (Halt::Refused(_) | Halt::Impatient)) => Err(keys::fault(self.state, table, marked).unwrap_or(halt)),
                other => other,
            }
        }
    }

    /// Writes an array whose first key and value lie above it.
    unsafe fn array(&mut self, table: c_int, depth: usize) -> Result<(), Halt> {
        self.to.text.push(b'[')?;
        let (key, value) = (table + 1, table + 2);
        let mut position = 1_u32;
        // SAFETY: as in `table`.
        unsafe {
            loop {
                #[expect(clippy::float_cmp, reason = "a position is whole or it is none")]
                if lua_type(self.state, key) != LUA_TNUMBER || lua_tonumber(self.state, key) != f64::from(position) {
                    return self.rest_of_array(table, position, depth);
                }
                self.value(value, depth).map_err(|halt| halt.within(|| Step::Position(position.into())))?;
                lua_pop(self.state, 1);
                if lua_next(self.state, table) == 0 {
                    return Ok(self.to.text.push(b']')?);
                }
                self.to.text.push(b',')?;
                position += 1;
            }
        }
    }

    /// Goes on with an array that does not lie in order: counts what is left, then asks for each position.
    unsafe fn rest_of_array(&mut self, table: c_int, first: u32, depth: usize) -> Result<(), Halt> {
        let key = table + 1;
        let mut last = first - 1;
        // SAFETY: as in `table`.
        unsafe {
            loop {
                if lua_type(self.state, key) != LUA_TNUMBER || !keys::is_position(lua_tonumber(self.state, key)) {
                    return Err(Halt::refused("a table whose keys are not positions alone"));
                }
                last += 1;
                lua_pop(self.state, 1);
                if lua_next(self.state, table) == 0 {
                    break;
                }
            }
            for position in first..=last {
                lua_rawgeti_(self.state, table, c_int::try_from(position).unwrap_or(c_int::MAX));
                if lua_type(self.state, key) == LUA_TNIL {
                    return Err(Halt::refused(format!(
                        "a sparse array: it has {last} entries, and none at {position}; fill holes with json_null"
                    )));
                }
                self.value(key, depth).map_err(|halt| halt.within(|| Step::Position(position.into())))?;
                lua_pop(self.state, 1);
                self.to.text.push(if position == last { b']' } else { b',' })?;
            }
        }
        Ok(())
    }

    /// Writes an object whose first key and value lie above it.
    ///
    /// Of several entries that have no JSON form, the one with the least key is told, whatever order they lie in.
    unsafe fn object(&mut self, table: c_int, depth: usize) -> Result<(), Halt> {
        self.to.text.push(b'{')?;
        let (key, value) = (table + 1, table + 2);
        let (first, begin) = (self.to.entries.len(), self.to.text.len());
        let mut refused: Option<(&[u8], Halt)> = None;
        // SAFETY: as in `table`; the keys' bytes stay where they are while the table holds them.
        unsafe {
            loop {
                if lua_type(self.state, key) != LUA_TSTRING {
                    return Err(Halt::refused("a table whose keys are not names alone"));
                }
                let name = string_bytes(self.state, key);
                let (start, entries) = (self.to.text.len(), self.to.entries.len());
                match self.entry(name, value, depth) {
                    Ok(()) => self.to.entries.push(Entry {
                        begin: key_begin(name),
                        key: name.as_ptr(),
                        length: name.len(),
                        start,
                        end: self.to.text.len(),
                    })?,
                    Err(Halt::Impatient) => break,
                    Err(halt @ Halt::Refused(_)) => {
                        self.refused = true;
                        self.to.text.truncate(start);
                        self.to.entries.truncate(entries);
                        if refused.as_ref().is_none_or(|(least, _)| name < *least) {
                            refused = Some((name, halt));
                        }
                    }
                    Err(halt) => return Err(halt),
                }
                lua_settop(self.state, key);
                if lua_next(self.state, table) == 0 {
                    break;
                }
            }
            match refused {
                Some((_, halt)) => Err(halt),
                None if self.patience == 0 => Err(Halt::Impatient),
                None => self.to.sort(first, begin),
            }
        }
    }

    /// Writes a key and the value in `slot`, and a comma.
    unsafe fn entry(&mut self, name: &[u8], slot: c_int, depth: usize) -> Result<(), Halt> {
        write::string(&mut self.to.text, name).map_err(|unwritten| unwritten_string(unwritten, "a key").within(|| Step::name(name)))?;
        self.to.text.push(b':')?;
        // SAFETY: as in `table`.
        unsafe { self.value(slot, depth) }.map_err(|halt| halt.within(|| Step::name(name)))?;
        Ok(self.to.text.push(b',')?)
    }

    /// Arguments are named: an array in their place is a mistake that no tool should see.
    fn refuse_array_arguments(&self, array: bool, depth: usize) -> Result<(), Halt> {
        if array && depth == 0 && self.shape == Shape::Arguments {
            return Err(Halt::refused("arguments are one table of names, as in {path = \"x\"}, not an array"));
        }
        Ok(())
    }
}

impl Encoder {
    /// Puts the entries from `first` on, whose text begins at `begin`, into the order of their keys and closes the object.
    ///
    /// # Safety
    /// The entries' keys are alive.
    unsafe fn sort(&mut self, first: usize, begin: usize) -> Result<(), Halt> {
        // SAFETY: the caller vouches for the keys.
        let key = |entry: &Entry| unsafe { slice::from_raw_parts(entry.key, entry.length) };
        let order = |left: &Entry, right: &Entry| left.begin.cmp(&right.begin).then_with(|| key(left).cmp(key(right)));
        let entries = &mut self.entries.items_mut()[first..];
        if !entries.is_sorted_by(|left, right| order(left, right).is_lt()) {
            entries.sort_unstable_by(order);
            self.sorted.clear(usize::MAX);
            self.sorted.room(self.text.len() - begin)?;
            for entry in entries {
                self.sorted.extend(&self.text.items()[entry.start..entry.end])?;
            }
            self.text.items_mut()[begin..].copy_from_slice(self.sorted.items());
        }
        self.entries.truncate(first);
        if let Some(last) = self.text.items_mut().last_mut() {
            *last = b'}';
        }
        Ok(())
    }
}

/// The first eight bytes as a number of the same order.
#[inline]
fn key_begin(key: &[u8]) -> u64 {
    match key.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => key.iter().fold(0, |number, byte| (number << 8) | u64::from(*byte)) << (8 * (8 - key.len().max(1))),
    }
}

/// The bytes of the string in `slot`.
///
/// # Safety
/// The slot holds a string; the bytes are used while something in the state holds it.
pub(super) unsafe fn string_bytes<'s>(state: *mut lua_State, slot: c_int) -> &'s [u8] {
    let mut length = 0;
    // SAFETY: on a string this neither converts nor raises.
    unsafe {
        let bytes = lua_tolstring(state, slot, &raw mut length);
        slice::from_raw_parts(bytes.cast(), length)
    }
}

pub(super) fn a_kind(kind: c_int) -> &'static str {
    match kind {
        LUA_TNIL => "nil",
        LUA_TBOOLEAN => "a boolean",
        LUA_TNUMBER => "a number",
        LUA_TSTRING => "a string",
        LUA_TTABLE => "a table",
        LUA_TFUNCTION => "a function",
        LUA_TTHREAD => "a coroutine",
        _ => "a userdata",
    }
}

#[cold]
fn unwritten_string(unwritten: Unwritten, what: &str) -> Halt {
    match unwritten {
        Unwritten::Narrow(narrow) => narrow.into(),
        Unwritten::NotUtf8(after) => {
            Halt::refused(format!("{what} that is not utf-8 after {after} bytes; encode binary data as text first"))
        }
    }
}
