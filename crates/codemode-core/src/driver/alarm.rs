//! The watchdog thread: one a process, which rings whatever is due. It needs nothing of the host's runtime.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// Something that is rung at its time, and says when it wants to be rung again.
pub(crate) trait Ring: Send + Sync {
    fn ring(&self) -> Option<Instant>;
}

/// An alarm that was set; dropping it takes it back, and waits for a ring that is under way on another thread.
pub(crate) struct Alarm(u64);

thread_local! {
    /// Whether this is the watchdog's own thread, which must not wait for itself.
    static IS_WATCHDOG: Cell<bool> = const { Cell::new(false) };
}

/// The time `duration` from `now`, or one that nobody lives to see where the clock cannot tell that far ahead.
pub(crate) fn later(now: Instant, duration: Duration) -> Instant {
    const A_CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
    now.checked_add(duration.min(A_CENTURY)).unwrap_or(now)
}

#[derive(Default)]
struct Alarms {
    due: BTreeMap<(Instant, u64), Arc<dyn Ring>>,
    times: HashMap<u64, Instant>,
    ringing: Option<u64>,
    /// When the thread wakes by itself. It sleeps on after an alarm was taken back, so that runs which come and go wake nobody.
    asleep_until: Option<Instant>,
    last: u64,
    running: bool,
}

struct Watchdog {
    alarms: Mutex<Alarms>,
    /// Told when an alarm is set before all others.
    earlier: Condvar,
    /// Told when a ring is over.
    rung: Condvar,
}

fn watchdog() -> &'static Watchdog {
    static WATCHDOG: OnceLock<Watchdog> = OnceLock::new();
    WATCHDOG.get_or_init(|| Watchdog { alarms: Mutex::default(), earlier: Condvar::new(), rung: Condvar::new() })
}

impl Watchdog {
    /// A panic inside a ring leaves the table whole, so that a poisoned lock is no reason to stop.
    fn lock(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        IS_WATCHDOG.set(true);
        let mut alarms = self.lock();
        loop {
            let Some((&(at, id), _)) = alarms.due.first_key_value() else {
                alarms.asleep_until = None;
                alarms = self.earlier.wait(alarms).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let now = Instant::now();
            if at > now {
                alarms.asleep_until = Some(at);
                alarms = self.earlier.wait_timeout(alarms, at - now).unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let Some(ring) = alarms.due.remove(&(at, id)) else { continue };
            alarms.ringing = Some(id);
            drop(alarms);
            let again = catch_unwind(AssertUnwindSafe(|| ring.ring())).unwrap_or(None);
            alarms = self.lock();
            alarms.ringing = None;
            let mut finished = Some(ring);
            match again {
                Some(next) if alarms.times.contains_key(&id) => {
                    alarms.times.insert(id, next);
                    alarms.due.extend(finished.take().map(|ring| ((next, id), ring)));
                }
                _ => {
                    alarms.times.remove(&id);
                }
            }
            self.rung.notify_all();
            if finished.is_some() {
                // It may be the last to hold it, and what a drop does is not known here: no lock, no way to end this thread.
                drop(alarms);
                let _ = catch_unwind(AssertUnwindSafe(|| drop(finished)));
                alarms = self.lock();
            }
        }
    }
}

/// Sets an alarm.
///
/// # Errors
/// When the watchdog thread cannot be started: without it nothing would be bounded.
pub(crate) fn set(at: Instant, ring: Arc<dyn Ring>) -> std::io::Result<Alarm> {
    let watchdog = watchdog();
    let mut alarms = watchdog.lock();
    if !alarms.running {
        std::thread::Builder::new().name("codemode-watchdog".to_owned()).spawn(move || watchdog.watch())?;
        alarms.running = true;
    }
    alarms.last += 1;
    let id = alarms.last;
    let first = alarms.asleep_until.is_none_or(|until| at < until);
    alarms.times.insert(id, at);
    alarms.due.insert((at, id), ring);
    drop(alarms);
    if first {
        watchdog.earlier.notify_one();
    }
    Ok(Alarm(id))
}

impl Alarm {
    /// Leaves the alarm set: it rings for as long as it asks to.
    pub(crate) fn leave(self) {
        std::mem::forget(self);
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        let watchdog = watchdog();
        let mut alarms = watchdog.lock();
        let taken_back = alarms.times.remove(&self.0).and_then(|at| alarms.due.remove(&(at, self.0)));
        while alarms.ringing == Some(self.0) && !IS_WATCHDOG.get() {
            alarms = watchdog.rung.wait(alarms).unwrap_or_else(PoisonError::into_inner);
        }
        // What was to be rung may wake somebody as it is dropped.
        drop(alarms);
        drop(taken_back);
    }
}

struct Once(Mutex<Option<oneshot::Sender<()>>>);

impl Ring for Once {
    fn ring(&self) -> Option<Instant> {
        if let Some(sender) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = sender.send(());
        }
        None
    }
}

/// Waits, on any runtime. Where no watchdog can be started it never ends; a run has refused to start by then.
pub(crate) async fn sleep(duration: Duration) {
    let (sender, receiver) = oneshot::channel();
    let alarm = set(later(Instant::now(), duration), Arc::new(Once(Mutex::new(Some(sender)))));
    if receiver.await.is_err() {
        std::future::pending::<()>().await;
    }
    drop(alarm);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    struct Thrice(Mutex<(u32, mpsc::Sender<u32>)>);

    impl Ring for Thrice {
        fn ring(&self) -> Option<Instant> {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.0 += 1;
            let _ = state.1.send(state.0);
            (state.0 < 3).then(Instant::now)
        }
    }

    #[test]
    fn rings_as_often_as_it_is_asked_to() {
        let (sender, receiver) = mpsc::channel();
        let alarm = set(Instant::now(), Arc::new(Thrice(Mutex::new((0, sender))))).expect("a thread");
        let rings: Vec<u32> = receiver.iter().take(3).collect();
        assert_eq!(rings, [1, 2, 3]);
        drop(alarm);
    }

    /// Panics in its ring, and sets an alarm and panics again in its drop.
    struct Hostile(mpsc::Sender<u32>);

    impl Ring for Hostile {
        fn ring(&self) -> Option<Instant> {
            panic!("in the ring")
        }
    }

    impl Drop for Hostile {
        fn drop(&mut self) {
            set(Instant::now(), Arc::new(Thrice(Mutex::new((2, self.0.clone()))))).expect("a thread").leave();
            panic!("in the drop");
        }
    }

    #[test]
    fn a_panic_in_a_ring_or_in_its_drop_ends_nothing() {
        let (sender, receiver) = mpsc::channel();
        set(Instant::now(), Arc::new(Hostile(sender))).expect("a thread").leave();
        assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(3), "the watchdog still rings");
    }

    #[test]
    fn no_duration_is_too_long() {
        let now = Instant::now();
        assert!(later(now, Duration::MAX) > now);
        assert_eq!(later(now, Duration::from_secs(1)), now + Duration::from_secs(1));
    }

    #[test]
    fn what_was_taken_back_is_dropped() {
        let (sender, receiver) = mpsc::channel();
        let alarm = set(Instant::now() + Duration::from_secs(600), Arc::new(Thrice(Mutex::new((0, sender))))).expect("a thread");
        drop(alarm);
        assert!(receiver.recv().is_err(), "the ring and its sender are gone");
    }
}
