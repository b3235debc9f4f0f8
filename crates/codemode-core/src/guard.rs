//! The guard of an interpreter: the latch, the meter of memory and the compute clock, all atomics.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::budget::Budgets;
use crate::kind::Bound;

/// The run was stopped: nothing more is done for its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the run was stopped")]
pub struct Stopped;

/// Whether what is held fits the memory budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// It fits.
    Fits,
    /// It does not: the adapter collects garbage first where it can, then fires [`Bound::Memory`].
    Above,
}

/// What an interpreter, the watchdog and the driver share: which bound fired, what is held, how much was computed.
///
/// It allocates nothing after it was made, takes no lock and cannot panic, so that it may be used inside an allocator.
/// One belongs to an interpreter and is armed anew for each run.
#[derive(Debug, Default)]
pub struct Guard {
    /// The latch: zero, or the bound's code in the top byte and what was observed below. Written once a run.
    latch: AtomicU64,
    held: AtomicUsize,
    reserved: AtomicUsize,
    peak: AtomicUsize,
    memory_limit: AtomicUsize,
    /// When the current stretch of computing began, in nanoseconds since the process's first guard; zero while paused.
    running_since: AtomicU64,
    computed: AtomicU64,
    compute_limit: AtomicU64,
    started: AtomicU64,
    wall_limit: AtomicU64,
    /// Time that does not count against the wall clock: waiting for a slot, and being parked.
    excused: AtomicU64,
    /// When a stretch that does not count began, as `running_since`.
    excused_since: AtomicU64,
}

/// What was observed shares a word with the bound's code.
const OBSERVED_BITS: u32 = 56;

impl Guard {
    /// A guard that is not armed: nothing fires before [`Guard::arm`].
    #[must_use]
    pub fn new() -> Arc<Self> {
        let guard = Self::default();
        guard.memory_limit.store(usize::MAX, Ordering::Relaxed);
        Arc::new(guard)
    }

    /// Begins a run: clears the latch, keeps what is held, starts the wall clock and leaves the compute clock paused.
    ///
    /// Only the driver calls this, between runs, when no watchdog is set on the guard.
    pub fn arm(&self, budgets: &Budgets) {
        self.latch.store(0, Ordering::SeqCst);
        self.memory_limit.store(usize::try_from(budgets.memory_bytes).unwrap_or(usize::MAX), Ordering::SeqCst);
        self.peak.store(self.held.load(Ordering::Relaxed), Ordering::Relaxed);
        self.running_since.store(0, Ordering::SeqCst);
        self.computed.store(0, Ordering::SeqCst);
        self.excused.store(0, Ordering::SeqCst);
        self.excused_since.store(0, Ordering::SeqCst);
        self.compute_limit.store(nanos(budgets.compute), Ordering::SeqCst);
        self.wall_limit.store(nanos(budgets.wall), Ordering::SeqCst);
        self.started.store(now(), Ordering::SeqCst);
    }

    /// Whether a bound has fired: read first after every return from the program and on entry to every host function.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.latch.load(Ordering::Acquire) != 0
    }

    /// [`Guard::stopped`] as a result, for `?`.
    ///
    /// # Errors
    /// When a bound has fired.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// The bound that fired and what was observed then.
    #[must_use]
    pub fn fired(&self) -> Option<(Bound, u64)> {
        let latch = self.latch.load(Ordering::Acquire);
        let code = u8::try_from(latch >> OBSERVED_BITS).unwrap_or_default();
        Bound::from_code(code).map(|bound| (bound, latch & ((1 << OBSERVED_BITS) - 1)))
    }

    /// Fires a bound. True for the call that latched; the first one wins for good.
    ///
    /// It wakes nobody: a thread that waits in [`crate::Handle::next`] is woken by the driver.
    pub fn fire(&self, bound: Bound, observed: u64) -> bool {
        let word = (u64::from(bound as u8) << OBSERVED_BITS) | observed.min((1 << OBSERVED_BITS) - 1);
        self.latch.compare_exchange(0, word, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Tells how many bytes the interpreter holds. Reads no clock and latches nothing.
    pub fn tick(&self, held: usize) -> Memory {
        self.held.store(held, Ordering::Relaxed);
        let total = held.saturating_add(self.reserved.load(Ordering::Relaxed));
        self.peak.fetch_max(total, Ordering::Relaxed);
        if total > self.memory_limit.load(Ordering::Relaxed) { Memory::Above } else { Memory::Fits }
    }

    /// Takes note of a peak that was seen elsewhere: in the process that the interpreter lives in, whose ticks are its own.
    pub fn note_peak(&self, bytes: usize) {
        self.peak.fetch_max(bytes, Ordering::Relaxed);
    }

    /// Whether `bytes` more would fit now. Above: an adapter that can collect garbage does so before it reserves.
    #[must_use]
    pub fn room_for(&self, bytes: usize) -> Memory {
        if self.held().saturating_add(bytes) > self.memory_limit() { Memory::Above } else { Memory::Fits }
    }

    /// Counts a buffer of the bridge before it is built; dropping the result gives it back.
    ///
    /// # Errors
    /// When it does not fit: then [`Bound::Memory`] has fired.
    pub fn reserve(self: &Arc<Self>, bytes: usize) -> Result<Reserved, Stopped> {
        self.check()?;
        let reserved = self.reserved.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        let reservation = Reserved { guard: Arc::clone(self), bytes };
        let total = reserved.saturating_add(self.held.load(Ordering::Relaxed));
        if total > self.memory_limit.load(Ordering::Relaxed) {
            self.fire(Bound::Memory, total as u64);
            return Err(Stopped);
        }
        self.peak.fetch_max(total, Ordering::Relaxed);
        Ok(reservation)
    }

    /// The memory budget, in bytes.
    #[must_use]
    pub fn memory_limit(&self) -> usize {
        self.memory_limit.load(Ordering::Relaxed)
    }

    /// Memory held now, in bytes, buffers of the bridge included.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed).saturating_add(self.reserved.load(Ordering::Relaxed))
    }

    /// The most memory that was held at a tick of this run, in bytes.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    /// Stops the compute clock: the program begins to wait.
    pub fn pause(&self) {
        let since = self.running_since.swap(0, Ordering::SeqCst);
        if since != 0 {
            let stretch = now().saturating_sub(since);
            let computed = self.computed.fetch_add(stretch, Ordering::SeqCst) + stretch;
            if computed >= self.compute_limit.load(Ordering::Relaxed) {
                self.fire(Bound::Compute, computed / 1_000_000);
            }
        }
    }

    /// Starts the compute clock again.
    pub fn resume(&self) {
        self.running_since.store(now(), Ordering::SeqCst);
    }

    /// Time computed so far.
    #[must_use]
    pub fn computed(&self) -> Duration {
        Duration::from_nanos(self.computed_now(now()))
    }

    /// Time since the run was armed, less what is excused.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.elapsed_now(now()))
    }

    /// Takes `duration` off the wall clock: waiting for a slot, or being parked.
    pub fn excuse(&self, duration: Duration) {
        self.excused.fetch_add(nanos(duration), Ordering::SeqCst);
    }

    /// Stops the wall clock, until [`Guard::end_excuse`].
    pub(crate) fn begin_excuse(&self) {
        self.excused_since.store(now(), Ordering::SeqCst);
    }

    /// Starts the wall clock again. What is excused is added first, so that no look in between sees time that does not count.
    pub(crate) fn end_excuse(&self) {
        let since = self.excused_since.load(Ordering::SeqCst);
        if since != 0 {
            self.excused.fetch_add(now().saturating_sub(since), Ordering::SeqCst);
            self.excused_since.store(0, Ordering::SeqCst);
        }
    }

    /// Fires a clock that ran out, else tells how long none can.
    pub(crate) fn look_at_clocks(&self) -> Option<Duration> {
        if self.stopped() {
            return None;
        }
        let now = now();
        let elapsed = self.elapsed_now(now);
        let wall = self.wall_limit.load(Ordering::SeqCst);
        let computed = self.computed_now(now);
        let compute = self.compute_limit.load(Ordering::SeqCst);
        if computed >= compute {
            self.fire(Bound::Compute, computed / 1_000_000);
            return None;
        }
        if elapsed >= wall {
            self.fire(Bound::Wall, elapsed / 1_000_000);
            return None;
        }
        Some(Duration::from_nanos((wall - elapsed).min(compute - computed)))
    }

    /// `computed` is read before `running_since`: a pause in between makes the sum too small, never too large.
    fn computed_now(&self, now: u64) -> u64 {
        let computed = self.computed.load(Ordering::SeqCst);
        match self.running_since.load(Ordering::SeqCst) {
            0 => computed,
            since => computed.saturating_add(now.saturating_sub(since)),
        }
    }

    fn elapsed_now(&self, now: u64) -> u64 {
        let excusing = match self.excused_since.load(Ordering::SeqCst) {
            0 => 0,
            since => now.saturating_sub(since),
        };
        let excused = self.excused.load(Ordering::SeqCst).saturating_add(excusing);
        now.saturating_sub(self.started.load(Ordering::SeqCst)).saturating_sub(excused)
    }
}

/// Memory counted for a buffer of the bridge; given back when this is dropped.
#[derive(Debug)]
pub struct Reserved {
    guard: Arc<Guard>,
    bytes: usize,
}

impl Reserved {
    /// How many bytes are counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes over what `other` counts, which is of the same guard: both are given back together.
    pub fn absorb(&mut self, mut other: Self) {
        debug_assert!(Arc::ptr_eq(&self.guard, &other.guard), "a reservation of another guard");
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.guard.reserved.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Nanoseconds since the process's first look at this clock; never zero, which means "paused".
fn now() -> u64 {
    static EPOCH: OnceLock<Instant> = OnceLock::new();
    nanos(EPOCH.get_or_init(Instant::now).elapsed()).max(1)
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Guard {
        fn now_since_start(&self) -> Duration {
            Duration::from_nanos(now() - self.started.load(Ordering::SeqCst))
        }
    }

    #[test]
    fn the_first_bound_wins_for_good() {
        let guard = Guard::new();
        assert!(guard.fire(Bound::Calls, 64));
        assert!(!guard.fire(Bound::Memory, 1));
        assert_eq!(guard.fired(), Some((Bound::Calls, 64)));
        guard.arm(&Budgets::default());
        assert_eq!(guard.fired(), None);
    }

    #[test]
    fn a_reservation_counts_until_it_is_dropped() {
        let guard = Guard::new();
        guard.arm(&Budgets { memory_bytes: 1000, ..Budgets::default() });
        assert_eq!(guard.tick(600), Memory::Fits);
        let mut first = guard.reserve(200).expect("fits");
        first.absorb(guard.reserve(100).expect("fits"));
        assert_eq!((guard.held(), first.bytes()), (900, 300));
        assert_eq!((guard.room_for(100), guard.room_for(101)), (Memory::Fits, Memory::Above));
        assert_eq!(guard.tick(800), Memory::Above);
        drop(first);
        assert_eq!(guard.tick(800), Memory::Fits);
        assert!(guard.reserve(300).is_err());
        assert_eq!(guard.fired(), Some((Bound::Memory, 1100)));
        assert_eq!(guard.peak(), 1100);
    }

    #[test]
    fn time_that_is_excused_does_not_count_while_it_goes_on_nor_after() {
        let guard = Guard::new();
        guard.arm(&Budgets::default());
        guard.begin_excuse();
        let before = guard.elapsed();
        while guard.now_since_start() < before + Duration::from_millis(5) {}
        assert!(guard.elapsed() <= before, "the wall clock stands");
        guard.end_excuse();
        assert!(guard.elapsed() < guard.now_since_start());
    }

    #[test]
    fn waiting_is_no_computing_and_a_spent_budget_fires_at_the_pause() {
        let guard = Guard::new();
        guard.arm(&Budgets { compute: Duration::from_nanos(1), ..Budgets::default() });
        assert!(guard.look_at_clocks().is_some(), "a paused clock spends nothing");
        guard.resume();
        guard.pause();
        assert_eq!(guard.fired().map(|(bound, _)| bound), Some(Bound::Compute));
    }
}
