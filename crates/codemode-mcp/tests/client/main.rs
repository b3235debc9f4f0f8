//! The client against servers: ordinary ones, and hostile ones.

mod calls;
mod discovery;
mod hostile;
mod http;
mod life;
mod names;
mod results;
mod support;
