//! How deep this process stands in codemodes that start each other.

/// The variable that each server is started with: one more than its own codemode has.
pub const DEPTH: &str = "CODEMODE_DEPTH";

/// How many codemodes stand above this process, each started by the one before: zero where none does.
///
/// A configuration that names codemode under another name would start it for ever. Who serves looks at this first.
#[must_use]
pub fn depth() -> u32 {
    std::env::var(DEPTH).ok().and_then(|depth| depth.parse().ok()).unwrap_or_default()
}
