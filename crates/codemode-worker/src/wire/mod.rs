//! What a host and its workers say to each other over two pipes.
//!
//! They speak in turn: a worker that waits for an answer reads, and one that computes is not spoken to, but for the signal to stop.
//! Headers are postcard, and JSON stays the text that it is: neither side parses it for the sake of the other.

mod answer;
mod ended;
mod frames;
mod message;

pub(crate) use answer::WireAnswer;
pub(crate) use ended::{WireEnd, WireRaised};
pub(crate) use frames::{FrameError, FrameReader, FrameWriter};
pub(crate) use message::{Hello, ToChild, ToParent, WireAsk, WireResolved, WireTool, WireValue};

/// The version of all this. Both sides are the same program as a rule; where a host names another, they must agree.
pub(crate) const VERSION: u32 = 1;

/// A text that should be JSON and is none.
pub(crate) fn malformed(error: &codemode_core::JsonError) -> FrameError {
    FrameError::Malformed(error.to_string())
}
