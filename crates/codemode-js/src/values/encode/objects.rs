//! Arrays, objects and collections as JSON.

use codemode_core::Reserved;

use super::{Stop, Walk, Wrote, refused};
use crate::realm::{Key, Kind, Property, Realm, Slot};
use crate::values::lookup::{is_plain, text_property};
use crate::values::place::{Place, Step};

/// The longest name of an error's class that is written, in bytes.
const ERROR_NAME_BYTES: usize = 1 << 10;

/// The entries of a map or set, counted while they are held.
struct Entries<R: Realm> {
    pairs: Vec<(R::Value, R::Value)>,
    _counted: Reserved,
}

impl<R: Realm> Walk<'_, R> {
    /// Begins an object or array, and gives its identity.
    fn open(&mut self, value: &R::Value, place: &Place<'_>, bracket: &str) -> Result<usize, Stop<R>> {
        if place.depth as u64 >= self.bounds.depth.min(codemode_core::MAX_JSON_DEPTH as u64) {
            return Err(self.too_deep(place));
        }
        let identity = self.realm.identity(value);
        if let Some(around) = place.around(identity) {
            let what = format!("{} again, a cycle", around.path());
            return Err(refused(place, &what, "leave out the way back"));
        }
        self.text.raw(bracket)?;
        Ok(identity)
    }

    /// Writes a member of an array, where what has no text of its own is `null`.
    fn member(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        match self.value(value, place)? {
            Wrote::Value => return Ok(()),
            Wrote::Undefined => {}
            Wrote::LeftOut(what) => self.leave_out(place, what),
        }
        self.text.raw("null")?;
        self.fits()
    }

    /// The comma before each member but the first.
    #[inline]
    fn comma(&mut self, first: &mut bool) -> Result<(), Stop<R>> {
        if !std::mem::replace(first, false) {
            self.text.raw(",")?;
        }
        Ok(())
    }

    pub(super) fn array(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        let within = self.open(value, place, "[")?;
        let length = self.realm.length(value);
        // Each element takes two characters at least.
        self.fits_with(length.saturating_mul(2).saturating_sub(1))?;
        let mut first = true;
        for index in 0..u32::try_from(length).unwrap_or(u32::MAX) {
            self.comma(&mut first)?;
            let here = place.child(Step::Index(u64::from(index)), within);
            match self.realm.element(value, index)? {
                Slot::Data(element) => self.member(&element, &here)?,
                Slot::Missing => self.empty_element(&here)?,
                Slot::Accessor { .. } => self.accessor_element(&here)?,
            }
        }
        Ok(self.text.raw("]")?)
    }

    fn empty_element(&mut self, place: &Place<'_>) -> Result<(), Stop<R>> {
        self.count()?;
        self.refuse_strictly(place, "an empty element of an array", "fill it with null")?;
        self.text.raw("null")?;
        self.fits()
    }

    fn accessor_element(&mut self, place: &Place<'_>) -> Result<(), Stop<R>> {
        self.count()?;
        self.refuse_strictly(place, "an accessor, which is not run", "store its value")?;
        self.leave_out(place, "an accessor");
        self.text.raw("null")?;
        self.fits()
    }

    pub(super) fn object(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        if !is_plain(self.realm, value)?
            && let Some(text) = self.realm.carried(value)?
        {
            return self.quoted_str(&text);
        }
        let within = self.open(value, place, "{")?;
        let mut first = true;
        self.properties(value, place, within, &mut first, |_name| false)?;
        Ok(self.text.raw("}")?)
    }

    /// Writes own properties, but those that `known` knows.
    fn properties(
        &mut self,
        value: &R::Value,
        place: &Place<'_>,
        within: usize,
        first: &mut bool,
        known: impl Fn(&str) -> bool,
    ) -> Result<(), Stop<R>> {
        let realm = self.realm;
        let strict = self.crossing == super::Crossing::State;
        let mut stop = None;
        realm.each_property(value, strict, &mut |property| {
            if let Key::Text(name) = property.key
                && known(name)
            {
                return Ok(true);
            }
            let named = match property.key {
                Key::Text(name) => self.look_at_name(value, name, &place.child(Step::Name(name), within)),
                Key::Symbol(_) => Ok(()),
            };
            match named.and_then(|()| self.property(&property, place, within, first)) {
                Ok(()) => Ok(true),
                Err(why) => {
                    stop = Some(why);
                    Ok(false)
                }
            }
        })?;
        stop.map_or(Ok(()), Err)
    }

    fn property(&mut self, property: &Property<'_, R::Value>, place: &Place<'_>, within: usize, first: &mut bool) -> Result<(), Stop<R>> {
        let name = match property.key {
            Key::Text(name) => name,
            Key::Symbol(description) => {
                let here = place.child(Step::Symbol(description), within);
                return self.refuse_strictly(&here, "a property under a symbol", "use a string");
            }
        };
        let here = place.child(Step::Name(name), within);
        if !property.enumerable {
            return self.refuse_strictly(&here, "a property that is not enumerable", "assign it instead");
        }
        let value = match &property.slot {
            Slot::Data(value) => value,
            Slot::Missing => return self.look(),
            Slot::Accessor { .. } => {
                self.refuse_strictly(&here, "an accessor, which is not run", "store its value")?;
                self.leave_out(&here, "an accessor");
                return self.look();
            }
        };
        let mark = self.text.mark();
        let was_first = *first;
        self.comma(first)?;
        self.name(name)?;
        let wrote = self.value(value, &here)?;
        if wrote != Wrote::Value {
            self.text.back_to(mark);
            *first = was_first;
        }
        if let Wrote::LeftOut(what) = wrote {
            self.leave_out(&here, what);
        }
        Ok(())
    }

    /// Writes a name and the colon after it.
    #[inline]
    fn name(&mut self, name: &str) -> Result<(), Stop<R>> {
        self.text.raw("\"")?;
        self.text.escaped(name)?;
        Ok(self.text.raw("\":")?)
    }

    /// Writes an error: what it is called, what it says, and what the program hung on it.
    pub(super) fn error(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        let within = self.open(value, place, "{")?;
        self.name("name")?;
        let name = text_property(self.realm, value, "name", ERROR_NAME_BYTES)?;
        self.quoted_str(name.as_deref().unwrap_or("Error"))?;
        self.text.raw(",")?;
        self.name("message")?;
        match crate::values::lookup::data_property(self.realm, value, "message")? {
            Some(message) if self.realm.kind(&message) == Kind::Text => self.quoted(&message)?,
            _ => self.text.raw("\"\"")?,
        }
        self.properties(value, place, within, &mut false, |name| matches!(name, "name" | "message" | "stack"))?;
        Ok(self.text.raw("}")?)
    }

    /// Reads the entries of a map or set. What is known to be too large is not read.
    fn entries(&mut self, value: &R::Value) -> Result<Entries<R>, Stop<R>> {
        let length = self.realm.length(value);
        self.fits_with(length.saturating_mul(2).saturating_sub(1))?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let bytes = length.saturating_mul(size_of::<(R::Value, R::Value)>());
        let counted = self.realm.reserve(bytes)?;
        Ok(Entries { pairs: self.realm.entries(value, length)?, _counted: counted })
    }

    /// Writes a map: as an object where each key is a string, else as a list of pairs.
    pub(super) fn map(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        let entries = self.entries(value)?;
        if entries.pairs.iter().all(|(key, _)| self.realm.kind(key) == Kind::Text) {
            return self.map_of_names(value, &entries.pairs, place);
        }
        let within = self.open(value, place, "[")?;
        let mut first = true;
        for (index, (key, value)) in entries.pairs.iter().enumerate() {
            self.comma(&mut first)?;
            let pair = place.child(Step::Entry(index as u64), within);
            if pair.depth as u64 >= self.bounds.depth.min(codemode_core::MAX_JSON_DEPTH as u64) {
                return Err(self.too_deep(&pair));
            }
            self.text.raw("[")?;
            // A pair is no object of the program's: it has no identity that a cycle could come back to.
            self.member(key, &pair.child(Step::Index(0), 0))?;
            self.text.raw(",")?;
            self.member(value, &pair.child(Step::Index(1), 0))?;
            self.text.raw("]")?;
        }
        Ok(self.text.raw("]")?)
    }

    fn map_of_names(&mut self, value: &R::Value, entries: &[(R::Value, R::Value)], place: &Place<'_>) -> Result<(), Stop<R>> {
        let within = self.open(value, place, "{")?;
        let mut first = true;
        let mut name = String::new();
        for (key, value) in entries {
            self.fits_with(self.realm.length(key) / 2)?;
            name.clear();
            self.realm.read_text(key, &mut |piece| name.push_str(piece))?;
            let property = Property { key: Key::Text(&name), enumerable: true, slot: Slot::Data(value.clone()) };
            self.property(&property, place, within, &mut first)?;
        }
        Ok(self.text.raw("}")?)
    }

    pub(super) fn set(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        let entries = self.entries(value)?;
        let within = self.open(value, place, "[")?;
        let mut first = true;
        for (index, (member, _)) in entries.pairs.iter().enumerate() {
            self.comma(&mut first)?;
            self.member(member, &place.child(Step::Index(index as u64), within))?;
        }
        Ok(self.text.raw("]")?)
    }

    /// Writes the elements of a typed array. A `DataView` has none: then its bytes.
    pub(super) fn typed_array(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        let has_elements = self.realm.length(value) > 0 && matches!(self.realm.element(value, 0)?, Slot::Data(_));
        if has_elements { self.array(value, place) } else { self.bytes(value, place) }
    }

    pub(super) fn bytes(&mut self, value: &R::Value, place: &Place<'_>) -> Result<(), Stop<R>> {
        self.open(value, place, "[")?;
        let realm = self.realm;
        let mut written = Ok(());
        realm.read_bytes(value, &mut |bytes| written = self.byte_list(bytes))?;
        written?;
        Ok(self.text.raw("]")?)
    }

    fn byte_list(&mut self, bytes: &[u8]) -> Result<(), Stop<R>> {
        self.fits_with((bytes.len() as u64).saturating_mul(2).saturating_sub(1))?;
        let mut first = true;
        for byte in bytes {
            self.count()?;
            self.comma(&mut first)?;
            self.number(f64::from(*byte))?;
            self.fits()?;
        }
        Ok(())
    }
}
