//! Compiled parts of the prelude, kept for the process.
//!
//! A part is compiled once, in a runtime of its own: the compiler is what the engine survives least when memory ends within it, and
//! reading compiled code back is faster. Only sources of ours are compiled here, never a program's.

use std::collections::HashMap;
use std::ffi::CStr;
use std::sync::{Arc, Mutex, PoisonError};

use rquickjs::qjs;

use super::read::Read;
use crate::held::Held;
use crate::js::Js;

/// More parts than these are not kept.
const MOST_PARTS: usize = 64;

/// Enough for the nesting of any source of ours.
const STACK: usize = 256 << 10;

/// Name and source of a part.
type Part = (String, String);

/// The compiled code of a part; nothing where it does not compile, or too many are kept.
fn code(name: &CStr, source: &CStr) -> Option<Arc<[u8]>> {
    static CODES: Mutex<Option<HashMap<Part, Arc<[u8]>>>> = Mutex::new(None);
    let mut codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    let codes = codes.get_or_insert_default();
    let part = (name.to_string_lossy().into_owned(), source.to_string_lossy().into_owned());
    if let Some(code) = codes.get(&part) {
        return Some(Arc::clone(code));
    }
    if codes.len() == MOST_PARTS {
        return None;
    }
    let code = compile(name, source)?;
    codes.insert(part, Arc::clone(&code));
    Some(code)
}

/// Compiles in a runtime that is there for nothing else.
fn compile(name: &CStr, source: &CStr) -> Option<Arc<[u8]>> {
    // SAFETY: runtime and context are made, used and freed here, on this thread; what is compiled is freed before them, and its code copied.
    unsafe {
        let runtime = qjs::JS_NewRuntime();
        if runtime.is_null() {
            return None;
        }
        qjs::JS_SetMaxStackSize(runtime, STACK as qjs::size_t);
        let context = qjs::JS_NewContextRaw(runtime);
        let mut code = None;
        if !context.is_null() {
            // Regular expressions are compiled with the source that has them.
            if qjs::JS_AddIntrinsicBaseObjects(context) == 0
                && qjs::JS_AddIntrinsicEval(context) == 0
                && qjs::JS_AddIntrinsicRegExp(context) == 0
            {
                code = compiled_in(Js::new(context), name, source);
            }
            qjs::JS_FreeContext(context);
        }
        qjs::JS_FreeRuntime(runtime);
        code
    }
}

fn compiled_in(js: Js, name: &CStr, source: &CStr) -> Option<Arc<[u8]>> {
    let function = evaluate(js, name, source, qjs::JS_EVAL_FLAG_COMPILE_ONLY).ok()?;
    let mut length: qjs::size_t = 0;
    // SAFETY: the function lives; the code has the length that is written before the return, and is freed once.
    unsafe {
        let written = qjs::JS_WriteObject(js.raw(), &raw mut length, function.raw(), qjs::JS_WRITE_OBJ_BYTECODE as i32);
        if written.is_null() {
            return None;
        }
        let code = Arc::from(std::slice::from_raw_parts(written, length as usize));
        qjs::js_free(js.raw(), written.cast());
        Some(code)
    }
}

/// Runs a part of the prelude in a context.
pub(super) fn run(js: Js, name: &CStr, source: &CStr) -> Read<Held> {
    // What does not compile is compiled again where its error belongs.
    let Some(code) = code(name, source) else { return evaluate(js, name, source, 0) };
    // SAFETY: the code was written by this process's own engine from a source of ours. The function's reference is handed over.
    unsafe {
        let function = js.take(qjs::JS_ReadObject(js.raw(), code.as_ptr(), code.len() as _, qjs::JS_READ_OBJ_BYTECODE as i32))?;
        js.take(qjs::JS_EvalFunction(js.raw(), function.into_raw()))
    }
}

fn evaluate(js: Js, name: &CStr, source: &CStr, flags: u32) -> Read<Held> {
    let flags = (qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_STRICT | flags) as i32;
    // SAFETY: both texts end with a zero that the length leaves out.
    unsafe { js.take(qjs::JS_Eval(js.raw(), source.as_ptr(), source.count_bytes() as _, name.as_ptr(), flags)) }
}
