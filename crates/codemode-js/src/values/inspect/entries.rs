//! What collections hold, as far as it is shown.

use super::{Inspector, plural};
use crate::realm::{Halt, Kind, Promised, Realm, Slot};
use crate::values::lookup::class_name;

/// How many holes of an array are looked at in one row.
const MOST_HOLES: u32 = 1 << 16;

impl<R: Realm> Inspector<'_, R> {
    /// The entries of an object that has some besides its properties; `are_numbers` tells whether each is a number.
    pub(super) fn entries(&mut self, value: &R::Value, kind: Kind, depth: i32, are_numbers: &mut bool) -> Result<Vec<String>, Halt> {
        match kind {
            Kind::Array => self.elements(value, depth, are_numbers),
            Kind::TypedArray if class_name(self.realm, value)?.as_deref() == Some("DataView") => self.contents(value),
            Kind::TypedArray => self.elements(value, depth, are_numbers),
            Kind::ArrayBuffer => self.contents(value),
            Kind::Map | Kind::Set => self.members(value, kind, depth),
            Kind::Promise => self.settled(value, depth),
            Kind::Weak => Ok(vec!["<items unknown>".to_owned()]),
            _ => Ok(Vec::new()),
        }
    }

    /// A value two columns further in.
    pub(super) fn indented(&mut self, value: &R::Value, depth: i32) -> Result<String, Halt> {
        self.indentation += 2;
        let shown = self.value(value, depth);
        self.indentation -= 2;
        shown
    }

    fn elements(&mut self, value: &R::Value, depth: i32, are_numbers: &mut bool) -> Result<Vec<String>, Halt> {
        let realm = self.realm;
        let length = u32::try_from(realm.length(value)).unwrap_or(u32::MAX);
        let mut items = Vec::new();
        let mut index = 0;
        *are_numbers = true;
        while index < length && items.len() < self.view.most_items && !self.allowance.is_spent() {
            let slot = realm.element(value, index)?;
            *are_numbers &= matches!(&slot, Slot::Data(element) if matches!(realm.kind(element), Kind::Number | Kind::BigInt));
            match slot {
                Slot::Data(element) => items.push(self.indented(&element, depth)?),
                Slot::Accessor { get, set } => items.push(self.accessor(get, set)?),
                Slot::Missing => {
                    let holes = self.holes(value, index, length)?;
                    items.push(format!("<{holes} empty item{}>", plural(holes as usize)));
                    index += holes.saturating_sub(1);
                }
            }
            self.allowance.spend(self.realm, 2)?;
            index += 1;
        }
        self.more(&mut items, (length - index) as usize)?;
        Ok(items)
    }

    /// How many elements in a row are missing from `start` on.
    fn holes(&mut self, value: &R::Value, start: u32, length: u32) -> Result<u32, Halt> {
        let mut holes = 0;
        while start + holes < length && holes < MOST_HOLES {
            self.allowance.look()?;
            if !matches!(self.realm.element(value, start + holes)?, Slot::Missing) {
                return Ok(holes);
            }
            holes += 1;
        }
        // An array with so many holes in a row is taken to have nothing behind them.
        Ok(length - start)
    }

    fn members(&mut self, value: &R::Value, kind: Kind, depth: i32) -> Result<Vec<String>, Halt> {
        let length = usize::try_from(self.realm.length(value)).unwrap_or(usize::MAX);
        let mut items = Vec::new();
        let mut shown = 0;
        for (key, value) in self.realm.entries(value, self.view.most_items)? {
            if self.allowance.is_spent() {
                break;
            }
            let mut item = self.indented(&key, depth)?;
            if kind == Kind::Map {
                item.push_str(" => ");
                item.push_str(&self.indented(&value, depth)?);
            }
            self.allowance.spend(self.realm, 2)?;
            items.push(item);
            shown += 1;
        }
        self.more(&mut items, length.saturating_sub(shown))?;
        Ok(items)
    }

    fn more(&mut self, items: &mut Vec<String>, more: usize) -> Result<(), Halt> {
        if more > 0 {
            items.push(format!("... {more} more item{}", plural(more)));
            self.allowance.spend(self.realm, 16)?;
        }
        Ok(())
    }

    /// The bytes of a buffer.
    fn contents(&mut self, value: &R::Value) -> Result<Vec<String>, Halt> {
        let most = self.view.most_items;
        let (mut shown, mut length) = (String::new(), 0);
        self.realm.read_bytes(value, &mut |bytes| {
            length = bytes.len();
            let hex: Vec<String> = bytes.iter().take(most).map(|byte| format!("{byte:02x}")).collect();
            shown = hex.join(" ");
        })?;
        if length > most {
            shown.push_str(&format!(" ... {} more byte{}", length - most, plural(length - most)));
        }
        let items = vec![format!("[Uint8Contents]: <{shown}>"), format!("byteLength: {length}")];
        self.allowance.spend(self.realm, items.iter().map(String::len).sum())?;
        Ok(items)
    }

    fn settled(&mut self, promise: &R::Value, depth: i32) -> Result<Vec<String>, Halt> {
        Ok(vec![match self.realm.promised(promise) {
            Promised::Pending => "<pending>".to_owned(),
            Promised::Fulfilled(value) => self.indented(&value, depth)?,
            Promised::Rejected(reason) => format!("<rejected> {}", self.indented(&reason, depth)?),
        }])
    }
}
