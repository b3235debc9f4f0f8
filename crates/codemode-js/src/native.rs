//! The functions that programs call and that are written here, once for all engines.

use crate::globals::Global;
use crate::realm::{Realm, Thrown};
use crate::sdk::Sdk;

/// One function of the shared code's. An adapter keeps its code beside a function object and gives it to [`invoke`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Native {
    /// Of the surface: tools, state, budgets.
    Sdk(Sdk),
    /// Of the globals: console, timers, text, addresses.
    Global(Global),
}

impl Native {
    /// A number that stands for it.
    #[must_use]
    pub fn code(self) -> u16 {
        match self {
            Self::Sdk(sdk) => u16::from(sdk as u8),
            Self::Global(global) => 0x100 | u16::from(global as u8),
        }
    }

    /// The function of this number.
    #[must_use]
    pub fn from_code(code: u16) -> Option<Self> {
        let [group, of_group] = code.to_be_bytes();
        match group {
            0 => Sdk::ALL.get(usize::from(of_group)).copied().map(Self::Sdk),
            1 => Global::ALL.get(usize::from(of_group)).copied().map(Self::Global),
            _ => None,
        }
    }
}

/// Calls a function of the shared code's, as its function object was called.
///
/// # Errors
/// What it threw, or that the run is over.
pub fn invoke<R: Realm>(
    realm: &R,
    native: Native,
    this: &R::Value,
    bound: &[R::Value],
    arguments: &[R::Value],
) -> Result<R::Value, Thrown<R::Value>> {
    if realm.guard().stopped() {
        return Err(Thrown::Halt);
    }
    match native {
        Native::Sdk(sdk) => crate::sdk::invoke(realm, sdk, bound, arguments),
        Native::Global(global) => crate::globals::invoke(realm, global, this, bound, arguments),
    }
}
