//! What state may not hold: everything that reading its JSON would not give back as it was.

use super::{Crossing, Stop, Walk, refused};
use crate::realm::{Kind, Realm, Slot};
use crate::values::lookup::is_plain;
use crate::values::place::{Place, Step};

impl<R: Realm> Walk<'_, R> {
    /// Refuses a part of state; any other value may have it.
    pub(super) fn refuse_strictly(&self, place: &Place<'_>, what: &str, remedy: &str) -> Result<(), Stop<R>> {
        if self.crossing == Crossing::State { Err(refused(place, what, remedy)) } else { Ok(()) }
    }

    /// Refuses a value that JSON does not hold exactly.
    pub(super) fn look_strictly(&self, value: &R::Value, kind: Kind, place: &Place<'_>) -> Result<(), Stop<R>> {
        let (what, remedy) = match kind {
            Kind::Null | Kind::Boolean | Kind::Text | Kind::Promise | Kind::Proxy | Kind::Iterator | Kind::Weak => return Ok(()),
            Kind::Number => return self.look_at_number(self.realm.number(value), place),
            Kind::Array => return self.look_at_array(value, place),
            Kind::Object => return self.look_at_object(value, place),
            Kind::Undefined => ("undefined", "delete the property, or use null"),
            Kind::BigInt => ("a BigInt", "store a number or a string"),
            Kind::Symbol => ("a symbol", "store a string"),
            Kind::Function | Kind::Class => ("a function", "store data only"),
            Kind::Date => ("a Date", "store date.toISOString()"),
            Kind::RegExp => ("a RegExp", "store its source"),
            Kind::Error => ("an Error", "store its message"),
            Kind::Map => ("a Map", "store Object.fromEntries(map) or [...map]"),
            Kind::Set => ("a Set", "store [...set]"),
            Kind::TypedArray | Kind::ArrayBuffer => ("binary data", "store an array of numbers"),
            Kind::Boxed => ("a boxed primitive", "store the primitive"),
        };
        Err(refused(place, what, remedy))
    }

    /// Refuses a text of which JSON would hold something else: half of a surrogate pair. Asked once it is known to fit.
    pub(super) fn look_at_text(&self, text: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        if self.crossing != Crossing::State || self.realm.is_well_formed(text)? {
            return Ok(());
        }
        Err(refused(place, "a string with half of a surrogate pair", "store text.toWellFormed()"))
    }

    /// Refuses a name that stands for one with half of a surrogate pair: the object has no property of the name itself.
    pub(super) fn look_at_name(&self, object: &R::Value, name: &str, place: &Place<'_>) -> Result<(), Stop<R>> {
        let stands = self.crossing == Crossing::State && name.contains(char::REPLACEMENT_CHARACTER);
        if stands && matches!(self.realm.property(object, name)?, Slot::Missing) {
            return Err(refused(place, "a name with half of a surrogate pair", "use a well-formed one"));
        }
        Ok(())
    }

    fn look_at_number(&self, number: f64, place: &Place<'_>) -> Result<(), Stop<R>> {
        if !number.is_finite() {
            return Err(refused(place, &crate::values::number::number_text(number), "use null or a string"));
        }
        if number == 0.0 && number.is_sign_negative() {
            return Err(refused(place, "-0", "use 0"));
        }
        Ok(())
    }

    fn look_at_object(&self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        if is_plain(self.realm, value)? { Ok(()) } else { Err(refused(place, "an instance of a class", "store a plain object: {...x}")) }
    }

    fn look_at_array(&self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        self.look_at_object(value, place)?;
        let mut stop = None;
        let within = self.realm.identity(value);
        self.realm.each_property(value, true, &mut |property| {
            let step = match property.key {
                crate::realm::Key::Text("length") => return Ok(true),
                crate::realm::Key::Text(name) => Step::Name(name),
                crate::realm::Key::Symbol(description) => Step::Symbol(description),
            };
            if matches!(property.slot, Slot::Missing) {
                return Ok(true);
            }
            stop = Some(refused(&place.child(step, within), "a named property of an array", "use an object"));
            Ok(false)
        })?;
        stop.map_or(Ok(()), Err)
    }
}
