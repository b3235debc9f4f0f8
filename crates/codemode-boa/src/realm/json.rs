//! Values from JSON text in one pass, without a tree and without a copy of the text.

use std::fmt;

use boa_engine::object::JsObject;
use boa_engine::object::builtins::JsArray;
use boa_engine::property::{PropertyDescriptor, PropertyKey};
use boa_engine::{Context, JsString, JsValue};
use codemode_core::Json;
use codemode_js::Halt;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::BoaRealm;

/// What a value is taken to need of a byte of its text, at most: a number in an array, and the array's own copy.
const GROWTH: usize = 4;

impl BoaRealm<'_> {
    pub(super) fn json(&self, json: &Json) -> Result<JsValue, Halt> {
        let text = json.text();
        let _counted = self.reserve_if_large(text.len().saturating_mul(GROWTH))?;
        let made = self.with(|context| Builder(context).deserialize(&mut serde_json::Deserializer::from_str(text)));
        made.map_err(|_| self.refused("what the host gave is no JSON"))
    }
}

struct Builder<'a>(&'a mut Context);

impl<'de> DeserializeSeed<'de> for Builder<'_> {
    type Value = JsValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<JsValue, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Builder<'_> {
    type Value = JsValue;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("json")
    }

    fn visit_unit<E>(self) -> Result<JsValue, E> {
        Ok(JsValue::null())
    }

    fn visit_bool<E>(self, value: bool) -> Result<JsValue, E> {
        Ok(JsValue::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<JsValue, E> {
        Ok(i32::try_from(value).map_or_else(|_| JsValue::from(value as f64), JsValue::from))
    }

    fn visit_u64<E>(self, value: u64) -> Result<JsValue, E> {
        Ok(i32::try_from(value).map_or_else(|_| JsValue::from(value as f64), JsValue::from))
    }

    fn visit_f64<E>(self, value: f64) -> Result<JsValue, E> {
        Ok(JsValue::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<JsValue, E> {
        Ok(JsString::from(value).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<JsValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(Builder(self.0))? {
            items.push(item);
        }
        Ok(JsArray::from_iter(items, self.0).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<JsValue, A::Error> {
        let object = JsObject::with_object_proto(self.0.intrinsics());
        while let Some(key) = access.next_key_seed(Name)? {
            let value = access.next_value_seed(Builder(self.0))?;
            let property = PropertyDescriptor::builder().value(value).writable(true).enumerable(true).configurable(true);
            object.insert_property(key, property);
        }
        Ok(object.into())
    }
}

/// A key, as the engine keeps it.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = PropertyKey;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<PropertyKey, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = PropertyKey;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<PropertyKey, E> {
        Ok(JsString::from(value).into())
    }
}
