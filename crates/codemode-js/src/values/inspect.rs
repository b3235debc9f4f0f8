//! Values as the console shows them: as Node does, bounded, and without running anything of the program.

mod describe;
mod entries;
mod error;
mod format;
mod layout;
mod properties;
mod quote;
mod table;

pub use format::print_text;
pub use table::table_text;

use codemode_core::{Guard, Reserved};
use std::sync::Arc;

use super::number::number_text;
use crate::realm::{Halt, Kind, Realm};

/// How deep objects are shown within the whole value; deeper ones are shown as `[Object]`.
const DEPTH: i32 = 2;

/// How many elements of an array, or entries of a map or set, are shown.
const MOST_ITEMS: usize = 100;

/// The width within which a value is kept on one line, in UTF-16 units.
const LINE_WIDTH: usize = 80;

/// How much of a string within a value is shown, in UTF-16 units.
const STRING_UNITS: usize = 10_000;

/// How many bytes are counted by the guard at a time.
const COUNTED_STEP: usize = 16 << 10;

/// How many values are read between two looks at the latch.
const VALUES_BETWEEN_LOOKS: u32 = 1024;

/// Shows one value, a string in quotes. Little more than `most` bytes are made; the rest is not even read.
///
/// # Errors
/// When the run is over.
pub fn inspect<R: Realm>(realm: &R, value: &R::Value, most: usize) -> Result<String, Halt> {
    inspect_deep(realm, value, DEPTH, most)
}

/// The same to another depth. The caller bounds it: each level takes native stack.
pub(crate) fn inspect_deep<R: Realm>(realm: &R, value: &R::Value, depth: i32, most: usize) -> Result<String, Halt> {
    let mut allowance = Allowance::new(realm.guard(), most);
    Inspector::new(realm, &mut allowance, View { depth, ..View::WHOLE }).value(value, 0)
}

/// How values are shown.
#[derive(Clone, Copy)]
struct View {
    depth: i32,
    most_items: usize,
    line_width: usize,
}

impl View {
    /// As a value of its own.
    const WHOLE: Self = Self { depth: DEPTH, most_items: MOST_ITEMS, line_width: LINE_WIDTH };
}

/// What may still be written: when it is used up, no more is read.
struct Allowance {
    left: usize,
    counted: usize,
    guard: Arc<Guard>,
    reserved: Vec<Reserved>,
    values: u32,
}

impl Allowance {
    fn new(guard: &Arc<Guard>, most: usize) -> Self {
        Self { left: most, counted: 0, guard: Arc::clone(guard), reserved: Vec::new(), values: VALUES_BETWEEN_LOOKS }
    }

    fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Counts text that will be part of what is shown. It is held twice while lines are put together.
    fn spend<R: Realm>(&mut self, realm: &R, bytes: usize) -> Result<(), Halt> {
        self.left = self.left.saturating_sub(bytes);
        if bytes > self.counted {
            let step = 2 * (bytes - self.counted).max(COUNTED_STEP);
            self.reserved.push(realm.reserve(step)?);
            self.counted += step / 2;
        }
        self.counted -= bytes;
        Ok(())
    }

    /// Looks at the latch now and then.
    fn look(&mut self) -> Result<(), Halt> {
        self.values -= 1;
        if self.values == 0 {
            self.values = VALUES_BETWEEN_LOOKS;
            self.guard.check().map_err(|_stopped| Halt)?;
        }
        Ok(())
    }
}

/// Shows one value.
struct Inspector<'i, R: Realm> {
    realm: &'i R,
    allowance: &'i mut Allowance,
    view: View,
    /// The identities of the objects around.
    around: Vec<usize>,
    /// The identities of objects that were met again within themselves, in the order of their numbers.
    circular: Vec<usize>,
    indentation: usize,
    /// How deep the object is that was begun last.
    deepest: i32,
}

impl<'i, R: Realm> Inspector<'i, R> {
    fn new(realm: &'i R, allowance: &'i mut Allowance, view: View) -> Self {
        Self { realm, allowance, view, around: Vec::new(), circular: Vec::new(), indentation: 0, deepest: 0 }
    }

    /// Shows a value that is inside of `depth` objects.
    fn value(&mut self, value: &R::Value, depth: i32) -> Result<String, Halt> {
        self.allowance.look()?;
        let kind = self.realm.kind(value);
        let shown = match kind {
            Kind::Text => self.string(value)?,
            Kind::Proxy => "[Proxy]".to_owned(),
            _ => match primitive_text(self.realm, value, kind, self.allowance.left)? {
                Some(text) => text,
                None => return self.object_or_reference(value, kind, depth),
            },
        };
        self.allowance.spend(self.realm, shown.len())?;
        Ok(shown)
    }

    fn object_or_reference(&mut self, value: &R::Value, kind: Kind, depth: i32) -> Result<String, Halt> {
        let identity = self.realm.identity(value);
        if !self.around.contains(&identity) {
            return self.object(value, kind, identity, depth);
        }
        let number = self.circular.iter().position(|circular| *circular == identity).unwrap_or_else(|| {
            self.circular.push(identity);
            self.circular.len() - 1
        });
        let shown = format!("[Circular *{}]", number + 1);
        self.allowance.spend(self.realm, shown.len())?;
        Ok(shown)
    }

    /// A string in quotes, cut where it is long, and on several lines where it has them and does not fit on one.
    fn string(&mut self, value: &R::Value) -> Result<String, Halt> {
        let units = usize::try_from(self.realm.length(value)).unwrap_or(usize::MAX);
        let mut text = String::new();
        let most = self.allowance.left;
        self.realm.read_text(value, &mut |piece| text.push_str(quote::first_units(piece, STRING_UNITS.min(most.max(1)))))?;
        let more = units.saturating_sub(quote::units(&text));
        let mut shown = if units > 16 && units > self.view.line_width.saturating_sub(self.indentation + 4) {
            let lines: Vec<String> = text.split_inclusive('\n').map(quote::quoted).collect();
            lines.join(&format!(" +\n{}", " ".repeat(self.indentation + 2)))
        } else {
            quote::quoted(&text)
        };
        if more > 0 {
            shown.push_str(&format!("... {more} more character{}", plural(more)));
        }
        Ok(shown)
    }
}

/// A primitive but a string as text, with little more than `most` bytes of a long one; nothing for objects.
fn primitive_text<R: Realm>(realm: &R, value: &R::Value, kind: Kind, most: usize) -> Result<Option<String>, Halt> {
    let read = || {
        let mut text = String::new();
        realm.read_text(value, &mut |piece| text.push_str(quote::first_bytes(piece, most))).map(|()| text)
    };
    Ok(Some(match kind {
        Kind::Undefined => "undefined".to_owned(),
        Kind::Null => "null".to_owned(),
        Kind::Boolean => realm.boolean(value).to_string(),
        Kind::Number => signed_number(realm.number(value)),
        Kind::BigInt => format!("{}n", read()?),
        Kind::Symbol => format!("Symbol({})", quote::escaped(&read()?)),
        _ => return Ok(None),
    }))
}

/// A number with the sign of its zero.
fn signed_number(number: f64) -> String {
    if number == 0.0 && number.is_sign_negative() { "-0".to_owned() } else { number_text(number) }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
