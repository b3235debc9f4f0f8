//! Lua's string patterns with counted steps, for `string.find`, `match`, `gmatch` and `gsub`.
//!
//! In LuaJIT these are C functions in which no hook fires: a pattern that tries too much cannot be stopped there. So a
//! call goes to LuaJIT's own function only where that ends within few steps whatever the bytes of the subject are, which is
//! known of each pattern by the subject's length ([`Pattern::longest_own_search`]). All else is for the matcher here,
//! which asks its budget every few thousand steps. The results and messages of both are the same: the tests compare
//! them at random.
//!
//! For a binding:
//!
//! - Patterns come from the interpreter's [`PatternCache`], with [`Caret::Literal`] for `gmatch` alone. [`Pattern::over`] a
//!   subject is the matcher, with a new [`Meter`] for each call.
//! - `find` with `plain`, or where [`has_specials`] says no, is [`find_plain`]. Else `find` and `match` are
//!   [`Matcher::search`] from [`search_start`]; `find` gives two positions and [`Match::captures`] values, the others
//!   [`Match::values`].
//! - `gmatch` keeps an [`Iteration`] between its steps. `gsub` is a [`Substitution`] into an [`Output`], with
//!   [`Template::expand`] where the replacement is a string, and an [`Iteration`] where something is called for each match.
//! - [`Halt::Fault`] is raised with its message behind the caller's position. After [`Halt::Stopped`] nothing more is done.
//!
//! What is bounded: the stack of a match has at most 200 frames, as LuaJIT's; a compiled pattern takes about 16 bytes for each
//! of its parts and 32 for each of its sets, and of parts there are at most 65,536, beyond which it is "too complex"; a cache
//! keeps 65 patterns. The subject and the pattern's bytes are borrowed.

mod cache;
mod calls;
mod classify;
mod fault;
mod matcher;
mod meter;
mod parse;
mod plain;
mod program;
mod rest;
mod scan;
mod set;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use cache::PatternCache;
pub(crate) use calls::{Iteration, Matcher, Output, Pattern, Substitution, Template, search_start};
pub(crate) use classify::has_specials;
pub(crate) use fault::PatternFault;
pub(crate) use matcher::{Capture, Match};
pub(crate) use meter::{Halt, Meter};
pub(crate) use plain::find_plain;
pub(crate) use program::Caret;
