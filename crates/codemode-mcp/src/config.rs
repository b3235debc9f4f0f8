//! Which servers there are: configuration files that people have, settings, and what is made of both.

mod error;
mod merge;
mod places;
mod read;
mod server;

pub use error::ConfigError;
pub use merge::merge;
pub use places::{Place, known_file};
pub use read::Read;
pub use server::{Origin, ServerConfig, TransportConfig};
