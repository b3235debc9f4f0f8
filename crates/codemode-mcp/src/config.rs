//! Which servers there are: configuration files that people have, settings, and what is made of both.

mod draft;
mod error;
mod fields;
mod file;
mod finish;
mod itself;
mod merge;
mod places;
mod read;
mod server;
mod settings;
mod variables;
mod warnings;

pub use error::ConfigError;
pub use file::{read_as_written, read_file, read_text};
pub use merge::merge;
pub use places::{Place, known_file};
pub use read::Read;
pub use server::{Origin, ServerConfig, TransportConfig};
pub use settings::from_settings;
