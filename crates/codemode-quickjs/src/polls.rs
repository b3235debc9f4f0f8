//! QuickJS's count of polls to its next look at the interrupt handler, so that a loop around a costly builtin is looked at soon.
//!
//! QuickJS looks once in 10,000 polls: a loop around a search of a millisecond would go on for ten seconds.

use std::ffi::c_int;

use rquickjs::qjs;

use crate::layout::Layout;

/// Polls between two looks: their cost is within noise, and a builtin of a millisecond each adds an eighth of a second.
const BETWEEN: c_int = 128;

/// The count of a context; a null pointer where its place is not known.
#[derive(Clone, Copy)]
pub(crate) struct Polls(*mut c_int);

impl Polls {
    /// One whose place is not known.
    pub(crate) const NOWHERE: Self = Self(std::ptr::null_mut());

    /// The count of a context.
    ///
    /// # Safety
    /// `context` is live, and the result is used on its thread alone, and not after it.
    pub(crate) unsafe fn of(context: *mut qjs::JSContext) -> Self {
        // SAFETY: all contexts of a process have one layout, in which the count lies there.
        Layout::get().polls.map_or(Self::NOWHERE, |place| Self(unsafe { context.cast::<c_int>().add(place) }))
    }

    /// The handler has been asked: it is asked again soon.
    pub(crate) fn wait_a_little(self) {
        self.set(BETWEEN);
    }

    /// The handler is asked at the next poll.
    pub(crate) fn look_now(self) {
        self.set(1);
    }

    fn set(self, count: c_int) {
        if !self.0.is_null() {
            // SAFETY: the place was found in a context of the same layout; no other thread touches it.
            unsafe { self.0.write_volatile(count) };
        }
    }
}
