//! MCP for code mode: a client of servers, and a server for clients.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod client;
mod config;
mod depth;
mod framing;
mod host;
mod memory;
mod names;
mod result;
mod server;

pub use config::{
    ConfigError, Origin, Place, Read, ServerConfig, TransportConfig, from_settings, known_file, merge, read_as_written, read_file,
    read_text,
};
pub use depth::{DEPTH, depth};
pub use host::{McpHost, McpHostBuilder, ServerState, ServerStatus};
pub use memory::Memory;
pub use names::prefixes;
pub use server::{CodeServer, CodeServerBuilder, HttpOptions, HttpServer, ProgramHost, ServeError};
