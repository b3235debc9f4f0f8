//! Shapes of results that were seen, for tools that promise none: types and keys, never values.

mod seen;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use codemode_core::ToolSpec;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use seen::Seen;

/// Servers of which shapes are kept; of others nothing is learned.
const MOST_SERVERS: usize = 256;
/// Tools of one server of which shapes are kept.
const MOST_TOOLS: usize = 1_000;
/// Values of one result that are looked at.
const MOST_STEPS: usize = 2_000;
/// Bytes of the name of a server, of a version and of a tool.
const MOST_NAME_BYTES: usize = 256;

/// The shapes of results that were seen, by server and tool. Shared by all runs of a host.
///
/// It keeps which types and keys there were, and which keys each object had; it has no place for a value. Keys that look like
/// data (identifiers, addresses, dates) and keys past 48 of one object are not kept: such an object is a map. Six levels are
/// kept, of results up to 2,000 values, for at most 256 servers of 1,000 tools.
#[derive(Debug, Default)]
pub struct ObservedShapes {
    servers: RwLock<BTreeMap<String, Server>>,
    changes: AtomicU64,
}

/// What was seen of one version of a server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Server {
    version: String,
    tools: BTreeMap<String, Seen>,
}

impl ObservedShapes {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Learns from the structured result of one call. One whose shape is known costs a walk over it, and holds up nobody.
    ///
    /// `server` is the tool's [`ToolSpec::namespace`], empty for a tool of the host's own; `tool` is its
    /// [`ToolSpec::short_name`]. What was seen of another version of the server is forgotten.
    pub fn learn(&self, server: &str, version: &str, tool: &str, structured: &Value) {
        if [server, version, tool].iter().any(|name| name.len() > MOST_NAME_BYTES) {
            return;
        }
        {
            let servers = self.servers.read().unwrap_or_else(PoisonError::into_inner);
            let known = servers.get(server).filter(|known| known.version == version).and_then(|known| known.tools.get(tool));
            if known.is_some_and(|seen| seen.covers(structured, 0, &mut { MOST_STEPS })) {
                return;
            }
        }
        let mut servers = self.servers.write().unwrap_or_else(PoisonError::into_inner);
        if !servers.contains_key(server) && servers.len() >= MOST_SERVERS {
            return;
        }
        let known = servers.entry(server.to_owned()).or_default();
        if known.version != version {
            *known = Server { version: version.to_owned(), tools: BTreeMap::new() };
        }
        if !known.tools.contains_key(tool) && known.tools.len() >= MOST_TOOLS {
            return;
        }
        known.tools.entry(tool.to_owned()).or_default().learn(structured, 0, &mut { MOST_STEPS });
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets what was seen of a server if that was another version of it: for who has just started the server.
    pub fn serves(&self, server: &str, version: &str) {
        let mut servers = self.servers.write().unwrap_or_else(PoisonError::into_inner);
        if servers.get(server).is_some_and(|known| known.version != version) {
            servers.remove(server);
            self.changes.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What was seen of a tool's results as a JSON Schema: `required` are the keys that each object had.
    #[must_use]
    pub fn schema(&self, tool: &ToolSpec) -> Option<Value> {
        let servers = self.servers.read().unwrap_or_else(PoisonError::into_inner);
        let server = servers.get(tool.namespace.as_deref().unwrap_or_default())?;
        Some(server.tools.get(&*tool.short_name)?.schema())
    }

    /// How often anything was learned or forgotten: what was kept elsewhere is old when this has changed.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// All that was seen, to be kept and read again by [`ObservedShapes::from_json`].
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!(*self.servers.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What [`ObservedShapes::to_json`] gave; what cannot be read, or is larger than what is learned, is left out.
    #[must_use]
    pub fn from_json(kept: &Value) -> Self {
        let mut servers = BTreeMap::new();
        for (name, server) in kept.as_object().into_iter().flatten().take(MOST_SERVERS) {
            let Ok(mut server) = Server::deserialize(server) else { continue };
            server.tools.retain(|name, seen| name.len() <= MOST_NAME_BYTES && seen.is_bounded(0));
            while server.tools.len() > MOST_TOOLS {
                server.tools.pop_last();
            }
            servers.insert(name.clone(), server);
        }
        Self { servers: RwLock::new(servers), changes: AtomicU64::new(0) }
    }
}
