//! The engine's own functions that reading and making need, captured before any program runs.

use codemode_js::{ErrorClass, Slot};
use rquickjs::qjs;

use crate::held::Held;
use crate::js::{Js, Raised};

/// Captured functions. Each looks at the internal slots of what it is called on, and at no property.
#[derive(Debug)]
pub(super) struct Intrinsics {
    pub(super) object_prototype: Held,
    pub(super) array_prototype: Held,
    pub(super) function_text: Held,
    pub(super) date_time: Held,
    pub(super) number_value: Held,
    pub(super) text_value: Held,
    pub(super) boolean_value: Held,
    pub(super) big_int_value: Held,
    pub(super) symbol_value: Held,
    pub(super) regexp_source: Held,
    /// The letter of each flag and the getter that tells whether it is set, in the order of the letters.
    pub(super) regexp_flags: Vec<(char, Held)>,
    pub(super) map_size: Held,
    pub(super) map_each: Held,
    pub(super) set_size: Held,
    pub(super) set_each: Held,
    pub(super) typed_length: Held,
    pub(super) view_buffer: Held,
    pub(super) view_offset: Held,
    pub(super) view_length: Held,
    pub(super) error_stack: Held,
    pub(super) type_error_prototype: Held,
    /// What hangs texts under objects: a weak map that no program sees.
    pub(super) carried: Held,
    pub(super) weak_get: Held,
    pub(super) weak_set: Held,
    errors: [Held; 5],
}

/// `Error.prepareStackTrace` is called, and `Error.stackTraceLimit` is converted, whenever an error is made: both would run the program's
/// code inside the engine. Without these accessors a program's assignment is an ordinary property that nobody reads.
const HOOKS: [&str; 2] = ["prepareStackTrace", "stackTraceLimit"];

const FLAGS: [(char, &str); 8] = [
    ('d', "hasIndices"),
    ('g', "global"),
    ('i', "ignoreCase"),
    ('m', "multiline"),
    ('s', "dotAll"),
    ('u', "unicode"),
    ('v', "unicodeSets"),
    ('y', "sticky"),
];

impl Intrinsics {
    /// Captures them from a context that has run no program.
    pub(super) fn capture(js: Js) -> Result<Self, Raised> {
        let global = js.global();
        let get = |object: &Held, name: &str| own(js, object, name);
        let prototype = |name: &str| get(&get(&global, name)?, "prototype");
        let (object, array) = (prototype("Object")?, prototype("Array")?);
        let (regexp, map, set) = (prototype("RegExp")?, prototype("Map")?, prototype("Set")?);
        let (view, weak) = (prototype("DataView")?, get(&global, "WeakMap")?);
        let bytes = get(&global, "Uint8Array")?;
        // SAFETY: the value lives; the prototype is handed over with its reference.
        let typed = unsafe { js.take(qjs::JS_GetPrototype(js.raw(), bytes.raw()))? };
        let typed = get(&typed, "prototype")?;
        let weak_prototype = get(&weak, "prototype")?;
        let value = |name: &str| get(&prototype(name)?, "valueOf");
        let error = get(&global, "Error")?;
        for hook in HOOKS {
            let atom = js.atom(hook)?;
            // SAFETY: object and atom live.
            if unsafe { qjs::JS_DeleteProperty(js.raw(), error.raw(), atom.raw(), 0) } < 0 {
                return Err(Raised);
            }
        }
        Ok(Self {
            function_text: get(&prototype("Function")?, "toString")?,
            date_time: get(&prototype("Date")?, "getTime")?,
            number_value: value("Number")?,
            text_value: value("String")?,
            boolean_value: value("Boolean")?,
            big_int_value: value("BigInt")?,
            symbol_value: value("Symbol")?,
            regexp_source: own_getter(js, &regexp, "source")?,
            regexp_flags: FLAGS.iter().map(|(letter, name)| Ok((*letter, own_getter(js, &regexp, name)?))).collect::<Result<_, _>>()?,
            map_size: own_getter(js, &map, "size")?,
            map_each: get(&map, "forEach")?,
            set_size: own_getter(js, &set, "size")?,
            set_each: get(&set, "forEach")?,
            typed_length: own_getter(js, &typed, "length")?,
            view_buffer: own_getter(js, &view, "buffer")?,
            view_offset: own_getter(js, &view, "byteOffset")?,
            view_length: own_getter(js, &view, "byteLength")?,
            error_stack: own_getter(js, &get(&error, "prototype")?, "stack")?,
            type_error_prototype: prototype("TypeError")?,
            carried: js.construct(&weak, &js.undefined())?,
            weak_get: get(&weak_prototype, "get")?,
            weak_set: get(&weak_prototype, "set")?,
            errors: [
                error,
                get(&global, "TypeError")?,
                get(&global, "RangeError")?,
                get(&global, "SyntaxError")?,
                get(&global, "ReferenceError")?,
            ],
            object_prototype: object,
            array_prototype: array,
        })
    }

    /// The constructor of a class of errors.
    pub(super) fn error(&self, class: ErrorClass) -> &Held {
        let place = match class {
            ErrorClass::Error => 0,
            ErrorClass::Type => 1,
            ErrorClass::Range => 2,
            ErrorClass::Syntax => 3,
            ErrorClass::Reference => 4,
        };
        &self.errors[place]
    }
}

/// An own data property that a fresh context has.
fn own(js: Js, object: &Held, name: &str) -> Result<Held, Raised> {
    let atom = js.atom(name)?;
    match js.own_property(object, atom.raw())? {
        Slot::Data(value) => Ok(value),
        Slot::Accessor { .. } | Slot::Missing => Err(lacks(js)),
    }
}

/// The getter of an own accessor that a fresh context has.
fn own_getter(js: Js, object: &Held, name: &str) -> Result<Held, Raised> {
    let described = js.described(object, js.atom(name)?.raw())?;
    // SAFETY: reading a tag touches no memory.
    let getter = described.map(|described| described.getter).filter(|getter| unsafe { qjs::JS_IsObject(getter.raw()) });
    getter.ok_or_else(|| lacks(js))
}

fn lacks(js: Js) -> Raised {
    js.throw_type_error(c"the context lacks an intrinsic: make it with all of them, and before any program runs");
    Raised
}
