//! The seat of an interpreter: the thread that opens, runs and drops it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

use tokio::sync::oneshot;

use super::exchange::Exchange;
use crate::engine::{End, Ended, Engine, EngineError, Input, Interpreter, OpenSpec};
use crate::guard::Guard;
use crate::handle::Handle;

/// Threads that were given up on and have not ended yet, in this process.
static LEFT_BEHIND: AtomicUsize = AtomicUsize::new(0);

/// How many interpreter threads of this process were given up on and still sit in a call that cannot be stopped.
#[must_use]
pub fn threads_left_behind() -> usize {
    LEFT_BEHIND.load(Ordering::SeqCst)
}

/// What one run of a thread came to.
pub(super) enum Returned {
    Ended(Ended),
    Broke(EngineError),
    Panicked(String),
}

impl Returned {
    /// Whether it did not come to its end, and no bound was why.
    pub(super) fn is_a_death(&self) -> bool {
        match self {
            Self::Ended(ended) => matches!(ended.end, End::Died(_)),
            Self::Broke(_) | Self::Panicked(_) => true,
        }
    }
}

pub(super) struct Job {
    pub(super) input: Input,
    pub(super) handle: Handle,
    pub(super) exchange: Occupied,
    pub(super) done: oneshot::Sender<Returned>,
}

/// The exchange of a run that a thread is at, which is over at the latest when this is dropped: in a panic, or with a thread
/// that is gone.
pub(super) struct Occupied(pub(super) Arc<Exchange>);

impl std::ops::Deref for Occupied {
    type Target = Exchange;

    fn deref(&self) -> &Exchange {
        &self.0
    }
}

impl Drop for Occupied {
    fn drop(&mut self) {
        self.0.over();
    }
}

/// A thread with an interpreter. Dropping it lets the thread end after its run.
pub(super) struct Seat {
    jobs: mpsc::Sender<Job>,
    pub(super) guard: Arc<Guard>,
    left_behind: Arc<AtomicBool>,
    /// The interpreter is gone: a bound fired, or the engine broke.
    ended: Arc<AtomicBool>,
}

impl Seat {
    /// Starts a thread; the interpreter is opened there for the first job.
    pub(super) fn start(engine: Arc<dyn Engine>, spec: OpenSpec, keep: bool) -> std::io::Result<Self> {
        Self::begin(engine, spec, keep, false)
    }

    /// Starts a thread that opens its interpreter at once, for one job that may come later.
    pub(super) fn ahead(engine: Arc<dyn Engine>, spec: OpenSpec) -> std::io::Result<Self> {
        Self::begin(engine, spec, false, true)
    }

    fn begin(engine: Arc<dyn Engine>, spec: OpenSpec, keep: bool, ahead: bool) -> std::io::Result<Self> {
        let (jobs, inbox) = mpsc::channel();
        let guard = Guard::new();
        let left_behind = Arc::new(AtomicBool::new(false));
        let ended = Arc::new(AtomicBool::new(false));
        if ahead {
            // What an adapter asks of its guard while it opens is answered as in a run; the driver arms it anew for the job.
            guard.arm(&spec.profile.budgets);
        }
        let occupant = Occupant { engine, spec, guard: Arc::clone(&guard), keep, ahead, ended: Arc::clone(&ended) };
        let flag = Arc::clone(&left_behind);
        std::thread::Builder::new().name(format!("codemode-{}", occupant.engine.id())).stack_size(occupant.spec.stack_bytes).spawn(
            move || {
                occupant.serve(&inbox);
                if flag.swap(true, Ordering::SeqCst) {
                    LEFT_BEHIND.fetch_sub(1, Ordering::SeqCst);
                }
            },
        )?;
        Ok(Self { jobs, guard, left_behind, ended })
    }

    /// Gives the thread a run. False when the thread is gone.
    pub(super) fn give(&self, job: Job) -> bool {
        self.jobs.send(job).is_ok()
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// How the watchdog gives up on the thread.
    pub(super) fn left_behind(&self) -> LeftBehind {
        LeftBehind { counted: Arc::clone(&self.left_behind), ended: Arc::clone(&self.ended) }
    }
}

/// Gives up on a thread: nobody waits for it any more, and it is counted until it ends by itself.
pub(super) struct LeftBehind {
    counted: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl LeftBehind {
    pub(super) fn leave(&self) {
        LEFT_BEHIND.fetch_add(1, Ordering::SeqCst);
        self.ended.store(true, Ordering::SeqCst);
        if self.counted.swap(true, Ordering::SeqCst) {
            // The thread ended in between.
            LEFT_BEHIND.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

struct Occupant {
    engine: Arc<dyn Engine>,
    spec: OpenSpec,
    guard: Arc<Guard>,
    keep: bool,
    /// The interpreter is opened before there is a job.
    ahead: bool,
    ended: Arc<AtomicBool>,
}

impl Occupant {
    fn open(&self) -> Result<Box<dyn Interpreter>, Box<Returned>> {
        match catch_unwind(AssertUnwindSafe(|| self.engine.open(&self.spec, &self.guard))) {
            Ok(Ok(interpreter)) => Ok(interpreter),
            Ok(Err(error)) => Err(Box::new(Returned::Broke(error))),
            Err(panic) => Err(Box::new(Returned::Panicked(panic_text(&*panic)))),
        }
    }

    /// Runs jobs. The interpreter is opened and dropped inside the same protection as the runs, and a run's result is sent
    /// after the drop where there will be no other run, so that what a host is told of is really over, and a drop that
    /// hangs is given up on as a run is.
    fn serve(&self, jobs: &mpsc::Receiver<Job>) {
        let mut last: Option<(Job, Returned)> = None;
        let outcome = catch_unwind(AssertUnwindSafe(|| self.serve_with_one_interpreter(jobs, &mut last)));
        self.guard.pause();
        self.ended.store(true, Ordering::SeqCst);
        if let Some((job, returned)) = last.take() {
            // A panic in the drop of an interpreter comes after its run, whose result stands.
            job.exchange.over();
            let _ = job.done.send(returned);
        } else if let Err(panic) = outcome {
            tracing::error!(engine = self.engine.id(), panic = panic_text(&*panic), "an interpreter thread panicked");
        }
    }

    fn serve_with_one_interpreter(&self, jobs: &mpsc::Receiver<Job>, last: &mut Option<(Job, Returned)>) {
        let opened = self.ahead.then(|| self.open());
        let Ok(mut job) = jobs.recv() else { return };
        job.exchange.slot.take(&self.guard);
        self.guard.resume();
        let mut interpreter = match opened.unwrap_or_else(|| self.open()) {
            Ok(interpreter) => interpreter,
            Err(returned) => {
                *last = Some((job, *returned));
                return;
            }
        };
        loop {
            job.exchange.running(interpreter.interrupt());
            let returned = match catch_unwind(AssertUnwindSafe(|| interpreter.run(&job.input, &job.handle))) {
                Ok(Ok(ended)) => Returned::Ended(ended),
                Ok(Err(error)) => Returned::Broke(error),
                Err(panic) => Returned::Panicked(panic_text(&*panic)),
            };
            let usable = matches!(&returned, Returned::Ended(ended) if !matches!(ended.end, End::Stopped | End::Died(_)));
            // The pause may find the compute budget spent, which ends the interpreter as any bound does.
            self.guard.pause();
            if !self.keep || !usable || self.guard.stopped() {
                // What the drop does is computing too: finalisers of the program's may run there.
                self.guard.resume();
                *last = Some((job, returned));
                return;
            }
            job.exchange.over();
            let _ = job.done.send(returned);
            match jobs.recv() {
                Ok(next) => job = next,
                Err(mpsc::RecvError) => return,
            }
            job.exchange.slot.take(&self.guard);
            self.guard.resume();
        }
    }
}

/// Does something on a thread with this stack, and waits for it. A panic in it is the caller's, as if it had been done here.
///
/// Where the system gives no thread it is done on the caller's own stack, which deep input may overflow no sooner than without
/// all this.
pub(super) fn with_a_stack_of<T: Send>(bytes: usize, act: impl Fn() -> T + Sync) -> T {
    let act = &act;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("codemode-check".to_owned()).stack_size(bytes).spawn_scoped(scope, act);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(done)) => done,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => act(),
        }
    })
}

/// What a panic says of itself, bounded.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    crate::text::cut(text.unwrap_or("no message"), 500).into_owned()
}
