//! Calling functions, evaluating texts of ours and running jobs.

use std::path::Path;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context as Polling, Poll, Waker};

use boa_engine::error::{EngineError, RuntimeLimitError};
use boa_engine::native_function::NativeFunction;
use boa_engine::object::{FunctionObjectBuilder, JsObject};
use boa_engine::property::{PropertyDescriptor, PropertyKey};
use boa_engine::script::Script;
use boa_engine::{Context, JsError, JsNativeError, JsResult, JsString, JsValue, Source, js_string};
use codemode_core::Bound;
use codemode_js::{Halt, Thrown};

use super::{BoaRealm, Inner, stop};
use crate::memory;

/// So much of the engine's own measure of work is done between two looks at the latch.
const BUDGET: u32 = 1000;

/// The text that calls the program; its name is a property of the global object until it is read.
const CALL: &str = "codemode$program()";
const CALLED: &str = "codemode$program";

impl BoaRealm<'_> {
    /// Does something with the context, and reads the latch first after it.
    pub(crate) fn settled<T>(&self, act: impl FnOnce(&mut Context) -> JsResult<T>) -> Result<T, Thrown<JsValue>> {
        if self.inner.is_over() {
            return Err(Thrown::Halt);
        }
        let given = self.with(act);
        if matches!(&given, Err(raised) if is_overrun(raised)) {
            let guard = &self.inner.guard;
            guard.fire(Bound::Compute, u64::try_from(guard.computed().as_millis()).unwrap_or(u64::MAX));
        }
        if self.inner.is_over() {
            return Err(Thrown::Halt);
        }
        given.map_err(|raised| Thrown::Value(self.value_of(raised)))
    }

    /// The same for a text that is compiled: its error says where it is as an error of the program's does.
    pub(crate) fn parsed<T>(&self, act: impl FnOnce(&mut Context) -> JsResult<T>) -> Result<T, Thrown<JsValue>> {
        self.settled(act).map_err(|thrown| match thrown {
            Thrown::Value(value) => Thrown::Value(self.placed(value)),
            Thrown::Halt => Thrown::Halt,
        })
    }

    /// A syntax error has its place in its message alone.
    fn placed(&self, error: JsValue) -> JsValue {
        let Some(object) = error.as_object() else { return error };
        let message = object.borrow().properties().get(&js_string!("message").into());
        let Some(message) = message.and_then(|property| property.value().and_then(JsValue::as_string)) else { return error };
        let message = message.to_std_string_lossy();
        let Some((said, line, column)) = place(&message) else { return error };
        let hidden = |value: JsString| PropertyDescriptor::builder().value(value).writable(true).enumerable(false).configurable(true);
        object.insert_property(js_string!("message"), hidden(JsString::from(said)));
        object.insert_property(js_string!("stack"), hidden(JsString::from(format!("    at {}:{line}:{column}\n", codemode_js::PROGRAM))));
        error
    }

    pub(super) fn called(&self, function: &JsValue, this: &JsValue, arguments: &[JsValue]) -> Result<JsValue, Thrown<JsValue>> {
        if self.inner.root.borrow().as_ref().is_some_and(|root| root == function) {
            return self.called_with_budget(function);
        }
        self.settled(|context| match function.as_callable() {
            Some(function) => function.call(this, arguments, context),
            None => Err(JsNativeError::typ().with_message("not a function").into()),
        })
    }

    /// Calls the program so that the latch is looked at while it runs: only a script is evaluated so, and what it calls with it,
    /// up to the first `await`.
    fn called_with_budget(&self, function: &JsValue) -> Result<JsValue, Thrown<JsValue>> {
        drop(self.inner.root.take());
        let inner = Rc::clone(&self.inner);
        self.settled(|context| {
            let global = context.global_object();
            let key = PropertyKey::from(JsString::from(CALLED));
            let taken = global.borrow().properties().contains_key(&key);
            let Some(callee) = function.as_callable().filter(|_| !taken) else { return call(function, context) };
            let give = NativeFunction::from_copy_closure_with_captures(take_program, callee);
            let give = FunctionObjectBuilder::new(context.realm(), give).build();
            let lent = PropertyDescriptor::builder().get(give).set(JsValue::undefined()).enumerable(false).configurable(true);
            global.insert_property(key, lent);
            let script = Script::parse(Source::from_bytes(CALL).with_path(Path::new("codemode:program")), None, context)?;
            poll(&script, &inner, context)
        })
    }

    pub(super) fn evaluated(&self, name: &str, source: &str) -> Result<JsValue, Thrown<JsValue>> {
        self.settled(|context| {
            let script = Script::parse(Source::from_bytes(source).with_path(Path::new(name)), None, context)?;
            script.evaluate(context)
        })
    }

    pub(super) fn jobs(&self) -> Result<(), Halt> {
        loop {
            self.inner.look_at_memory();
            if self.inner.is_over() {
                return Err(Halt);
            }
            let Some(job) = self.inner.jobs.take() else { return Ok(()) };
            match self.settled(|context| job.call(context)) {
                Ok(_) => {}
                Err(Thrown::Value(thrown)) => self.inner.stray(thrown),
                Err(Thrown::Halt) => return Err(Halt),
            }
        }
    }
}

/// Whether a loop turned more often than the compute budget has room for.
fn is_overrun(raised: &JsError) -> bool {
    matches!(raised.as_engine(), Some(EngineError::RuntimeLimit(RuntimeLimitError::LoopIteration)))
}

fn call(function: &JsValue, context: &mut Context) -> JsResult<JsValue> {
    let function = function.as_callable().ok_or_else(|| JsError::from(JsNativeError::typ().with_message("not a function")))?;
    function.call(&JsValue::undefined(), &[], context)
}

/// Gives the program, and takes away the name that it was given under: the program does not find it on the global object.
fn take_program(_this: &JsValue, _arguments: &[JsValue], callee: &JsObject, context: &mut Context) -> JsResult<JsValue> {
    context.global_object().delete_property_or_throw(JsString::from(CALLED), context)?;
    Ok(callee.clone().into())
}

/// Evaluates a script with a look at the latch each time its budget is spent. What is left unfinished stays on the engine's stack,
/// which nobody uses any more.
fn poll(script: &Script, inner: &Inner, context: &mut Context) -> JsResult<JsValue> {
    let mut running = pin!(script.evaluate_async_with_budget(context, BUDGET));
    let mut polling = Polling::from_waker(Waker::noop());
    loop {
        match running.as_mut().poll(&mut polling) {
            Poll::Ready(given) => return given,
            Poll::Pending if inner.is_over() => return Err(stop()),
            Poll::Pending if memory::held() > inner.guard.memory_limit() => inner.look_at_memory(),
            Poll::Pending => {}
        }
    }
}

/// What a parser's message says, and the line and column in it.
fn place(message: &str) -> Option<(String, u32, u32)> {
    let (said, rest) = message.rsplit_once(" at line ")?;
    let (line, rest) = rest.split_once(", col ")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (column, after) = rest.split_at(digits);
    Some((format!("{said}{after}"), line.parse().ok()?, column.parse().ok()?))
}
