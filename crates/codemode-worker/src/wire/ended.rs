//! How a program ended, on the wire.

use codemode_core::{CallId, End, Location, Raised};
use serde::{Deserialize, Serialize};

/// An [`End`] that a worker can live to tell.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum WireEnd<'a> {
    Returned,
    Compile(#[serde(borrow)] WireRaised<'a>),
    Raised(#[serde(borrow)] WireRaised<'a>),
    NeverSettles,
    Stopped,
}

/// A [`Raised`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireRaised<'a> {
    message: &'a str,
    traceback: Option<&'a str>,
    location: Option<(u32, Option<u32>)>,
    refusal: Option<u64>,
    fix: Option<&'a str>,
}

impl<'a> WireEnd<'a> {
    pub(crate) fn of(end: &'a End) -> Self {
        match end {
            End::Returned => Self::Returned,
            End::Compile(raised) => Self::Compile(WireRaised::of(raised)),
            End::Raised(raised) => Self::Raised(WireRaised::of(raised)),
            End::NeverSettles => Self::NeverSettles,
            // A death is for the host to tell, and there is no other end.
            _ => Self::Stopped,
        }
    }

    pub(crate) fn read(self) -> End {
        match self {
            Self::Returned => End::Returned,
            Self::Compile(raised) => End::Compile(raised.read()),
            Self::Raised(raised) => End::Raised(raised.read()),
            Self::NeverSettles => End::NeverSettles,
            Self::Stopped => End::Stopped,
        }
    }
}

impl<'a> WireRaised<'a> {
    pub(crate) fn of(raised: &'a Raised) -> Self {
        Self {
            message: &raised.message,
            traceback: raised.traceback.as_deref(),
            location: raised.location.map(|location| (location.line, location.column)),
            refusal: raised.refusal.map(|id| id.0),
            fix: raised.fix.as_deref(),
        }
    }

    pub(crate) fn read(self) -> Raised {
        Raised {
            message: self.message.to_owned(),
            traceback: self.traceback.map(str::to_owned),
            location: self.location.map(|(line, column)| Location { line, column }),
            refusal: self.refusal.map(CallId),
            fix: self.fix.map(str::to_owned),
        }
    }
}
