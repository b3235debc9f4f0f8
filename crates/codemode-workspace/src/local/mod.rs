//! Authority `local`: files, processes and imports for programs, with the rights of whoever started us.
//!
//! Nothing here keeps a program inside a folder. What holds is the bounds: buffers count in the guard before they are built, waits look at
//! it, and no process outlives the run that started it.

mod arguments;
mod children;
mod fault;
mod files;
mod folders;
mod links;
mod machine;
mod network;
mod output;
mod packages;
mod processes;
mod resolve;
mod scope;
mod times;

pub use machine::Machine;
