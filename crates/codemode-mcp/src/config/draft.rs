//! One server as it was written, before its variables are filled in and its fields are checked.

use std::collections::BTreeMap;
use std::time::Duration;

/// What was written, with wrong types already told apart.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) name: String,
    /// Somebody turned the server off: nothing else of it counts.
    pub(super) off: bool,
    /// The transport by its name.
    pub(super) kind: Option<String>,
    pub(super) command: Option<String>,
    pub(super) args: Vec<String>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) cwd: Option<String>,
    pub(super) url: Option<String>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) timeout: Option<Duration>,
    pub(super) max_timeout: Option<Duration>,
    pub(super) start_timeout: Option<Duration>,
    /// Why the server cannot be used.
    pub(super) faults: Vec<String>,
    /// What a person should know of a server that is used all the same.
    pub(super) notes: Vec<String>,
}
