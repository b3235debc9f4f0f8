//! Errors of the program as the outcome shows them.

use std::ffi::c_int;

use codemode_core::Raised;

use crate::call::{self, Lua};

/// What was raised.
///
/// # Safety
/// `state` is live.
pub(crate) unsafe fn raised(state: Lua, index: c_int) -> Raised {
    // SAFETY: the caller's promise.
    let message = unsafe { call::bytes_at(state, index) }.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    Raised { message: message.unwrap_or_default(), ..Raised::default() }
}
