//! The watchdog thread: one a process, which rings whatever is due. It needs nothing of the host's runtime.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// Something that is rung at its time, and says when it wants to be rung again.
pub(crate) trait Ring: Send + Sync {
    fn ring(&self) -> Option<Instant>;
}

/// An alarm that was set; dropping it takes it back, and waits for a ring that is under way.
pub(crate) struct Alarm(u64);

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
            let again = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ring.ring())).unwrap_or(None);
            alarms = self.lock();
            alarms.ringing = None;
            match again {
                Some(next) if alarms.times.contains_key(&id) => {
                    alarms.times.insert(id, next);
                    alarms.due.insert((next, id), ring);
                }
                _ => {
                    alarms.times.remove(&id);
                }
            }
            self.rung.notify_all();
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
        if let Some(at) = alarms.times.remove(&self.0) {
            alarms.due.remove(&(at, self.0));
        }
        while alarms.ringing == Some(self.0) {
            alarms = watchdog.rung.wait(alarms).unwrap_or_else(PoisonError::into_inner);
        }
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
    let alarm = set(Instant::now() + duration, Arc::new(Once(Mutex::new(Some(sender)))));
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

    #[test]
    fn what_was_taken_back_is_dropped() {
        let (sender, receiver) = mpsc::channel();
        let alarm = set(Instant::now() + Duration::from_secs(600), Arc::new(Thrice(Mutex::new((0, sender))))).expect("a thread");
        drop(alarm);
        assert!(receiver.recv().is_err(), "the ring and its sender are gone");
    }
}
