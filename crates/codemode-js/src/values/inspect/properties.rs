//! The own properties of an object: enumerable ones, under strings and under symbols.

use super::{Inspector, quote};
use crate::realm::{Halt, Key, Property, Realm, Slot};

impl<R: Realm> Inspector<'_, R> {
    /// Whether it has a property that is shown.
    pub(super) fn has_properties(&mut self, value: &R::Value, hidden: &[&str]) -> Result<bool, Halt> {
        let mut found = false;
        self.realm.each_property(value, true, &mut |property| {
            self.allowance.look()?;
            found = is_shown(&property, hidden);
            Ok(!found)
        })?;
        Ok(found)
    }

    /// Whether an own property of this name is enumerable.
    pub(super) fn is_enumerable(&mut self, value: &R::Value, name: &str) -> Result<bool, Halt> {
        let mut found = false;
        self.realm.each_property(value, false, &mut |property| {
            self.allowance.look()?;
            found = property.key == Key::Text(name);
            Ok(!found)
        })?;
        Ok(found)
    }

    /// Shows properties, until the allowance is spent.
    pub(super) fn properties(&mut self, value: &R::Value, depth: i32, hidden: &[&str], items: &mut Vec<String>) -> Result<(), Halt> {
        let realm = self.realm;
        realm.each_property(value, true, &mut |property| {
            self.allowance.look()?;
            if is_shown(&property, hidden) {
                let item = self.property(&property, depth)?;
                items.push(item);
            }
            Ok(!self.allowance.is_spent())
        })
    }

    fn property(&mut self, property: &Property<'_, R::Value>, depth: i32) -> Result<String, Halt> {
        // Of a name that does not fit, what is shown is the start alone: escaped and put together it would be there many times.
        let most = self.allowance.left;
        let name = match property.key {
            Key::Text(name) => quote::name(quote::first_bytes(name, most)),
            Key::Symbol(description) => format!("[Symbol({})]", quote::escaped(quote::first_bytes(description, most))),
        };
        self.allowance.spend(self.realm, name.len() + 4)?;
        let shown = match &property.slot {
            Slot::Data(value) => self.indented(value, depth)?,
            Slot::Accessor { get, set } => self.accessor(*get, *set)?,
            Slot::Missing => "undefined".to_owned(),
        };
        Ok(format!("{name}: {shown}"))
    }

    /// A property that would have to be run to be read.
    pub(super) fn accessor(&mut self, get: bool, set: bool) -> Result<String, Halt> {
        let shown = match (get, set) {
            (true, true) => "[Getter/Setter]",
            (true, false) => "[Getter]",
            (false, true) => "[Setter]",
            (false, false) => "undefined",
        };
        self.allowance.spend(self.realm, shown.len())?;
        Ok(shown.to_owned())
    }
}

fn is_shown<V>(property: &Property<'_, V>, hidden: &[&str]) -> bool {
    property.enumerable && !matches!(property.key, Key::Text(name) if hidden.contains(&name))
}
