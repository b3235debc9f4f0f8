//! Tracebacks of the program alone: our own frames and LuaJIT's are left out.

use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;

use mlua::ffi;

use crate::call::Lua;

/// The chunk name of everything that we load into an interpreter ourselves; its frames are not shown.
pub(crate) const OUR_CHUNK: &CStr = c"=codemode";

/// Frames that are shown at each end of a long traceback.
const SHOWN_AT_EACH_END: usize = 10;

/// The most lines that are kept of coroutines inside each other.
pub(crate) const MOST_INSIDE: usize = 100;

/// Where the error that was raised last came from.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// What the innermost coroutines showed when an error left them, and the identity of that error.
    pub(crate) inside: Option<(usize, Vec<String>)>,
    /// The lines, innermost first.
    pub(crate) lines: Vec<String>,
    /// The line of the innermost frame of the program.
    pub(crate) line: Option<u32>,
}

/// One frame of the stack, as far as it is shown.
struct Frame {
    text: String,
    line: Option<u32>,
}

/// The frames of a coroutine from this level on, innermost first; the middle of many is left out. Never raises.
///
/// # Safety
/// `state` is a live coroutine with room for one value.
pub(crate) unsafe fn lines(state: Lua, from: c_int) -> (Vec<String>, Option<u32>) {
    // SAFETY: the caller's promise.
    let (depth, shown) = unsafe { (depth(state), |level| frame(state, level).map(|frame| (level, frame))) };
    let head: Vec<_> = (from..depth).filter_map(shown).take(SHOWN_AT_EACH_END).collect();
    let Some((last, _)) = head.last() else { return (Vec::new(), None) };
    let mut tail: Vec<_> = (last + 1..depth).rev().filter_map(shown).take(SHOWN_AT_EACH_END).collect();
    tail.reverse();
    let between = tail.first().map_or(0, |(first, _)| first - last - 1);
    let line = head.iter().find_map(|(_, frame)| frame.line);
    let mut lines: Vec<String> = head.into_iter().map(|(_, frame)| frame.text).collect();
    if between > 0 {
        lines.push(format!("... ({between} more)"));
    }
    lines.extend(tail.into_iter().map(|(_, frame)| frame.text));
    (lines, line)
}

/// How many frames there are: looked for by halves, since LuaJIT walks the stack for each level.
///
/// # Safety
/// As [`lines`].
unsafe fn depth(state: Lua) -> c_int {
    let exists = |level| {
        let mut record = MaybeUninit::<ffi::lua_Debug>::zeroed();
        // SAFETY: LuaJIT fills the record, which is plain data.
        unsafe { ffi::lua_getstack(state, level, record.as_mut_ptr()) != 0 }
    };
    let (mut low, mut high) = (0, 1);
    while exists(high) {
        low = high;
        high *= 2;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if exists(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// What a frame shows; nothing for functions that are not the program's.
///
/// # Safety
/// As [`lines`].
unsafe fn frame(state: Lua, level: c_int) -> Option<Frame> {
    let mut record = MaybeUninit::<ffi::lua_Debug>::zeroed();
    // SAFETY: LuaJIT fills the record where there is such a level; its texts live as long as the function does.
    unsafe {
        if ffi::lua_getstack(state, level, record.as_mut_ptr()) == 0 || ffi::lua_getinfo(state, c"Sln".as_ptr(), record.as_mut_ptr()) == 0 {
            return None;
        }
        let record = record.assume_init();
        let what = text(record.what);
        if what == "C" || CStr::from_ptr(record.source) == OUR_CHUNK {
            return None;
        }
        let source = CStr::from_ptr(record.short_src.as_ptr()).to_string_lossy();
        let place = if record.currentline > 0 { format!("{source}:{}", record.currentline) } else { source.to_string() };
        let name = text(record.name);
        let function = match (what.as_str(), name.as_str()) {
            ("main", _) => "main chunk".to_owned(),
            (_, "") => format!("function <{source}:{}>", record.linedefined),
            (_, name) => format!("function '{}'", codemode_core::text::cut(name, 60)),
        };
        Some(Frame {
            text: format!("{place}: in {function}"),
            line: (source == "program").then(|| u32::try_from(record.currentline).ok()).flatten().filter(|line| *line > 0),
        })
    }
}

/// # Safety
/// The text is null or lives for the call.
unsafe fn text(text: *const std::ffi::c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
