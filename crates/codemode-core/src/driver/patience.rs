//! How long a program's thread watches for an answer before it sleeps.
//!
//! Waking a thread on a core that has gone idle takes tens of microseconds, which is longer than many tools take; on a core that
//! both threads share, sleeping is what lets the other one answer. Neither can be told beforehand, so that each run tries both and
//! keeps to the one whose answers came sooner.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The longest watch: about what two wake-ups cost, so that one in vain costs no more than it could have saved (the bound of two
/// times the best that is known for spinning before blocking).
const LONGEST: Duration = Duration::from_micros(100);
/// Answers that take longer than this on average are not watched for: too little would be saved.
const TOO_LONG: u64 = 400_000;
/// A wait counts as no longer than this, so that one that was held up by something else is soon forgotten.
const MOST_COUNTED: u64 = 2 * TOO_LONG;
/// How many waits pass between two tries of the other way.
const BETWEEN_TRIES: u64 = 32;

/// What one run has learnt of its waits, in nanoseconds. Only the program's thread asks it, so that its counters need no order.
#[derive(Default)]
pub(super) struct Patience {
    waits: AtomicU64,
    /// How long a wait that was watched took of late; zero before the first.
    watched: AtomicU64,
    /// The same of those that were slept through.
    slept: AtomicU64,
}

impl Patience {
    /// Watches until `came`, at most until `until`, if that has been worth it. Tells whether it did.
    pub(super) fn watch(&self, began: Instant, until: Option<Instant>, came: impl Fn() -> bool) -> bool {
        if !self.is_worth_it() {
            return false;
        }
        let end = until.map_or(began + LONGEST, |until| until.min(began + LONGEST));
        while !came() && Instant::now() < end {
            // Who answers may need this very core.
            std::thread::yield_now();
        }
        true
    }

    fn is_worth_it(&self) -> bool {
        let waits = self.waits.fetch_add(1, Ordering::Relaxed);
        let (watched, slept) = (self.watched.load(Ordering::Relaxed), self.slept.load(Ordering::Relaxed));
        // A tie is won by sleep, which costs nothing.
        let better = watched != 0 && watched + watched / 16 < slept && slept < TOO_LONG;
        match waits {
            0 => false,
            1 => slept < TOO_LONG,
            _ if waits.is_multiple_of(BETWEEN_TRIES) => !better && slept < TOO_LONG,
            _ => better,
        }
    }

    /// Takes note of how long a wait was in all, and whether it was watched.
    pub(super) fn learn(&self, watched: bool, took: Duration) {
        let average = if watched { &self.watched } else { &self.slept };
        let took = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).clamp(1, MOST_COUNTED);
        let before = average.load(Ordering::Relaxed);
        let after = if before == 0 { took } else { before - before / 8 + took / 8 };
        average.store(after, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many waits were watched, where one that is watched takes this long, and one that is not that long.
    fn watched(patience: &Patience, waits: u32, watched: Duration, slept: Duration) -> usize {
        let one = || {
            let is_watched = patience.watch(Instant::now(), None, || true);
            patience.learn(is_watched, if is_watched { watched } else { slept });
            is_watched
        };
        (0..waits).filter(|_| one()).count()
    }

    const fn micros(count: u64) -> Duration {
        Duration::from_micros(count)
    }

    #[test]
    fn the_way_that_gives_answers_sooner_is_kept_to() {
        // All but the first, and two tries of the other way.
        assert_eq!(watched(&Patience::default(), 96, micros(5), micros(20)), 93);
        // The second wait, and two tries.
        assert_eq!(watched(&Patience::default(), 96, micros(10), micros(4)), 3);
        assert_eq!(watched(&Patience::default(), 96, micros(10), micros(10)), 3);
    }

    #[test]
    fn answers_that_take_long_are_not_watched_for() {
        assert_eq!(watched(&Patience::default(), 1_000, micros(900), micros(1_000)), 0);
        assert_eq!(watched(&Patience::default(), 96, Duration::ZERO, Duration::from_secs(3)), 0);
    }

    #[test]
    fn what_changes_is_learnt() {
        let patience = Patience::default();
        assert_eq!(watched(&patience, 32, micros(5), micros(20)), 31);
        watched(&patience, 500, micros(30), micros(6));
        assert_eq!(watched(&patience, 32, micros(30), micros(6)), 1);
    }

    #[test]
    fn a_watch_ends_with_its_time() {
        let patience = Patience::default();
        patience.learn(false, micros(1));
        patience.waits.store(1, Ordering::Relaxed);
        let began = Instant::now();
        assert!(patience.watch(began, None, || false));
        assert!(began.elapsed() >= LONGEST);
    }
}
