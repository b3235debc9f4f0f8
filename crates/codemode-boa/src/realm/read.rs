//! Reading values without running the program.

use boa_engine::builtins::promise::PromiseState;
use boa_engine::object::JsObject;
use boa_engine::object::builtins::{JsMap, JsPromise, JsSet, JsTypedArray};
use boa_engine::property::{PropertyDescriptor, PropertyKey};
use boa_engine::{JsBigInt, JsNativeError, JsString, JsSymbol, JsValue};
use codemode_js::{Halt, Key, Kind, Promised, Property, Realm as _, Slot};

use super::BoaRealm;

impl BoaRealm<'_> {
    /// The primitive that an object boxes, or the value itself.
    pub(super) fn primitive_of(&self, value: &JsValue) -> JsValue {
        let Some(object) = value.as_object() else { return value.clone() };
        let held = object.downcast_ref::<f64>().map(|number| JsValue::from(*number));
        let held = held.or_else(|| object.downcast_ref::<bool>().map(|boolean| JsValue::from(*boolean)));
        let held = held.or_else(|| object.downcast_ref::<JsString>().map(|text| JsValue::from(text.clone())));
        let held = held.or_else(|| object.downcast_ref::<JsBigInt>().map(|number| JsValue::from(number.clone())));
        let held = held.or_else(|| object.downcast_ref::<JsSymbol>().map(|symbol| JsValue::from(symbol.clone())));
        held.unwrap_or_else(|| value.clone())
    }

    pub(super) fn number_of(&self, value: &JsValue) -> f64 {
        let value = match self.kind_of(value) {
            Kind::Date => self.with(|context| self.intrinsics.date_time.call(value, &[], context)).unwrap_or_default(),
            _ => self.primitive_of(value),
        };
        value.as_number().unwrap_or(f64::NAN)
    }

    pub(super) fn show_text(&self, value: &JsValue, read: &mut dyn FnMut(&str)) -> Result<(), Halt> {
        if self.kind_of(value) == Kind::RegExp {
            let text = self.regexp_text(value)?;
            read(&text);
            return Ok(());
        }
        let primitive = self.primitive_of(value);
        if let Some(text) = primitive.as_string() {
            let _counted = self.reserve_if_large(text.len().saturating_mul(2))?;
            read(&text.to_std_string_lossy());
        } else if let Some(number) = primitive.as_bigint() {
            read(&number.to_string());
        } else if let Some(symbol) = primitive.as_symbol() {
            read(&symbol.description().map(|text| text.to_std_string_lossy()).unwrap_or_default());
        }
        Ok(())
    }

    /// Counts a buffer that is worth counting.
    pub(super) fn reserve_if_large(&self, bytes: usize) -> Result<Option<codemode_core::Reserved>, Halt> {
        if bytes < 4096 { Ok(None) } else { self.reserve(bytes).map(Some) }
    }

    fn regexp_text(&self, value: &JsValue) -> Result<String, Halt> {
        let source = self.with(|context| self.intrinsics.regexp_source.call(value, &[], context));
        let source = self.or_halt(source)?.as_string().unwrap_or_default();
        let mut text = format!("/{}/", slashed_once(&source.to_std_string_lossy()));
        for (letter, getter) in &self.intrinsics.regexp_flags {
            let set = self.with(|context| getter.call(value, &[], context));
            if self.or_halt(set)?.as_boolean() == Some(true) {
                text.push(*letter);
            }
        }
        Ok(text)
    }

    pub(super) fn length_of(&self, value: &JsValue) -> u64 {
        let size = |size: Option<f64>| size.map_or(0, |size| size as u64);
        match self.kind_of(value) {
            Kind::Text | Kind::Boxed => self.primitive_of(value).as_string().map_or(0, |text| text.len() as u64),
            Kind::Array => match self.named(value, "length") {
                Ok(Slot::Data(length)) => size(length.as_number()),
                _ => 0,
            },
            Kind::Map => {
                let map = value.as_object().and_then(|map| JsMap::from_object(map).ok());
                size(map.and_then(|map| self.with(|context| map.get_size(context)).ok()).and_then(|size| size.as_number()))
            }
            Kind::Set => value.as_object().and_then(|set| JsSet::from_object(set).ok()).map_or(0, |set| set.size() as u64),
            Kind::TypedArray => match value.as_object().map(JsTypedArray::from_object) {
                Some(Ok(array)) => self.with(|context| array.length(context)).unwrap_or_default() as u64,
                _ => self.count_bytes(value),
            },
            Kind::ArrayBuffer => self.count_bytes(value),
            _ => 0,
        }
    }

    fn count_bytes(&self, value: &JsValue) -> u64 {
        let mut count = 0;
        self.show_bytes(value, &mut |bytes| count = bytes.len() as u64);
        count
    }

    pub(super) fn element_of(&self, value: &JsValue, index: u32) -> Result<Slot<JsValue>, Halt> {
        let Some(object) = self.readable(value)? else { return Ok(Slot::Missing) };
        if self.kind_of(value) == Kind::TypedArray {
            if u64::from(index) >= self.length_of(value) {
                return Ok(Slot::Missing);
            }
            if let Ok(array) = JsTypedArray::from_object(object.clone()) {
                drop(array);
                // An element that is there is read from the buffer: no getter and no prototype is asked.
                let element = self.with(|context| object.get(index, context));
                return self.or_halt(element).map(Slot::Data);
            }
            let mut byte = None;
            self.show_bytes(value, &mut |bytes| byte = bytes.get(index as usize).copied());
            return Ok(byte.map_or(Slot::Missing, |byte| Slot::Data(JsValue::from(byte))));
        }
        Ok(slot(own(&object, &PropertyKey::from(index))))
    }

    pub(super) fn walk(
        &self,
        value: &JsValue,
        hidden: bool,
        visit: &mut dyn FnMut(Property<'_, JsValue>) -> Result<bool, Halt>,
    ) -> Result<(), Halt> {
        let Some(object) = self.readable(value)? else { return Ok(()) };
        let has_elements = matches!(self.kind_of(value), Kind::Array | Kind::TypedArray);
        let mut indices: Vec<u32> = if has_elements { Vec::new() } else { object.borrow().properties().index_property_keys().collect() };
        indices.sort_unstable();
        let names = object.borrow().shape().keys();
        let _counted = self.reserve_if_large((names.len() + indices.len()) * size_of::<PropertyKey>())?;
        let (symbols, names): (Vec<_>, Vec<_>) = names.into_iter().partition(|key| matches!(key, PropertyKey::Symbol(_)));
        let symbols = symbols.into_iter().filter(|_| hidden);
        for key in indices.into_iter().map(PropertyKey::from).chain(names).chain(symbols) {
            let Some(property) = own(&object, &key) else { continue };
            let enumerable = property.enumerable() == Some(true);
            if !enumerable && !hidden {
                continue;
            }
            let slot = slot(Some(property));
            let on = match &key {
                PropertyKey::Symbol(symbol) => {
                    let name = symbol.description().map(|name| name.to_std_string_lossy()).unwrap_or_default();
                    visit(Property { key: Key::Symbol(&name), enumerable, slot })?
                }
                PropertyKey::String(name) => visit(Property { key: Key::Text(&name.to_std_string_lossy()), enumerable, slot })?,
                PropertyKey::Index(index) => visit(Property { key: Key::Text(&index.get().to_string()), enumerable, slot })?,
            };
            if !on {
                return Ok(());
            }
        }
        Ok(())
    }

    pub(super) fn named(&self, value: &JsValue, name: &str) -> Result<Slot<JsValue>, Halt> {
        let Some(object) = self.readable(value)? else { return Ok(Slot::Missing) };
        Ok(slot(own(&object, &JsString::from(name).into())))
    }

    pub(super) fn entries_of(&self, value: &JsValue, most: usize) -> Result<Vec<(JsValue, JsValue)>, Halt> {
        let Some(object) = value.as_object() else { return Ok(Vec::new()) };
        let count = usize::try_from(self.length_of(value)).unwrap_or(usize::MAX).min(most);
        let _counted = self.reserve_if_large(count.saturating_mul(size_of::<(JsValue, JsValue)>()))?;
        let mut entries = Vec::with_capacity(count);
        let mut keep = |key: JsValue, value: JsValue| {
            if entries.len() == count {
                return Err(JsNativeError::error().into());
            }
            entries.push((key, value));
            Ok(())
        };
        // The walk is ended by an error once there are enough.
        let _ = match self.kind_of(value) {
            Kind::Map => JsMap::from_object(object).and_then(|map| map.for_each_native(keep)),
            Kind::Set => match JsSet::from_object(object) {
                Ok(set) => set.for_each_native(|value| keep(value.clone(), value)),
                Err(_) => Ok(()),
            },
            _ => Ok(()),
        };
        Ok(entries)
    }

    pub(super) fn stack_of(&self, error: &JsValue) -> Result<Option<String>, Halt> {
        if self.readable(error)?.is_none() {
            return Ok(None);
        }
        let stack = match self.named(error, "stack")? {
            Slot::Data(value) if value.is_string() => value,
            _ => {
                let stack = self.with(|context| self.intrinsics.error_stack.call(error, &[], context));
                self.or_halt(stack)?
            }
        };
        Ok(stack.as_string().map(|stack| stack.to_std_string_lossy()))
    }
}

pub(super) fn is_well_formed(value: &JsValue) -> bool {
    value.as_string().is_none_or(|text| text.to_std_string().is_ok())
}

pub(super) fn promised(value: &JsValue) -> Promised<JsValue> {
    match value.as_object().map(JsPromise::from_object) {
        Some(Ok(promise)) => match promise.state() {
            PromiseState::Pending => Promised::Pending,
            PromiseState::Fulfilled(value) => Promised::Fulfilled(value),
            PromiseState::Rejected(reason) => Promised::Rejected(reason),
        },
        _ => Promised::Fulfilled(value.clone()),
    }
}

/// An own property; a function's name and length too, which the engine keeps as such.
fn own(object: &JsObject, key: &PropertyKey) -> Option<PropertyDescriptor> {
    object.borrow().properties().get(key)
}

fn slot(property: Option<PropertyDescriptor>) -> Slot<JsValue> {
    let Some(property) = property else { return Slot::Missing };
    if property.is_accessor_descriptor() {
        let is_set = |function: Option<&JsValue>| function.is_some_and(|function| !function.is_undefined());
        return Slot::Accessor { get: is_set(property.get()), set: is_set(property.set()) };
    }
    Slot::Data(property.value().cloned().unwrap_or_default())
}

/// A pattern's source without the backslash that the engine puts before a slash that has one already.
fn slashed_once(source: &str) -> String {
    let (mut text, mut escaped, mut rest) = (String::with_capacity(source.len()), false, source);
    while let Some(letter) = rest.chars().next() {
        if escaped && rest.starts_with("\\/") {
            text.push('/');
            (escaped, rest) = (false, &rest[2..]);
            continue;
        }
        text.push(letter);
        escaped = letter == '\\' && !escaped;
        rest = &rest[letter.len_utf8()..];
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_slash_has_one_backslash() {
        for (given, expected) in [(r"a\\/b", r"a\/b"), (r"\/", r"\/"), (r"[\/]", r"[\/]"), (r"\\\/", r"\\\/"), (r"\d\\/\\/", r"\d\/\/")] {
            assert_eq!(super::slashed_once(given), expected, "{given}");
        }
    }
}
