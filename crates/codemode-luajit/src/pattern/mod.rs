//! Lua's string patterns with counted steps, for `string.find`, `match`, `gmatch` and `gsub`.
//!
//! In LuaJIT these are C functions in which no hook fires: a pattern that tries too much cannot be stopped there. So each
//! call is routed first. [`Route::Own`] means that LuaJIT's own function ends within [`OWN_STEPS`] whatever the bytes of the
//! subject are; all else is for the matcher here, which asks its [`Budget`] every few thousand steps. The results and
//! messages of both are the same, compared at random by the tests.
//!
//! For a binding:
//!
//! - `find` with `plain`, or where [`has_specials`] says no: [`Route::plain`] of both lengths, then [`find_plain`].
//! - Else a [`Pattern`] from the interpreter's [`PatternCache`], with [`Caret::Literal`] for `gmatch` alone. Its routes are
//!   [`Pattern::route_search`] (with the bytes from where the search begins) and [`Pattern::route_substitute`].
//! - Ours: [`Pattern::over`] the subject, and a new [`Meter`] for each call. `find` and `match` are [`Matcher::search`] from
//!   [`search_start`]; `find` pushes two positions and [`Match::captures`] values, the others [`Match::values`].
//!   `gmatch` keeps an [`Iteration`] between its steps. `gsub` is [`Matcher::substitute`] into an [`Output`], with
//!   [`Template::expand`] where the replacement is a string.
//! - [`Halt::Fault`] is raised with its message behind the caller's position. After [`Halt::Stopped`] nothing more is done.
//!
//! A call that goes to LuaJIT's own function runs no hook either: whoever routes looks at the latch first, since a loop of
//! such calls may do little else between two hooks.
//!
//! What is bounded: the stack of a match has at most 200 frames, as LuaJIT's; a compiled pattern takes up to about 16 bytes
//! for each of its parts and 32 for each of its sets, of which it keeps 65,536 and then says "pattern too complex"; a cache
//! keeps 64 short patterns. The subject and the pattern are borrowed.

mod cache;
mod calls;
mod classify;
mod fault;
mod matcher;
mod meter;
mod parse;
mod plain;
mod program;
mod scan;
mod set;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use cache::PatternCache;
pub(crate) use calls::{Iteration, Matcher, Output, Pattern, Template, search_start};
pub(crate) use classify::{OWN_STEPS, Route, has_specials};
pub(crate) use fault::PatternFault;
pub(crate) use matcher::{Capture, Match};
pub(crate) use meter::{Budget, Halt, Meter, STEPS_BETWEEN_QUESTIONS};
pub(crate) use plain::find_plain;
pub(crate) use program::Caret;
