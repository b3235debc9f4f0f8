//! What a program gives `eval` and `Function`: bounded in size, and compiled without a refusal of memory.
//!
//! QuickJS's compiler ends the process where it is refused some small piece of memory, and nothing stops it but a refusal. So a
//! text that takes it long is not compiled at all, and a shorter one is granted what it takes; the bound fires after it.

use std::ffi::{c_char, c_int};

use rquickjs::qjs;

use crate::layout::Layout;
use crate::memory::Meter;

/// The longest text that a program may have compiled, in bytes: some 50 ms of work.
const MOST: usize = 256 << 10;

/// Has a context evaluate by [`evaluate`].
///
/// # Safety
/// `context` is live and has run nothing.
pub(crate) unsafe fn bound(context: *mut qjs::JSContext) {
    if let Some((place, _)) = Layout::get().evaluate {
        // SAFETY: all contexts of a process have one layout, in which the function that evaluates lies there.
        unsafe { context.cast::<usize>().add(place).write_volatile(evaluate as *const () as usize) };
    }
}

/// # Safety
/// Called by QuickJS alone, as what it replaces.
unsafe extern "C" fn evaluate(
    context: *mut qjs::JSContext,
    this: qjs::JSValue,
    text: *const c_char,
    length: qjs::size_t,
    name: *const c_char,
    line: c_int,
    flags: c_int,
    scope: c_int,
) -> qjs::JSValue {
    // SAFETY: the arguments are the engine's; the meter is that of the context's runtime. Nothing here can panic.
    unsafe {
        let Some((_, original)) = Layout::get().evaluate else { return qjs::JS_ThrowInternalError(context, c"no eval".as_ptr()) };
        let Some(meter) = Meter::of(qjs::JS_GetRuntime(context)) else {
            return original(context, this, text, length, name, line, flags, scope);
        };
        // No program can ask for this flag: the text is one of ours, whose size is bounded elsewhere.
        if flags & qjs::JS_EVAL_FLAG_COMPILE_ONLY as c_int == 0 {
            if meter.guard().stopped() {
                return meter.stop(context);
            }
            if length as usize > MOST {
                let message = c"a text of %u bytes is too long to be compiled while the program runs; at most %u are";
                return qjs::JS_ThrowRangeError(context, message.as_ptr(), length.min(u32::MAX.into()) as u32, MOST as u32);
            }
        }
        // The engine polls before the first instruction of what it compiled, and refusals are back from there on.
        meter.polls().look_now();
        meter.while_compiling(|| original(context, this, text, length, name, line, flags, scope))
    }
}
