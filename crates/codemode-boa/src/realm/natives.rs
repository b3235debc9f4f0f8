//! Functions of ours as the engine calls them, and properties that make their value when they are first read.

use std::panic::{AssertUnwindSafe, catch_unwind};

use boa_engine::native_function::NativeFunction;
use boa_engine::object::{FunctionObjectBuilder, JsObject};
use boa_engine::property::PropertyDescriptor;
use boa_engine::{Context, Finalize, JsError, JsResult, JsString, JsValue, Trace};
use boa_gc::{Gc, GcRefCell};
use codemode_js::{Halt, Native, Thrown, invoke};

use super::{BoaRealm, Inner, stop};
use crate::memory;

/// A function's code and what it is bound to.
#[derive(Trace, Finalize)]
struct Bound {
    code: u16,
    values: Vec<JsValue>,
}

/// A property that is made when it is read. It stays an accessor: the engine would take the value of one that turned into a data
/// property for its getter, where the same place in a program reads it again.
#[derive(Clone, Trace, Finalize)]
struct Lazy {
    object: JsObject,
    get: JsValue,
    key: JsString,
    made: Gc<GcRefCell<Option<JsValue>>>,
}

impl BoaRealm<'_> {
    pub(super) fn function(&self, native: Native, name: &str, values: Vec<JsValue>) -> JsValue {
        let function = NativeFunction::from_copy_closure_with_captures(call_native, Bound { code: native.code(), values });
        self.with(|context| FunctionObjectBuilder::new(context.realm(), function).name(JsString::from(name)).length(0).build().into())
    }

    /// An accessor that makes its value when it is read, and takes another one where it is assigned.
    pub(super) fn lazy(&self, object: &JsValue, name: &str, get: JsValue) -> Result<(), Halt> {
        let object = self.changeable(object)?;
        let lazy = Lazy { object: object.clone(), get, key: JsString::from(name), made: Gc::new(GcRefCell::new(None)) };
        let read = NativeFunction::from_copy_closure_with_captures(read_lazy, lazy.clone());
        let assign = NativeFunction::from_copy_closure_with_captures(assign_lazy, lazy);
        let defined = self.with(|context| {
            let read = FunctionObjectBuilder::new(context.realm(), read).name(JsString::from(format!("get {name}"))).build();
            let assign = FunctionObjectBuilder::new(context.realm(), assign).name(JsString::from(format!("set {name}"))).length(1).build();
            let property = PropertyDescriptor::builder().get(read).set(assign).enumerable(false).configurable(true);
            object.define_property_or_throw(JsString::from(name), property, context)
        });
        self.or_halt(defined).map(drop)
    }
}

/// Runs a function of ours for the engine: stopped runs first, panics and failed operations last.
pub(super) fn guarded(context: &mut Context, act: impl FnOnce(&BoaRealm<'_>) -> Result<JsValue, Thrown<JsValue>>) -> JsResult<JsValue> {
    // An interpreter that is being taken down runs nothing.
    let Some(inner) = Inner::of(context) else { return Err(stop()) };
    if memory::held() > inner.guard.memory_limit() {
        inner.look_at_memory();
    }
    if inner.is_over() {
        return Err(stop());
    }
    let given = {
        let realm = BoaRealm::of(context, &inner);
        catch_unwind(AssertUnwindSafe(|| act(&realm))).unwrap_or_else(|panic| {
            inner.note_panic(panic.as_ref());
            Err(Thrown::Halt)
        })
    };
    if inner.is_over() {
        return Err(stop());
    }
    match (given, inner.take_pending()) {
        (_, Some(pending)) => Err(JsError::from_opaque(pending)),
        (Ok(value), None) => Ok(value),
        (Err(Thrown::Value(value)), None) => Err(JsError::from_opaque(value)),
        (Err(Thrown::Halt), None) => Err(stop()),
    }
}

fn call_native(this: &JsValue, arguments: &[JsValue], bound: &Bound, context: &mut Context) -> JsResult<JsValue> {
    guarded(context, |realm| {
        let native = Native::from_code(bound.code).ok_or(Thrown::Halt)?;
        invoke(realm, native, this, &bound.values, arguments)
    })
}

fn read_lazy(_this: &JsValue, _arguments: &[JsValue], lazy: &Lazy, context: &mut Context) -> JsResult<JsValue> {
    if let Some(made) = lazy.made.borrow().clone() {
        return Ok(made);
    }
    guarded(context, |realm| {
        let value = realm.called(&lazy.get, &JsValue::undefined(), &[lazy.key.clone().into()])?;
        *lazy.made.borrow_mut() = Some(value.clone());
        Ok(value)
    })
}

fn assign_lazy(this: &JsValue, arguments: &[JsValue], lazy: &Lazy, context: &mut Context) -> JsResult<JsValue> {
    guarded(context, |realm| {
        let value = arguments.first().cloned().unwrap_or_default();
        let Some(target) = this.as_object().filter(|this| *this != lazy.object) else {
            *lazy.made.borrow_mut() = Some(value);
            return Ok(JsValue::undefined());
        };
        let plain = PropertyDescriptor::builder().value(value).writable(true).enumerable(true).configurable(true);
        match realm.with(|context| target.define_property_or_throw(lazy.key.clone(), plain, context)) {
            Ok(_) => Ok(JsValue::undefined()),
            Err(raised) => Err(Thrown::Value(realm.value_of(raised))),
        }
    })
}
