//! The globals of a program that its language does not have: console, timers, text, addresses.

use crate::realm::{Realm, Thrown};

/// The functions of the globals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Global {
    /// Hangs the text of a prelude object under it.
    Carry,
}

impl Global {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: &[Self] = &[Self::Carry];
}

/// Calls one of them.
pub(crate) fn invoke<R: Realm>(
    realm: &R,
    global: Global,
    _this: &R::Value,
    _bound: &[R::Value],
    _arguments: &[R::Value],
) -> Result<R::Value, Thrown<R::Value>> {
    match global {
        Global::Carry => Ok(realm.undefined()),
    }
}
