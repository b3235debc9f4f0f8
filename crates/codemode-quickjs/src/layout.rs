//! Where two things lie in QuickJS's context that it has no setting for: its count of polls, and what `eval` is done by.
//!
//! Both are found out once a process, in a context that is there for nothing else, and are used only where exactly one place fits
//! and is seen to work. Without them bounds hold as well, later or less surely, as the docs say.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use codemode_core::Guard;
use rquickjs::qjs;

use crate::load;
use crate::runtime::Runtime;

/// What the engine evaluates a text by: context, `this`, text, its length, its name, line, flags, scope.
pub(crate) type Evaluate =
    unsafe extern "C" fn(*mut qjs::JSContext, qjs::JSValue, *const c_char, qjs::size_t, *const c_char, c_int, c_int, c_int) -> qjs::JSValue;

/// What was found of the layout of a context.
#[derive(Clone, Copy, Default)]
pub(crate) struct Layout {
    /// Where the count of polls lies, in units of `c_int`.
    pub(crate) polls: Option<usize>,
    /// Where what evaluates lies, in units of a pointer, and what lies there by itself.
    pub(crate) evaluate: Option<(usize, Evaluate)>,
}

impl Layout {
    /// The layout of the engine that is linked.
    pub(crate) fn get() -> Self {
        static LAYOUT: OnceLock<Layout> = OnceLock::new();
        *LAYOUT.get_or_init(|| {
            let layout = Self { polls: find_polls(), evaluate: find_evaluate() };
            if layout.polls.is_none() || layout.evaluate.is_none() {
                tracing::warn!("the context of this QuickJS is laid out in another way than is known, so that some bounds are late");
            }
            layout
        })
    }
}

/// The words of a context.
///
/// # Safety
/// `context` is live, and `T` a plain number of a size that divides the context's.
unsafe fn words<T: Copy>(context: *mut qjs::JSContext) -> Vec<T> {
    // SAFETY: the context is a block of its own, zeroed when it was made, of at least so many bytes.
    unsafe {
        let bytes = qjs::js_malloc_usable_size(context, context.cast::<c_void>()) as usize;
        (0..bytes / size_of::<T>()).map(|place| context.cast::<T>().add(place).read_volatile()).collect()
    }
}

/// Finds the word that `JS_AddIntrinsicEval` sets, which sets no other, and sees that texts are evaluated by what lies there.
fn find_evaluate() -> Option<(usize, Evaluate)> {
    // SAFETY: runtime and context are made, used and freed here, on this thread.
    let (place, function) = unsafe {
        let runtime = qjs::JS_NewRuntime();
        if runtime.is_null() {
            return None;
        }
        let context = qjs::JS_NewContextRaw(runtime);
        let mut found = Vec::new();
        if !context.is_null() {
            let before = words::<usize>(context);
            qjs::JS_AddIntrinsicEval(context);
            let changes = before.into_iter().zip(words::<usize>(context)).enumerate();
            found = changes.filter(|(_, (before, after))| before != after).map(|(place, (_, after))| (place, after)).collect();
            if let [(place, _)] = found[..]
                && !is_called(context, place)
            {
                found.clear();
            }
            qjs::JS_FreeContext(context);
        }
        qjs::JS_FreeRuntime(runtime);
        match found[..] {
            [one] => one,
            _ => return None,
        }
    };
    // SAFETY: the one word that this sets is the pointer to the function that evaluates: one of ours was called in its place,
    // with each of the arguments that this type has.
    Some((place, unsafe { std::mem::transmute::<usize, Evaluate>(function) }))
}

/// What is evaluated to see by what it is; its place in memory is known again.
const SEEN: &CStr = c"1 + 1";

/// Whether a function at this place is what evaluates, and is called with what [`Evaluate`] says.
///
/// # Safety
/// `context` is live and of this thread, and the word at `place` is its own.
unsafe fn is_called(context: *mut qjs::JSContext, place: usize) -> bool {
    let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
    let mut options =
        qjs::JSEvalOptions { version: qjs::JS_EVAL_OPTIONS_VERSION as i32, eval_flags: flags as i32, filename: SEEN.as_ptr(), line_num: 7 };
    // SAFETY: the caller's promise; the word is put back, and the text outlives the call, which evaluates nothing.
    unsafe {
        let word = context.cast::<usize>().add(place);
        let before = word.read_volatile();
        word.write_volatile(is_seen as *const () as usize);
        let seen = qjs::JS_Eval2(context, SEEN.as_ptr(), SEEN.count_bytes() as qjs::size_t, &raw mut options);
        word.write_volatile(before);
        qjs::JS_VALUE_GET_TAG(seen) == qjs::JS_TAG_BOOL && qjs::JS_VALUE_GET_BOOL(seen)
    }
}

/// `true` where it is called as [`is_called`] has it called.
///
/// # Safety
/// None: it reads what its arguments are, and nothing that they point to.
unsafe extern "C" fn is_seen(
    _context: *mut qjs::JSContext,
    _this: qjs::JSValue,
    text: *const c_char,
    length: qjs::size_t,
    name: *const c_char,
    line: c_int,
    flags: c_int,
    _scope: c_int,
) -> qjs::JSValue {
    let flag = qjs::JS_EVAL_FLAG_COMPILE_ONLY as c_int;
    let is_right =
        text == SEEN.as_ptr() && name == SEEN.as_ptr() && length as usize == SEEN.count_bytes() && line == 7 && flags & flag != 0;
    if is_right { qjs::JS_TRUE } else { qjs::JS_FALSE }
}

/// Finds the one word that falls by the same with each turn of a loop, and sees that the handler follows it.
fn find_polls() -> Option<usize> {
    let runtime = Runtime::unguarded(&Guard::new())?;
    let context = runtime.context();
    runtime.limit_stack(256 << 10, 1 << 20);
    // SAFETY: the context is live, on this thread, and runs nothing but this.
    let fallen = |turns: u32| unsafe {
        let before = words::<c_int>(context);
        let compiled = load::compile(context, c"polls", &format!("for (let i = 0; i < {turns}; i++);"));
        if !qjs::JS_IsException(compiled) {
            qjs::JS_FreeValue(context, qjs::JS_EvalFunction(context, compiled));
        }
        let after = words::<c_int>(context);
        before.into_iter().zip(after).map(|(before, after)| i64::from(before) - i64::from(after)).collect::<Vec<i64>>()
    };
    // The count begins at its first end.
    fallen(10);
    let (short, long) = (fallen(1_000), fallen(2_000));
    // A turn has one poll or two, a script a few more.
    let is_count = |short: i64, long: i64| matches!(long - short, 1_000 | 2_000) && (0..20).contains(&(short - (long - short)));
    let mut places = short.iter().zip(&long).enumerate().filter(|(_, (short, long))| is_count(**short, **long));
    let (place, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let mut asked: c_int = 0;
    // SAFETY: as above; the count is written where it surely lies, and the handler's data outlives its use.
    unsafe {
        let engine = qjs::JS_GetRuntime(context);
        qjs::JS_SetInterruptHandler(engine, Some(count), (&raw mut asked).cast());
        context.cast::<c_int>().add(place).write_volatile(20);
        fallen(100);
        qjs::JS_SetInterruptHandler(engine, None, std::ptr::null_mut());
    }
    (asked == 1).then_some(place)
}

/// # Safety
/// Called by QuickJS alone, with a count as `data`.
unsafe extern "C" fn count(_: *mut qjs::JSRuntime, data: *mut c_void) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { *data.cast::<c_int>() += 1 };
    0
}

#[cfg(test)]
mod tests {
    /// Where this fails, another QuickJS is linked: see whether what is found can be found in another way.
    #[test]
    fn both_places_are_found_in_the_engine_that_is_linked() {
        let layout = super::Layout::get();
        assert_eq!((layout.polls.is_some(), layout.evaluate.is_some()), (true, true));
    }
}
