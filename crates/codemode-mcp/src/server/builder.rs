//! The server as its owner sets it up.

use std::fmt;
use std::sync::Arc;

use codemode::{Budgets, FolderSpill, Isolation, Layer, Profile, Runtime, RuntimeError};
use codemode_policy::Inventory;

use super::programs::ProgramHost;
use super::shared::{Parts, Shared};
use crate::host::McpHost;

/// How many tokens the description of `run_code` may have, by default.
const DESCRIPTION_TOKENS: usize = 2_000;
/// What a client is told about the whole server, by default.
const INSTRUCTIONS: &str = "run_code runs a program that calls tools in loops, filters what they give, and returns a few lines. Use it where \
three or more calls follow each other without a decision of yours in between.";

/// An MCP server that offers `run_code` over the tools of a host.
///
/// Each connection gets its own description, which stays as it is until the connection ends; over the same tools the next
/// one gets the same bytes. Programs of several calls run at once, except in profile `cell`, where a connection is one
/// session and its programs queue.
#[derive(Clone)]
pub struct CodeServer {
    pub(super) shared: Arc<Shared>,
}

impl CodeServer {
    /// Begins a server over this host: programs of the profile `program`, run in threads, over every tool.
    pub fn builder(host: Arc<McpHost>) -> CodeServerBuilder {
        CodeServerBuilder {
            host,
            profile: Profile::program().with_isolation(Isolation::Thread),
            engine: None,
            layers: Vec::new(),
            inventory: None,
            spill: None,
            description_tokens: DESCRIPTION_TOKENS,
            instructions: INSTRUCTIONS.to_owned(),
            local: None,
            #[cfg(feature = "workers")]
            workers: None,
        }
    }
}

impl fmt::Debug for CodeServer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CodeServer").field("profile", &self.shared.profile.name()).finish_non_exhaustive()
    }
}

/// Sets up a [`CodeServer`].
#[must_use]
pub struct CodeServerBuilder {
    host: Arc<McpHost>,
    profile: Profile,
    engine: Option<String>,
    layers: Vec<Arc<dyn Layer>>,
    inventory: Option<Arc<Inventory>>,
    spill: Option<Arc<FolderSpill>>,
    description_tokens: usize,
    instructions: String,
    local: Option<Arc<dyn codemode::Local>>,
    #[cfg(feature = "workers")]
    workers: Option<codemode::workers::Workers>,
}

impl CodeServerBuilder {
    /// Sets what programs see and get back; `program` in a thread by default. A profile that wants a process of its own needs
    /// workers.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Sets the limits of each run, in place of the profile's own. A later [`CodeServerBuilder::profile`] replaces them.
    pub fn budgets(mut self, budgets: Budgets) -> Self {
        self.profile.budgets = budgets;
        self
    }

    /// Chooses an engine by its word; by default the first compiled in that has the profile's form.
    pub fn engine(mut self, id: impl Into<String>) -> Self {
        self.engine = Some(id.into());
        self
    }

    /// Runs programs in these worker processes, where the profile's isolation says so.
    #[cfg(feature = "workers")]
    pub fn workers(mut self, workers: codemode::workers::Workers) -> Self {
        self.workers = Some(workers);
        self
    }

    /// Gives cells of a profile with authority `local` what that means; as [`codemode::RuntimeBuilder::local`].
    pub fn local(mut self, local: Arc<dyn codemode::Local>) -> Self {
        self.local = Some(local);
        self
    }

    /// Adds a layer around the host. Calls of programs and direct calls pass through the same ones.
    pub fn layer(mut self, layer: Arc<dyn Layer>) -> Self {
        self.layers.push(layer);
        self
    }

    /// Sets which tools are called directly and which by programs. Without one, all are for programs and none is direct.
    pub fn inventory(mut self, inventory: Inventory) -> Self {
        self.inventory = Some(Arc::new(inventory));
        self
    }

    /// Keeps output that is too long to show in files, which the client reads as resources. Without one it is cut.
    pub fn spill(mut self, spill: Arc<FolderSpill>) -> Self {
        self.spill = Some(spill);
        self
    }

    /// Sets the most tokens of the description of `run_code`; 2,000 by default.
    pub fn description_tokens(mut self, tokens: usize) -> Self {
        self.description_tokens = tokens;
        self
    }

    /// Sets what a client is told about the whole server; some clients show it to their model.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = instructions.into();
        self
    }

    /// The server.
    ///
    /// # Errors
    /// As [`codemode::RuntimeBuilder::build`]: when the engine is not here, the budgets lie outside their ranges, or the profile
    /// wants a process of its own and there are no workers.
    pub fn build(self) -> Result<CodeServer, RuntimeError> {
        let programs = Arc::new(ProgramHost::new(Arc::clone(&self.host), self.inventory.clone()));
        // A server waits between programs, and its client waits for them.
        let mut runtime = Runtime::builder(Arc::clone(&programs) as _).profile(self.profile.clone()).ahead(true);
        #[cfg(feature = "workers")]
        if let Some(workers) = self.workers {
            runtime = runtime.workers(workers);
        }
        if let Some(local) = self.local {
            runtime = runtime.local(local);
        }
        if let Some(engine) = self.engine {
            runtime = runtime.engine(engine);
        }
        for layer in &self.layers {
            runtime = runtime.layer(Arc::clone(layer));
        }
        if let Some(spill) = self.spill {
            runtime = runtime.spill(spill);
        }
        let runtime = runtime.build()?;
        let mut layers = self.layers;
        // As the runtime does it: outermost first, those of one stage in the order in which they were added.
        layers.sort_by_key(|layer| layer.stage());
        let shared = Shared::new(Parts {
            host: self.host,
            programs,
            inventory: self.inventory,
            runtime,
            layers,
            profile: self.profile,
            description_tokens: self.description_tokens,
            instructions: self.instructions,
        });
        Ok(CodeServer { shared: Arc::new(shared) })
    }
}

impl fmt::Debug for CodeServerBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CodeServerBuilder")
            .field("profile", &self.profile.name())
            .field("engine", &self.engine)
            .finish_non_exhaustive()
    }
}
