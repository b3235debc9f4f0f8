//! The host of a command: the workspace's tools and those of every server that is configured.

use std::sync::Arc;
use std::time::Duration;

use codemode::{Catalog, ToolHost};
use codemode_mcp::{McpHost, Memory, ProgramHost, ServerConfig, ServerState, ServerStatus};
use codemode_policy::{Agent, Inventory, Mode, cache_folder};

use super::shapes::KeptShapes;
use super::{Gathered, environment};
use crate::exit::CliError;
use crate::screen::Screen;

/// The folder of remembered signatures within the cache folder.
const MEMORY: &str = "servers";
/// How much longer than a server may take it is waited for: it says itself why it did not come.
const SLACK: Duration = Duration::from_secs(5);

/// The tools of a command, with the servers behind them.
#[derive(Debug)]
pub(crate) struct Host {
    servers: Arc<McpHost>,
    inventory: Arc<Inventory>,
    shapes: Option<Arc<KeptShapes>>,
    /// How long the slowest server may take to start.
    patience: Duration,
}

impl Host {
    /// Starts every server that was gathered, and waits for none; `local` are the tools that are no server's. Inside a tokio runtime.
    pub(crate) fn start(gathered: &Gathered, local: Arc<dyn ToolHost>) -> Result<Self, CliError> {
        // What is kept from programs is the same in every mode, and the full one asks for nothing.
        let inventory = Inventory::new(&gathered.settings, Some(Mode::Full), &Agent::default(), &environment).map_err(CliError::of)?;
        let cache = cache_folder(&environment);
        let mut builder = McpHost::builder().servers(gathered.servers.iter().cloned()).local(local);
        if let Some(cache) = &cache {
            builder = builder.memory(Memory::new(cache.join(MEMORY)));
        }
        let shapes = cache.filter(|_| gathered.settings.results.learn_shapes).map(|cache| Arc::new(KeptShapes::load(&cache)));
        if let Some(shapes) = &shapes {
            builder = builder.shapes(shapes.shapes());
        }
        let slowest = gathered.servers.iter().map(|server| server.start_timeout.unwrap_or(ServerConfig::START_TIMEOUT)).max();
        let patience = slowest.unwrap_or_default() + SLACK;
        Ok(Self { servers: builder.start(), inventory: Arc::new(inventory), shapes, patience })
    }

    /// The host as programs see it: without what the settings keep from them.
    pub(crate) fn for_programs(&self) -> Arc<dyn ToolHost> {
        Arc::new(ProgramHost::new(Arc::clone(&self.servers), Some(Arc::clone(&self.inventory))))
    }

    /// What programs can call, as far as it is known; for a description, and after [`Host::listed`] the whole of it.
    pub(crate) fn known_to_programs(&self) -> Arc<Catalog> {
        self.inventory.for_programs(&self.servers.known())
    }

    /// The servers themselves.
    pub(crate) fn servers(&self) -> &Arc<McpHost> {
        &self.servers
    }

    /// Waits until each server is listed or has failed.
    pub(crate) async fn listed(&self) {
        self.servers.listed(self.patience).await;
    }

    /// The names of the servers that are not there yet.
    pub(crate) fn starting(&self) -> Vec<String> {
        starting(&self.servers)
    }

    /// How each server is.
    pub(crate) fn status(&self) -> Vec<ServerStatus> {
        self.servers.status()
    }

    /// Says on standard error which servers did not come, and what is wrong with those that did.
    pub(crate) fn warn(&self, screen: &Screen) {
        for warning in self.servers.warnings() {
            screen.print(&format!("warning: {warning}\n"));
        }
    }

    /// Ends every server, and keeps what was learned.
    pub(crate) async fn close(&self) {
        self.servers.close().await;
        self.keep();
    }

    /// Keeps what was learned so far.
    pub(crate) fn keep(&self) {
        if let Some(shapes) = &self.shapes {
            shapes.keep();
        }
    }
}

/// The names of the servers that are not there yet.
pub(crate) fn starting(servers: &McpHost) -> Vec<String> {
    let all = servers.status().into_iter();
    all.filter(|server| matches!(server.state, ServerState::Starting)).map(|server| server.name).collect()
}
