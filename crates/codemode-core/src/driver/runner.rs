//! The runner: an engine, a profile, a host and layers, from which runs and sessions are started.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::drive::Drive;
use super::run::Run;
use super::seat::{Seat, threads_left_behind};
use super::session::Session;
use crate::budget::{BudgetError, Budgets};
use crate::call::RunId;
use crate::engine::{Engine, EngineError, OpenSpec, Raised};
use crate::handle::RunClock;
use crate::host::ToolHost;
use crate::journal::{Journal, JournalError, Recorder};
use crate::json::Json;
use crate::layer::Layer;
use crate::observe::Observer;
use crate::profile::{Authority, Form, Profile};
use crate::spill::Spill;

/// The stack of an interpreter's thread, in bytes: so much that deep recursion in a parser or a matcher cannot overflow it.
/// It is reserved, not used.
const STACK_BYTES: usize = 64 << 20;
/// How long a host waits past a bound for a thread that is stuck.
const GRACE: Duration = Duration::from_secs(2);
/// How many threads may be left behind before no other run is started.
const LEFT_BEHIND_LIMIT: usize = 8;

/// One program to run.
#[derive(Clone)]
#[non_exhaustive]
pub struct RunRequest {
    /// The program.
    pub source: Arc<str>,
    /// Why it is run; some profiles need it.
    pub intent: Option<String>,
    /// Limits of this run; the profile's where absent.
    pub budgets: Option<Budgets>,
    /// The working directory that the program is told.
    pub cwd: Arc<str>,
    /// State to begin with, for a profile that has it. What a run of the same session committed comes first, and what a journal
    /// gives comes before both.
    pub state: Option<Json>,
    /// The run's name; a fresh one where absent.
    pub run: Option<RunId>,
    /// The turn of the agent that starts it.
    pub parent_turn: Option<Arc<str>>,
    /// The session it belongs to.
    pub session: Option<Arc<str>>,
    /// Sees what happens in this run, after the runner's own observer.
    pub observer: Option<Arc<dyn Observer>>,
}

impl RunRequest {
    /// A request to run this program under the profile's own limits.
    #[must_use]
    pub fn new(source: impl Into<Arc<str>>) -> Self {
        Self {
            source: source.into(),
            intent: None,
            budgets: None,
            cwd: Arc::from("."),
            state: None,
            run: None,
            parent_turn: None,
            session: None,
            observer: None,
        }
    }

    /// Tells `observer` what happens in this run alone.
    #[must_use]
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Sets the limits of this run.
    #[must_use]
    pub fn with_budgets(mut self, budgets: Budgets) -> Self {
        self.budgets = Some(budgets);
        self
    }

    /// Sets the working directory that the program is told.
    #[must_use]
    pub fn with_cwd(mut self, cwd: impl Into<Arc<str>>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// Sets the state to begin with.
    #[must_use]
    pub fn with_state(mut self, state: Json) -> Self {
        self.state = Some(state);
        self
    }

    /// Says why it is run.
    #[must_use]
    pub fn with_intent(mut self, intent: impl Into<String>) -> Self {
        self.intent = Some(intent.into());
        self
    }
}

impl fmt::Debug for RunRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RunRequest")
            .field("source", &self.source)
            .field("intent", &self.intent)
            .field("budgets", &self.budgets)
            .field("run", &self.run)
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

/// The host or an adapter broke, or the host asked for what cannot be. Never anything that a program did.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// A budget lies outside its range.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// The engine broke, or cannot do what it was asked for.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Too many threads sit in calls that cannot be stopped.
    #[error(
        "{left_behind} interpreter threads are stuck in calls that cannot be stopped, and at most {limit} may be; \
         restart the host, or run programs in worker processes"
    )]
    TooManyLeftBehind {
        /// How many there are.
        left_behind: usize,
        /// How many there may be.
        limit: usize,
    },
    /// No thread could be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
    /// Something of the host's panicked before the run began.
    #[error("{place} panicked: {message}")]
    Panicked {
        /// What did.
        place: &'static str,
        /// What the panic says of itself, at most 500 bytes.
        message: String,
    },
    /// The profile wants to know why a program is run, and the request does not say it.
    #[error("profile {profile} needs an intent, and the request has none or a blank one; say in a few words what the run is for")]
    IntentMissing {
        /// The profile's name.
        profile: &'static str,
    },
    /// The journal could not record the start.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Runs programs. Cheap to clone; runs of one runner are independent of each other.
#[derive(Clone)]
pub struct Runner(pub(super) Arc<Setup>);

/// Everything that runs of one runner share.
pub(super) struct Setup {
    pub(super) engine: Arc<dyn Engine>,
    pub(super) spec: OpenSpec,
    pub(super) host: Arc<dyn ToolHost>,
    pub(super) layers: Vec<Arc<dyn Layer>>,
    pub(super) observer: Option<Arc<dyn Observer>>,
    pub(super) spill: Option<Arc<dyn Spill>>,
    pub(super) journal: Option<Arc<dyn Journal>>,
    pub(super) recorder: Option<Arc<dyn Recorder>>,
    pub(super) seed: Option<u64>,
    pub(super) grace: Duration,
    left_behind_limit: usize,
    /// The seat of the next plain run, where one is made ahead; a mutex of nothing until then.
    ahead: Option<Mutex<Option<Seat>>>,
}

impl Runner {
    /// Begins a runner of this engine, profile and host.
    pub fn builder(engine: Arc<dyn Engine>, profile: Profile, host: Arc<dyn ToolHost>) -> RunnerBuilder {
        RunnerBuilder(Setup {
            engine,
            spec: OpenSpec { profile, deterministic: false, stack_bytes: STACK_BYTES, local: None },
            host,
            layers: Vec::new(),
            observer: None,
            spill: None,
            journal: None,
            recorder: None,
            seed: None,
            grace: GRACE,
            left_behind_limit: LEFT_BEHIND_LIMIT,
            ahead: None,
        })
    }

    /// The profile that programs run under.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.0.spec.profile
    }

    /// The engine that runs them.
    #[must_use]
    pub fn engine(&self) -> &Arc<dyn Engine> {
        &self.0.engine
    }

    /// Parses a program and runs nothing. Blocks its thread until the parser is done.
    ///
    /// Parsers recurse, so that the engine's works on a thread with an interpreter's stack, whatever the caller's is.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self, source: &str) -> Result<(), Raised> {
        if let Some(raised) = super::finish::too_large(source, &self.0.spec.profile.budgets) {
            return Err(raised);
        }
        super::seat::with_a_stack_of(self.0.spec.stack_bytes, || self.0.engine.check(&self.0.spec, source))
    }

    /// Starts a program on an interpreter of its own. Nothing happens before the run is polled.
    pub fn run(&self, request: RunRequest) -> Run {
        let setup = Arc::clone(&self.0);
        Run::new(move |stopper| async move {
            setup.may_start()?;
            let seat = setup.seat()?;
            let outcome = Drive::new(Arc::clone(&setup), request, &seat, stopper).await?.complete(&seat).await;
            setup.prepare();
            outcome
        })
    }

    /// A session: runs, one at a time, on one interpreter that is replaced when a bound ends it.
    #[must_use]
    pub fn session(&self) -> Session {
        Session::new(Arc::clone(&self.0))
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Runner").field("engine", &self.0.engine.id()).field("spec", &self.0.spec).finish_non_exhaustive()
    }
}

impl Setup {
    pub(super) fn may_start(&self) -> Result<(), HostError> {
        let left_behind = threads_left_behind();
        if left_behind > self.left_behind_limit {
            return Err(HostError::TooManyLeftBehind { left_behind, limit: self.left_behind_limit });
        }
        Ok(())
    }

    /// Whether programs of the profile get the authority `local`: a script from its engine, a cell from a service of the host's as well.
    fn grants_local(&self) -> bool {
        let support = self.engine.support();
        match self.spec.profile.form {
            Form::Script => support.grant_local,
            Form::Cell => support.grant_local || (support.pass_local && self.spec.local.is_some()),
            Form::Batch | Form::Program => false,
        }
    }

    /// A seat for one plain run: the one that was made ahead, if there is one.
    fn seat(&self) -> std::io::Result<Seat> {
        let made = self.ahead.as_ref().and_then(|ahead| ahead.lock().unwrap_or_else(PoisonError::into_inner).take());
        match made {
            Some(seat) => Ok(seat),
            None => Seat::start(Arc::clone(&self.engine), self.spec.clone(), false),
        }
    }

    /// Makes the next run's interpreter. A run is over now, so that this is in nobody's way.
    fn prepare(&self) {
        let Some(ahead) = &self.ahead else { return };
        let mut ahead = ahead.lock().unwrap_or_else(PoisonError::into_inner);
        if ahead.is_none() {
            // Where there is no thread now, the next run tries for itself, and tells of it.
            *ahead = Seat::ahead(Arc::clone(&self.engine), self.spec.clone()).ok();
        }
    }

    pub(super) fn clock(&self) -> RunClock {
        /// 2026-01-01 in milliseconds: a deterministic run has to begin at some time.
        const DETERMINISTIC_START_MS: u64 = 1_767_225_600_000;
        self.seed.map_or_else(RunClock::real, |seed| RunClock::deterministic(seed, DETERMINISTIC_START_MS))
    }
}

/// Sets up a [`Runner`].
#[must_use]
pub struct RunnerBuilder(Setup);

impl RunnerBuilder {
    /// Adds a layer around the host.
    pub fn layer(mut self, layer: Arc<dyn Layer>) -> Self {
        self.0.layers.push(layer);
        self
    }

    /// Tells `observer` what happens in each run.
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.0.observer = Some(observer);
        self
    }

    /// Sends output that is too long to show through `spill`.
    pub fn spill(mut self, spill: Arc<dyn Spill>) -> Self {
        self.0.spill = Some(spill);
        self
    }

    /// Tells `journal` where runs begin and end, and waits for it.
    pub fn journal(mut self, journal: Arc<dyn Journal>) -> Self {
        self.0.journal = Some(journal);
        self
    }

    /// Lets `recorder` see, or answer, every ask.
    pub fn recorder(mut self, recorder: Arc<dyn Recorder>) -> Self {
        self.0.recorder = Some(recorder);
        self
    }

    /// Gives engines without files of their own what authority `local` means.
    pub fn local(mut self, local: Arc<dyn crate::local::Local>) -> Self {
        self.0.spec.local = Some(local);
        self
    }

    /// Makes each run the same: iteration order, addresses, clocks and random numbers follow from `seed`.
    pub fn deterministic(mut self, seed: u64) -> Self {
        self.0.spec.deterministic = true;
        self.0.seed = Some(seed);
        self
    }

    /// Opens a fresh interpreter after each plain run, for the next one, which then starts sooner. It is kept while nothing runs,
    /// with its memory and its thread; not so by default.
    pub fn ahead(mut self, ahead: bool) -> Self {
        self.0.ahead = ahead.then(Mutex::default);
        self
    }

    /// How long the host waits past a bound for a thread that is stuck in a call, 2 s by default.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.0.grace = grace;
        self
    }

    /// How many threads may be left behind in this process before no other run is started, 8 by default.
    pub fn left_behind_limit(mut self, limit: usize) -> Self {
        self.0.left_behind_limit = limit;
        self
    }

    /// The runner.
    ///
    /// # Errors
    /// When the profile's own budgets lie outside its ceilings, or the engine has no such form, cannot give local authority, or
    /// cannot be deterministic.
    pub fn build(mut self) -> Result<Runner, HostError> {
        let profile = &self.0.spec.profile;
        profile.ceilings.check(&profile.budgets)?;
        if !self.0.engine.support().form(profile.form) {
            let message = format!("has no profile {}", profile.name());
            return Err(EngineError { engine: self.0.engine.id(), message }.into());
        }
        if profile.authority == Authority::Local && !self.0.grants_local() {
            let message = format!("cannot give profile {} the authority `local` here; set its authority to `none`", profile.name());
            return Err(EngineError { engine: self.0.engine.id(), message }.into());
        }
        if self.0.spec.deterministic && !self.0.engine.support().run_deterministic {
            let message = "cannot make each run the same; leave `deterministic` out".to_owned();
            return Err(EngineError { engine: self.0.engine.id(), message }.into());
        }
        self.0.layers.sort_by_key(|layer| layer.stage());
        Ok(Runner(Arc::new(self.0)))
    }
}

impl fmt::Debug for RunnerBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunnerBuilder").field("engine", &self.0.engine.id()).field("spec", &self.0.spec).finish_non_exhaustive()
    }
}
