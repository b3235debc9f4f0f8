//! A context with nothing of ours but the realm, whose allocator counts live blocks.

use std::ffi::CString;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

use codemode_core::Guard;
use codemode_js::{Realm, Slot, Thrown};
use rquickjs::qjs;

use crate::held::Held;
use crate::realm::QuickRealm;

/// A context and its realm. Dropping it frees both and checks that nothing is left.
pub(super) struct Plain {
    pub(super) guard: Arc<Guard>,
    realm: Option<Rc<QuickRealm>>,
    context: *mut qjs::JSContext,
    runtime: *mut qjs::JSRuntime,
    /// Live blocks, counted by the allocator that points here.
    blocks: Box<AtomicIsize>,
}

impl Plain {
    pub(super) fn new() -> Self {
        let blocks = Box::new(AtomicIsize::new(0));
        let functions = qjs::JSMallocFunctions {
            js_calloc: Some(calloc),
            js_malloc: Some(malloc),
            js_free: Some(free),
            js_realloc: Some(realloc),
            js_malloc_usable_size: Some(usable),
        };
        let guard = Guard::new();
        // SAFETY: the functions and the counter outlive the runtime, which is used on this thread alone.
        unsafe {
            let runtime = qjs::JS_NewRuntime2(&raw const functions, (&raw const *blocks).cast_mut().cast());
            let context = qjs::JS_NewContext(runtime);
            let realm = QuickRealm::new(context, Arc::clone(&guard)).expect("a realm of a fresh context");
            Self { guard, realm: Some(realm), context, runtime, blocks }
        }
    }

    pub(super) fn realm(&self) -> &QuickRealm {
        self.realm.as_deref().expect("the realm is dropped last")
    }

    /// The value of a script, evaluated as a program's would be; what it throws is its value.
    pub(super) fn value(&self, source: &str) -> Held {
        match self.program(source) {
            Ok(value) | Err(Thrown::Value(value)) => value,
            Err(Thrown::Halt) => self.realm().undefined(),
        }
    }

    pub(super) fn program(&self, source: &str) -> Result<Held, Thrown<Held>> {
        let ended = CString::new(source).expect("no zero byte");
        let flags = qjs::JS_EVAL_TYPE_GLOBAL as i32;
        let realm = self.realm();
        // SAFETY: the source ends with a zero that its length leaves out.
        let given = unsafe { realm.js.take(qjs::JS_Eval(self.context, ended.as_ptr(), source.len() as _, c"program".as_ptr(), flags)) };
        realm.settled(given)
    }

    /// A value as text, whole.
    pub(super) fn show(&self, value: &Held) -> String {
        super::show::show(self.realm(), value)
    }

    /// The value of a script as text, whole.
    pub(super) fn shown(&self, source: &str) -> String {
        let value = self.value(source);
        self.show(&value)
    }

    /// What a program counted in its global `ran`, which hostile code raises when it runs.
    pub(super) fn ran(&self) -> f64 {
        let realm = self.realm();
        match realm.property(&realm.global(), "ran") {
            Ok(Slot::Data(count)) => realm.number(&count),
            other => unreachable!("the program declares `ran`, and {other:?} is there"),
        }
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        self.realm = None;
        // SAFETY: the realm and its values are gone, the context is freed before its runtime, and both once. The engine's own assertions
        // end the process where an object is left.
        unsafe {
            qjs::JS_FreeContext(self.context);
            qjs::JS_FreeRuntime(self.runtime);
        }
        if !std::thread::panicking() {
            assert_eq!(self.blocks.load(Ordering::Relaxed), 0, "blocks left after the runtime was freed");
        }
    }
}

/// # Safety
/// `opaque` is the counter of a [`Plain`].
unsafe fn count(opaque: *mut qjs::c_void, change: isize) {
    // SAFETY: as the caller says.
    unsafe { (*opaque.cast::<AtomicIsize>()).fetch_add(change, Ordering::Relaxed) };
}

unsafe extern "C" fn calloc(opaque: *mut qjs::c_void, number: qjs::size_t, size: qjs::size_t) -> *mut qjs::c_void {
    // SAFETY: the engine gives its counter and sizes.
    unsafe {
        count(opaque, 1);
        libc::calloc(number as usize, size as usize).cast()
    }
}

unsafe extern "C" fn malloc(opaque: *mut qjs::c_void, size: qjs::size_t) -> *mut qjs::c_void {
    // SAFETY: the engine gives its counter and a size.
    unsafe {
        count(opaque, 1);
        libc::malloc(size as usize).cast()
    }
}

unsafe extern "C" fn free(opaque: *mut qjs::c_void, block: *mut qjs::c_void) {
    if block.is_null() {
        return;
    }
    // SAFETY: the engine frees what it was given, once.
    unsafe {
        count(opaque, -1);
        libc::free(block.cast());
    }
}

unsafe extern "C" fn realloc(opaque: *mut qjs::c_void, block: *mut qjs::c_void, size: qjs::size_t) -> *mut qjs::c_void {
    // SAFETY: the engine gives a block of its own or none; a size of zero frees.
    unsafe {
        if size == 0 {
            free(opaque, block);
            return std::ptr::null_mut();
        }
        if block.is_null() {
            count(opaque, 1);
        }
        libc::realloc(block.cast(), size as usize).cast()
    }
}

unsafe extern "C" fn usable(block: *const qjs::c_void) -> qjs::size_t {
    // SAFETY: the engine asks about a block of its own.
    unsafe { libc::malloc_usable_size(block.cast_mut().cast()) as _ }
}
