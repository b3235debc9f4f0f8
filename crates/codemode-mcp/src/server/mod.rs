//! The server: `run_code` over stdio and HTTP for any client, and the direct tools relayed beside it.

mod accept;
mod arguments;
mod builder;
mod connection;
mod content;
mod ending;
mod era;
mod gate;
mod guard;
mod http;
mod offer;
mod outcome_schema;
mod pipe;
mod programs;
mod progress;
mod relay;
mod requests;
mod resources;
mod run;
mod search;
mod sessions;
mod shared;
mod shelf;
mod stdio;

pub use builder::{CodeServer, CodeServerBuilder};
pub use http::{HttpOptions, HttpServer};
pub use programs::ProgramHost;
pub use stdio::ServeError;
