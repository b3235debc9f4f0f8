//! What is refused before it is parsed: the parser takes stack for depth, and memory for what it tries twice.

use codemode_core::Raised;

use super::refuse::{refuse, refuse_at};
use super::scan::Scan;

/// The largest source that is read, in bytes. Profiles allow less.
const LARGEST: usize = 16 * 1024 * 1024;

/// The deepest nesting that is read, in tokens as the scan counts them.
pub(super) const DEEPEST: usize = 2_000;

/// How many tokens may have to be read again: this many, and some for each token. One costs about 70 bytes.
const REREADS: usize = 100_000;
const REREADS_A_TOKEN: usize = 4;

/// Refuses a source that is too large to scan.
pub(super) fn check_size(source: &str) -> Result<(), Raised> {
    if source.len() <= LARGEST {
        return Ok(());
    }
    let mut raised = refuse(&format!("the source is {} bytes long, and at most {LARGEST} are read", source.len()));
    raised.fix = Some("send less code, and let tools hold the data".to_owned());
    Err(raised)
}

/// Refuses a text that would cost too much to parse.
pub(super) fn check(text: &str, scanned: &Scan) -> Result<(), Raised> {
    let (message, fix) = if scanned.depth > DEEPEST {
        (
            format!("the source nests up to {} levels deep, and at most {DEEPEST} are read", scanned.depth),
            "write it flatter: loops for chains, data as JSON text",
        )
    } else if scanned.rereads > REREADS + REREADS_A_TOKEN * scanned.tokens {
        (
            "too much of the source could be comparison or type, assignment or parameter: `<` or `(… = …` nest too often".to_owned(),
            "take the expressions apart, and end statements with semicolons",
        )
    } else {
        return Ok(());
    };
    if let Some(at) = scanned.unsure {
        let mut raised = refuse_at(text, at, "what stands here cannot be told before parsing, in a source of this size");
        raised.fix = Some("put round brackets around the pattern or the division here, and write names without escapes".to_owned());
        return Err(raised);
    }
    let mut raised = refuse(&message);
    raised.fix = Some(fix.to_owned());
    Err(raised)
}
