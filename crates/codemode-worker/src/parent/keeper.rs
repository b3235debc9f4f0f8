//! The thread that starts workers, buries them, and ends those that are idle: one a process, and it lives as long as that does.
//!
//! The kernel ends a worker with the thread that started it, so that no other thread may.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use super::life::Life;
use super::pool::Shared;

enum Job {
    /// Anything: it starts a process.
    Start(Box<dyn FnOnce() + Send>),
    Reap(Arc<Life>),
    /// A pool whose idle workers end.
    Tend(Weak<Shared>),
}

/// How soon it is looked again whether the dead are dead, at first and at most.
const LOOK_FIRST: Duration = Duration::from_millis(1);
const LOOK_MOST: Duration = Duration::from_secs(1);

fn jobs() -> Option<&'static Sender<Job>> {
    static JOBS: OnceLock<Option<Sender<Job>>> = OnceLock::new();
    let start = || {
        let (jobs, inbox) = channel();
        let thread = std::thread::Builder::new().name("codemode-keeper".to_owned()).stack_size(256 << 10);
        thread.spawn(move || keep(&inbox)).ok().map(|_| jobs)
    };
    JOBS.get_or_init(start).as_ref()
}

/// Does something on the thread. False where there is none.
pub(super) fn start(act: impl FnOnce() + Send + 'static) -> bool {
    jobs().is_some_and(|jobs| jobs.send(Job::Start(Box::new(act))).is_ok())
}

/// Waits for a death, so that no zombie stays.
pub(super) fn reap(life: Arc<Life>) {
    if let Some(jobs) = jobs() {
        let _ = jobs.send(Job::Reap(life));
    }
}

/// Ends the idle workers of a pool from now on, for as long as there is the pool.
pub(super) fn tend(pool: &Arc<Shared>) {
    if let Some(jobs) = jobs() {
        let _ = jobs.send(Job::Tend(Arc::downgrade(pool)));
    }
}

fn keep(inbox: &Receiver<Job>) {
    let mut dying: Vec<Arc<Life>> = Vec::new();
    let mut pools: Vec<Weak<Shared>> = Vec::new();
    let mut look = LOOK_FIRST;
    loop {
        let until_idle = pools.iter().filter_map(|pool| pool.upgrade()?.next_idle()).min();
        let until_dead = (!dying.is_empty()).then(|| Instant::now() + look);
        let job = match until_idle.into_iter().chain(until_dead).min() {
            None => inbox.recv().map_err(RecvTimeoutError::from),
            Some(until) => inbox.recv_timeout(until.saturating_duration_since(Instant::now())),
        };
        match job {
            Ok(Job::Start(act)) => {
                // What is started is ours, and a panic in it is nobody's reason to lose all workers.
                if std::panic::catch_unwind(std::panic::AssertUnwindSafe(act)).is_err() {
                    tracing::error!("starting a worker panicked");
                }
            }
            Ok(Job::Reap(life)) => {
                dying.push(life);
                look = LOOK_FIRST;
            }
            Ok(Job::Tend(pool)) => pools.push(pool),
            Err(RecvTimeoutError::Timeout) => look = (look * 2).min(LOOK_MOST),
            Err(RecvTimeoutError::Disconnected) => return,
        }
        dying.retain(|life| !life.is_reaped());
        pools.retain(|pool| match pool.upgrade() {
            Some(pool) => {
                pool.end_idle(Instant::now());
                true
            }
            None => false,
        });
    }
}
