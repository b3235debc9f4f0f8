//! The server as clients meet it: over pipes with a client of the same protocol crate, as raw lines, and over HTTP.

mod cancel;
mod changes;
mod connected;
mod direct;
mod http;
mod http_sessions;
mod lines;
mod load;
mod local;
mod many;
mod programs;
mod progress;
mod raw;
mod resources;
mod search;
mod sessions;
mod versions;
