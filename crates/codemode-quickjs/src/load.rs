//! Compiling the text of a program, and evaluating what was compiled.

use std::ffi::CStr;

use rquickjs::qjs;

use crate::memory::Meter;

/// The name of a program's text in a stack.
pub(crate) const PROGRAM: &CStr = c"program";

/// Compiles a script, strict, and runs nothing of it. What is given is the caller's to evaluate or free; an exception is
/// pending where it is one.
///
/// # Safety
/// `context` is live and on this thread.
pub(crate) unsafe fn compile(context: *mut qjs::JSContext, name: &CStr, text: &str) -> qjs::JSValue {
    // QuickJS reads a zero after the text.
    let mut bytes = Vec::with_capacity(text.len() + 1);
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(0);
    let flags = qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_STRICT | qjs::JS_EVAL_FLAG_COMPILE_ONLY;
    let mut options =
        qjs::JSEvalOptions { version: qjs::JS_EVAL_OPTIONS_VERSION as i32, eval_flags: flags as i32, filename: name.as_ptr(), line_num: 1 };
    // SAFETY: the text and the options outlive the call; the meter is the runtime's.
    unsafe {
        let mut compile = || qjs::JS_Eval2(context, bytes.as_ptr().cast(), text.len() as qjs::size_t, &raw mut options);
        match Meter::of(qjs::JS_GetRuntime(context)) {
            Some(meter) => meter.while_compiling(compile),
            None => compile(),
        }
    }
}
