//! The MCP servers whose tools a program gets: where they are configured, and what is made of them.

mod args;
mod gather;
mod host;
mod shapes;
mod wait;

pub(crate) use args::{FromArg, ServersArgs, absolute};
pub(crate) use gather::{Gathered, environment, open_trust, read_whole};
pub(crate) use host::Host;
pub(crate) use wait::{executor, with_listed};
