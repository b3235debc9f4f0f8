//! The matcher against LuaJIT's own functions, its bounds against a model that counts, and its end at a stop.

mod bounds;
mod cache;
mod generate;
mod model;
mod oracle;
mod stopping;
