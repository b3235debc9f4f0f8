//! A value of the engine's, held alive for as long as it is kept here.

use std::fmt;
use std::mem::ManuallyDrop;

use rquickjs::qjs;

/// An owned value: cloning counts one more reference, dropping one less.
///
/// It points into its context. Whoever makes a [`crate::realm::QuickRealm`] promises that each value made through it is dropped
/// before the context is freed, and that none leaves the context's thread; raw pointers keep it from being `Send`.
pub(crate) struct Held {
    context: *mut qjs::JSContext,
    value: qjs::JSValue,
}

impl Held {
    /// Takes over one reference to `value`.
    ///
    /// # Safety
    /// `context` lives until this is dropped, and `value` is a live value of it whose reference the caller owned.
    pub(crate) unsafe fn own(context: *mut qjs::JSContext, value: qjs::JSValue) -> Self {
        Self { context, value }
    }

    /// Counts one more reference to `value`.
    ///
    /// # Safety
    /// `context` lives until this is dropped, and `value` is a live value of it.
    pub(crate) unsafe fn share(context: *mut qjs::JSContext, value: qjs::JSValue) -> Self {
        // SAFETY: the caller says that the value lives.
        Self { context, value: unsafe { qjs::JS_DupValue(context, value) } }
    }

    /// The value, lent.
    pub(crate) fn raw(&self) -> qjs::JSValue {
        self.value
    }

    /// The value, with its reference.
    pub(crate) fn into_raw(self) -> qjs::JSValue {
        ManuallyDrop::new(self).value
    }

    /// The value, with a reference of its own.
    pub(crate) fn to_raw(&self) -> qjs::JSValue {
        self.clone().into_raw()
    }

    /// The address of an object; zero for primitives.
    pub(crate) fn address(&self) -> usize {
        // SAFETY: the pointer is read only where the tag says that there is one.
        unsafe { if qjs::JS_IsObject(self.value) { qjs::JS_VALUE_GET_PTR(self.value) as usize } else { 0 } }
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        // SAFETY: this value is alive because it is held here.
        unsafe { Self::share(self.context, self.value) }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the reference is ours and the context lives, as was promised when this was made.
        unsafe { qjs::JS_FreeValue(self.context, self.value) };
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: reading a tag touches no memory of the engine's.
        let tag = unsafe { qjs::JS_VALUE_GET_NORM_TAG(self.value) };
        write!(formatter, "Held(tag {tag})")
    }
}

/// Arguments as the engine lends them: read as held values, without counting references.
pub(crate) struct Lent(Vec<ManuallyDrop<Held>>);

impl Lent {
    /// # Safety
    /// `values` points to `count` live values of `context`, which stay alive while this exists.
    pub(crate) unsafe fn new(context: *mut qjs::JSContext, values: *const qjs::JSValue, count: usize) -> Self {
        Self(
            (0..count)
                // SAFETY: the caller says that there are so many values; `ManuallyDrop` keeps their references the engine's.
                .map(|place| ManuallyDrop::new(unsafe { Held::own(context, *values.add(place)) }))
                .collect(),
        )
    }

    /// The values.
    pub(crate) fn values(&self) -> &[Held] {
        let values: &[ManuallyDrop<Held>] = &self.0;
        // SAFETY: `ManuallyDrop<Held>` has the layout of `Held`, and the slice is lent for as long as this is.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<Held>(), values.len()) }
    }
}
