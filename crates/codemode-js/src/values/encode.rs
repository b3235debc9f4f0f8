//! A value of the engine to JSON text, in one pass and without a tree. Nothing of the program runs: no getter, no `toJSON`.

mod objects;
mod strict;
mod text;

use codemode_core::{Json, MAX_JSON_DEPTH, Unit};

use self::text::Text;
use super::counted::CountedItems;
use super::date::iso_date;
use super::left_out::LeftOut;
use super::place::Place;
use crate::realm::{Halt, Kind, Promised, Realm};

/// How many values are read between two looks at the latch.
const VALUES_BETWEEN_LOOKS: u32 = 1024;

/// On which way a value leaves the interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// Arguments of a call. A promise in them is an error, and so is what is no object; `undefined` is `{}`.
    Arguments,
    /// The returned value of a program that can wait: pending promises in it are told with [`Unencoded::Pending`].
    Value,
    /// The returned value of a program that cannot wait: a promise in it is an error.
    ValueAtOnce,
    /// State, which is read again as it was: what JSON does not hold exactly is an error.
    State,
}

impl Crossing {
    /// What the value is called in paths.
    fn root(self) -> &'static str {
        match self {
            Self::Arguments => "arguments",
            Self::Value | Self::ValueAtOnce => "value",
            Self::State => "state",
        }
    }
}

/// The most that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodeBounds {
    /// The length of the text, in `unit`.
    pub size: u64,
    /// What `size` counts.
    pub unit: Unit,
    /// Levels of nesting; more than [`MAX_JSON_DEPTH`] is never written.
    pub depth: u64,
    /// Values, arrays and objects included.
    pub nodes: u64,
}

impl EncodeBounds {
    /// A bound of the size alone.
    #[must_use]
    pub fn size(size: u64, unit: Unit) -> Self {
        Self { size, unit, depth: MAX_JSON_DEPTH as u64, nodes: u64::MAX }
    }
}

/// A value that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The value.
    pub json: Json,
    /// What of it could not be written.
    pub left_out: Option<LeftOut>,
}

/// What a bound of [`EncodeBounds`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The length of the text.
    Size,
    /// Levels of nesting.
    Depth,
    /// Values.
    Nodes,
}

/// Why a value was not written.
#[derive(Debug, Clone)]
pub enum Unencoded<V> {
    /// The run is over.
    Halt,
    /// It has a part that cannot cross: the message for the program, with the path. An error of the program's.
    Refused(String),
    /// It is larger than a bound.
    TooLarge {
        /// Which bound.
        measure: Measure,
        /// The bound.
        limit: u64,
        /// How much there is at least.
        observed: u64,
    },
    /// These promises in it are pending: wait for all of them, then write it again.
    Pending(Vec<V>),
    /// A promise in it was rejected with this reason.
    Rejected(V),
}

impl<V> From<Halt> for Unencoded<V> {
    fn from(_: Halt) -> Self {
        Self::Halt
    }
}

/// Writes a value as JSON text, after the rules of `docs/javascript.md`.
///
/// The buffer is counted by the guard before it grows; a value over a bound is cut off early.
/// Fulfilled promises of a [`Crossing::Value`] are looked through.
///
/// # Errors
/// Why it was not written.
pub fn to_json<R: Realm>(realm: &R, value: &R::Value, crossing: Crossing, bounds: &EncodeBounds) -> Result<Encoded, Unencoded<R::Value>> {
    let mut walk = Walk {
        realm,
        crossing,
        bounds: *bounds,
        text: Text::new(realm, bounds.unit),
        nodes: 0,
        left: VALUES_BETWEEN_LOOKS,
        left_out: None,
        pending: CountedItems::new(realm),
    };
    let written = walk.whole(value);
    let Walk { text, pending, left_out, .. } = walk;
    match written {
        // What a promise gives may be shorter than what stands for it while it is pending.
        Ok(()) | Err(Unencoded::TooLarge { .. }) if !pending.is_empty() => return Err(Unencoded::Pending(pending.take().0)),
        written => written?,
    }
    // Only whole values were written, at most MAX_JSON_DEPTH levels deep.
    Ok(Encoded { json: Json::written(text.take()), left_out })
}

/// What came of one value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrote {
    /// It was written.
    Value,
    /// It is `undefined`, a property of which is left out.
    Undefined,
    /// It is something that JSON cannot hold.
    LeftOut(&'static str),
}

type Stop<R> = Unencoded<<R as Realm>::Value>;

struct Walk<'w, R: Realm> {
    realm: &'w R,
    crossing: Crossing,
    bounds: EncodeBounds,
    text: Text<'w>,
    nodes: u64,
    /// Values until the latch is looked at.
    left: u32,
    left_out: Option<LeftOut>,
    pending: CountedItems<'w, R::Value>,
}

impl<R: Realm> Walk<'_, R> {
    fn whole(&mut self, value: &R::Value) -> Result<(), Stop<R>> {
        let place = Place::root(self.crossing.root());
        if self.crossing == Crossing::Arguments && self.realm.kind(value) == Kind::Undefined {
            return Ok(self.text.raw("{}")?);
        }
        match self.value(value, &place)? {
            Wrote::Value => {}
            Wrote::Undefined => self.text.raw("null")?,
            Wrote::LeftOut(what) if self.crossing == Crossing::Arguments => return Err(refused(&place, what, "give an object")),
            Wrote::LeftOut(what) => {
                self.leave_out(&place, what);
                self.text.raw("null")?;
            }
        }
        if self.crossing == Crossing::Arguments && !self.text.is_object() {
            return Err(Unencoded::Refused("arguments are one object, as in {path: \"x\"}".to_owned()));
        }
        Ok(())
    }

    /// Writes one value, or tells that it has no text of its own.
    fn value(&mut self, value: &R::Value, place: &Place<'_>) -> Result<Wrote, Stop<R>> {
        self.count()?;
        let realm = self.realm;
        let kind = realm.kind(value);
        if self.crossing == Crossing::State {
            self.look_strictly(value, kind, place)?;
        }
        match kind {
            Kind::Undefined => return Ok(Wrote::Undefined),
            Kind::Null => self.text.raw("null")?,
            Kind::Boolean => self.boolean(realm.boolean(value))?,
            Kind::Number => self.number(realm.number(value))?,
            Kind::Text => {
                self.quoted(value)?;
                self.look_at_text(value, place)?;
            }
            Kind::BigInt => self.big_integer(value)?,
            Kind::Symbol => return Ok(Wrote::LeftOut("a symbol")),
            Kind::Function => return Ok(Wrote::LeftOut("a function")),
            Kind::Class => return Ok(Wrote::LeftOut("a class")),
            Kind::Array => self.array(value, place)?,
            Kind::Object => self.object(value, place)?,
            Kind::Error => self.error(value, place)?,
            Kind::Map => self.map(value, place)?,
            Kind::Set => self.set(value, place)?,
            Kind::TypedArray => self.typed_array(value, place)?,
            Kind::ArrayBuffer => self.bytes(value, place)?,
            Kind::RegExp => self.quoted(value)?,
            Kind::Date => match iso_date(realm.number(value)) {
                Some(date) => self.quoted_str(&date)?,
                None => self.text.raw("null")?,
            },
            Kind::Boxed => return self.boxed(&realm.unboxed(value)?),
            Kind::Promise => return self.promise(value, place),
            Kind::Proxy => return Err(refused(place, "a Proxy, which is not read", "copy it into a plain object")),
            Kind::Iterator => return Err(refused(place, "an iterator", "spread it into an array: [...x]")),
            Kind::Weak => return Err(refused(place, "a weak collection or reference", "keep what it holds in a Map, a Set or an array")),
        }
        self.fits()?;
        Ok(Wrote::Value)
    }

    /// Writes the primitive that a boxed one holds; it is counted with its box.
    fn boxed(&mut self, primitive: &R::Value) -> Result<Wrote, Stop<R>> {
        match self.realm.kind(primitive) {
            Kind::Boolean => self.boolean(self.realm.boolean(primitive))?,
            Kind::Number => self.number(self.realm.number(primitive))?,
            Kind::BigInt => self.big_integer(primitive)?,
            Kind::Symbol => return Ok(Wrote::LeftOut("a symbol")),
            _ => self.quoted(primitive)?,
        }
        self.fits()?;
        Ok(Wrote::Value)
    }

    fn promise(&mut self, promise: &R::Value, place: &Place<'_>) -> Result<Wrote, Stop<R>> {
        match self.crossing {
            Crossing::Value => {}
            Crossing::ValueAtOnce => return Err(refused(place, "a promise, and this program cannot wait", "call without async and await")),
            Crossing::Arguments | Crossing::State => return Err(refused(place, "a promise", "await it first")),
        }
        match self.realm.promised(promise) {
            Promised::Pending => {
                self.pending.push(promise.clone())?;
                self.text.raw("0")?;
                Ok(Wrote::Value)
            }
            // What a promise was fulfilled with counts as one level, so that no chain of them is endless.
            Promised::Fulfilled(value) if place.depth < MAX_JSON_DEPTH => {
                let within = self.realm.identity(promise);
                self.value(&value, &place.child(super::place::Step::Settled, within))
            }
            Promised::Fulfilled(_) => Err(self.too_deep(place)),
            Promised::Rejected(reason) => Err(Unencoded::Rejected(reason)),
        }
    }

    /// Counts a value, and looks at the latch now and then.
    #[inline]
    fn count(&mut self) -> Result<(), Stop<R>> {
        self.nodes += 1;
        if self.nodes > self.bounds.nodes {
            return Err(too_large(Measure::Nodes, self.bounds.nodes, self.nodes));
        }
        self.look()
    }

    #[inline]
    fn look(&mut self) -> Result<(), Stop<R>> {
        self.left -= 1;
        if self.left == 0 {
            self.left = VALUES_BETWEEN_LOOKS;
            self.realm.guard().check().map_err(|_stopped| Halt)?;
        }
        Ok(())
    }

    /// Whether what is written so far fits.
    #[inline]
    fn fits(&self) -> Result<(), Stop<R>> {
        self.fits_with(0)
    }

    /// Whether so much more would fit.
    #[inline]
    fn fits_with(&self, more: u64) -> Result<(), Stop<R>> {
        let size = self.text.size().saturating_add(more);
        if size > self.bounds.size { Err(too_large(Measure::Size, self.bounds.size, size)) } else { Ok(()) }
    }

    /// Notes what is left out; only the first path is kept.
    fn leave_out(&mut self, place: &Place<'_>, what: &'static str) {
        match &mut self.left_out {
            Some(left_out) => left_out.count += 1,
            None => self.left_out = Some(LeftOut { count: 1, path: place.path(), what }),
        }
    }

    #[cold]
    fn too_deep(&self, place: &Place<'_>) -> Stop<R> {
        let depth = place.depth as u64 + 1;
        if self.bounds.depth < MAX_JSON_DEPTH as u64 {
            return too_large(Measure::Depth, self.bounds.depth, depth);
        }
        Unencoded::Refused(format!("{} nests deeper than {MAX_JSON_DEPTH} levels; flatten it", self.crossing.root()))
    }

    #[inline]
    fn boolean(&mut self, boolean: bool) -> Result<(), Stop<R>> {
        Ok(self.text.raw(if boolean { "true" } else { "false" })?)
    }

    #[inline]
    fn number(&mut self, number: f64) -> Result<(), Stop<R>> {
        let written = if number.is_finite() { self.text.number(number) } else { self.text.raw("null") };
        Ok(written?)
    }

    /// Writes the text of a string or a regular expression. Each of its units takes at least one of ours.
    fn quoted(&mut self, value: &R::Value) -> Result<(), Stop<R>> {
        // Two units may be one scalar value.
        let least = if self.bounds.unit == Unit::Bytes { 1 } else { 2 };
        self.fits_with(self.realm.length(value) / least)?;
        let text = &mut self.text;
        let mut escaped = Ok(());
        text.raw("\"")?;
        self.realm.read_text(value, &mut |piece| {
            if escaped.is_ok() {
                escaped = text.escaped(piece);
            }
        })?;
        escaped?;
        Ok(self.text.raw("\"")?)
    }

    fn quoted_str(&mut self, text: &str) -> Result<(), Stop<R>> {
        self.text.raw("\"")?;
        self.text.escaped(text)?;
        Ok(self.text.raw("\"")?)
    }

    /// A number where it is a safe integer, else its digits.
    fn big_integer(&mut self, value: &R::Value) -> Result<(), Stop<R>> {
        const MOST_SAFE: u64 = (1 << 53) - 1;
        let mut digits = String::new();
        self.realm.read_text(value, &mut |piece| digits.push_str(piece))?;
        if digits.parse::<i64>().is_ok_and(|integer| integer.unsigned_abs() <= MOST_SAFE) {
            return Ok(self.text.raw(&digits)?);
        }
        self.quoted_str(&digits)
    }
}

#[cold]
fn refused<V>(place: &Place<'_>, what: &str, remedy: &str) -> Unencoded<V> {
    Unencoded::Refused(format!("{} is {what}; {remedy}", place.path()))
}

#[cold]
fn too_large<V>(measure: Measure, limit: u64, observed: u64) -> Unencoded<V> {
    Unencoded::TooLarge { measure, limit, observed }
}
