//! The timers of a run: who is due when, in an order that does not depend on how fast the program computes in between.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use codemode_core::{Handle, Reserved};

/// A timer that is set.
pub(crate) struct Timer<V> {
    callback: V,
    arguments: Vec<V>,
    /// Microseconds from when it is set to when it is due.
    delay: u64,
    repeats: bool,
    /// What it takes counts as the program's memory.
    _reserved: Reserved,
}

/// The longest delay, in milliseconds: what a signed 32-bit integer holds, as elsewhere.
const LONGEST_MS: f64 = 2_147_483_647.0;

impl<V> Timer<V> {
    pub(crate) fn new(callback: V, arguments: Vec<V>, delay_ms: f64, repeats: bool, reserved: Reserved) -> Self {
        let least_ms = if repeats { 1.0 } else { 0.0 };
        // `max` takes the other number where one is NaN.
        let micros = delay_ms.max(least_ms).min(LONGEST_MS) * 1000.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between zero and the longest delay")]
        let delay = micros as u64;
        Self { callback, arguments, delay, repeats, _reserved: reserved }
    }
}

/// The timers that are set. Due times are microseconds of the run's clock.
pub(crate) struct Timers<V> {
    /// By due time, then by when they were set.
    queue: BTreeMap<(u64, u64), u32>,
    /// By number, in a tree and no table: a table that grows holds three times what is in it, which a million timers would pass their
    /// memory by.
    set: BTreeMap<u32, (u64, u64, Timer<V>)>,
    /// Numbers go on through the runs of an interpreter, so that none is taken for another.
    last_number: u32,
    settings: u64,
    /// How many of them are intervals.
    intervals: usize,
    clock: Clock,
}

/// The clock by which timers are due: never set back, or the run's own where it is deterministic.
#[derive(Debug, Clone, Copy)]
enum Clock {
    Machine(Instant),
    Run,
}

impl Clock {
    fn now(self, handle: &Handle) -> u64 {
        match self {
            Self::Machine(start) => u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds since 1970 are no negative number")]
            Self::Run => (handle.now_ms() * 1000.0) as u64,
        }
    }
}

impl<V> Default for Timers<V> {
    fn default() -> Self {
        Self {
            queue: BTreeMap::new(),
            set: BTreeMap::new(),
            last_number: 0,
            settings: 0,
            intervals: 0,
            clock: Clock::Machine(Instant::now()),
        }
    }
}

impl<V> Timers<V> {
    /// Begins a run: none is set.
    pub(crate) fn begin(&mut self, deterministic: bool) {
        let clock = if deterministic { Clock::Run } else { Clock::Machine(Instant::now()) };
        *self = Self { last_number: self.last_number, clock, ..Self::default() };
    }

    /// Takes all timers away, and keeps the numbers.
    pub(crate) fn take(&mut self) -> Self {
        let empty = Self { last_number: self.last_number, clock: self.clock, ..Self::default() };
        std::mem::replace(self, empty)
    }

    /// Sets a timer and gives its number.
    pub(crate) fn add(&mut self, handle: &Handle, timer: Timer<V>) -> u32 {
        self.last_number = self.last_number.wrapping_add(1).max(1);
        let number = self.last_number;
        let due = self.clock.now(handle).saturating_add(timer.delay);
        self.put(number, due, timer);
        number
    }

    fn put(&mut self, number: u32, due: u64, timer: Timer<V>) {
        self.settings += 1;
        self.intervals += usize::from(timer.repeats);
        self.queue.insert((due, self.settings), number);
        self.set.insert(number, (due, self.settings, timer));
    }

    /// Takes a timer away.
    pub(crate) fn clear(&mut self, number: u32) -> Option<Timer<V>> {
        let (due, setting, timer) = self.set.remove(&number)?;
        self.queue.remove(&(due, setting));
        self.intervals -= usize::from(timer.repeats);
        Some(timer)
    }

    /// What a timer that is due calls, with what; an interval is set again before that, so that its callback can clear it.
    pub(crate) fn fire(&mut self, handle: &Handle, number: u32) -> Option<(V, Vec<V>)>
    where
        V: Clone,
    {
        let timer = self.clear(number)?;
        if !timer.repeats {
            return Some((timer.callback, timer.arguments));
        }
        let called = (timer.callback.clone(), timer.arguments.clone());
        let due = self.clock.now(handle).saturating_add(timer.delay);
        self.put(number, due, timer);
        Some(called)
    }

    /// Takes all intervals away and gives them.
    pub(crate) fn clear_intervals(&mut self) -> Vec<Timer<V>> {
        // Asked at each turn after a program's end, when there may be many timers and is hardly ever an interval.
        if self.intervals == 0 {
            return Vec::new();
        }
        let numbers: Vec<u32> = self.set.iter().filter(|(_, (_, _, timer))| timer.repeats).map(|(number, _)| *number).collect();
        numbers.into_iter().filter_map(|number| self.clear(number)).collect()
    }

    /// Whether none is set.
    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// When the first one is due, as a time to wait for.
    pub(crate) fn wait_until(&self, handle: &Handle) -> Option<Instant> {
        let ((due, _), _) = self.queue.first_key_value()?;
        let now = Instant::now();
        let left = due.saturating_sub(self.clock.now(handle));
        Some(now.checked_add(Duration::from_micros(left)).unwrap_or(now + Duration::from_hours(24)))
    }

    /// The numbers of those that are due, in order. The first was waited for, and is due whatever the clock of the run says.
    pub(crate) fn due(&self, handle: &Handle) -> Vec<u32> {
        let Some(((first, _), _)) = self.queue.first_key_value() else { return Vec::new() };
        #[expect(clippy::cast_precision_loss, reason = "a due time lies within what a date can be")]
        handle.timer_fired(*first as f64 / 1000.0);
        let now = self.clock.now(handle).max(*first);
        self.queue.range(..=(now, u64::MAX)).map(|(_, number)| *number).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use codemode_core::{Ask, Budgets, CallId, Guard, Missing, Next, Port, Resolved, RunClock, Stopped};

    use super::*;

    /// A host that has nothing and answers nothing.
    struct Nothing;

    impl Port for Nothing {
        fn skipped(&self, _: u64) {}

        fn start(&self, _: CallId, _: Ask) -> Result<(), Stopped> {
            Err(Stopped)
        }
        fn next(&self, _: Option<CallId>, _: Option<Instant>) -> Next {
            Next::Stopped
        }
        fn resolve(&self, name: &str) -> Result<Resolved, Stopped> {
            Ok(Resolved::Missing(Missing::new(name)))
        }
        fn names(&self) -> Result<Vec<Arc<str>>, Stopped> {
            Ok(Vec::new())
        }
        fn print(&self, _: &str) -> Result<(), Stopped> {
            Err(Stopped)
        }
        fn room(&self) -> u64 {
            0
        }
        fn wake(&self) {}
        fn excused(&self, act: &mut dyn FnMut()) {
            act();
        }
        fn raw_effect(&self) {}
    }

    /// A handle whose clock starts at zero and moves by a millisecond a look.
    fn handle() -> Handle {
        let guard = Guard::new();
        guard.arm(&Budgets::default());
        Handle::new(Arc::new(Nothing), guard, Budgets::default(), RunClock::deterministic(1, 0))
    }

    fn set(timers: &mut Timers<&'static str>, handle: &Handle, name: &'static str, delay_ms: f64, repeats: bool) -> u32 {
        let reserved = handle.guard().reserve(1).expect("there is room");
        timers.add(handle, Timer::new(name, Vec::new(), delay_ms, repeats, reserved))
    }

    fn fired(timers: &mut Timers<&'static str>, handle: &Handle) -> Vec<&'static str> {
        let due = timers.due(handle);
        due.into_iter().filter_map(|number| timers.fire(handle, number)).map(|(name, _)| name).collect()
    }

    #[test]
    fn timers_fire_by_due_time_then_as_they_were_set_and_once() {
        let (mut timers, handle) = (Timers::default(), handle());
        timers.begin(true);
        // The clock is looked at once for each: they are due at 5, 4, 4 and 103.
        for (name, delay) in [("last", 5.0), ("first", 3.0), ("second", 2.0), ("later", 100.0)] {
            set(&mut timers, &handle, name, delay, false);
        }
        assert_eq!(fired(&mut timers, &handle), ["first", "second"]);
        assert_eq!(fired(&mut timers, &handle), ["last"]);
        // It was waited for, whatever the clock says.
        assert_eq!(fired(&mut timers, &handle), ["later"]);
        assert!(timers.is_empty() && timers.wait_until(&handle).is_none());
    }

    #[test]
    fn an_interval_fires_again_until_it_is_cleared_and_a_cleared_timer_never() {
        let (mut timers, handle) = (Timers::default(), handle());
        timers.begin(true);
        let every = set(&mut timers, &handle, "every", 0.0, true);
        let never = set(&mut timers, &handle, "never", f64::NAN, false);
        assert!(timers.clear(never).is_some() && timers.clear(never).is_none());
        assert_eq!(fired(&mut timers, &handle), ["every"]);
        assert_eq!(fired(&mut timers, &handle), ["every"]);
        assert!(timers.clear(every).is_some());
        assert_eq!(fired(&mut timers, &handle), Vec::<&str>::new());
        set(&mut timers, &handle, "cleared at the end", 1.0, true);
        assert_eq!((timers.clear_intervals().len(), timers.is_empty()), (1, true));
    }

    #[test]
    fn numbers_go_on_from_run_to_run_and_delays_have_a_range() {
        let (mut timers, handle) = (Timers::default(), handle());
        timers.begin(false);
        let first = set(&mut timers, &handle, "far", f64::INFINITY, false);
        let left = timers.wait_until(&handle).expect("one is set").saturating_duration_since(Instant::now());
        assert!(left <= Duration::from_millis(2_147_483_647) && left > Duration::from_millis(2_147_000_000));
        drop(timers.take());
        timers.begin(false);
        assert_eq!((set(&mut timers, &handle, "next", -1.0, false), timers.is_empty()), (first + 1, false));
        assert_eq!(fired(&mut timers, &handle), ["next"]);
    }
}
