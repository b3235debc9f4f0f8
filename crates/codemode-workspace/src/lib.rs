//! The workspace tools that a program can call.
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod builder;
mod command;
mod globs;
mod ignored;
mod limits;
mod lines;
mod local;
mod matches;
mod page;
mod replace;
mod root;
mod stop;
mod tool;
mod tools;
mod trouble;
mod walk;
mod workspace;

pub use builder::{WorkspaceBuilder, WorkspaceError};
pub use command::{Confinement, execute_confinement};
pub use limits::Limits;
pub use local::Machine;
pub use trouble::code;
pub use workspace::Workspace;
