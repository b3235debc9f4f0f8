//! Making values and defining properties.

use boa_engine::object::builtins::{JsArray, JsArrayBuffer, JsPromise, JsUint8Array};
use boa_engine::object::{IntegrityLevel, JsObject};
use boa_engine::property::PropertyDescriptor;
use boa_engine::{JsNativeError, JsString, JsValue};
use codemode_js::{Attributes, ErrorClass, Halt, Resolvers};

use super::BoaRealm;

impl BoaRealm<'_> {
    pub(super) fn text(&self, text: &str) -> Result<JsValue, Halt> {
        let _counted = self.reserve_if_large(text.len())?;
        Ok(JsString::from(text).into())
    }

    pub(super) fn array(&self, items: Vec<JsValue>) -> JsValue {
        self.with(|context| JsArray::from_iter(items, context).into())
    }

    pub(super) fn object(&self, with_prototype: bool) -> JsValue {
        self.with(|context| {
            if with_prototype { JsObject::with_object_proto(context.intrinsics()) } else { JsObject::with_null_proto() }.into()
        })
    }

    pub(super) fn bytes_of(&self, bytes: &[u8]) -> Result<JsValue, Halt> {
        let _counted = self.reserve_if_large(bytes.len())?;
        let made = self.with(|context| {
            let buffer = JsArrayBuffer::new(bytes.len(), context)?;
            if let Some(mut data) = buffer.data_mut() {
                data.copy_from_slice(bytes);
            }
            JsUint8Array::from_array_buffer(buffer, context)
        });
        Ok(self.or_halt(made)?.into())
    }

    pub(super) fn error_of(&self, class: ErrorClass, message: Option<&str>) -> Result<JsValue, Halt> {
        let arguments: Vec<JsValue> = message.map(|message| JsString::from(message).into()).into_iter().collect();
        let made = self.with(|context| self.intrinsics.error(class).construct(&arguments, None, context));
        Ok(self.or_halt(made)?.into())
    }

    pub(super) fn promise(&self) -> (JsValue, Resolvers<JsValue>) {
        let (promise, functions) = self.with(JsPromise::new_pending);
        (promise.into(), Resolvers { resolve: functions.resolve.into(), reject: functions.reject.into() })
    }

    pub(super) fn define_named(&self, object: &JsValue, name: &str, value: JsValue, attributes: Attributes) -> Result<(), Halt> {
        let object = self.changeable(object)?;
        let (writable, enumerable, configurable) = match attributes {
            Attributes::Plain => (true, true, true),
            Attributes::Hidden => (true, false, true),
            Attributes::Fixed => (false, true, false),
            Attributes::FixedHidden => (false, false, false),
        };
        let property = PropertyDescriptor::builder().value(value).writable(writable).enumerable(enumerable).configurable(configurable);
        let defined = self.with(|context| object.define_property_or_throw(JsString::from(name), property, context));
        self.or_halt(defined).map(drop)
    }

    pub(super) fn freeze_object(&self, object: &JsValue) -> Result<(), Halt> {
        let object = self.changeable(object)?;
        let frozen = self.with(|context| object.set_integrity_level(IntegrityLevel::Frozen, context));
        if self.or_halt(frozen)? { Ok(()) } else { Err(self.refused("the object cannot be frozen")) }
    }

    pub(super) fn hang(&self, object: &JsValue, text: &str) -> Result<(), Halt> {
        self.changeable(object)?;
        let text = self.text(text)?;
        let carried = JsValue::from(self.intrinsics.carried.clone());
        let set = self.with(|context| self.intrinsics.weak_set.call(&carried, &[object.clone(), text], context));
        self.or_halt(set)?;
        self.inner.carries.set(true);
        Ok(())
    }

    pub(super) fn hung(&self, value: &JsValue) -> Result<Option<String>, Halt> {
        if !self.inner.carries.get() || !value.is_object() {
            return Ok(None);
        }
        let carried = JsValue::from(self.intrinsics.carried.clone());
        let text = self.with(|context| self.intrinsics.weak_get.call(&carried, std::slice::from_ref(value), context));
        Ok(self.or_halt(text)?.as_string().map(|text| text.to_std_string_lossy()))
    }

    /// Refuses primitives and proxies, whose traps a change would run.
    pub(super) fn changeable(&self, object: &JsValue) -> Result<JsObject, Halt> {
        match self.readable(object)? {
            Some(object) => Ok(object),
            None => Err(self.refused("what is changed must be an object and no proxy")),
        }
    }

    pub(super) fn refused(&self, message: &'static str) -> Halt {
        self.halt(JsNativeError::typ().with_message(message).into())
    }
}
