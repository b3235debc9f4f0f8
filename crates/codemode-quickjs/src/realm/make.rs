//! Making values and defining properties.

use codemode_js::{Attributes, ErrorClass, Resolvers};
use rquickjs::qjs;

use super::QuickRealm;
use super::read::Read;
use crate::held::Held;
use crate::js::{HIDDEN, OR_RAISE, PLAIN, Raised};

impl QuickRealm {
    pub(super) fn array_of(&self, items: Vec<Held>) -> Read<Held> {
        self.js.array(items.into_iter().map(Held::into_raw).collect())
    }

    pub(super) fn object(&self, with_prototype: bool) -> Read<Held> {
        // SAFETY: the context lives.
        unsafe {
            self.js.take(if with_prototype {
                qjs::JS_NewObject(self.js.raw())
            } else {
                qjs::JS_NewObjectProto(self.js.raw(), qjs::JS_NULL)
            })
        }
    }

    pub(super) fn bytes_of(&self, bytes: &[u8]) -> Read<Held> {
        // SAFETY: pointer and length are those of the slice; the engine copies it.
        unsafe { self.js.take(qjs::JS_NewUint8ArrayCopy(self.js.raw(), bytes.as_ptr(), bytes.len() as _)) }
    }

    pub(super) fn error_of(&self, class: ErrorClass, message: &str) -> Read<Held> {
        // The engine's own makers of errors cut a message at 255 bytes; the captured constructor does not, and reads nothing of the program's.
        self.js.construct(self.intrinsics.error(class), &self.js.text(message)?)
    }

    /// The engine gives an error without a stack one when it unwinds a frame of the program's.
    pub(super) fn unthrown_error(&self) -> Read<Held> {
        // SAFETY: the context lives, and has the class.
        unsafe { self.js.take(qjs::JS_NewObjectClass(self.js.raw(), self.classes.error())) }
    }

    pub(super) fn promise(&self) -> Read<(Held, Resolvers<Held>)> {
        let mut resolving = [qjs::JS_UNDEFINED; 2];
        // SAFETY: the engine writes both functions where it gives a promise.
        unsafe {
            let promise = self.js.take(qjs::JS_NewPromiseCapability(self.js.raw(), resolving.as_mut_ptr()))?;
            let [resolve, reject] = resolving;
            Ok((promise, Resolvers { resolve: self.js.take(resolve)?, reject: self.js.take(reject)? }))
        }
    }

    pub(super) fn define_named(&self, object: &Held, name: &str, value: Held, attributes: Attributes) -> Read<()> {
        self.changeable(object)?;
        let atom = self.js.atom(name)?;
        let attributes = match attributes {
            Attributes::Plain => PLAIN,
            Attributes::Hidden => HIDDEN,
            Attributes::Fixed => qjs::JS_PROP_ENUMERABLE as i32,
            Attributes::FixedHidden => 0,
        };
        self.js.define(object, &atom, value, attributes | OR_RAISE)
    }

    pub(super) fn give_prototype(&self, object: &Held, prototype: &Held) -> Read<()> {
        self.changeable(object)?;
        // SAFETY: both values live, and the object is no proxy.
        let failed = unsafe { qjs::JS_SetPrototype(self.js.raw(), object.raw(), prototype.raw()) } < 0;
        if failed { Err(Raised) } else { Ok(()) }
    }

    pub(super) fn freeze_object(&self, object: &Held) -> Read<()> {
        self.changeable(object)?;
        // SAFETY: the value lives and is no proxy.
        let failed = unsafe { qjs::JS_FreezeObject(self.js.raw(), object.raw()) } < 0;
        if failed { Err(Raised) } else { Ok(()) }
    }

    pub(super) fn hang(&self, object: &Held, text: &str) -> Read<()> {
        self.changeable(object)?;
        let text = self.js.text(text)?;
        self.js.call(&self.intrinsics.weak_set, &self.intrinsics.carried, &[object.clone(), text])?;
        self.carries.set(true);
        Ok(())
    }

    pub(super) fn hung(&self, value: &Held) -> Read<Option<String>> {
        if !self.carries.get() || self.class_of(value).is_none() {
            return Ok(None);
        }
        let text = self.js.call(&self.intrinsics.weak_get, &self.intrinsics.carried, std::slice::from_ref(value))?;
        // SAFETY: reading a tag touches no memory.
        if unsafe { qjs::JS_IsString(text.raw()) } { self.copied(&text).map(Some) } else { Ok(None) }
    }

    /// Refuses primitives and proxies, whose traps a change would run.
    fn changeable(&self, object: &Held) -> Read<()> {
        if self.class_of(object).is_some() {
            return Ok(());
        }
        self.js.throw_type_error(c"what is changed must be an object and no proxy");
        Err(Raised)
    }
}
