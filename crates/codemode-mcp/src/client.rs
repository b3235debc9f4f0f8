//! The client's side: one server each, from its start to its end.

mod call;
mod connection;
mod deep;
mod handler;
mod http;
mod lines;
mod listen;
mod listing;
mod problems;
mod process;
mod specs;
mod supervise;
mod upstream;

use std::time::Duration;

pub(crate) use call::Reply;
pub(crate) use specs::{full_name, name_problem};
pub(crate) use upstream::{Phase, Tools, Upstream, UpstreamParts};

/// A time as it stands in a sentence: whole seconds, or milliseconds where it has none.
fn spent(time: Duration) -> String {
    if time.subsec_millis() == 0 || time.as_secs() >= 10 { format!("{} s", time.as_secs()) } else { format!("{} ms", time.as_millis()) }
}
