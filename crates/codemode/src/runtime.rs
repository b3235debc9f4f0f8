//! The runtime: an engine chosen by profile or by name, around one tool host.

use std::sync::Arc;

use codemode_core::{
    Engine, HostError, Isolation, Journal, Layer, Local, Observer, Profile, Run, RunRequest, Runner, Session, Spill, ToolHost,
};
#[cfg(feature = "workers")]
use codemode_worker::{StartError, Workers};

use crate::engines::{EngineMissing, engine_for, engines, named};

/// Runs programs over one tool host. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Runtime {
    runner: Runner,
}

/// A runtime that cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// The engine is not here.
    #[error(transparent)]
    Engine(#[from] EngineMissing),
    /// The profile's budgets or its form do not fit.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The profile wants a worker process.
    #[error(
        "profile \"{0}\" wants a worker process, and the runtime was given none; give it `workers`, which needs the cargo feature \
         `workers` and a program that is the worker, or set the profile's isolation to `Thread`"
    )]
    NoWorker(&'static str),
    /// No worker process starts, or what starts is none.
    #[cfg(feature = "workers")]
    #[error(transparent)]
    Worker(#[from] StartError),
}

impl Runtime {
    /// Begins a runtime of the profile `script` over this host.
    pub fn builder(host: Arc<dyn ToolHost>) -> RuntimeBuilder {
        RuntimeBuilder {
            host,
            engine: None,
            profile: Profile::script(),
            layers: Vec::new(),
            observer: None,
            spill: None,
            journal: None,
            seed: None,
            ahead: false,
            local: None,
            #[cfg(feature = "workers")]
            workers: None,
        }
    }

    /// Starts a program. Nothing happens before the run is polled.
    pub fn run(&self, request: RunRequest) -> Run {
        self.runner.run(request)
    }

    /// A session: runs, one at a time, that share an interpreter.
    #[must_use]
    pub fn session(&self) -> Session {
        self.runner.session()
    }

    /// The runner underneath.
    #[must_use]
    pub fn runner(&self) -> &Runner {
        &self.runner
    }
}

/// Sets up a [`Runtime`].
#[must_use]
pub struct RuntimeBuilder {
    host: Arc<dyn ToolHost>,
    engine: Option<String>,
    profile: Profile,
    layers: Vec<Arc<dyn Layer>>,
    observer: Option<Arc<dyn Observer>>,
    spill: Option<Arc<dyn Spill>>,
    journal: Option<Arc<dyn Journal>>,
    seed: Option<u64>,
    ahead: bool,
    local: Option<Arc<dyn Local>>,
    #[cfg(feature = "workers")]
    workers: Option<Workers>,
}

impl RuntimeBuilder {
    /// Chooses an engine by its word; by default it is the first compiled in that has the profile's form.
    pub fn engine(mut self, id: impl Into<String>) -> Self {
        self.engine = Some(id.into());
        self
    }

    /// Sets what programs see and what they get back.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Adds a layer around the host.
    pub fn layer(mut self, layer: Arc<dyn Layer>) -> Self {
        self.layers.push(layer);
        self
    }

    /// Tells `observer` what happens in each run.
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Sends output that is too long to show through `spill`. Without one it is cut, and the rest is gone.
    pub fn spill(mut self, spill: Arc<dyn Spill>) -> Self {
        self.spill = Some(spill);
        self
    }

    /// Tells `journal` where runs begin and end and what they commit, and waits for it; without one, state lives as long as a
    /// [`Session`].
    pub fn journal(mut self, journal: Arc<dyn Journal>) -> Self {
        self.journal = Some(journal);
        self
    }

    /// Opens a fresh interpreter after each run for the next one, which then starts sooner; not so by default.
    pub fn ahead(mut self, ahead: bool) -> Self {
        self.ahead = ahead;
        self
    }

    /// Runs programs in these worker processes, where the profile's isolation is [`Isolation::Process`].
    #[cfg(feature = "workers")]
    pub fn workers(mut self, workers: Workers) -> Self {
        self.workers = Some(workers);
        self
    }

    /// Gives cells of a profile with authority `local` files, processes and imports: `codemode_workspace::Machine`, as a rule.
    /// In a worker process they are performed by the service that the worker gave to `workers::serve`, and this one says that it did.
    pub fn local(mut self, local: Arc<dyn Local>) -> Self {
        self.local = Some(local);
        self
    }

    /// Makes each run the same, as far as its tools are.
    pub fn deterministic(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The runtime.
    ///
    /// # Errors
    /// When the engine is not here, the profile's budgets lie outside their ranges, or it wants a worker process and there are none.
    pub fn build(self) -> Result<Runtime, RuntimeError> {
        let engine = match self.profile.isolation {
            Isolation::Thread => self.chosen(engines())?,
            // Whatever else a later version may add is stronger than a thread.
            _ => self.in_worker()?,
        };
        let mut builder = Runner::builder(engine, self.profile, self.host).ahead(self.ahead);
        if let Some(local) = self.local {
            builder = builder.local(local);
        }
        for layer in self.layers {
            builder = builder.layer(layer);
        }
        if let Some(observer) = self.observer {
            builder = builder.observer(observer);
        }
        if let Some(spill) = self.spill {
            builder = builder.spill(spill);
        }
        if let Some(journal) = self.journal {
            builder = builder.journal(journal);
        }
        if let Some(seed) = self.seed {
            builder = builder.deterministic(seed);
        }
        Ok(Runtime { runner: builder.build()? })
    }

    /// The engine that was asked for, or else the first that has the profile's form.
    fn chosen(&self, engines: Vec<Arc<dyn Engine>>) -> Result<Arc<dyn Engine>, EngineMissing> {
        match &self.engine {
            Some(id) => named(id, engines),
            None => engine_for(self.profile.form, engines),
        }
    }

    #[cfg(not(feature = "workers"))]
    fn in_worker(&self) -> Result<Arc<dyn Engine>, RuntimeError> {
        Err(RuntimeError::NoWorker(self.profile.name()))
    }

    /// What is compiled in here is in the worker as well, as a rule, and nothing need be asked; a host without engines asks.
    #[cfg(feature = "workers")]
    fn in_worker(&self) -> Result<Arc<dyn Engine>, RuntimeError> {
        let Some(workers) = &self.workers else { return Err(RuntimeError::NoWorker(self.profile.name())) };
        if let Ok(engine) = self.chosen(crate::workers::engines()) {
            return Ok(workers.engine_like(&*engine));
        }
        let language = if self.profile.form == codemode_core::Form::Script { "luajit" } else { "quickjs" };
        Ok(workers.engine(self.engine.as_deref().unwrap_or(language))?)
    }
}

impl std::fmt::Debug for RuntimeBuilder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("RuntimeBuilder").field("engine", &self.engine).field("profile", &self.profile).finish_non_exhaustive()
    }
}
