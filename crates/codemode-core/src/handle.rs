//! The handle: a program's only way out of its interpreter.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::budget::Budgets;
use crate::catalog::Resolved;
use crate::guard::{Guard, Stopped};
use crate::json::Json;

/// The number of an ask within its run, counted from 1, alike at both ends of a pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(
    /// The number.
    pub u64,
);

/// What a program asks of its host.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ask {
    /// Use a tool.
    Call {
        /// The tool's name or alias.
        name: String,
        /// One JSON object.
        arguments: Json,
        /// Why, in the program's words, where the profile asks for it.
        intent: Option<String>,
    },
    /// The tools there are.
    List,
    /// Tools that fit these words.
    Search {
        /// The words.
        query: String,
        /// Whether a tool must fit all words, as in the profile `batch`, or any of them.
        all_words: bool,
        /// How many of the best are left out: where the next page begins.
        offset: usize,
        /// The most tools to give.
        limit: usize,
    },
    /// All about one tool.
    Describe {
        /// Its name or alias.
        name: String,
    },
    /// A piece of a binary part of a result.
    Open {
        /// The part's handle.
        handle: String,
        /// Where to begin, in bytes.
        offset: u64,
        /// The most bytes to give.
        limit: u64,
    },
    /// What is left of the budgets.
    Budget,
}

impl Ask {
    /// The size of its texts, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Call { name, arguments, intent } => name.len() + arguments.bytes() + intent.as_ref().map_or(0, String::len),
            Self::Search { query: text, .. } | Self::Describe { name: text } | Self::Open { handle: text, .. } => text.len(),
            Self::List | Self::Budget => 0,
        }
    }
}

/// An answer on its way to the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// What it answers.
    pub id: CallId,
    /// The answer.
    pub answer: Answer,
    /// How long it took.
    pub took: Duration,
}

/// What a wait ended with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// An answer came.
    Answer(Delivered),
    /// The time that was waited for has come.
    Due,
    /// Somebody called [`Handle::wake`]. Ends a wait for anything, never one for a single answer.
    Woken,
    /// The run is over.
    Stopped,
}

/// What lies under a handle: core's queue, or a child's pipe.
pub trait Port: Send + Sync {
    /// Sends an ask without blocking.
    ///
    /// # Errors
    /// When the run is over.
    fn start(&self, id: CallId, ask: Ask) -> Result<(), Stopped>;

    /// Waits for an answer, to `only` where it is given, at most until `until`. The clocks are the handle's.
    fn next(&self, only: Option<CallId>, until: Option<Instant>) -> Next;

    /// What a name stands for; may wait for a server.
    ///
    /// # Errors
    /// When the run is over.
    fn resolve(&self, name: &str) -> Result<Resolved, Stopped>;

    /// The names of the tools that programs can call, sorted.
    ///
    /// # Errors
    /// When the run is over.
    fn names(&self) -> Result<Vec<Arc<str>>, Stopped>;

    /// Takes text that the program printed.
    ///
    /// # Errors
    /// When the run is over: then nothing of it is kept.
    fn print(&self, text: &str) -> Result<(), Stopped>;

    /// Counts output that was printed and is not held: what does not fit need not travel.
    fn skipped(&self, bytes: u64);

    /// The most output that would still be held, in bytes of UTF-8: more than that need not be made.
    fn room(&self) -> u64;

    /// Ends a wait without an answer.
    fn wake(&self);

    /// Does something on the program's thread that counts against neither clock and holds nobody up.
    fn excused(&self, act: &mut dyn FnMut());

    /// Notes that a raw function which may change the world was used.
    fn raw_effect(&self);
}

/// A program's only way out: one a run, shared by whatever of the adapter needs it, `Stopped` ever after.
#[derive(Clone)]
pub struct Handle(Arc<Inner>);

struct Inner {
    port: Arc<dyn Port>,
    guard: Arc<Guard>,
    budgets: Budgets,
    clock: RunClock,
    asked: AtomicU64,
}

/// The run's own time and random numbers.
#[derive(Debug)]
pub struct RunClock {
    seed: Option<u64>,
    draws: AtomicU64,
    logical_ms: AtomicU64,
}

impl RunClock {
    /// The machine's time, and random numbers that differ from run to run.
    #[must_use]
    pub fn real() -> Self {
        Self { seed: None, draws: AtomicU64::new(fastrand::u64(..)), logical_ms: AtomicU64::new(0) }
    }

    /// A clock that starts at `start_ms` since 1970 and moves by a millisecond a look, and random numbers made from `seed`.
    #[must_use]
    pub fn deterministic(seed: u64, start_ms: u64) -> Self {
        Self { seed: Some(seed), draws: AtomicU64::new(seed), logical_ms: AtomicU64::new(start_ms) }
    }

    fn now_ms(&self) -> f64 {
        if self.seed.is_some() {
            return self.logical_ms.fetch_add(1, Ordering::Relaxed) as f64;
        }
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64() * 1000.0)
    }

    /// A logical clock is never set back.
    fn move_to(&self, ms: f64) {
        if self.seed.is_some() {
            // What a cast saturates at is later than anything that a run waits for.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast of a float saturates")]
            self.logical_ms.fetch_max(ms.ceil() as u64, Ordering::Relaxed);
        }
    }

    /// `SplitMix64` (Steele, Lea and Flood, 2014): a counter and a mix, so that draws need no lock.
    fn random(&self) -> u64 {
        let mut mixed = self.draws.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Handle {
    /// A handle over a port.
    #[must_use]
    pub fn new(port: Arc<dyn Port>, guard: Arc<Guard>, budgets: Budgets, clock: RunClock) -> Self {
        Self(Arc::new(Inner { port, guard, budgets, clock, asked: AtomicU64::new(0) }))
    }

    /// The interpreter's guard.
    #[must_use]
    pub fn guard(&self) -> &Arc<Guard> {
        &self.0.guard
    }

    /// The run's budgets.
    #[must_use]
    pub fn budgets(&self) -> &Budgets {
        &self.0.budgets
    }

    /// What a name stands for. Waits, off the compute clock, for a server that must be listed first.
    ///
    /// # Errors
    /// When the run is over.
    pub fn resolve(&self, name: &str) -> Result<Resolved, Stopped> {
        self.0.guard.check()?;
        self.0.port.resolve(name)
    }

    /// The names of the tools that programs can call, sorted.
    ///
    /// # Errors
    /// When the run is over.
    pub fn names(&self) -> Result<Vec<Arc<str>>, Stopped> {
        self.0.guard.check()?;
        self.0.port.names()
    }

    /// Submits an ask and does not block: core queues.
    ///
    /// # Errors
    /// When the run is over.
    pub fn start(&self, ask: Ask) -> Result<CallId, Stopped> {
        self.0.guard.check()?;
        let id = CallId(self.0.asked.fetch_add(1, Ordering::Relaxed) + 1);
        self.0.port.start(id, ask)?;
        Ok(id)
    }

    /// Waits for the next answer, off the compute clock; `until` serves timers.
    #[must_use]
    pub fn next(&self, until: Option<Instant>) -> Next {
        self.wait(None, until)
    }

    /// The same without touching the compute clock: for the host side of a worker, which does not compute.
    #[must_use]
    pub fn recv(&self, until: Option<Instant>) -> Next {
        self.0.port.next(None, until)
    }

    /// Submits an ask and waits for its own answer; answers to others stay in the queue.
    ///
    /// # Errors
    /// When the run is over.
    pub fn call(&self, ask: Ask) -> Result<Delivered, Stopped> {
        let id = self.start(ask)?;
        loop {
            match self.wait(Some(id), None) {
                Next::Answer(delivered) => return Ok(delivered),
                Next::Stopped => return Err(Stopped),
                Next::Due | Next::Woken => {}
            }
        }
    }

    /// Keeps what the program printed, as far as the output budget goes.
    ///
    /// # Errors
    /// When the run is over: then nothing of it is kept.
    pub fn print(&self, text: &str) -> Result<(), Stopped> {
        self.0.guard.check()?;
        self.0.port.print(text)
    }

    /// Counts output that the program printed and that is not held, for the host side of a worker, whose child has cut it already.
    pub fn skipped(&self, bytes: u64) {
        self.0.port.skipped(bytes);
    }

    /// The seed of a deterministic run and its time, in milliseconds since 1970: what a handle at the other end of a pipe begins with.
    #[must_use]
    pub fn seed(&self) -> Option<(u64, u64)> {
        let RunClock { seed, logical_ms, .. } = &self.0.clock;
        seed.map(|seed| (seed, logical_ms.load(Ordering::Relaxed)))
    }

    /// The most output that would still be held, in bytes of UTF-8. An adapter need not make text far beyond it.
    #[must_use]
    pub fn room(&self) -> u64 {
        self.0.port.room()
    }

    /// Does something of the adapter's that spends neither the compute nor the wall clock: waiting for the place or the process that the
    /// program is to run in. Other programs compute meanwhile. A stop does not end it, so that it must look at the guard itself.
    pub fn excused<T>(&self, act: impl FnOnce() -> T) -> Option<T> {
        let (mut act, mut done) = (Some(act), None);
        self.0.port.excused(&mut || done = act.take().map(|act| act()));
        done
    }

    /// Ends a wait in [`Handle::next`] from another thread.
    pub fn wake(&self) {
        self.0.port.wake();
    }

    /// Milliseconds since 1970: the machine's, or the run's own where it is deterministic.
    #[must_use]
    pub fn now_ms(&self) -> f64 {
        self.0.clock.now_ms()
    }

    /// Moves a deterministic clock to the time for which a timer was due, which fires now. The machine's clock moves by itself.
    pub fn timer_fired(&self, due_ms: f64) {
        self.0.clock.move_to(due_ms);
    }

    /// A random number: from the machine, or from the run's seed where it is deterministic.
    #[must_use]
    pub fn random(&self) -> u64 {
        self.0.clock.random()
    }

    /// Notes that a raw function which may change the world was used, so that the outcome's effects are `unknown`.
    pub fn raw_effect(&self) {
        self.0.port.raw_effect();
    }

    fn wait(&self, only: Option<CallId>, until: Option<Instant>) -> Next {
        self.0.guard.pause();
        let next = if self.0.guard.stopped() { Next::Stopped } else { self.0.port.next(only, until) };
        self.0.guard.resume();
        if self.0.guard.stopped() { Next::Stopped } else { next }
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Handle").field("guard", &self.0.guard).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deterministic_clock_moves_to_where_a_timer_was_due_and_never_back() {
        let clock = RunClock::deterministic(7, 1000);
        assert_eq!((clock.now_ms(), clock.now_ms()), (1000.0, 1001.0));
        clock.move_to(1500.5);
        assert_eq!(clock.now_ms(), 1501.0);
        clock.move_to(1200.0);
        assert_eq!(clock.now_ms(), 1502.0);
        let real = RunClock::real();
        real.move_to(f64::MAX);
        assert!(real.now_ms() < 1e15);
    }
}
