//! MCP for code mode: a client of servers, and a server for clients.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
