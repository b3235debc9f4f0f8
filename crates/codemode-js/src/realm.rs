//! What the shared code needs of an engine: to read values without running the program, to make values, and to call.

use codemode_core::{Guard, Json, Location, Memory, Reserved};
use std::sync::Arc;

use crate::native::Native;
use crate::read::Program;
use crate::shared::Shared;

/// The run is over, or memory was refused, which latched: nothing more is done for the program.
/// Where no bound has fired, the engine raised something that a program may catch, a stack that overflowed for one: the adapter keeps it,
/// and raises it where the function of the shared code's was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halt;

/// How a function failed.
#[derive(Debug, Clone)]
pub enum Thrown<V> {
    /// It threw this value, which the program may catch.
    Value(V),
    /// The run is over: what unwinds now cannot be caught.
    Halt,
}

impl<V> From<Halt> for Thrown<V> {
    fn from(_: Halt) -> Self {
        Self::Halt
    }
}

/// What a value is. Told from internal slots alone: a program cannot make one kind look like another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `undefined`.
    Undefined,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A big integer; [`Realm::read_text`] gives its decimal digits.
    BigInt,
    /// A string.
    Text,
    /// A symbol; [`Realm::read_text`] gives its description.
    Symbol,
    /// A function, not a class.
    Function,
    /// A class constructor.
    Class,
    /// An array.
    Array,
    /// An object of none of the other kinds, plain or an instance of a class of the program's.
    Object,
    /// A date; [`Realm::number`] gives its time value.
    Date,
    /// A regular expression; [`Realm::read_text`] gives `/source/flags`.
    RegExp,
    /// An error.
    Error,
    /// A map.
    Map,
    /// A set.
    Set,
    /// A weak map, weak set or weak reference.
    Weak,
    /// A promise.
    Promise,
    /// A proxy. Nothing of it is ever read: each look would run a trap.
    Proxy,
    /// A typed array or `DataView`.
    TypedArray,
    /// An `ArrayBuffer`.
    ArrayBuffer,
    /// A boxed boolean, number or string, read as the primitive.
    Boxed,
    /// A generator or another built-in iterator.
    Iterator,
}

/// What an own property holds.
#[derive(Debug, Clone)]
pub enum Slot<V> {
    /// A value.
    Data(V),
    /// A getter, a setter, or both; they are never run.
    Accessor {
        /// Whether there is a getter.
        get: bool,
        /// Whether there is a setter.
        set: bool,
    },
    /// There is no such property: a hole of an array.
    Missing,
}

/// A property's key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key<'a> {
    /// A string; half of a surrogate pair reads as U+FFFD.
    Text(&'a str),
    /// A symbol, by its description.
    Symbol(&'a str),
}

/// An own property.
#[derive(Debug, Clone)]
pub struct Property<'a, V> {
    /// Its key.
    pub key: Key<'a>,
    /// Whether it is enumerable.
    pub enumerable: bool,
    /// What it holds.
    pub slot: Slot<V>,
}

/// The state of a promise.
#[derive(Debug, Clone)]
pub enum Promised<V> {
    /// Not settled.
    Pending,
    /// Fulfilled with this value.
    Fulfilled(V),
    /// Rejected with this value.
    Rejected(V),
}

/// What settles a promise.
#[derive(Debug, Clone)]
pub struct Resolvers<V> {
    /// Called with the value.
    pub resolve: V,
    /// Called with the reason.
    pub reject: V,
}

/// How a property is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attributes {
    /// Writable, enumerable, configurable: what an assignment makes.
    Plain,
    /// Writable and configurable, not enumerable: what built-in methods and globals are.
    Hidden,
    /// Enumerable alone: cannot be changed.
    Fixed,
    /// None: cannot be changed and is not listed.
    FixedHidden,
}

/// The classes of errors that the shared code makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorClass {
    /// `Error`.
    Error,
    /// `TypeError`.
    Type,
    /// `RangeError`.
    Range,
    /// `SyntaxError`.
    Syntax,
    /// `ReferenceError`.
    Reference,
}

/// What [`Realm::make_asking`] is made of.
#[derive(Debug)]
pub struct AskingParts<V> {
    /// Whose properties it has.
    pub target: V,
    /// Whose properties are read after those of the target, and seen in no other way.
    pub made: V,
    /// Called with a name that neither has when it is read; what it gives is the property's value.
    pub get: V,
    /// Called once, without arguments, before anything but a single name is read: it gives the target the rest of its properties.
    pub fill: Option<V>,
}

/// One engine's values and functions, as far as the shared code needs them. An adapter is this, and a way to run.
///
/// No method but [`Realm::call`], [`Realm::run_jobs`] and [`Realm::evaluate`] runs code of the program: no getter, no trap,
/// no `toString`, no `toJSON`, no patched prototype. What needs an intrinsic uses the one captured when the interpreter was made.
/// Each method may give [`Halt`], after which the adapter raises what cannot be caught.
#[expect(clippy::type_complexity, reason = "what a visitor gets and gives is read best where it is asked for")]
pub trait Realm: Sized {
    /// A value, held alive while it exists. Dropped before the interpreter.
    type Value: Clone;

    /// The program's own place of a place that the engine told. Columns count Unicode scalar values; an engine that counts
    /// anything else converts here.
    fn locate(program: &Program, line: u32, column: u32) -> Option<Location> {
        program.locate(line, column)
    }

    // Reading.

    /// What the value is.
    fn kind(&self, value: &Self::Value) -> Kind;
    /// A number that two objects share exactly when they are the same object; zero for primitives.
    fn identity(&self, value: &Self::Value) -> usize;
    /// A boolean, plain or boxed; false for all else.
    fn boolean(&self, value: &Self::Value) -> bool;
    /// A number, plain or boxed, or a date's time value; NaN for all else.
    fn number(&self, value: &Self::Value) -> f64;
    /// Shows the text of a string, plain or boxed, of a big integer, a symbol or a regular expression. Half of a surrogate pair is U+FFFD.
    /// For all else it shows nothing: `read` is not called.
    fn read_text(&self, value: &Self::Value, read: &mut dyn FnMut(&str)) -> Result<(), Halt>;
    /// The primitive that a boxed one holds; any other value as it is.
    fn unboxed(&self, value: &Self::Value) -> Result<Self::Value, Halt>;
    /// Whether a string has no half of a surrogate pair that stands alone, so that its text is all of it; true for all else.
    fn is_well_formed(&self, value: &Self::Value) -> Result<bool, Halt>;
    /// Elements of an array or typed array, entries of a map or set, bytes of a buffer, UTF-16 units of a string; zero for all else.
    fn length(&self, value: &Self::Value) -> u64;
    /// An own element of an array or typed array.
    fn element(&self, value: &Self::Value, index: u32) -> Result<Slot<Self::Value>, Halt>;
    /// Own properties in their order, elements of arrays and typed arrays left out; `visit` ends the walk with false.
    /// With `hidden`, those that are not enumerable and those under symbols too.
    fn each_property(
        &self,
        value: &Self::Value,
        hidden: bool,
        visit: &mut dyn FnMut(Property<'_, Self::Value>) -> Result<bool, Halt>,
    ) -> Result<(), Halt>;
    /// One own property by its name.
    fn property(&self, value: &Self::Value, name: &str) -> Result<Slot<Self::Value>, Halt>;
    /// The prototype; nothing for `null`, for primitives and for a proxy.
    fn prototype(&self, value: &Self::Value) -> Result<Option<Self::Value>, Halt>;
    /// Whether this object is the intrinsic `Object.prototype` or `Array.prototype`.
    fn is_plain_prototype(&self, value: &Self::Value) -> bool;
    /// The first `most` entries of a map, or of a set with each value twice.
    fn entries(&self, value: &Self::Value, most: usize) -> Result<Vec<(Self::Value, Self::Value)>, Halt>;
    /// Shows the bytes of an `ArrayBuffer`, or those that a typed array or `DataView` covers.
    fn read_bytes(&self, value: &Self::Value, read: &mut dyn FnMut(&[u8])) -> Result<(), Halt>;
    /// A promise's state.
    fn promised(&self, value: &Self::Value) -> Promised<Self::Value>;
    /// The call stack text that the engine captured for an error, from its internal slot or its own data property; raw, with the engine's positions.
    fn stack(&self, error: &Self::Value) -> Result<Option<String>, Halt>;
    /// The text that a prelude class gave itself with [`crate::Global::Carry`]: what it is as JSON and in the console.
    fn carried(&self, value: &Self::Value) -> Result<Option<String>, Halt>;

    // Making.

    /// `undefined`.
    fn undefined(&self) -> Self::Value;
    /// `null`.
    fn null(&self) -> Self::Value;
    /// A boolean.
    fn make_boolean(&self, value: bool) -> Self::Value;
    /// A number.
    fn make_number(&self, value: f64) -> Self::Value;
    /// A string.
    fn make_text(&self, text: &str) -> Result<Self::Value, Halt>;
    /// An array of these.
    fn make_array(&self, items: Vec<Self::Value>) -> Result<Self::Value, Halt>;
    /// An empty object, with `Object.prototype` or with none.
    fn make_object(&self, with_prototype: bool) -> Result<Self::Value, Halt>;
    /// A `Uint8Array` of these bytes.
    fn make_bytes(&self, bytes: &[u8]) -> Result<Self::Value, Halt>;
    /// An error of this class, with a stack.
    fn make_error(&self, class: ErrorClass, message: &str) -> Result<Self::Value, Halt>;
    /// An `Error` without message and stack. Where the engine can, the stack is that of the place at which the program first throws it,
    /// or awaits what was rejected with it: a stack at each call of a tool would cost more than the call.
    fn make_unthrown_error(&self) -> Result<Self::Value, Halt> {
        self.make_error(ErrorClass::Error, "")
    }
    /// A value from JSON text, in one pass and without a tree.
    fn make_json(&self, json: &Json) -> Result<Self::Value, Halt>;
    /// A function that calls [`crate::invoke`] with `native` and `bound`.
    fn make_function(&self, native: Native, name: &str, bound: Vec<Self::Value>) -> Result<Self::Value, Halt>;
    /// A proxy over an object whose unknown names are asked of a function; symbols are not asked. It refuses every change.
    fn make_asking(&self, parts: AskingParts<Self::Value>) -> Result<Self::Value, Halt>;
    /// A pending promise and what settles it.
    fn make_promise(&self) -> Result<(Self::Value, Resolvers<Self::Value>), Halt>;
    /// Defines an own data property; runs no setter.
    fn define(&self, object: &Self::Value, name: &str, value: Self::Value, attributes: Attributes) -> Result<(), Halt>;
    /// Defines a property, hidden and configurable, whose value is made by the function `get`, called with its name, when it is
    /// first read, and which an assignment replaces.
    fn define_lazy(&self, object: &Self::Value, name: &str, get: Self::Value) -> Result<(), Halt>;
    /// Sets an object's prototype.
    fn set_prototype(&self, object: &Self::Value, prototype: &Self::Value) -> Result<(), Halt>;
    /// Freezes an object.
    fn freeze(&self, object: &Self::Value) -> Result<(), Halt>;
    /// Hangs the text under an object for [`Realm::carried`], where no program can reach it.
    fn carry(&self, object: &Self::Value, text: &str) -> Result<(), Halt>;
    /// The global object.
    fn global(&self) -> Self::Value;

    // Running.

    /// Calls a function.
    fn call(&self, function: &Self::Value, this: &Self::Value, arguments: &[Self::Value]) -> Result<Self::Value, Thrown<Self::Value>>;
    /// Evaluates a script of ours, a prelude part, and gives its completion value.
    fn evaluate(&self, name: &str, source: &str) -> Result<Self::Value, Thrown<Self::Value>>;
    /// Evaluates the text of a file that a program asked for, as a script of this name that is strict only where it says so, and gives its completion value.
    fn evaluate_file(&self, name: &str, source: &str) -> Result<Self::Value, Thrown<Self::Value>> {
        self.evaluate(name, source)
    }
    /// Runs jobs until none is left, reading the latch before each.
    fn run_jobs(&self) -> Result<(), Halt>;
    /// Whether a job waits.
    fn has_jobs(&self) -> bool;

    // The run.

    /// Collects garbage, where the engine can: called when a buffer would not fit.
    fn collect(&self) {}
    /// Collects where so many bytes would not fit; for what core counts.
    fn make_room(&self, bytes: usize) {
        let guard = self.guard();
        if guard.room_for(bytes) == Memory::Above && !guard.stopped() {
            self.collect();
        }
    }
    /// Counts a buffer before it is built, and collects first where it would not fit.
    ///
    /// # Errors
    /// When it does not fit: then the bound has fired. Or the run is over.
    fn reserve(&self, bytes: usize) -> Result<Reserved, Halt> {
        self.make_room(bytes);
        self.guard().reserve(bytes).map_err(|_stopped| Halt)
    }
    /// The interpreter's guard.
    fn guard(&self) -> &Arc<Guard>;
    /// The shared code's own state.
    fn shared(&self) -> &Shared<Self::Value>;
}
