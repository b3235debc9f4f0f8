//! Boa as the shared code's [`Realm`].
//!
//! No method but `call`, `run_jobs` and `evaluate` runs code of the program: objects are read by what the engine keeps in them, and
//! by captured functions that look at internal slots; nothing of a proxy is ever read.
//!
//! The engine lends its context mutably to whoever is called, so that a realm is a view of it: a function of ours makes one of the
//! context that it was called with, and what all views share lies beside.
//!
//! An operation that fails does so because the run is over, and then the guard is latched, or because the engine raised something
//! that a program may catch: that is kept, [`Halt`] unwinds the shared code, and the function of ours raises what was kept.

mod asking;
mod bytes;
mod intrinsics;
mod json;
mod kinds;
mod make;
pub(crate) mod modules;
mod natives;
mod read;
mod run;
mod shims;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use boa_engine::error::PanicError;
use boa_engine::object::JsObject;
use boa_engine::property::PropertyDescriptor;
use boa_engine::{Context, JsError, JsNativeError, JsResult, JsString, JsValue, js_string};
use codemode_core::{Bound, Guard, Json, Memory};
use codemode_js::{AskingParts, Attributes, ErrorClass, Halt, Kind, Native, Promised, Property, Realm, Resolvers, Shared, Slot, Thrown};

use self::intrinsics::Intrinsics;
use crate::jobs::Jobs;
use crate::memory;

/// What all views of one context share.
pub(crate) struct Inner {
    guard: Arc<Guard>,
    pub(crate) shared: Shared<JsValue>,
    /// Nothing once the interpreter is taken down.
    intrinsics: RefCell<Option<Rc<Intrinsics>>>,
    jobs: Rc<Jobs>,
    /// The function of the run's program, until it is called.
    root: RefCell<Option<JsValue>>,
    /// What an operation raised without the run being over.
    pending: RefCell<Option<JsValue>>,
    /// What jobs threw that nobody could catch.
    strays: RefCell<Vec<JsValue>>,
    panic: RefCell<Option<String>>,
    /// Whether any object carries a text, so that others need not be looked up.
    carries: Cell<bool>,
}

/// More than these are not kept of what jobs threw.
const MOST_STRAYS: usize = 16;

impl Inner {
    /// Captures what is needed of a fresh context, in which no program has run, and hangs it there.
    pub(crate) fn install(context: &mut Context, guard: &Arc<Guard>) -> Option<Rc<Self>> {
        let jobs = context.downcast_job_executor::<Jobs>()?;
        let intrinsics = Intrinsics::capture(context).ok()?;
        let inner = Rc::new(Self {
            guard: Arc::clone(guard),
            shared: Shared::default(),
            intrinsics: RefCell::new(Some(Rc::new(intrinsics))),
            jobs,
            root: RefCell::default(),
            pending: RefCell::default(),
            strays: RefCell::default(),
            panic: RefCell::default(),
            carries: Cell::new(false),
        });
        context.insert_data(Rc::clone(&inner));
        Some(inner)
    }

    /// What hangs under a context.
    pub(crate) fn of(context: &Context) -> Option<Rc<Self>> {
        context.get_data::<Rc<Self>>().cloned()
    }

    /// Lets go of all values, so that the context can be dropped and collected.
    pub(crate) fn clear(&self) {
        drop(self.intrinsics.take());
        drop((self.root.take(), self.pending.take(), self.strays.take()));
        while let Some(job) = self.jobs.take() {
            drop(job);
        }
    }

    /// What an operation raised though the run was not over.
    pub(crate) fn take_pending(&self) -> Option<JsValue> {
        self.pending.take()
    }

    /// What jobs threw that nobody could catch, the first sixteen.
    pub(crate) fn take_strays(&self) -> Vec<JsValue> {
        self.strays.take()
    }

    /// The message of a panic in a function of ours; after one, nothing of the program runs on.
    pub(crate) fn panic_message(&self) -> Option<String> {
        self.panic.borrow().clone()
    }

    /// Collects where more is held than the budget; what is left and does not fit fires the bound.
    pub(crate) fn look_at_memory(&self) {
        let held = memory::held();
        if held > 0 && self.guard.tick(held) == Memory::Above {
            boa_gc::force_collect();
            let left = memory::held();
            if self.guard.tick(left) == Memory::Above {
                self.guard.fire(Bound::Memory, left as u64);
            }
        }
    }

    /// Whether nothing of the program runs on.
    fn is_over(&self) -> bool {
        self.guard.stopped() || self.panic.borrow().is_some()
    }

    fn note_panic(&self, panic: &(dyn Any + Send)) {
        let message = panic.downcast_ref::<&str>().map(ToString::to_string);
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
        *self.panic.borrow_mut() = Some(message.unwrap_or_else(|| "no message".to_owned()));
    }

    fn stray(&self, thrown: JsValue) {
        let mut strays = self.strays.borrow_mut();
        if strays.len() < MOST_STRAYS {
            strays.push(thrown);
        }
    }
}

impl fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Inner").finish_non_exhaustive()
    }
}

/// The error that no `try` catches: raised where the run is over.
pub(crate) fn stop() -> JsError {
    PanicError::new("the run is over").into()
}

/// A number that is the object's own while it lives.
pub(crate) fn address(object: &JsObject) -> usize {
    std::ptr::from_ref(object.as_ref()).cast::<()>() as usize
}

/// One view of a context.
pub(crate) struct BoaRealm<'c> {
    context: RefCell<&'c mut Context>,
    inner: Rc<Inner>,
    intrinsics: Rc<Intrinsics>,
}

impl<'c> BoaRealm<'c> {
    /// A view of the context under which `inner` hangs.
    ///
    /// # Panics
    /// After [`Inner::clear`].
    pub(crate) fn of(context: &'c mut Context, inner: &Rc<Inner>) -> Self {
        let intrinsics = inner.intrinsics.borrow().clone().expect("a realm is made while the interpreter lives");
        Self { context: RefCell::new(context), inner: Rc::clone(inner), intrinsics }
    }

    /// Keeps the function of the run's program: when it is called, it is so with a budget.
    pub(crate) fn set_root(&self, function: &JsValue) {
        *self.inner.root.borrow_mut() = Some(function.clone());
    }

    /// Does something with the context. What is done makes no use of this view.
    fn with<T>(&self, act: impl FnOnce(&mut Context) -> T) -> T {
        act(&mut self.context.borrow_mut())
    }

    /// Keeps what a failed operation raised, unless the run is over.
    fn halt(&self, raised: JsError) -> Halt {
        if !self.inner.is_over() {
            let value = self.value_of(raised);
            self.inner.pending.borrow_mut().get_or_insert(value);
        }
        Halt
    }

    fn or_halt<T>(&self, given: JsResult<T>) -> Result<T, Halt> {
        given.map_err(|raised| self.halt(raised))
    }

    /// An error as the value that a program would catch. What the engine lets nobody catch is a stack that overflowed.
    fn value_of(&self, raised: JsError) -> JsValue {
        self.with(|context| {
            raised.into_opaque(context).unwrap_or_else(|uncatchable| {
                // Its text has the kind on the first line, and the stack on the others.
                let said = uncatchable.to_string();
                let (said, stack) = said.split_once('\n').unwrap_or((&said, ""));
                let overflow = JsNativeError::range().with_message("Maximum call stack size exceeded");
                let error = if said.contains("RuntimeLimit") { overflow } else { JsNativeError::error().with_message(said.to_owned()) };
                let error = error.into_opaque(context);
                let hidden = PropertyDescriptor::builder().value(JsString::from(stack)).writable(true).enumerable(false).configurable(true);
                error.insert_property(js_string!("stack"), hidden);
                error.into()
            })
        })
    }
}

impl fmt::Debug for BoaRealm<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BoaRealm").finish_non_exhaustive()
    }
}

impl Realm for BoaRealm<'_> {
    type Value = JsValue;

    fn kind(&self, value: &JsValue) -> Kind {
        self.kind_of(value)
    }

    fn identity(&self, value: &JsValue) -> usize {
        value.as_object().map_or(0, |object| address(&object))
    }

    fn boolean(&self, value: &JsValue) -> bool {
        self.primitive_of(value).as_boolean().unwrap_or_default()
    }

    fn number(&self, value: &JsValue) -> f64 {
        self.number_of(value)
    }

    fn read_text(&self, value: &JsValue, read: &mut dyn FnMut(&str)) -> Result<(), Halt> {
        self.show_text(value, read)
    }

    fn unboxed(&self, value: &JsValue) -> Result<JsValue, Halt> {
        Ok(self.primitive_of(value))
    }

    fn is_well_formed(&self, value: &JsValue) -> Result<bool, Halt> {
        Ok(read::is_well_formed(&self.primitive_of(value)))
    }

    fn length(&self, value: &JsValue) -> u64 {
        self.length_of(value)
    }

    fn element(&self, value: &JsValue, index: u32) -> Result<Slot<JsValue>, Halt> {
        self.element_of(value, index)
    }

    fn each_property(
        &self,
        value: &JsValue,
        hidden: bool,
        visit: &mut dyn FnMut(Property<'_, JsValue>) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        self.walk(value, hidden, visit)
    }

    fn property(&self, value: &JsValue, name: &str) -> Result<Slot<JsValue>, Halt> {
        self.named(value, name)
    }

    fn prototype(&self, value: &JsValue) -> Result<Option<JsValue>, Halt> {
        Ok(self.readable(value)?.and_then(|object| object.prototype()).map(Into::into))
    }

    fn is_plain_prototype(&self, value: &JsValue) -> bool {
        value.as_object().is_some_and(|object| object == self.intrinsics.object_prototype || object == self.intrinsics.array_prototype)
    }

    fn entries(&self, value: &JsValue, most: usize) -> Result<Vec<(JsValue, JsValue)>, Halt> {
        self.entries_of(value, most)
    }

    fn read_bytes(&self, value: &JsValue, read: &mut dyn FnMut(&[u8])) -> Result<(), Halt> {
        self.show_bytes(value, read);
        Ok(())
    }

    fn promised(&self, value: &JsValue) -> Promised<JsValue> {
        read::promised(value)
    }

    fn stack(&self, error: &JsValue) -> Result<Option<String>, Halt> {
        self.stack_of(error)
    }

    fn carried(&self, value: &JsValue) -> Result<Option<String>, Halt> {
        self.hung(value)
    }

    fn undefined(&self) -> JsValue {
        JsValue::undefined()
    }

    fn null(&self) -> JsValue {
        JsValue::null()
    }

    fn make_boolean(&self, value: bool) -> JsValue {
        JsValue::from(value)
    }

    fn make_number(&self, value: f64) -> JsValue {
        JsValue::from(value)
    }

    fn make_text(&self, text: &str) -> Result<JsValue, Halt> {
        self.text(text)
    }

    fn make_array(&self, items: Vec<JsValue>) -> Result<JsValue, Halt> {
        Ok(self.array(items))
    }

    fn make_object(&self, with_prototype: bool) -> Result<JsValue, Halt> {
        Ok(self.object(with_prototype))
    }

    fn make_bytes(&self, bytes: &[u8]) -> Result<JsValue, Halt> {
        self.bytes_of(bytes)
    }

    fn make_error(&self, class: ErrorClass, message: &str) -> Result<JsValue, Halt> {
        self.error_of(class, Some(message))
    }

    fn make_unthrown_error(&self) -> Result<JsValue, Halt> {
        self.error_of(ErrorClass::Error, None)
    }

    fn make_json(&self, json: &Json) -> Result<JsValue, Halt> {
        self.json(json)
    }

    fn make_function(&self, native: Native, name: &str, bound: Vec<JsValue>) -> Result<JsValue, Halt> {
        Ok(self.function(native, name, bound))
    }

    fn make_asking(&self, parts: AskingParts<JsValue>) -> Result<JsValue, Halt> {
        self.asking(parts)
    }

    fn make_promise(&self) -> Result<(JsValue, Resolvers<JsValue>), Halt> {
        Ok(self.promise())
    }

    fn define(&self, object: &JsValue, name: &str, value: JsValue, attributes: Attributes) -> Result<(), Halt> {
        self.define_named(object, name, value, attributes)
    }

    fn define_lazy(&self, object: &JsValue, name: &str, get: JsValue) -> Result<(), Halt> {
        self.lazy(object, name, get)
    }

    fn set_prototype(&self, object: &JsValue, prototype: &JsValue) -> Result<(), Halt> {
        let object = self.changeable(object)?;
        let set = object.set_prototype(prototype.as_object());
        if set { Ok(()) } else { Err(self.refused("the prototype cannot be set")) }
    }

    fn freeze(&self, object: &JsValue) -> Result<(), Halt> {
        self.freeze_object(object)
    }

    fn carry(&self, object: &JsValue, text: &str) -> Result<(), Halt> {
        self.hang(object, text)
    }

    fn global(&self) -> JsValue {
        self.with(|context| context.global_object().into())
    }

    fn call(&self, function: &JsValue, this: &JsValue, arguments: &[JsValue]) -> Result<JsValue, Thrown<JsValue>> {
        self.called(function, this, arguments)
    }

    fn evaluate(&self, name: &str, source: &str) -> Result<JsValue, Thrown<JsValue>> {
        self.evaluated(name, source)
    }

    fn evaluate_file(&self, name: &str, source: &str) -> Result<JsValue, Thrown<JsValue>> {
        self.evaluated_file(name, source)
    }

    fn run_jobs(&self) -> Result<(), Halt> {
        self.jobs()
    }

    fn has_jobs(&self) -> bool {
        !self.inner.jobs.is_empty()
    }

    fn collect(&self) {
        boa_gc::force_collect();
    }

    fn guard(&self) -> &Arc<Guard> {
        &self.inner.guard
    }

    fn shared(&self) -> &Shared<JsValue> {
        &self.inner.shared
    }
}
