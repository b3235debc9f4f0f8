//! How long a program's thread watches for an answer before it sleeps.
//!
//! Waking a thread on a core that has gone idle takes tens of microseconds, which is longer than many tools take. A thread whose
//! last answers came quickly therefore watches for the next one, and gives its core to whoever wants it meanwhile; one whose
//! answers take longer sleeps at once.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The longest watch: about what two wake-ups cost, so that one in vain costs no more than it could have saved (the bound of two
/// times the best that is known for spinning before blocking).
const LONGEST: Duration = Duration::from_micros(100);
/// The most waits that are slept through after watches in vain, before another is tried.
const MOST_PAUSED: u32 = 1 << 10;

/// What one run has learnt of its waits. Only the program's thread asks it, so that its counters need no order.
#[derive(Default)]
pub(super) struct Patience {
    /// Waits to sleep through before another watch.
    paused: AtomicU32,
    /// How many they were the last time.
    penalty: AtomicU32,
}

impl Patience {
    /// Watches until `came`, at most until `until`, if that has been worth it. Tells whether it did.
    pub(super) fn watch(&self, began: Instant, until: Option<Instant>, came: impl Fn() -> bool) -> bool {
        let paused = self.paused.load(Ordering::Relaxed);
        if paused > 0 {
            self.paused.store(paused - 1, Ordering::Relaxed);
            return false;
        }
        let end = until.map_or(began + LONGEST, |until| until.min(began + LONGEST));
        while !came() && Instant::now() < end {
            // Who answers may need this very core.
            std::thread::yield_now();
        }
        true
    }

    /// Takes note of how long a wait was in all, and whether it was watched.
    pub(super) fn learn(&self, watched: bool, took: Duration) {
        if took <= LONGEST {
            self.penalty.store(0, Ordering::Relaxed);
            self.paused.store(0, Ordering::Relaxed);
        } else if watched {
            let penalty = (self.penalty.load(Ordering::Relaxed) * 2 + 1).min(MOST_PAUSED);
            self.penalty.store(penalty, Ordering::Relaxed);
            self.paused.store(penalty, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// How often one wait was looked at that takes this long in all.
    fn looks(patience: &Patience, took: Duration) -> u32 {
        let looks = Cell::new(0);
        let began = Instant::now();
        let watched = patience.watch(began, None, || {
            looks.set(looks.get() + 1);
            took <= LONGEST
        });
        patience.learn(watched, took);
        looks.get()
    }

    #[test]
    fn short_waits_are_watched_and_long_ones_ever_less() {
        let patience = Patience::default();
        let watched = |took| looks(&patience, took) > 0;
        let (short, long) = (Duration::from_micros(10), Duration::from_millis(10));
        assert!((0..10).all(|_| watched(short)));
        let waits: Vec<bool> = (0..20).map(|_| watched(long)).collect();
        let places: Vec<usize> = (0..20).filter(|&place| waits[place]).collect();
        assert_eq!(places, [0, 2, 6, 14]);
        // One that is short after all ends the pause.
        assert!(!watched(short));
        assert!(watched(long));
    }

    #[test]
    fn a_watch_ends_with_its_time() {
        let patience = Patience::default();
        let began = Instant::now();
        assert!(patience.watch(began, Some(began), || false));
        assert!(patience.watch(began, None, || false));
        assert!(began.elapsed() >= LONGEST);
    }
}
