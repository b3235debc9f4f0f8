//! What is known of a server, for a person who looks.

use std::time::Duration;

/// How one server is, at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStatus {
    /// Its name as it was configured.
    pub name: String,
    /// What its tools' names begin with, before `__`.
    pub prefix: String,
    /// Whether it can be called.
    pub state: ServerState,
    /// Its own name and version, where it has said them: one line, at most 200 bytes.
    pub version: Option<String>,
    /// The protocol's version that both speak.
    pub protocol: Option<String>,
    /// How many of its tools there are; those remembered from an earlier process, where it was not listed in this one.
    pub tools: usize,
    /// How long the last start took, to the end of its list of tools.
    pub started_in: Option<Duration>,
    /// What is wrong with what it sends, a line of at most 300 bytes each, and at most 50 of them.
    pub problems: Vec<String>,
}

/// Whether a server can be called.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServerState {
    /// It is being started, or has not said its tools yet.
    Starting,
    /// It runs, and its tools are known.
    Listed,
    /// It never came. It is tried again when it is touched.
    Failed {
        /// Why: one line, at most 1,000 bytes.
        why: String,
    },
    /// It was there and ended; it is being started again.
    Restarting {
        /// Why it ended, or why the last try failed: one line, at most 1,000 bytes.
        why: String,
        /// When it is tried again, from now.
        next_try: Duration,
    },
}
