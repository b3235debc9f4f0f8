//! Modules: the engine asks which one is meant, and gets its text or its exports.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::null_mut;

use codemode_js::{Loaded, Realm, Thrown, load_module, resolve_import};
use rquickjs::qjs;

use super::QuickRealm;
use crate::held::Held;
use crate::js::{Js, PLAIN};
use crate::memory::Meter;

/// Lets the engine import what programs name.
///
/// # Safety
/// `context` is live and has a realm for as long as programs run in it.
pub(crate) unsafe fn allow_imports(context: *mut qjs::JSContext) {
    // SAFETY: the runtime is that of a live context; both functions look for the realm when they are called.
    unsafe { qjs::JS_SetModuleLoaderFunc(qjs::JS_GetRuntime(context), Some(normalize), Some(load), null_mut()) };
}

/// Text of the engine's.
///
/// # Safety
/// `text` ends with a zero, and lives during the call.
unsafe fn text(text: *const c_char) -> String {
    // SAFETY: as asked of the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

unsafe extern "C" fn normalize(
    context: *mut qjs::JSContext,
    base: *const c_char,
    name: *const c_char,
    _opaque: *mut c_void,
) -> *mut c_char {
    // SAFETY: the engine calls with a live context and two texts; whose realm, where there is one, outlives the call.
    let (realm, base, name) = unsafe {
        let Some(realm) = QuickRealm::of(context) else { return null_mut() };
        (realm, text(base), text(name))
    };
    let mut resolved = None;
    let raised = realm.guarded(|| {
        resolved = Some(resolve_import(realm, &base, &name)?);
        Ok(realm.js.undefined())
    });
    // SAFETY: reading a tag touches no memory; the copy is the engine's to free.
    unsafe {
        if qjs::JS_IsException(raised) {
            return null_mut();
        }
        let Some(Ok(resolved)) = resolved.map(CString::new) else { return null_mut() };
        qjs::js_strdup(context, resolved.as_ptr())
    }
}

unsafe extern "C" fn load(context: *mut qjs::JSContext, name: *const c_char, _opaque: *mut c_void) -> *mut qjs::JSModuleDef {
    // SAFETY: as in `normalize`.
    let Some(realm) = (unsafe { QuickRealm::of(context) }) else { return null_mut() };
    // SAFETY: the engine's text lives during the call.
    let path = unsafe { text(name) };
    let mut made = null_mut();
    let raised = realm.guarded(|| {
        match load_module(realm, &path)? {
            Loaded::Source(source) => {
                // SAFETY: the context lives; the name is the engine's own.
                made = unsafe { compiled(realm, name, &source) }?;
                // SAFETY: the module was just made.
                unsafe { tell_where(realm, made, &path) };
            }
            Loaded::Values(values) => {
                // SAFETY: as above.
                made = unsafe { of_values(realm, name, values) }?;
            }
        }
        Ok(realm.js.undefined())
    });
    // SAFETY: reading a tag touches no memory.
    if unsafe { qjs::JS_IsException(raised) } { null_mut() } else { made }
}

type Made = Result<*mut qjs::JSModuleDef, Thrown<Held>>;

fn raised(realm: &QuickRealm) -> Thrown<Held> {
    let thrown = realm.js.exception();
    if realm.guard().stopped() { Thrown::Halt } else { Thrown::Value(thrown) }
}

/// Compiles an ES module; the engine links it.
///
/// # Safety
/// The realm's context is live, and `name` ends with a zero.
unsafe fn compiled(realm: &QuickRealm, name: *const c_char, source: &str) -> Made {
    let _reserved = realm.reserve(source.len())?;
    let context = realm.js.raw();
    let mut bytes = Vec::with_capacity(source.len() + 1);
    bytes.extend_from_slice(source.as_bytes());
    bytes.push(0);
    let flags = (qjs::JS_EVAL_TYPE_MODULE | qjs::JS_EVAL_FLAG_COMPILE_ONLY) as c_int;
    // SAFETY: text and name end with zeros that the length leaves out. The engine keeps the module itself; what is given is one more
    // reference to it.
    unsafe {
        let compile = || qjs::JS_Eval(context, bytes.as_ptr().cast(), source.len() as _, name, flags);
        let value = match Meter::of(qjs::JS_GetRuntime(context)) {
            Some(meter) => meter.while_compiling(compile),
            None => compile(),
        };
        if qjs::JS_IsException(value) {
            return Err(raised(realm));
        }
        let module = qjs::JS_VALUE_GET_PTR(value).cast();
        qjs::JS_FreeValue(context, value);
        Ok(module)
    }
}

/// Gives a module's `import.meta` its address, its path and its folder.
///
/// # Safety
/// The realm's context and the module are live.
unsafe fn tell_where(realm: &QuickRealm, module: *mut qjs::JSModuleDef, path: &str) {
    // SAFETY: the object is handed over with its reference.
    let meta = unsafe { realm.js.take(qjs::JS_GetImportMeta(realm.js.raw(), module)) };
    let Ok(meta) = meta else { return drop(realm.js.exception()) };
    for (name, value) in codemode_js::import_meta(path) {
        let defined = realm.js.text(&value).and_then(|value| realm.js.define(&meta, &realm.js.atom(name)?, value, PLAIN));
        if defined.is_err() {
            drop(realm.js.exception());
        }
    }
}

/// Makes a module of exports that are there already.
///
/// # Safety
/// The realm's context is live, and `name` ends with a zero.
unsafe fn of_values(realm: &QuickRealm, name: *const c_char, values: Vec<(String, Held)>) -> Made {
    let context = realm.js.raw();
    // SAFETY: the engine copies the names; the exports are filled when it evaluates the module.
    unsafe {
        let module = qjs::JS_NewCModule(context, name, Some(fill));
        if module.is_null() {
            return Err(raised(realm));
        }
        let mut kept = Vec::with_capacity(values.len());
        for (name, value) in values {
            let Ok(name) = CString::new(name) else { continue };
            if qjs::JS_AddModuleExport(context, module, name.as_ptr()) < 0 {
                return Err(raised(realm));
            }
            kept.push((name, value));
        }
        realm.exports.borrow_mut().insert(module as usize, kept);
        Ok(module)
    }
}

unsafe extern "C" fn fill(context: *mut qjs::JSContext, module: *mut qjs::JSModuleDef) -> c_int {
    // SAFETY: the engine calls with a live context and a module of ours; the values are handed over.
    unsafe {
        let Some(realm) = QuickRealm::of(context) else { return -1 };
        let values = realm.exports.borrow_mut().remove(&(module as usize)).unwrap_or_default();
        for (name, value) in values {
            if qjs::JS_SetModuleExport(context, module, name.as_ptr(), value.into_raw()) < 0 {
                return -1;
            }
        }
        0
    }
}

/// Evaluates the text of a file, which is strict only where it says so.
pub(super) fn evaluate(js: Js, name: &str, source: &str) -> Result<Held, crate::js::Raised> {
    let name = CString::new(name).unwrap_or_default();
    let mut bytes = Vec::with_capacity(source.len() + 1);
    bytes.extend_from_slice(source.as_bytes());
    bytes.push(0);
    // SAFETY: text and name end with zeros that the length leaves out; the value is handed over.
    unsafe {
        let flags = (qjs::JS_EVAL_TYPE_GLOBAL | qjs::JS_EVAL_FLAG_COMPILE_ONLY) as c_int;
        let compile = || qjs::JS_Eval(js.raw(), bytes.as_ptr().cast(), source.len() as _, name.as_ptr(), flags);
        let compiled = js.take(match Meter::of(qjs::JS_GetRuntime(js.raw())) {
            Some(meter) => meter.while_compiling(compile),
            None => compile(),
        })?;
        js.take(qjs::JS_EvalFunction(js.raw(), compiled.into_raw()))
    }
}
