//! QuickJS as the shared code's [`Realm`], over the engine's C interface.
//!
//! No method but `call`, `run_jobs` and `evaluate` runs code of the program: objects are read by class numbers, descriptors and captured
//! functions that look at internal slots, and nothing of a proxy is ever read.
//!
//! An operation of the engine's that fails does so for one of two reasons. Where the run is over, memory refused included, the guard is
//! latched, and [`Halt`] is the end. Else the engine raised something that a program may catch, a stack that overflowed for one:
//! it is kept in the realm, [`Halt`] unwinds the shared code, and the function of ours that the program called raises what was kept.
//! Whoever called the shared code from outside of such a function asks [`QuickRealm::take_pending`].

mod asking;
mod bytes;
mod classes;
mod code;
mod intrinsics;
mod json;
mod make;
pub(crate) mod modules;
mod natives;
mod read;
mod run;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::CString;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use codemode_core::{Guard, Json, Location};
use codemode_js::{
    AskingParts, Attributes, ErrorClass, Halt, Kind, Native, Program, Promised, Property, Realm, Resolvers, Shared, Slot, Thrown,
};
use rquickjs::qjs;

use self::classes::Classes;
use self::intrinsics::Intrinsics;
use crate::held::Held;
use crate::js::{Js, Raised};
use crate::memory::Meter;

/// One context of QuickJS's, as the shared code sees it.
pub(crate) struct QuickRealm {
    js: Js,
    guard: Arc<Guard>,
    classes: Classes,
    intrinsics: Intrinsics,
    shared: Shared<Held>,
    /// The error that nothing catches; raised when the run is over.
    halting: Held,
    /// Called for each entry of a map or set.
    collector: Held,
    collected: RefCell<Collected>,
    asking_class: qjs::JSClassID,
    /// What an operation raised without the run being over.
    pending: RefCell<Option<Held>>,
    /// What jobs threw that nobody could catch.
    strays: RefCell<Vec<Held>>,
    panic: RefCell<Option<String>>,
    /// Exports of modules that were made and are not evaluated yet.
    exports: RefCell<HashMap<usize, Vec<(CString, Held)>>>,
    /// Keys of JSON that were seen.
    keys: RefCell<json::Keys>,
    /// Whether any object carries a text, so that others need not be looked up.
    carries: Cell<bool>,
}

/// Entries as they are collected.
#[derive(Default)]
struct Collected {
    most: usize,
    entries: Vec<(Held, Held)>,
}

/// More than these are not kept of what jobs threw.
const MOST_STRAYS: usize = 16;

impl QuickRealm {
    /// Makes a realm of a fresh context, in which no program has run, and lets the context know it.
    ///
    /// # Safety
    /// `context` has all intrinsics, is used from this thread alone, and is freed after the realm and every value made through it.
    pub(crate) unsafe fn new(context: *mut qjs::JSContext, guard: Arc<Guard>) -> Result<Rc<Self>, Halt> {
        // SAFETY: what is asked here is asked of the caller.
        let js = unsafe { Js::new(context) };
        let realm = Self::capture(js, guard).map_err(|Raised| {
            drop(js.exception());
            Halt
        })?;
        let realm = Rc::new(realm);
        // SAFETY: the pointer is taken back when the realm is dropped.
        unsafe { qjs::JS_SetContextOpaque(context, Rc::as_ptr(&realm).cast_mut().cast()) };
        Ok(realm)
    }

    fn capture(js: Js, guard: Arc<Guard>) -> Result<Self, Raised> {
        let classes = Classes::of(js)?;
        let intrinsics = Intrinsics::capture(js)?;
        // SAFETY: the context lives; both values are handed over with their references.
        let (halting, collector) = unsafe {
            (
                js.take(qjs::JS_NewError(js.raw()))?,
                js.take(qjs::JS_NewCFunction2(js.raw(), Some(collect), c"collect".as_ptr(), 2, qjs::JSCFunctionEnum_JS_CFUNC_generic, 0))?,
            )
        };
        // SAFETY: the value lives.
        unsafe { qjs::JS_SetUncatchableError(js.raw(), halting.raw()) };
        Ok(Self {
            js,
            guard,
            classes,
            intrinsics,
            shared: Shared::default(),
            halting,
            collector,
            collected: RefCell::default(),
            asking_class: asking::register(js)?,
            pending: RefCell::default(),
            strays: RefCell::default(),
            panic: RefCell::default(),
            exports: RefCell::default(),
            keys: RefCell::default(),
            carries: Cell::new(false),
        })
    }

    /// The realm of a context, while there is one.
    ///
    /// # Safety
    /// `context` is live, and the realm is not dropped while the result is used.
    unsafe fn of<'a>(context: *mut qjs::JSContext) -> Option<&'a Self> {
        // SAFETY: what hangs under a context of ours is its realm or null.
        unsafe { qjs::JS_GetContextOpaque(context).cast::<Self>().as_ref() }
    }

    /// What an operation raised though the run was not over: a stack that overflowed, for one.
    pub(crate) fn take_pending(&self) -> Option<Held> {
        self.pending.take()
    }

    /// What jobs threw that nobody could catch, the first sixteen: a callback of `queueMicrotask`'s, for one.
    pub(crate) fn take_strays(&self) -> Vec<Held> {
        self.strays.take()
    }

    /// The message of a panic in a function of ours; after one, nothing of the program runs on.
    pub(crate) fn panic_message(&self) -> Option<String> {
        self.panic.borrow().clone()
    }

    fn panicked(&self) -> bool {
        self.panic.borrow().is_some()
    }

    fn note_panic(&self, panic: &(dyn Any + Send)) {
        let message = panic.downcast_ref::<&str>().map(ToString::to_string);
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
        *self.panic.borrow_mut() = Some(message.unwrap_or_else(|| "no message".to_owned()));
    }

    fn stray(&self, thrown: Held) {
        let mut strays = self.strays.borrow_mut();
        if strays.len() < MOST_STRAYS {
            strays.push(thrown);
        }
    }

    /// Takes the exception of a failed operation out of the context, and keeps it unless the run is over.
    fn halt(&self, Raised: Raised) -> Halt {
        let raised = self.js.exception();
        if !self.guard.stopped() {
            self.pending.borrow_mut().get_or_insert(raised);
        }
        Halt
    }

    fn or_halt<T>(&self, given: Result<T, Raised>) -> Result<T, Halt> {
        given.map_err(|raised| self.halt(raised))
    }

    /// For what cannot fail by its signature: what was raised is kept all the same, and raised by the function of ours that was called.
    fn or<T>(&self, given: Result<T, Raised>, otherwise: T) -> T {
        given.unwrap_or_else(|raised| {
            self.halt(raised);
            otherwise
        })
    }

    fn collect_entries(&self, value: &Held, most: usize) -> Result<Vec<(Held, Held)>, Raised> {
        let each = match self.kind_of(value) {
            Kind::Map => &self.intrinsics.map_each,
            Kind::Set => &self.intrinsics.set_each,
            _ => return Ok(Vec::new()),
        };
        if most == 0 {
            return Ok(Vec::new());
        }
        let count = usize::try_from(self.length_of(value)?).unwrap_or(usize::MAX).min(most);
        // Counted while it is made; what is done with the entries is the caller's to count.
        let Ok(_counted) = self.reserve(count.saturating_mul(size_of::<(Held, Held)>())) else { return Err(Raised) };
        *self.collected.borrow_mut() = Collected { most, entries: Vec::with_capacity(count) };
        let walked = self.js.call(each, value, std::slice::from_ref(&self.collector));
        let collected = self.collected.take();
        match walked {
            // The collector ends the walk by raising.
            Err(Raised) if collected.entries.len() == most && !self.guard.stopped() => {
                drop(self.js.exception());
                Ok(collected.entries)
            }
            walked => walked.map(|_| collected.entries),
        }
    }
}

impl Drop for QuickRealm {
    fn drop(&mut self) {
        // SAFETY: the context outlives the realm, as was promised when it was made.
        unsafe { qjs::JS_SetContextOpaque(self.js.raw(), std::ptr::null_mut()) };
    }
}

impl fmt::Debug for QuickRealm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("QuickRealm").finish_non_exhaustive()
    }
}

/// Keeps one entry: called with value and key, as `forEach` calls.
unsafe extern "C" fn collect(
    context: *mut qjs::JSContext,
    _this: qjs::JSValue,
    _count: qjs::c_int,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: only the realm calls this function, with its own context.
    let Some(realm) = (unsafe { QuickRealm::of(context) }) else { return natives::no_realm(context) };
    let mut collected = realm.collected.borrow_mut();
    // SAFETY: the engine lends at least the two arguments that the function's length asks for.
    let entry = unsafe { (Held::share(context, *arguments.add(1)), Held::share(context, *arguments)) };
    collected.entries.push(entry);
    if collected.entries.len() < collected.most {
        return qjs::JS_UNDEFINED;
    }
    // SAFETY: the context lives.
    unsafe { qjs::JS_Throw(context, qjs::JS_NULL) }
}

impl Realm for QuickRealm {
    type Value = Held;

    fn locate(program: &Program, line: u32, column: u32) -> Option<Location> {
        program.locate_byte(line, column)
    }

    fn kind(&self, value: &Held) -> Kind {
        self.kind_of(value)
    }

    fn identity(&self, value: &Held) -> usize {
        value.address()
    }

    fn boolean(&self, value: &Held) -> bool {
        let primitive = self.or(self.primitive_of(value), self.js.undefined());
        read::is_true(&primitive)
    }

    fn number(&self, value: &Held) -> f64 {
        self.or(self.number_of(value), f64::NAN)
    }

    fn read_text(&self, value: &Held, read: &mut dyn FnMut(&str)) -> Result<(), Halt> {
        self.or_halt(self.show_text(value, read))
    }

    fn unboxed(&self, value: &Held) -> Result<Held, Halt> {
        self.or_halt(self.primitive_of(value))
    }

    fn is_well_formed(&self, value: &Held) -> Result<bool, Halt> {
        self.or_halt(self.has_whole_characters(value))
    }

    fn length(&self, value: &Held) -> u64 {
        self.or(self.length_of(value), 0)
    }

    fn element(&self, value: &Held, index: u32) -> Result<Slot<Held>, Halt> {
        self.or_halt(self.element_of(value, index))
    }

    fn each_property(
        &self,
        value: &Held,
        hidden: bool,
        visit: &mut dyn FnMut(Property<'_, Held>) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        self.or_halt(self.walk(value, hidden, visit))?
    }

    fn property(&self, value: &Held, name: &str) -> Result<Slot<Held>, Halt> {
        self.or_halt(self.named(value, name))
    }

    fn prototype(&self, value: &Held) -> Result<Option<Held>, Halt> {
        self.or_halt(self.prototype_of(value))
    }

    fn is_plain_prototype(&self, value: &Held) -> bool {
        let address = value.address();
        address == self.intrinsics.object_prototype.address() || address == self.intrinsics.array_prototype.address()
    }

    fn entries(&self, value: &Held, most: usize) -> Result<Vec<(Held, Held)>, Halt> {
        self.or_halt(self.collect_entries(value, most))
    }

    fn read_bytes(&self, value: &Held, read: &mut dyn FnMut(&[u8])) -> Result<(), Halt> {
        self.or_halt(self.show_bytes(value, read))
    }

    fn promised(&self, value: &Held) -> Promised<Held> {
        // SAFETY: the value lives; state and result are read from internal slots, and the result is handed over with its reference.
        unsafe {
            let result = || Held::own(self.js.raw(), qjs::JS_PromiseResult(self.js.raw(), value.raw()));
            match qjs::JS_PromiseState(self.js.raw(), value.raw()) {
                qjs::JSPromiseStateEnum_JS_PROMISE_FULFILLED => Promised::Fulfilled(result()),
                qjs::JSPromiseStateEnum_JS_PROMISE_REJECTED => Promised::Rejected(result()),
                _ => Promised::Pending,
            }
        }
    }

    fn stack(&self, error: &Held) -> Result<Option<String>, Halt> {
        self.or_halt(self.stack_of(error))
    }

    fn carried(&self, value: &Held) -> Result<Option<String>, Halt> {
        self.or_halt(self.hung(value))
    }

    fn undefined(&self) -> Held {
        self.js.undefined()
    }

    fn null(&self) -> Held {
        self.js.plain(qjs::JS_NULL)
    }

    fn make_boolean(&self, value: bool) -> Held {
        self.js.plain(if value { qjs::JS_TRUE } else { qjs::JS_FALSE })
    }

    fn make_number(&self, value: f64) -> Held {
        self.js.plain(qjs::JS_NewFloat64(value))
    }

    fn make_text(&self, text: &str) -> Result<Held, Halt> {
        self.or_halt(self.js.text(text))
    }

    fn make_array(&self, items: Vec<Held>) -> Result<Held, Halt> {
        self.or_halt(self.array_of(items))
    }

    fn make_object(&self, with_prototype: bool) -> Result<Held, Halt> {
        self.or_halt(self.object(with_prototype))
    }

    fn make_bytes(&self, bytes: &[u8]) -> Result<Held, Halt> {
        self.or_halt(self.bytes_of(bytes))
    }

    fn make_error(&self, class: ErrorClass, message: &str) -> Result<Held, Halt> {
        self.or_halt(self.error_of(class, message))
    }

    fn make_unthrown_error(&self) -> Result<Held, Halt> {
        self.or_halt(self.unthrown_error())
    }

    fn make_json(&self, json: &Json) -> Result<Held, Halt> {
        self.or_halt(self.json(json))
    }

    fn make_function(&self, native: Native, name: &str, bound: Vec<Held>) -> Result<Held, Halt> {
        self.or_halt(self.function(native, name, &bound))
    }

    fn make_asking(&self, parts: AskingParts<Held>) -> Result<Held, Halt> {
        self.or_halt(self.asking(parts))
    }

    fn make_promise(&self) -> Result<(Held, Resolvers<Held>), Halt> {
        self.or_halt(self.promise())
    }

    fn define(&self, object: &Held, name: &str, value: Held, attributes: Attributes) -> Result<(), Halt> {
        self.or_halt(self.define_named(object, name, value, attributes))
    }

    fn define_lazy(&self, object: &Held, name: &str, get: Held) -> Result<(), Halt> {
        self.or_halt(self.lazy(object, name, &get))
    }

    fn set_prototype(&self, object: &Held, prototype: &Held) -> Result<(), Halt> {
        self.or_halt(self.give_prototype(object, prototype))
    }

    fn freeze(&self, object: &Held) -> Result<(), Halt> {
        self.or_halt(self.freeze_object(object))
    }

    fn carry(&self, object: &Held, text: &str) -> Result<(), Halt> {
        self.or_halt(self.hang(object, text))
    }

    fn global(&self) -> Held {
        self.js.global()
    }

    fn call(&self, function: &Held, this: &Held, arguments: &[Held]) -> Result<Held, Thrown<Held>> {
        self.called(function, this, arguments)
    }

    fn evaluate(&self, name: &str, source: &str) -> Result<Held, Thrown<Held>> {
        self.evaluated(name, source)
    }

    fn evaluate_file(&self, name: &str, source: &str) -> Result<Held, Thrown<Held>> {
        if self.guard.stopped() || self.panicked() {
            return Err(Thrown::Halt);
        }
        self.settled(modules::evaluate(self.js, name, source))
    }

    fn run_jobs(&self) -> Result<(), Halt> {
        self.jobs()
    }

    fn has_jobs(&self) -> bool {
        // SAFETY: the runtime lives.
        unsafe { qjs::JS_IsJobPending(self.js.runtime()) }
    }

    fn collect(&self) {
        let runtime = self.js.runtime();
        // SAFETY: the runtime lives; no value that is held, here or on the engine's stack, is garbage, and no function of the
        // program's runs. The meter is that of the runtime.
        unsafe {
            qjs::JS_RunGC(runtime);
            if let Some(meter) = Meter::of(runtime) {
                meter.look_after_collection();
            }
        }
    }

    fn guard(&self) -> &Arc<Guard> {
        &self.guard
    }

    fn shared(&self) -> &Shared<Held> {
        &self.shared
    }
}
