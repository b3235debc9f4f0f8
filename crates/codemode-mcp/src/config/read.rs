//! What one place gave: servers, and what a person must know about those that it did not give.

use super::ServerConfig;

/// The servers of one place, or of several after [`merge`](super::merge).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// Servers that can be started, no two of one name, in the order in which they were written.
    pub servers: Vec<ServerConfig>,
    /// Names of servers that a person turned off: a place that comes later does not turn them on.
    pub disabled: Vec<String>,
    /// One line each, at most 600 bytes, at most 100 lines and one that counts the others.
    ///
    /// They name the server and the place, and hold no value of an environment or of a header.
    pub warnings: Vec<String>,
}
