//! The arguments of a native: read as what they are, running nothing of the program's.

use std::ops::Deref;

use codemode_core::Reserved;

use crate::realm::{ErrorClass, Halt, Kind, Realm, Slot, Thrown};
use crate::values::{number_of_text, text_of};

/// The longest text that is read where it matters only while it is short, such as an option, in bytes; the rest is cut.
pub(crate) const SHORT_BYTES: usize = 256;

/// What a native was called with.
#[derive(Debug)]
pub(crate) struct Arguments<'a, R: Realm> {
    /// Whose values they are.
    pub(crate) realm: &'a R,
    values: &'a [R::Value],
}

/// Text of the program's, counted in the guard while it is held, with room for a result of the same size.
#[derive(Debug)]
pub(crate) struct Text {
    text: String,
    _reserved: Vec<Reserved>,
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<'a, R: Realm> Arguments<'a, R> {
    pub(crate) fn new(realm: &'a R, values: &'a [R::Value]) -> Self {
        Self { realm, values }
    }

    /// The argument at `index`; `undefined` where there is none.
    pub(crate) fn value(&self, index: usize) -> R::Value {
        self.values.get(index).cloned().unwrap_or_else(|| self.realm.undefined())
    }

    /// The arguments from `index` on.
    pub(crate) fn rest(&self, index: usize) -> Vec<R::Value> {
        self.values.get(index..).unwrap_or_default().to_vec()
    }

    /// Whether there is such an argument and it is not `undefined`.
    pub(crate) fn is_given(&self, index: usize) -> bool {
        self.values.get(index).is_some_and(|value| self.realm.kind(value) != Kind::Undefined)
    }

    /// The text of an argument; empty where it is none.
    pub(crate) fn text(&self, index: usize) -> Result<Text, Halt> {
        text(self.realm, &self.value(index))
    }

    /// A number, or text that reads as one; NaN for all else.
    pub(crate) fn number(&self, index: usize) -> Result<f64, Halt> {
        number(self.realm, &self.value(index))
    }

    /// An own data property of the options at `index`; nothing where it is absent or `undefined`.
    pub(crate) fn option(&self, index: usize, name: &str) -> Result<Option<R::Value>, Halt> {
        let options = self.value(index);
        if self.realm.kind(&options) != Kind::Object {
            return Ok(None);
        }
        Ok(match self.realm.property(&options, name)? {
            Slot::Data(value) if self.realm.kind(&value) != Kind::Undefined => Some(value),
            Slot::Data(_) | Slot::Accessor { .. } | Slot::Missing => None,
        })
    }

    /// A text among the options; nothing where it is absent or no text.
    pub(crate) fn option_text(&self, index: usize, name: &str) -> Result<Option<String>, Halt> {
        self.option(index, name)?.map_or(Ok(None), |value| text_of(self.realm, &value, SHORT_BYTES))
    }

    /// A number among the options, or text that reads as one.
    pub(crate) fn option_number(&self, index: usize, name: &str) -> Result<Option<f64>, Halt> {
        self.option(index, name)?.map(|value| number(self.realm, &value)).transpose()
    }

    /// A boolean among the options.
    pub(crate) fn option_boolean(&self, index: usize, name: &str) -> Result<Option<bool>, Halt> {
        Ok(self.option(index, name)?.and_then(|value| (self.realm.kind(&value) == Kind::Boolean).then(|| self.realm.boolean(&value))))
    }
}

/// Throws an error of this class.
pub(crate) fn throw<R: Realm, T>(realm: &R, class: ErrorClass, message: &str) -> Result<T, Thrown<R::Value>> {
    Err(Thrown::Value(realm.make_error(class, message)?))
}

/// The text of a value, counted in the guard with room for a result of its size; empty where it is none.
pub(crate) fn text<R: Realm>(realm: &R, value: &R::Value) -> Result<Text, Halt> {
    let mut text = String::new();
    let mut reserved = Vec::new();
    let mut fits = Ok(());
    realm.read_text(value, &mut |piece| {
        if fits.is_ok() {
            match realm.reserve(piece.len().saturating_mul(2)) {
                Ok(more) => {
                    reserved.push(more);
                    text.push_str(piece);
                }
                Err(halt) => fits = Err(halt),
            }
        }
    })?;
    fits.map(|()| Text { text, _reserved: reserved })
}

/// A word of the program's in a message: short and on one line.
pub(crate) fn shown(word: &str) -> String {
    codemode_core::text::one_line(&codemode_core::text::cut(word, 40)).into_owned()
}

/// A number, or text that reads as one; NaN for all else.
pub(crate) fn number<R: Realm>(realm: &R, value: &R::Value) -> Result<f64, Halt> {
    Ok(match realm.kind(value) {
        Kind::Number | Kind::Boxed | Kind::Date => realm.number(value),
        Kind::Boolean => f64::from(u8::from(realm.boolean(value))),
        Kind::Null => 0.0,
        Kind::Text => text_of(realm, value, SHORT_BYTES)?.map_or(f64::NAN, |text| number_of_text(&text)),
        _ => f64::NAN,
    })
}
