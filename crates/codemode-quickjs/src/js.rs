//! The context's operations that the realm is made of, each with its errors as a result.
//!
//! None of them runs code of the program but [`Js::call`] and [`Js::construct`], if they are given a function of the program's.

use std::ffi::CStr;
use std::ptr::null_mut;

use codemode_js::Slot;
use rquickjs::qjs;

use crate::held::Held;

/// The operation raised: the exception waits in the context, or the guard refused memory and none is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Raised;

/// A context. Copies are cheap; each is valid for as long as the context lives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Js(*mut qjs::JSContext);

/// A property's name as the engine keeps it.
pub(crate) struct Atom {
    context: *mut qjs::JSContext,
    atom: qjs::JSAtom,
}

impl Atom {
    /// # Safety
    /// `context` outlives this, and `atom` was handed over with its reference.
    pub(crate) unsafe fn own(context: *mut qjs::JSContext, atom: qjs::JSAtom) -> Self {
        Self { context, atom }
    }

    pub(crate) fn raw(&self) -> qjs::JSAtom {
        self.atom
    }
}

impl Clone for Atom {
    fn clone(&self) -> Self {
        // SAFETY: the atom lives because it is held here.
        Self { context: self.context, atom: unsafe { qjs::JS_DupAtom(self.context, self.atom) } }
    }
}

impl Drop for Atom {
    fn drop(&mut self) {
        // SAFETY: the atom is ours and the context lives.
        unsafe { qjs::JS_FreeAtom(self.context, self.atom) };
    }
}

/// An own property's descriptor.
pub(crate) struct Described {
    /// Bits as the engine has them.
    pub(crate) flags: u32,
    /// The value of a data property, else undefined.
    pub(crate) value: Held,
    /// The getter of an accessor, else undefined.
    pub(crate) getter: Held,
    /// The setter of an accessor, else undefined.
    pub(crate) setter: Held,
}

/// The attributes of a property that is written, listed and configured freely.
pub(crate) const PLAIN: i32 = qjs::JS_PROP_C_W_E as i32;
/// The attributes of a property that is written and configured freely, and not listed.
pub(crate) const HIDDEN: i32 = (qjs::JS_PROP_CONFIGURABLE | qjs::JS_PROP_WRITABLE) as i32;
/// Raise where the property cannot be defined.
pub(crate) const OR_RAISE: i32 = qjs::JS_PROP_THROW as i32;

impl Js {
    /// # Safety
    /// `context` is a live context, used from this thread alone, that outlives this and every value made through it.
    pub(crate) unsafe fn new(context: *mut qjs::JSContext) -> Self {
        Self(context)
    }

    pub(crate) fn raw(self) -> *mut qjs::JSContext {
        self.0
    }

    pub(crate) fn runtime(self) -> *mut qjs::JSRuntime {
        // SAFETY: the context lives.
        unsafe { qjs::JS_GetRuntime(self.0) }
    }

    /// Takes over a value that an operation returned.
    ///
    /// # Safety
    /// `value` is what an operation on this context returned, with its reference.
    pub(crate) unsafe fn take(self, value: qjs::JSValue) -> Result<Held, Raised> {
        // SAFETY: reading a tag touches no memory.
        if unsafe { qjs::JS_IsException(value) } {
            return Err(Raised);
        }
        // SAFETY: the caller hands over the reference.
        Ok(unsafe { Held::own(self.0, value) })
    }

    /// A value that counts no references.
    pub(crate) fn plain(self, value: qjs::JSValue) -> Held {
        // SAFETY: the tags used by callers (undefined, null, booleans, numbers) have no reference to own.
        unsafe { Held::own(self.0, value) }
    }

    pub(crate) fn undefined(self) -> Held {
        self.plain(qjs::JS_UNDEFINED)
    }

    /// The exception that waits in the context, taken out of it.
    pub(crate) fn exception(self) -> Held {
        // SAFETY: the context lives; the value is handed over with its reference.
        unsafe { Held::own(self.0, qjs::JS_GetException(self.0)) }
    }

    /// Lets a value be the exception of the context; what the engine is to be given back.
    pub(crate) fn throw(self, value: Held) -> qjs::JSValue {
        // SAFETY: the context lives and the value's reference is handed over.
        unsafe { qjs::JS_Throw(self.0, value.into_raw()) }
    }

    /// Raises a `TypeError` with this message, of at most 255 bytes.
    pub(crate) fn throw_type_error(self, message: &CStr) -> qjs::JSValue {
        // SAFETY: the format takes one string, which ends with a zero.
        unsafe { qjs::JS_ThrowTypeError(self.0, c"%s".as_ptr(), message.as_ptr()) }
    }

    pub(crate) fn global(self) -> Held {
        // SAFETY: the context lives; the value is handed over with its reference.
        unsafe { Held::own(self.0, qjs::JS_GetGlobalObject(self.0)) }
    }

    pub(crate) fn atom(self, name: &str) -> Result<Atom, Raised> {
        // SAFETY: pointer and length are those of the text; the engine copies it.
        let atom = unsafe { qjs::JS_NewAtomLen(self.0, name.as_ptr().cast(), name.len() as _) };
        if atom == qjs::JS_ATOM_NULL { Err(Raised) } else { Ok(Atom { context: self.0, atom }) }
    }

    pub(crate) fn index(self, index: u32) -> Result<Atom, Raised> {
        // SAFETY: the context lives.
        let atom = unsafe { qjs::JS_NewAtomUInt32(self.0, index) };
        if atom == qjs::JS_ATOM_NULL { Err(Raised) } else { Ok(Atom { context: self.0, atom }) }
    }

    pub(crate) fn text(self, text: &str) -> Result<Held, Raised> {
        // SAFETY: pointer and length are those of the text; the engine copies it.
        unsafe { self.take(qjs::JS_NewStringLen(self.0, text.as_ptr().cast(), text.len() as _)) }
    }

    /// An array of these values, whose references are handed over.
    pub(crate) fn array(self, items: Vec<qjs::JSValue>) -> Result<Held, Raised> {
        let Ok(count) = i32::try_from(items.len()) else {
            // SAFETY: each reference is freed once.
            items.into_iter().for_each(|item| drop(unsafe { Held::own(self.0, item) }));
            self.throw_type_error(c"an array of more items than the engine takes at once");
            return Err(Raised);
        };
        // SAFETY: so many live values, whose references the engine takes over, also where it fails.
        unsafe { self.take(qjs::JS_NewArrayFrom(self.0, count, items.as_ptr())) }
    }

    /// An own property as it is defined; nothing where there is none. The object is no proxy.
    pub(crate) fn described(self, object: &Held, atom: qjs::JSAtom) -> Result<Option<Described>, Raised> {
        let mut descriptor =
            qjs::JSPropertyDescriptor { flags: 0, value: qjs::JS_UNDEFINED, getter: qjs::JS_UNDEFINED, setter: qjs::JS_UNDEFINED };
        // SAFETY: object and atom live; the descriptor is filled only where the result is above zero.
        match unsafe { qjs::JS_GetOwnProperty(self.0, &raw mut descriptor, object.raw(), atom) } {
            0 => Ok(None),
            found if found > 0 => {
                // SAFETY: the three values of a filled descriptor are handed over with their references.
                let [value, getter, setter] =
                    [descriptor.value, descriptor.getter, descriptor.setter].map(|value| unsafe { Held::own(self.0, value) });
                Ok(Some(Described { flags: descriptor.flags as u32, value, getter, setter }))
            }
            _ => Err(Raised),
        }
    }

    /// What is in an own property. The object is no proxy.
    pub(crate) fn own_property(self, object: &Held, atom: qjs::JSAtom) -> Result<Slot<Held>, Raised> {
        Ok(match self.described(object, atom)? {
            None => Slot::Missing,
            Some(Described { flags, value, .. }) if flags & qjs::JS_PROP_GETSET == 0 => Slot::Data(value),
            // SAFETY: reading tags touches no memory.
            Some(Described { getter, setter, .. }) => unsafe {
                Slot::Accessor { get: !qjs::JS_IsUndefined(getter.raw()), set: !qjs::JS_IsUndefined(setter.raw()) }
            },
        })
    }

    /// Defines an own data property; `attributes` may hold [`OR_RAISE`]. The object is no proxy.
    pub(crate) fn define(self, object: &Held, atom: &Atom, value: Held, attributes: i32) -> Result<(), Raised> {
        // SAFETY: object and atom live; the value's reference is handed over.
        let defined = unsafe { qjs::JS_DefinePropertyValue(self.0, object.raw(), atom.raw(), value.into_raw(), attributes) };
        if defined < 0 { Err(Raised) } else { Ok(()) }
    }

    pub(crate) fn call(self, function: &Held, this: &Held, arguments: &[Held]) -> Result<Held, Raised> {
        let mut few = [qjs::JS_UNDEFINED; 4];
        let many: Vec<qjs::JSValue>;
        let pointer = if arguments.len() <= few.len() {
            for (place, argument) in few.iter_mut().zip(arguments) {
                *place = argument.raw();
            }
            few.as_mut_ptr()
        } else {
            many = arguments.iter().map(Held::raw).collect();
            many.as_ptr().cast_mut()
        };
        let count = i32::try_from(arguments.len()).unwrap_or(i32::MAX);
        // SAFETY: all values live during the call, and the engine only reads the arguments it is lent.
        unsafe { self.take(qjs::JS_Call(self.0, function.raw(), this.raw(), count, pointer)) }
    }

    pub(crate) fn construct(self, constructor: &Held, argument: &Held) -> Result<Held, Raised> {
        let mut arguments = [argument.raw()];
        // SAFETY: all values live during the call, and the engine only reads the argument it is lent.
        unsafe { self.take(qjs::JS_CallConstructor(self.0, constructor.raw(), 1, arguments.as_mut_ptr())) }
    }

    /// Shows the text of a string or big integer, or of an atom.
    pub(crate) fn read_text(self, source: Source<'_>, read: &mut dyn FnMut(&[u8])) -> Result<(), Raised> {
        let mut length: qjs::size_t = 0;
        // SAFETY: value and atom live; the length is written before the return.
        let text = unsafe {
            match source {
                Source::Value(value) => qjs::JS_ToCStringLen2(self.0, &raw mut length, value.raw(), false),
                Source::Atom(atom) => qjs::JS_AtomToCStringLen(self.0, &raw mut length, atom),
            }
        };
        if text.is_null() {
            return Err(Raised);
        }
        let _text = Text { context: self.0, text };
        // SAFETY: the engine gave so many bytes, which stay until they are freed at the end of this function, even by a panic.
        read(unsafe { std::slice::from_raw_parts(text.cast::<u8>(), length as usize) });
        Ok(())
    }

    /// The own keys of an object that is no proxy. `mask` says which.
    pub(crate) fn own_keys(self, object: &Held, mask: u32) -> Result<Keys, Raised> {
        let mut keys = Keys { context: self.0, table: null_mut(), count: 0 };
        // SAFETY: the object lives; table and count are written together.
        let failed =
            unsafe { qjs::JS_GetOwnPropertyNames(self.0, &raw mut keys.table, &raw mut keys.count, object.raw(), mask as i32) < 0 };
        if failed {
            keys.count = 0;
            keys.table = null_mut();
            return Err(Raised);
        }
        Ok(keys)
    }
}

/// What [`Js::read_text`] reads.
pub(crate) enum Source<'a> {
    /// A string or big integer.
    Value(&'a Held),
    /// A key; of a symbol, its description.
    Atom(qjs::JSAtom),
}

/// A text that the engine lent.
struct Text {
    context: *mut qjs::JSContext,
    text: *const qjs::c_char,
}

impl Drop for Text {
    fn drop(&mut self) {
        // SAFETY: the text came from the engine and is freed once.
        unsafe { qjs::JS_FreeCString(self.context, self.text) };
    }
}

/// A list of own keys.
pub(crate) struct Keys {
    context: *mut qjs::JSContext,
    table: *mut qjs::JSPropertyEnum,
    count: u32,
}

impl Keys {
    /// Each key and whether it is enumerable.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (qjs::JSAtom, bool)> + '_ {
        (0..self.count as usize).map(|place| {
            // SAFETY: the table has so many entries and lives as long as this.
            let entry = unsafe { &*self.table.add(place) };
            (entry.atom, entry.is_enumerable)
        })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        if !self.table.is_null() {
            // SAFETY: table and count are what the engine gave, freed once.
            unsafe { qjs::JS_FreePropertyEnum(self.context, self.table, self.count) };
        }
    }
}
