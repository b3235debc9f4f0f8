//! JSON text to a value of the engine, in one pass and without a tree.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use codemode_core::Json;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::counted::CountedItems;
use crate::realm::{Attributes, Halt, Realm};

/// How many values are made between two looks at the latch.
const VALUES_BETWEEN_LOOKS: u32 = 256;

/// Makes the value that `JSON.parse` would make of the text: numbers are doubles, a name that comes twice has its last value,
/// and `__proto__` is a property like any other.
///
/// The nesting is bounded since [`Json`] is. An adapter's [`Realm::make_json`] can be this.
///
/// # Errors
/// When the run is over.
pub fn from_json<R: Realm>(realm: &R, json: &Json) -> Result<R::Value, Halt> {
    let left = Cell::new(VALUES_BETWEEN_LOOKS);
    let seed = Build { realm, left: &left };
    // The text was validated: what fails here is the realm, whose only failure is a halt.
    seed.deserialize(&mut serde_json::Deserializer::from_str(json.text())).map_err(|_halted| Halt)
}

/// Makes one value.
struct Build<'b, R> {
    realm: &'b R,
    left: &'b Cell<u32>,
}

impl<R> Clone for Build<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Build<'_, R> {}

impl<R: Realm> Build<'_, R> {
    fn look<E: Error>(&self) -> Result<(), E> {
        let left = self.left.get() - 1;
        self.left.set(left);
        if left == 0 {
            self.left.set(VALUES_BETWEEN_LOOKS);
            if self.realm.guard().stopped() {
                return Err(halted(Halt));
            }
        }
        Ok(())
    }
}

fn halted<E: Error>(_: Halt) -> E {
    E::custom("the run is over")
}

impl<'de, R: Realm> DeserializeSeed<'de> for Build<'_, R> {
    type Value = R::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<R::Value, D::Error> {
        self.look()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Realm> Visitor<'de> for Build<'_, R> {
    type Value = R::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a json value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<R::Value, E> {
        Ok(self.realm.make_boolean(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "the nearest double is what JSON.parse gives")]
    fn visit_i64<E: Error>(self, value: i64) -> Result<R::Value, E> {
        Ok(self.realm.make_number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "the nearest double is what JSON.parse gives")]
    fn visit_u64<E: Error>(self, value: u64) -> Result<R::Value, E> {
        Ok(self.realm.make_number(value as f64))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<R::Value, E> {
        Ok(self.realm.make_number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<R::Value, E> {
        self.realm.make_text(value).map_err(halted)
    }

    fn visit_unit<E: Error>(self) -> Result<R::Value, E> {
        Ok(self.realm.null())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<R::Value, A::Error> {
        let mut items = CountedItems::new(self.realm);
        while let Some(item) = access.next_element_seed(self)? {
            items.push(item).map_err(halted)?;
        }
        let (items, _counted) = items.take();
        self.realm.make_array(items).map_err(halted)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<R::Value, A::Error> {
        let object = self.realm.make_object(true).map_err(halted)?;
        while let Some(name) = access.next_key_seed(Name)? {
            let value = access.next_value_seed(self)?;
            self.realm.define(&object, &name, value, Attributes::Plain).map_err(halted)?;
        }
        Ok(object)
    }
}

/// Reads a name: a part of the text where it has no escapes.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a name")
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
