//! Reading values without running the program.

use codemode_core::Reserved;
use codemode_js::{Key, Kind, Property, Realm as _, Slot};
use rquickjs::qjs;

use super::QuickRealm;
use super::classes::Class;
use crate::held::Held;
use crate::js::{Raised, Source};

/// Reads as the result of an operation of the context, whose exception the caller of the realm turns into a halt.
pub(super) type Read<T> = Result<T, Raised>;

impl QuickRealm {
    pub(super) fn kind_of(&self, value: &Held) -> Kind {
        let raw = value.raw();
        // SAFETY: the value lives; these look at tags and class numbers alone.
        unsafe {
            match qjs::JS_VALUE_GET_NORM_TAG(raw) {
                qjs::JS_TAG_UNDEFINED => Kind::Undefined,
                qjs::JS_TAG_NULL => Kind::Null,
                qjs::JS_TAG_BOOL => Kind::Boolean,
                qjs::JS_TAG_INT | qjs::JS_TAG_FLOAT64 => Kind::Number,
                qjs::JS_TAG_BIG_INT | qjs::JS_TAG_SHORT_BIG_INT => Kind::BigInt,
                qjs::JS_TAG_STRING | qjs::JS_TAG_STRING_ROPE => Kind::Text,
                qjs::JS_TAG_SYMBOL => Kind::Symbol,
                qjs::JS_TAG_OBJECT if qjs::JS_IsProxy(raw) => Kind::Proxy,
                qjs::JS_TAG_OBJECT => match self.classes.class(value) {
                    Class::Of(kind) => kind,
                    Class::Callable => self.kind_of_callable(value),
                    Class::View => Kind::TypedArray,
                    Class::BoxedNumber | Class::BoxedText | Class::BoxedBoolean | Class::BoxedBigInt | Class::BoxedSymbol => Kind::Boxed,
                },
                _ => Kind::Undefined,
            }
        }
    }

    /// A class is a function whose `prototype` cannot be written and whose text begins so; the first alone could be a frozen function.
    fn kind_of_callable(&self, function: &Held) -> Kind {
        // SAFETY: the value lives.
        let constructs = unsafe { qjs::JS_IsConstructor(self.js.raw(), function.raw()) };
        if !constructs || !self.classes.is_sourced(function) || self.prototype_is_writable(function) {
            return Kind::Function;
        }
        let mut class = false;
        let told = self.js.call(&self.intrinsics.function_text, function, &[]);
        let told = told.and_then(|text| self.js.read_text(Source::Value(&text), &mut |text| class = text.starts_with(b"class")));
        self.or(told, ());
        if class { Kind::Class } else { Kind::Function }
    }

    fn prototype_is_writable(&self, function: &Held) -> bool {
        let described = self.or(self.js.described(function, qjs::JS_ATOM_prototype as qjs::JSAtom), None);
        described.is_none_or(|described| described.flags & qjs::JS_PROP_WRITABLE != 0)
    }

    /// The class of an object that may be read; nothing for primitives and proxies.
    pub(super) fn class_of(&self, value: &Held) -> Option<Class> {
        // SAFETY: the value lives; these look at tags alone.
        let readable = unsafe { qjs::JS_IsObject(value.raw()) && !qjs::JS_IsProxy(value.raw()) };
        readable.then(|| self.classes.class(value))
    }

    /// The primitive that an object boxes, or the value itself.
    pub(super) fn primitive_of(&self, value: &Held) -> Read<Held> {
        let unbox = match self.class_of(value) {
            Some(Class::BoxedNumber) => &self.intrinsics.number_value,
            Some(Class::BoxedText) => &self.intrinsics.text_value,
            Some(Class::BoxedBoolean) => &self.intrinsics.boolean_value,
            Some(Class::BoxedBigInt) => &self.intrinsics.big_int_value,
            Some(Class::BoxedSymbol) => &self.intrinsics.symbol_value,
            _ => return Ok(value.clone()),
        };
        self.js.call(unbox, value, &[])
    }

    pub(super) fn number_of(&self, value: &Held) -> Read<f64> {
        let value = match self.class_of(value) {
            Some(Class::Of(Kind::Date)) => self.js.call(&self.intrinsics.date_time, value, &[])?,
            _ => self.primitive_of(value)?,
        };
        Ok(plain_number(&value).unwrap_or(f64::NAN))
    }

    pub(super) fn show_text(&self, value: &Held, read: &mut dyn FnMut(&str)) -> Read<()> {
        match self.class_of(value) {
            Some(Class::Of(Kind::RegExp)) => {
                let text = self.regexp_text(value)?;
                read(&text);
                return Ok(());
            }
            Some(Class::BoxedText | Class::BoxedBigInt | Class::BoxedSymbol) => {
                return self.show_text(&self.primitive_of(value)?, read);
            }
            _ => {}
        }
        // SAFETY: the value lives; a symbol's atom is freed once.
        unsafe {
            match qjs::JS_VALUE_GET_NORM_TAG(value.raw()) {
                qjs::JS_TAG_STRING | qjs::JS_TAG_STRING_ROPE | qjs::JS_TAG_BIG_INT | qjs::JS_TAG_SHORT_BIG_INT => {
                    self.show(Source::Value(value), read)
                }
                qjs::JS_TAG_SYMBOL => {
                    let atom = qjs::JS_ValueToAtom(self.js.raw(), value.raw());
                    let shown = self.show(Source::Atom(atom), read);
                    qjs::JS_FreeAtom(self.js.raw(), atom);
                    shown
                }
                _ => Ok(()),
            }
        }
    }

    /// Shows bytes that the engine made of UTF-16. Where each half of a surrogate pair was alone, a copy is needed, counted before it is made.
    fn show(&self, source: Source<'_>, read: &mut dyn FnMut(&str)) -> Read<()> {
        let mut refused = false;
        self.js.read_text(source, &mut |bytes| match std::str::from_utf8(bytes) {
            Ok(text) => read(text),
            Err(_) => match self.reserve(bytes.len()) {
                Ok(_counted) => read(&whole_characters(bytes)),
                Err(_) => refused = true,
            },
        })?;
        if refused { Err(Raised) } else { Ok(()) }
    }

    /// Whether a string, plain or boxed, reads as it is.
    pub(super) fn has_whole_characters(&self, value: &Held) -> Read<bool> {
        let text = self.primitive_of(value)?;
        // SAFETY: reading a tag touches no memory.
        if !unsafe { qjs::JS_IsString(text.raw()) } {
            return Ok(true);
        }
        let mut whole = true;
        self.js.read_text(Source::Value(&text), &mut |bytes| whole = std::str::from_utf8(bytes).is_ok())?;
        Ok(whole)
    }

    fn regexp_text(&self, value: &Held) -> Read<String> {
        let source = self.js.call(&self.intrinsics.regexp_source, value, &[])?;
        let mut text = String::from("/");
        self.show(Source::Value(&source), &mut |source| text.push_str(source))?;
        text.push('/');
        for (letter, getter) in &self.intrinsics.regexp_flags {
            if is_true(&self.js.call(getter, value, &[])?) {
                text.push(*letter);
            }
        }
        Ok(text)
    }

    pub(super) fn length_of(&self, value: &Held) -> Read<u64> {
        let number = match self.class_of(value) {
            None => return self.text_length(value),
            Some(Class::BoxedText) => return self.text_length(&self.primitive_of(value)?),
            Some(Class::Of(Kind::Array)) => match self.js.own_property(value, qjs::JS_ATOM_length as qjs::JSAtom)? {
                Slot::Data(length) => length,
                Slot::Accessor { .. } | Slot::Missing => return Ok(0),
            },
            Some(Class::Of(Kind::Map)) => self.js.call(&self.intrinsics.map_size, value, &[])?,
            Some(Class::Of(Kind::Set)) => self.js.call(&self.intrinsics.set_size, value, &[])?,
            Some(Class::Of(Kind::TypedArray)) => self.js.call(&self.intrinsics.typed_length, value, &[])?,
            Some(Class::View | Class::Of(Kind::ArrayBuffer)) => {
                let mut length = 0;
                self.show_bytes(value, &mut |bytes| length = bytes.len() as u64)?;
                return Ok(length);
            }
            Some(_) => return Ok(0),
        };
        Ok(plain_number(&number).unwrap_or(0.0) as u64)
    }

    fn text_length(&self, value: &Held) -> Read<u64> {
        // SAFETY: the value lives; the length of a primitive string is no property of an object's.
        let length = unsafe {
            if !qjs::JS_IsString(value.raw()) {
                return Ok(0);
            }
            self.js.take(qjs::JS_GetProperty(self.js.raw(), value.raw(), qjs::JS_ATOM_length as qjs::JSAtom))?
        };
        Ok(plain_number(&length).unwrap_or(0.0) as u64)
    }

    pub(super) fn element_of(&self, value: &Held, index: u32) -> Read<Slot<Held>> {
        match self.class_of(value) {
            Some(Class::Of(Kind::Array | Kind::TypedArray)) => {
                let atom = self.js.index(index)?;
                self.js.own_property(value, atom.raw())
            }
            Some(Class::View) => {
                let mut byte = None;
                self.show_bytes(value, &mut |bytes| byte = bytes.get(index as usize).copied())?;
                Ok(byte.map_or(Slot::Missing, |byte| Slot::Data(self.js.plain(qjs::JS_NewFloat64(f64::from(byte))))))
            }
            _ => Ok(Slot::Missing),
        }
    }

    /// Walks own properties. The outer result is the context's, the inner one the visitor's.
    pub(super) fn walk<E>(
        &self,
        value: &Held,
        hidden: bool,
        visit: &mut dyn FnMut(Property<'_, Held>) -> Result<bool, E>,
    ) -> Read<Result<(), E>> {
        let Some(class) = self.class_of(value) else { return Ok(Ok(())) };
        let elements = matches!(class, Class::Of(Kind::Array | Kind::TypedArray) | Class::BoxedText);
        let listed = if hidden { qjs::JS_GPN_SET_ENUM } else { qjs::JS_GPN_ENUM_ONLY | qjs::JS_GPN_SET_ENUM };
        let passes: &[u32] = if hidden { &[qjs::JS_GPN_STRING_MASK, qjs::JS_GPN_SYMBOL_MASK] } else { &[qjs::JS_GPN_STRING_MASK] };
        for mask in passes {
            let keys = self.js.own_keys(value, mask | listed)?;
            for (atom, enumerable) in keys.iter() {
                if elements && is_small_index(atom) {
                    continue;
                }
                let mut visited = Ok(true);
                let mut raised = Ok(());
                self.show(Source::Atom(atom), &mut |name| {
                    if elements && *mask == qjs::JS_GPN_STRING_MASK && is_index(name) {
                        return;
                    }
                    match self.js.own_property(value, atom) {
                        Ok(slot) => {
                            let key = if *mask == qjs::JS_GPN_SYMBOL_MASK { Key::Symbol(name) } else { Key::Text(name) };
                            visited = visit(Property { key, enumerable, slot });
                        }
                        Err(Raised) => raised = Err(Raised),
                    }
                })?;
                raised?;
                match visited {
                    Ok(true) => {}
                    Ok(false) => return Ok(Ok(())),
                    Err(error) => return Ok(Err(error)),
                }
            }
        }
        Ok(Ok(()))
    }

    pub(super) fn named(&self, value: &Held, name: &str) -> Read<Slot<Held>> {
        if self.class_of(value).is_none() {
            return Ok(Slot::Missing);
        }
        let atom = self.js.atom(name)?;
        self.js.own_property(value, atom.raw())
    }

    pub(super) fn prototype_of(&self, value: &Held) -> Read<Option<Held>> {
        if self.class_of(value).is_none() {
            return Ok(None);
        }
        // SAFETY: the value lives and is no proxy; the prototype is handed over with its reference.
        let prototype = unsafe { self.js.take(qjs::JS_GetPrototype(self.js.raw(), value.raw()))? };
        Ok((prototype.address() != 0).then_some(prototype))
    }

    pub(super) fn stack_of(&self, error: &Held) -> Read<Option<String>> {
        if self.class_of(error).is_none() {
            return Ok(None);
        }
        let own = self.js.own_property(error, qjs::JS_ATOM_stack as qjs::JSAtom)?;
        let stack = match own {
            Slot::Data(value) if self.kind_of(&value) == Kind::Text => value,
            _ => self.js.call(&self.intrinsics.error_stack, error, &[])?,
        };
        if self.kind_of(&stack) != Kind::Text {
            return Ok(None);
        }
        self.copied(&stack).map(Some)
    }

    /// A copy of a string's text.
    pub(super) fn copied(&self, value: &Held) -> Read<String> {
        let mut copy = String::new();
        let mut counted: Option<Reserved> = None;
        self.show(Source::Value(value), &mut |text| {
            counted = self.reserve(text.len()).ok();
            if counted.is_some() {
                copy.push_str(text);
            }
        })?;
        if counted.is_some() { Ok(copy) } else { Err(Raised) }
    }
}

/// The number in a primitive.
pub(super) fn plain_number(value: &Held) -> Option<f64> {
    let raw = value.raw();
    // SAFETY: what is read is what the tag says is there.
    unsafe {
        match qjs::JS_VALUE_GET_NORM_TAG(raw) {
            qjs::JS_TAG_INT => Some(f64::from(qjs::JS_VALUE_GET_INT(raw))),
            qjs::JS_TAG_FLOAT64 => Some(qjs::JS_VALUE_GET_FLOAT64(raw)),
            _ => None,
        }
    }
}

/// Whether this is the primitive `true`.
pub(super) fn is_true(value: &Held) -> bool {
    // SAFETY: what is read is what the tag says is there.
    unsafe { qjs::JS_IsBool(value.raw()) && qjs::JS_VALUE_GET_BOOL(value.raw()) }
}

/// The engine keeps small indices in the number of the atom, marked by its top bit.
fn is_small_index(atom: qjs::JSAtom) -> bool {
    atom & (1 << 31) != 0
}

/// Whether a name is an array index as it is spelled: a number below the longest length, without a leading zero.
fn is_index(name: &str) -> bool {
    let digits = name.len() <= 10 && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    digits && (name == "0" || !name.starts_with('0')) && name.parse::<u32>().is_ok_and(|index| index != u32::MAX)
}

/// The text of bytes in which each half of a surrogate pair that stood alone takes three bytes.
fn whole_characters(mut bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    loop {
        match std::str::from_utf8(bytes) {
            Ok(rest) => {
                text.push_str(rest);
                return text;
            }
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                text.push_str(std::str::from_utf8(valid).unwrap_or_default());
                text.push(char::REPLACEMENT_CHARACTER);
                let half = matches!(rest, [0xED, 0xA0..=0xBF, _, ..]);
                bytes = &rest[if half { 3 } else { 1 }..];
            }
        }
    }
}
