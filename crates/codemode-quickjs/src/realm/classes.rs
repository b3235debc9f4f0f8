//! What an object is, from its class number, which no program can change.

use std::sync::OnceLock;

use codemode_js::Kind;
use rquickjs::qjs;

use crate::held::Held;
use crate::js::{Js, Raised, Source};

/// A class of the engine's, as far as reading needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Of one kind, and read in one way.
    Of(Kind),
    /// Anything that can be called.
    Callable,
    /// A boxed number.
    BoxedNumber,
    /// A boxed string.
    BoxedText,
    /// A boxed boolean.
    BoxedBoolean,
    /// A boxed big integer.
    BoxedBigInt,
    /// A boxed symbol.
    BoxedSymbol,
    /// A `DataView`, which is read by its bytes.
    View,
}

/// The engine's classes by number, which it gives them when it is compiled.
#[derive(Debug, Clone)]
pub(super) struct Classes {
    /// A bit for each class that the context has: those of the intrinsics that it was made with.
    registered: u128,
    classes: Vec<Class>,
    /// The class of functions that have source, unlike the engine's own.
    sourced: qjs::JSClassID,
}

/// More than the engine has classes of its own.
const MOST_CLASSES: qjs::JSClassID = 128;

impl Classes {
    /// The table of a context: read once in a process, and again for a context that has other classes.
    pub(super) fn of(js: Js) -> Result<Self, Raised> {
        static CLASSES: OnceLock<Classes> = OnceLock::new();
        // SAFETY: the runtime lives; a number that is not registered is only looked up in the engine's table.
        let is_registered = |id: &qjs::JSClassID| unsafe { qjs::JS_IsRegisteredClass(js.runtime(), *id) };
        let registered = (1..MOST_CLASSES).filter(is_registered).fold(0, |bits, id| bits | 1_u128 << id);
        if let Some(classes) = CLASSES.get().filter(|classes| classes.registered == registered) {
            return Ok(classes.clone());
        }
        let classes = Self::read(js, registered)?;
        // Where another thread was first, its table may be of other classes, and this one stays with its realm.
        let _ = CLASSES.set(classes.clone());
        Ok(classes)
    }

    /// The class of errors: the first of that kind. Zero is no class, and nothing can be made of it.
    pub(super) fn error(&self) -> qjs::JSClassID {
        let place = self.classes.iter().position(|class| *class == Class::Of(Kind::Error));
        place.and_then(|place| qjs::JSClassID::try_from(place).ok()).unwrap_or_default()
    }

    fn read(js: Js, registered: u128) -> Result<Self, Raised> {
        let mut classes = Vec::new();
        for id in 0..MOST_CLASSES {
            if registered & 1 << id == 0 {
                classes.push(Class::Of(Kind::Object));
                continue;
            }
            // SAFETY: the runtime lives and the class is registered.
            let atom = unsafe { qjs::JS_GetClassName(js.runtime(), id) };
            let mut class = Class::Of(Kind::Object);
            let read = js.read_text(Source::Atom(atom), &mut |name| class = by_name(name));
            // SAFETY: the name was handed over with its reference.
            unsafe { qjs::JS_FreeAtom(js.raw(), atom) };
            read?;
            classes.push(class);
        }
        let source = c"(function () {})";
        // SAFETY: the source ends with a zero that its length leaves out.
        let function = unsafe {
            js.take(qjs::JS_Eval(
                js.raw(),
                source.as_ptr(),
                source.count_bytes() as _,
                c"classes".as_ptr(),
                qjs::JS_EVAL_TYPE_GLOBAL as i32,
            ))?
        };
        // SAFETY: the value lives.
        let sourced = unsafe { qjs::JS_GetClassID(function.raw()) };
        Ok(Self { registered, classes, sourced })
    }

    /// The class of an object that is no proxy.
    pub(super) fn class(&self, object: &Held) -> Class {
        // SAFETY: the value lives.
        let id = unsafe { qjs::JS_GetClassID(object.raw()) };
        // Classes of ours are numbered after the engine's.
        self.classes.get(id as usize).copied().unwrap_or(Class::Of(Kind::Object))
    }

    /// Whether this function has source, so that its text reads no property.
    pub(super) fn is_sourced(&self, function: &Held) -> bool {
        // SAFETY: the value lives.
        unsafe { qjs::JS_GetClassID(function.raw()) == self.sourced }
    }
}

fn by_name(name: &[u8]) -> Class {
    match name {
        b"Array" => Class::Of(Kind::Array),
        b"Error" | b"DOMException" => Class::Of(Kind::Error),
        b"Number" => Class::BoxedNumber,
        b"String" => Class::BoxedText,
        b"Boolean" => Class::BoxedBoolean,
        b"BigInt" => Class::BoxedBigInt,
        b"Symbol" => Class::BoxedSymbol,
        b"Date" => Class::Of(Kind::Date),
        b"RegExp" => Class::Of(Kind::RegExp),
        b"ArrayBuffer" | b"SharedArrayBuffer" => Class::Of(Kind::ArrayBuffer),
        b"DataView" => Class::View,
        b"Map" => Class::Of(Kind::Map),
        b"Set" => Class::Of(Kind::Set),
        b"WeakMap" | b"WeakSet" | b"WeakRef" | b"FinalizationRegistry" => Class::Of(Kind::Weak),
        b"Promise" => Class::Of(Kind::Promise),
        // The iterator over a synchronous one has no name.
        b"" | b"Generator" | b"AsyncGenerator" => Class::Of(Kind::Iterator),
        _ if name.ends_with(b"Function") || name.starts_with(b"AsyncFunction") => Class::Callable,
        _ if name.ends_with(b"Array") => Class::Of(Kind::TypedArray),
        _ if name.windows(8).any(|part| part == b"Iterator") => Class::Of(Kind::Iterator),
        _ => Class::Of(Kind::Object),
    }
}
