//! Workers that wait for programs: made ahead, by what was needed lately, and each for one kind of program of one principal.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use codemode_core::{Engine, Profile};

use super::engine::{Described, WorkerEngine};
use super::keeper;
use super::launch::Launch;
use super::process::Process;
use super::queue::Queue;
use super::start_error::StartError;
use crate::sandbox::{Enforced, SandboxOptions};
use crate::wire::{Hello, ToChild, VERSION};

/// The stack of a worker's main thread, in bytes: what an interpreter has in a thread of the host's.
const STACK_BYTES: u64 = 64 << 20;

/// What a process may take past twice the memory that its programs may hold, in bytes: itself. Engines hold programs to their budgets; this
/// is for what they do not count.
const PROCESS_BYTES: u64 = 64 << 20;

/// Programs that run at once, for each core, and at least.
const RUNNING_A_CORE: usize = 16;
const RUNNING_LEAST: usize = 32;

/// Workers that wait, for each core.
const WAITING_A_CORE: usize = 8;

/// Worker processes, and the engines that run programs in them. Cheap to clone; it ends its workers when the last clone and the last
/// engine are dropped.
#[derive(Debug, Clone)]
pub struct Workers {
    shared: Arc<Shared>,
    principal: Option<Arc<str>>,
}

/// Sets up [`Workers`].
#[derive(Debug, Clone)]
#[must_use]
pub struct WorkersBuilder(Options);

#[derive(Debug, Clone)]
pub(super) struct Options {
    launch: Launch,
    running_most: usize,
    waiting_most: usize,
    idle: Duration,
    runs_each: u32,
    require_sandbox: bool,
    namespaces: bool,
}

impl WorkersBuilder {
    /// How many programs run at once; others wait in the order in which they came, and spend no budget by it. By default 16 for each
    /// core, and at least 32; at least 1.
    ///
    /// A program that waits for a tool counts. A tool which itself runs programs through the same workers needs places of its own.
    pub fn running_most(mut self, programs: usize) -> Self {
        self.0.running_most = programs.max(1);
        self
    }

    /// How many workers wait at most for programs of one kind; by default 8 for each core. As many as ran at once lately are made ahead.
    pub fn waiting_most(mut self, workers: usize) -> Self {
        self.0.waiting_most = workers;
        self
    }

    /// How long a worker waits for a program before it ends; a minute by default.
    pub fn idle(mut self, idle: Duration) -> Self {
        self.0.idle = idle;
        self
    }

    /// How many programs a worker serves, each with a fresh interpreter; a thousand by default, at least 1. A session's worker serves
    /// its session for as long as that lasts.
    pub fn runs_each(mut self, runs: u32) -> Self {
        self.0.runs_each = runs.max(1);
        self
    }

    /// Gives each program, or each session, a process that served nobody before: for hosts that serve strangers through one pool and do not
    /// tell them apart by [`Workers::for_principal`].
    pub fn single_use(self) -> Self {
        self.runs_each(1)
    }

    /// Refuses to run a program where part of the sandbox does not hold on this machine, or where its authority `local` rules it out; by
    /// default what is missing is told by [`Workers::missing`] and logged once.
    pub fn require_sandbox(mut self, require: bool) -> Self {
        self.0.require_sandbox = require;
        self
    }

    /// Tries a user and a network namespace as well, which many machines do not allow.
    pub fn namespaces(mut self, namespaces: bool) -> Self {
        self.0.namespaces = namespaces;
        self
    }

    /// The workers, none of which is started yet.
    #[must_use]
    pub fn build(self) -> Workers {
        let queue = Queue::new(self.0.running_most);
        let shared = Arc::new(Shared {
            options: self.0,
            queue,
            shelves: Mutex::default(),
            described: Mutex::default(),
            missing: Mutex::default(),
            warned: Once::new(),
        });
        keeper::tend(&shared);
        Workers { shared, principal: None }
    }
}

impl Workers {
    /// Begins workers that are started so.
    pub fn builder(launch: Launch) -> WorkersBuilder {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        WorkersBuilder(Options {
            launch,
            running_most: (cores * RUNNING_A_CORE).max(RUNNING_LEAST),
            waiting_most: cores * WAITING_A_CORE,
            idle: Duration::from_secs(60),
            runs_each: 1000,
            require_sandbox: false,
            namespaces: false,
        })
    }

    /// The same workers for somebody of this name: no process serves two names.
    #[must_use]
    pub fn for_principal(&self, name: impl Into<Arc<str>>) -> Self {
        Self { shared: Arc::clone(&self.shared), principal: Some(name.into()) }
    }

    /// The engine of this id, running in workers. It starts a worker to ask what the engine supports, unless it has asked before.
    ///
    /// # Errors
    /// When no worker starts, or the worker has no such engine.
    pub fn engine(&self, id: &str) -> Result<Arc<dyn Engine>, StartError> {
        let described = self.shared.describe(id)?;
        Ok(Arc::new(WorkerEngine::new(Arc::clone(&self.shared), self.principal.clone(), described)))
    }

    /// The same engine as this one of the host's own, running in workers, which have it too. Nothing is started to ask them.
    #[must_use]
    pub fn engine_like(&self, engine: &dyn Engine) -> Arc<dyn Engine> {
        let described = self.shared.remember(engine);
        Arc::new(WorkerEngine::new(Arc::clone(&self.shared), self.principal.clone(), described))
    }

    /// Starts workers until `count` wait for programs of this engine and profile, with their interpreters made, and waits for that. They end
    /// when they were idle for long, as all do.
    ///
    /// # Errors
    /// When one does not start.
    pub fn warm(&self, id: &str, profile: &Profile, count: usize) -> Result<(), StartError> {
        let described = self.shared.describe(id)?;
        let key = Key::new(&described, self.principal.clone(), profile, false, profile.budgets.memory_bytes);
        let made: Result<Vec<_>, StartError> = (0..count)
            .map(|_| {
                let mut process = self.shared.start_now(&key)?;
                self.shared.make_ready(&mut process)?;
                Ok(process)
            })
            .collect();
        self.shared.shelve(&key, made?);
        Ok(())
    }

    /// What the sandbox of the workers that were started so far lacks on this machine, a sentence each; nothing where it is whole, or was not
    /// tried yet.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        lock(&self.shared.missing).clone()
    }

    /// How many processes there are: those that wait, and those that run a program or belong to a session.
    #[must_use]
    pub fn count(&self) -> usize {
        lock(&self.shared.shelves).values().map(|shelf| shelf.waiting.len() + shelf.leased).sum()
    }
}

/// What a worker is for. Workers of equal keys are alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key(Arc<KeyParts>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct KeyParts {
    engine: &'static str,
    principal: Option<Arc<str>>,
    /// The message that opens such an interpreter.
    open: Vec<u8>,
    local: bool,
    /// The most memory that its programs may hold: a power of two.
    memory_bytes: u64,
}

impl Key {
    pub(super) fn new(
        described: &Described,
        principal: Option<Arc<str>>,
        profile: &Profile,
        deterministic: bool,
        memory_bytes: u64,
    ) -> Self {
        let open = ToChild::Open { engine: described.id, profile: Box::new(profile.clone()), deterministic };
        let open = postcard::to_stdvec(&open).unwrap_or_default();
        let local = profile.authority == codemode_core::Authority::Local;
        Self(Arc::new(KeyParts {
            engine: described.id,
            principal,
            open,
            local,
            memory_bytes: memory_bytes.checked_next_power_of_two().unwrap_or(u64::MAX),
        }))
    }

    pub(super) fn is_local(&self) -> bool {
        self.0.local
    }
}

/// What all clones share.
#[derive(Debug)]
pub(super) struct Shared {
    options: Options,
    pub(super) queue: Queue,
    shelves: Mutex<HashMap<Key, Shelf>>,
    pub(super) described: Mutex<HashMap<String, Described>>,
    missing: Mutex<Vec<String>>,
    warned: Once,
}

/// The workers of one key.
#[derive(Debug, Default)]
struct Shelf {
    /// The one that was back last stands last.
    waiting: VecDeque<(Process, Instant)>,
    starting: usize,
    leased: usize,
    /// How many were leased at once lately.
    peak: usize,
}

/// How long a fresh interpreter takes at most, as a rule: a worker that was back longer ago has made it.
const RENEWS_WITHIN: Duration = Duration::from_millis(2);

impl Shelf {
    /// One that has its interpreter, where there is one, and of those the one that waits the least, so that those which are not needed end.
    fn take(&mut self) -> Option<Process> {
        self.waiting.retain(|(process, _)| !process.life.is_gone());
        let now = Instant::now();
        let rested = self.waiting.iter().rposition(|(_, since)| now.duration_since(*since) >= RENEWS_WITHIN);
        self.waiting.remove(rested.unwrap_or(0)).map(|(process, _)| process)
    }

    /// How many workers should wait now.
    fn wanted(&self, most: usize) -> usize {
        (self.peak + 1).saturating_sub(self.leased).max(1).min(most)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// A worker for this, which may not be ready yet, and whether it was just started.
    pub(super) fn lease(self: &Arc<Self>, key: &Key) -> Result<(Process, bool), StartError> {
        let mut shelves = lock(&self.shelves);
        let shelf = shelves.entry(key.clone()).or_default();
        let waiting = shelf.take();
        shelf.leased += 1;
        shelf.peak = shelf.peak.max(shelf.leased);
        drop(shelves);
        let leased = match waiting {
            Some(process) => Ok((process, false)),
            None => self.start_now(key).map(|process| (process, true)),
        };
        if leased.is_err() {
            self.let_go(key);
        }
        self.make_ahead(key);
        leased
    }

    /// A leased worker is no more.
    pub(super) fn let_go(&self, key: &Key) {
        if let Some(shelf) = lock(&self.shelves).get_mut(key) {
            shelf.leased = shelf.leased.saturating_sub(1);
        }
    }

    /// A leased worker serves others from now on, or ends where it is not needed.
    pub(super) fn give_back(&self, key: &Key, process: Process) {
        let mut shelves = lock(&self.shelves);
        let Some(shelf) = shelves.get_mut(key) else { return };
        shelf.leased = shelf.leased.saturating_sub(1);
        let wanted = shelf.wanted(self.options.waiting_most);
        let unneeded = if shelf.waiting.len() >= wanted {
            Some(process)
        } else {
            shelf.waiting.push_back((process, Instant::now()));
            None
        };
        // A kill takes its time.
        drop(shelves);
        drop(unneeded);
    }

    /// Whether a worker may run another program after this one.
    pub(super) fn is_worn(&self, process: &Process) -> bool {
        process.runs >= self.options.runs_each
    }

    fn shelve(&self, key: &Key, processes: Vec<Process>) {
        let mut shelves = lock(&self.shelves);
        let shelf = shelves.entry(key.clone()).or_default();
        let now = Instant::now();
        shelf.waiting.extend(processes.into_iter().map(|process| (process, now)));
        shelf.peak = shelf.peak.max(shelf.waiting.len());
    }

    /// Starts what should wait and does not.
    fn make_ahead(self: &Arc<Self>, key: &Key) {
        let mut shelves = lock(&self.shelves);
        let Some(shelf) = shelves.get_mut(key) else { return };
        let wanted = if self.options.runs_each == 1 { 1 } else { shelf.wanted(self.options.waiting_most) };
        let missing = wanted.saturating_sub(shelf.waiting.len() + shelf.starting);
        shelf.starting += missing;
        drop(shelves);
        for _ in 0..missing {
            let (shared, key) = (Arc::downgrade(self), key.clone());
            keeper::start(move || {
                let Some(shared) = shared.upgrade() else { return };
                let started = shared.start(&key);
                let mut shelves = lock(&shared.shelves);
                let Some(shelf) = shelves.get_mut(&key) else { return };
                shelf.starting = shelf.starting.saturating_sub(1);
                match started {
                    Ok(process) => shelf.waiting.push_back((process, Instant::now())),
                    Err(error) => tracing::warn!(%error, "no worker was made ahead"),
                }
            });
        }
    }

    /// Starts one and waits until it is started, which is not until it is ready.
    pub(super) fn start_now(self: &Arc<Self>, key: &Key) -> Result<Process, StartError> {
        let (shared, key) = (Arc::clone(self), key.clone());
        on_keeper(move || shared.start(&key))
    }

    fn start(&self, key: &Key) -> Result<Process, StartError> {
        let hello = self.hello(key.0.local, Some(key.0.memory_bytes));
        if self.options.require_sandbox && !hello.sandbox.enabled {
            return Err(StartError::lasting(
                "a sandbox is required, and there is none with authority `local`; set the authority to `none`, or do not require it"
                    .to_owned(),
            ));
        }
        let mut process = Process::spawn(&self.options.launch, &hello)?;
        process.open(&key.0.open)?;
        Ok(process)
    }

    /// Starts one that has no interpreter.
    pub(super) fn start_bare(self: &Arc<Self>) -> Result<Process, StartError> {
        let shared = Arc::clone(self);
        let mut process = on_keeper(move || Process::spawn(&shared.options.launch, &shared.hello(false, None)))?;
        self.look_at(process.ready()?)?;
        Ok(process)
    }

    /// Waits until a worker has its interpreter and looks at what holds it.
    pub(super) fn make_ready(&self, process: &mut Process) -> Result<(), StartError> {
        process.opened()?;
        self.look_at(process.ready()?)
    }

    fn hello(&self, local: bool, memory_bytes: Option<u64>) -> Hello {
        let sandbox = SandboxOptions {
            enabled: !local,
            folder: None,
            memory_bytes: memory_bytes.map(|bytes| bytes.saturating_mul(2).saturating_add(PROCESS_BYTES)),
            compute_seconds: None,
            keep: Vec::new(),
            namespaces: self.options.namespaces,
        };
        Hello { version: VERSION, stack_bytes: STACK_BYTES, sandbox }
    }

    fn look_at(&self, enforced: &Enforced) -> Result<(), StartError> {
        if enforced.is_whole() {
            return Ok(());
        }
        let missing = enforced.missing();
        let text = missing.join("; ");
        lock(&self.missing).clone_from(&missing);
        if self.options.require_sandbox {
            return Err(StartError::lasting(format!("the sandbox is required, and not whole on this machine: {text}")));
        }
        self.warned.call_once(|| tracing::warn!("the sandbox of worker processes is not whole on this machine: {text}"));
        Ok(())
    }

    /// When the next idle worker is to end.
    pub(super) fn next_idle(&self) -> Option<Instant> {
        let shelves = lock(&self.shelves);
        shelves.values().flat_map(|shelf| shelf.waiting.iter()).filter_map(|(_, since)| since.checked_add(self.options.idle)).min()
    }

    /// Ends workers that were idle for long, and those that died.
    pub(super) fn end_idle(&self, now: Instant) {
        let mut ended: Vec<VecDeque<(Process, Instant)>> = Vec::new();
        let mut shelves = lock(&self.shelves);
        for shelf in shelves.values_mut() {
            let before = shelf.waiting.len();
            let (stay, go) = std::mem::take(&mut shelf.waiting)
                .into_iter()
                .partition(|(process, since)| now.duration_since(*since) < self.options.idle && !process.life.is_gone());
            shelf.waiting = stay;
            ended.push(go);
            if shelf.waiting.len() < before {
                shelf.peak = shelf.peak.min(shelf.leased + shelf.waiting.len());
            }
        }
        shelves.retain(|_, shelf| shelf.leased + shelf.starting + shelf.waiting.len() > 0);
        drop(shelves);
    }
}

fn on_keeper(start: impl FnOnce() -> Result<Process, StartError> + Send + 'static) -> Result<Process, StartError> {
    let (told, tells) = sync_channel(1);
    let asked = keeper::start(move || {
        let _ = told.send(start());
    });
    let lost = || StartError::lasting("there is no thread to start it on".to_owned());
    if asked { tells.recv().map_err(|_| lost())? } else { Err(lost()) }
}
