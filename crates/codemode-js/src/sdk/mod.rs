//! The surface of a program: tools, discovery, budgets, state.

use crate::realm::{Realm, Thrown};

/// The functions of the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sdk {
    /// `tools.call`.
    Call,
}

impl Sdk {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: &[Self] = &[Self::Call];
}

/// Calls one of them.
pub(crate) fn invoke<R: Realm>(realm: &R, sdk: Sdk, _bound: &[R::Value], _arguments: &[R::Value]) -> Result<R::Value, Thrown<R::Value>> {
    match sdk {
        Sdk::Call => Ok(realm.undefined()),
    }
}
