//! The host of all servers' tools: what runs, servers and descriptions ask for tools.

mod answers;
mod catalogs;
mod discover;
mod status;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use codemode_catalog::{Discovery, ObservedShapes};
use codemode_core::text::{cut, one_line};
use codemode_core::{Answer, Ask, Blob, Call, CallContext, Catalog, ToolHost, ToolSpec};
use codemode_policy::Validate;
use codemode_session::BlobStore;
use futures_util::future::join_all;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

pub use status::{ServerState, ServerStatus};

use self::answers::Warned;
use self::catalogs::{Catalogs, Sources};
use crate::client::{Phase, Upstream, UpstreamParts};
use crate::config::ServerConfig;
use crate::memory::Memory;
use crate::names::prefixes;

/// The tools of many servers, and of a host of one's own, as one catalog.
///
/// Servers are started when the host is, all at once, and a program that touches one waits for that one alone. A server that
/// ends is started again, after a rest that grows from half a second to 30; a call that was out is unknown and never repeated.
/// Dropping the host ends its servers, [`McpHost::close`] waits for their ends.
pub struct McpHost {
    /// By name.
    upstreams: Vec<Arc<Upstream>>,
    local: Option<Arc<dyn ToolHost>>,
    blobs: Arc<BlobStore>,
    shapes: Option<Arc<ObservedShapes>>,
    discovery: Discovery,
    catalogs: Catalogs,
    checks: Validate,
    warned: Warned,
    twice: Vec<String>,
    changes: Arc<watch::Sender<u64>>,
}

/// What a [`McpHost`] is made of.
#[derive(Default)]
#[must_use]
pub struct McpHostBuilder {
    servers: Vec<ServerConfig>,
    local: Option<Arc<dyn ToolHost>>,
    memory: Option<Memory>,
    shapes: Option<Arc<ObservedShapes>>,
    blobs: Option<Arc<BlobStore>>,
}

impl McpHost {
    /// A host without servers.
    pub fn builder() -> McpHostBuilder {
        McpHostBuilder::default()
    }

    /// All tools that are known: listed, remembered, and local. For descriptions; a run gets [`ToolHost::catalog`].
    ///
    /// A server of which nothing is known is among its unlisted names. The same `Arc` until something changes.
    #[must_use]
    pub fn known(&self) -> Arc<Catalog> {
        self.catalogs.known(&self.sources())
    }

    /// Counts up whenever a server was listed, changed its tools, or ended.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Each server, by name.
    #[must_use]
    pub fn status(&self) -> Vec<ServerStatus> {
        self.upstreams.iter().map(|upstream| status_of(upstream)).collect()
    }

    /// What a person should know: servers that failed, and problems of those that run, a line of at most 1,400 bytes each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.twice.clone();
        for status in self.status() {
            let name = cut(&one_line(&status.name), 100).into_owned();
            match status.state {
                ServerState::Failed { why } => warnings.push(format!("server \"{name}\" is not available: {why}")),
                ServerState::Restarting { why, .. } => warnings.push(format!("server \"{name}\" is being started again: {why}")),
                ServerState::Starting | ServerState::Listed => {}
            }
            warnings.extend(status.problems.iter().map(|problem| format!("server \"{name}\": {problem}")));
        }
        let hidden = self.catalogs.hidden(&self.sources());
        warnings.extend(hidden.iter().take(MOST_HIDDEN).map(|name| {
            format!("the tool \"{}\" of a server is left out, since a tool of the host has its name", cut(&one_line(name), 200))
        }));
        warnings
    }

    /// Waits until each server is listed or has failed, at most this long.
    pub async fn listed(&self, within: Duration) {
        let _ = timeout(within, join_all(self.upstreams.iter().map(|upstream| upstream.settled()))).await;
    }

    /// Where binary parts of results are held.
    #[must_use]
    pub fn blobs(&self) -> &Arc<BlobStore> {
        &self.blobs
    }

    /// Ends all servers, and waits until their processes are gone: a few seconds at most.
    pub async fn close(&self) {
        join_all(self.upstreams.iter().map(|upstream| upstream.close())).await;
    }

    fn sources(&self) -> Sources<'_> {
        Sources { local: self.local.as_ref().map(|local| local.catalog()), upstreams: &self.upstreams, changes: &self.changes }
    }

    fn upstream(&self, prefix: &str) -> Option<&Arc<Upstream>> {
        self.upstreams.iter().find(|upstream| *upstream.prefix == *prefix)
    }

    /// The server that a tool is of; nothing where it is the local host's.
    fn upstream_of(&self, tool: &ToolSpec) -> Option<&Arc<Upstream>> {
        let upstream = self.upstream(tool.namespace.as_deref()?)?;
        let is_local = self.local.as_ref().is_some_and(|local| local.catalog().get(&tool.name).is_some());
        (!is_local).then_some(upstream)
    }
}

/// The most tools of servers that warnings name as hidden.
const MOST_HIDDEN: usize = 20;

fn status_of(upstream: &Upstream) -> ServerStatus {
    let state = upstream.now();
    let tools = state.tools.as_ref().or(upstream.remembered.as_ref()).map_or(0, |tools| tools.len());
    let shown = match state.phase {
        Phase::Starting => ServerState::Starting,
        Phase::Listed(_) => ServerState::Listed,
        Phase::Failed { why, .. } => ServerState::Failed { why: why.to_string() },
        Phase::Restarting { why, next_try } => {
            ServerState::Restarting { why: why.to_string(), next_try: next_try.saturating_duration_since(Instant::now()) }
        }
        Phase::Closed => ServerState::Failed { why: "it was closed".to_owned() },
    };
    ServerStatus {
        name: upstream.config.name.clone(),
        prefix: upstream.prefix.to_string(),
        state: shown,
        version: state.version,
        protocol: state.protocol,
        tools,
        started_in: state.started_in,
        problems: upstream.problems.list(),
    }
}

impl McpHostBuilder {
    /// Adds a server.
    pub fn server(mut self, config: ServerConfig) -> Self {
        self.servers.push(config);
        self
    }

    /// Adds servers. Of two of one name the first is kept.
    pub fn servers(mut self, configs: impl IntoIterator<Item = ServerConfig>) -> Self {
        self.servers.extend(configs);
        self
    }

    /// Adds tools that are no server's: their names stay as they are, and win over those of servers.
    pub fn local(mut self, local: Arc<dyn ToolHost>) -> Self {
        self.local = Some(local);
        self
    }

    /// Remembers signatures there. Without it, nothing is known of a server before it is listed.
    pub fn memory(mut self, memory: Memory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Learns the shapes of results into these.
    pub fn shapes(mut self, shapes: Arc<ObservedShapes>) -> Self {
        self.shapes = Some(shapes);
        self
    }

    /// Holds binary parts of results there; by default in a store of this host's own, of 64 MiB.
    pub fn blobs(mut self, blobs: Arc<BlobStore>) -> Self {
        self.blobs = Some(blobs);
        self
    }

    /// Starts all servers at once and returns without waiting for any. Inside a tokio runtime with time and io.
    #[must_use]
    pub fn start(self) -> Arc<McpHost> {
        let Self { servers, local, memory, shapes, blobs } = self;
        let changes = Arc::new(watch::Sender::new(0));
        let changed: Arc<dyn Fn() + Send + Sync> = {
            let changes = Arc::clone(&changes);
            Arc::new(move || changes.send_modify(|count| *count += 1))
        };
        let prefixes = prefixes(servers.iter().map(|server| server.name.as_str()));
        let (mut names, mut twice) = (BTreeSet::new(), Vec::new());
        let mut upstreams = Vec::new();
        for config in servers {
            if !names.insert(config.name.clone()) {
                twice.push(format!("two servers are named \"{}\"; the first is kept", cut(&one_line(&config.name), 100)));
                continue;
            }
            let prefix = prefixes.get(&config.name).map_or(config.name.as_str(), String::as_str).into();
            let (memory, changed) = (memory.clone(), Arc::clone(&changed));
            upstreams.push(Upstream::start(UpstreamParts { config, prefix, memory, changed }));
        }
        upstreams.sort_by(|one, other| one.config.name.cmp(&other.config.name));
        Arc::new(McpHost {
            upstreams,
            local,
            blobs: blobs.unwrap_or_else(|| Arc::new(BlobStore::new(BlobStore::DEFAULT_BYTES))),
            discovery: shapes.clone().map_or_else(Discovery::new, Discovery::with_shapes),
            shapes,
            catalogs: Catalogs::default(),
            checks: Validate::new(),
            warned: Warned::default(),
            twice,
            changes,
        })
    }
}

impl Drop for McpHost {
    fn drop(&mut self) {
        self.upstreams.iter().for_each(|upstream| upstream.stop());
    }
}

impl fmt::Debug for McpHost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpHost").field("servers", &self.upstreams).finish_non_exhaustive()
    }
}

impl fmt::Debug for McpHostBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("McpHostBuilder").field("servers", &self.servers).finish_non_exhaustive()
    }
}

#[async_trait]
impl ToolHost for McpHost {
    fn catalog(&self) -> Arc<Catalog> {
        self.catalogs.runs(&self.sources())
    }

    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        match (self.upstream(namespace), &self.local) {
            (Some(upstream), _) => upstream.tools().await.map(|tools| tools.to_vec()).unwrap_or_default(),
            (None, Some(local)) => local.admit(namespace).await,
            (None, None) => Vec::new(),
        }
    }

    fn unavailable(&self, namespace: &str) -> Option<String> {
        match (self.upstream(namespace), &self.local) {
            (Some(upstream), _) => upstream.trouble().map(|why| why.to_string()),
            (None, Some(local)) => local.unavailable(namespace),
            (None, None) => None,
        }
    }

    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        self.answer(catalog, ask).await
    }

    fn blob(&self, handle: &str) -> Option<Blob> {
        self.blobs.describe(handle).or_else(|| self.local.as_ref()?.blob(handle))
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        match (self.upstream_of(&call.tool), &self.local) {
            (Some(upstream), _) => self.call_upstream(upstream, context, &call).await,
            (None, Some(local)) => local.call(context, call).await,
            (None, None) => Answer::failed(format!("no server here has the tool \"{}\"", cut(&one_line(&call.tool.name), 200))),
        }
    }
}
