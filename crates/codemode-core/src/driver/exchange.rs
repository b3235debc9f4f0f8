//! The exchange of one run: what the program's thread, the driver and the watchdog share. It keeps nothing of the host's alive.

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, mpsc};

use super::alarm::{Ring, later};
use super::patience::Patience;
use super::seat::{LeftBehind, panic_text};
use super::slots::Slot;
use crate::catalog::{Catalog, Resolved};
use crate::engine::Interrupt;
use crate::guard::{Guard, Reserved, Stopped};
use crate::handle::{Ask, CallId, Delivered, Next, Port};
use crate::journal::{Recorder, Replayed};
use crate::kind::Bound;
use crate::observe::{Event, Observer};
use crate::output::Output;

/// What a program's thread sends to the driver.
pub(super) enum FromProgram {
    /// What it takes to hold it counts as the program's memory until it is taken up.
    Ask {
        id: CallId,
        ask: Ask,
        reserved: Reserved,
    },
    Admit {
        namespace: Arc<str>,
    },
}

/// How soon an interrupt is repeated at first, and at most.
const REPEAT_FIRST: Duration = Duration::from_millis(1);
const REPEAT_MOST: Duration = Duration::from_millis(100);

pub(super) struct Exchange {
    pub(super) guard: Arc<Guard>,
    pub(super) catalog: RwLock<Arc<Catalog>>,
    pub(super) output: Mutex<Output>,
    pub(super) slot: Slot,
    /// Told when a bound fired.
    pub(super) stopped: Notify,
    /// Told when the thread has had its grace and is given up on.
    pub(super) given_up: Notify,
    pub(super) raw_effect: AtomicBool,
    observers: [Option<Weak<dyn Observer>>; 2],
    recorder: Option<Weak<dyn Recorder>>,
    /// The run is over for its host; written under the lock of `watch`, since the guard may serve another run from then on.
    closed: AtomicBool,
    asks: mpsc::UnboundedSender<FromProgram>,
    inbox: Mutex<Inbox>,
    arrived: Condvar,
    /// Counts what a waiting program must look at: with it a wait that is short needs no sleep.
    news: AtomicU64,
    patience: Patience,
    watch: Mutex<Watch>,
}

#[derive(Default)]
struct Inbox {
    answers: VecDeque<Delivered>,
    woken: bool,
    closed: bool,
}

struct Watch {
    interrupt: Option<Arc<dyn Interrupt>>,
    /// The program's thread is done with this run.
    over: bool,
    stopped_at: Option<Instant>,
    /// Why the run was stopped, where who stopped it has said so.
    why: Option<String>,
    repeat: Duration,
    grace: Duration,
    /// How the thread is given up on; taken when it was.
    left_behind: Option<LeftBehind>,
}

/// What an ask takes besides its text: places in queues, its future.
const ASK_BYTES: usize = 512;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exchange {
    pub(super) fn new(
        guard: Arc<Guard>,
        catalog: Arc<Catalog>,
        output: Output,
        (grace, left_behind): (Duration, LeftBehind),
        asks: mpsc::UnboundedSender<FromProgram>,
        observers: [Option<&Arc<dyn Observer>>; 2],
        recorder: Option<&Arc<dyn Recorder>>,
    ) -> Self {
        Self {
            guard,
            catalog: RwLock::new(catalog),
            output: Mutex::new(output),
            slot: Slot::default(),
            stopped: Notify::new(),
            given_up: Notify::new(),
            raw_effect: AtomicBool::new(false),
            observers: observers.map(|observer| observer.map(Arc::downgrade)),
            recorder: recorder.map(Arc::downgrade),
            closed: AtomicBool::new(false),
            asks,
            inbox: Mutex::default(),
            arrived: Condvar::new(),
            news: AtomicU64::new(0),
            patience: Patience::default(),
            watch: Mutex::new(Watch {
                interrupt: None,
                over: false,
                stopped_at: None,
                why: None,
                repeat: REPEAT_FIRST,
                grace,
                left_behind: Some(left_behind),
            }),
        }
    }

    /// Fires a bound and wakes everybody who must know. True for the one that latched.
    ///
    /// It still does while calls are awaited after the program's end. It does nothing once the run is closed, since its guard
    /// may serve another run by then.
    pub(super) fn stop(&self, bound: Bound, observed: u64) -> bool {
        self.latch(bound, observed, None)
    }

    /// [`Exchange::stop`], and `why` becomes the failure's message if it latched.
    pub(super) fn stop_because(&self, bound: Bound, why: String) -> bool {
        self.latch(bound, 0, Some(why))
    }

    fn latch(&self, bound: Bound, observed: u64, why: Option<String>) -> bool {
        let mut watch = lock(&self.watch);
        if self.is_closed() {
            return false;
        }
        let latched = self.guard.fire(bound, observed);
        if latched {
            watch.why = why;
        }
        self.stop_was_seen(watch);
        latched
    }

    /// Why the run was stopped, where that was said.
    pub(super) fn take_why(&self) -> Option<String> {
        lock(&self.watch).why.take()
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    /// What follows a fired bound: the program's waits end, its computing is interrupted, the driver is told.
    fn stop_was_seen(&self, mut watch: MutexGuard<'_, Watch>) {
        watch.stopped_at.get_or_insert_with(Instant::now);
        if let Some(interrupt) = &watch.interrupt {
            fire(&**interrupt);
        }
        drop(watch);
        drop(lock(&self.inbox));
        self.tell();
        self.stopped.notify_one();
    }

    /// The interpreter is open: from now on a stop interrupts it.
    pub(super) fn running(&self, interrupt: Arc<dyn Interrupt>) {
        let mut watch = lock(&self.watch);
        if self.guard.stopped() {
            fire(&*interrupt);
        }
        watch.interrupt = Some(interrupt);
    }

    /// The interpreter's thread is done with this run.
    pub(super) fn over(&self) {
        let mut watch = lock(&self.watch);
        watch.over = true;
        watch.interrupt = None;
        drop(watch);
        self.slot.give();
    }

    /// No more answers come: every wait ends with `Stopped`, and what was not fetched is dropped.
    pub(super) fn close(&self) {
        let watch = lock(&self.watch);
        self.closed.store(true, Ordering::SeqCst);
        drop(watch);
        lock(&self.output).close();
        let mut inbox = lock(&self.inbox);
        inbox.closed = true;
        let unread = std::mem::take(&mut inbox.answers);
        drop(inbox);
        drop(unread);
        self.tell();
    }

    /// Wakes the program's thread, if it waits. What it is to see stands there by now.
    fn tell(&self) {
        self.news.fetch_add(1, Ordering::Release);
        self.arrived.notify_all();
    }

    /// Puts an answer before the program.
    pub(super) fn deliver(&self, delivered: Delivered) {
        let mut inbox = lock(&self.inbox);
        if !inbox.closed {
            inbox.answers.push_back(delivered);
        }
        drop(inbox);
        self.tell();
    }

    /// The asks whose answers the program has not taken.
    pub(super) fn unread(&self) -> HashSet<CallId> {
        lock(&self.inbox).answers.iter().map(|delivered| delivered.id).collect()
    }

    pub(super) fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The driver listed a server.
    pub(super) fn admitted(&self, catalog: Arc<Catalog>) {
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = catalog;
        drop(lock(&self.inbox));
        self.tell();
    }

    /// Waits until a server was listed. What else arrives stays where it is.
    fn wait_for_server(&self, namespace: &str) -> Result<(), Stopped> {
        let mut inbox = lock(&self.inbox);
        loop {
            if inbox.closed || self.guard.stopped() {
                return Err(Stopped);
            }
            if !self.catalog().unlisted().any(|unlisted| **unlisted == *namespace) {
                return Ok(());
            }
            inbox = self.arrived.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Tells the observers, whose panics are no concern of the program's.
    pub(super) fn observe(&self, event: &Event<'_>) {
        for observer in self.observers.iter().flatten().filter_map(Weak::upgrade) {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| observer.event(event))) {
                tracing::error!(panic = panic_text(&*panic), "the observer panicked");
            }
        }
    }

    /// Lets the recorder act. One that panics stops the run, since what follows would be on no record.
    fn record<T>(&self, act: impl FnOnce(&dyn Recorder) -> T) -> Result<Option<T>, Stopped> {
        let Some(recorder) = self.recorder.as_ref().and_then(Weak::upgrade) else { return Ok(None) };
        catch_unwind(AssertUnwindSafe(|| act(&*recorder))).map(Some).map_err(|panic| {
            let why = format!("the recorder panicked, and the run was stopped: {}", panic_text(&*panic));
            self.stop_because(Bound::Interrupted, why);
            Stopped
        })
    }

    fn wait_for_answer(&self, only: Option<CallId>, until: Option<Instant>) -> Next {
        let seen = self.news.load(Ordering::Acquire);
        let began = Instant::now();
        if let Some(next) = self.at_hand(&mut lock(&self.inbox), only) {
            return next;
        }
        let watched = self.patience.watch(began, until, || self.news.load(Ordering::Acquire) != seen);
        let next = self.sleep_for_answer(only, until);
        self.patience.learn(watched, began.elapsed());
        next
    }

    /// What ends a wait without any waiting.
    fn at_hand(&self, inbox: &mut Inbox, only: Option<CallId>) -> Option<Next> {
        if inbox.closed || self.guard.stopped() {
            return Some(Next::Stopped);
        }
        let found = match only {
            None => inbox.answers.pop_front(),
            Some(id) => {
                let place = inbox.answers.iter().position(|delivered| delivered.id == id);
                place.and_then(|place| inbox.answers.remove(place))
            }
        };
        if let Some(delivered) = found {
            return Some(Next::Answer(delivered));
        }
        // Who waits for one answer leaves the wake to who waits for anything.
        (only.is_none() && std::mem::take(&mut inbox.woken)).then_some(Next::Woken)
    }

    fn sleep_for_answer(&self, only: Option<CallId>, until: Option<Instant>) -> Next {
        let mut inbox = lock(&self.inbox);
        loop {
            if let Some(next) = self.at_hand(&mut inbox, only) {
                return next;
            }
            inbox = match until {
                None => self.arrived.wait(inbox).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let now = Instant::now();
                    if now >= until {
                        return Next::Due;
                    }
                    self.arrived.wait_timeout(inbox, until - now).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

impl Port for Exchange {
    fn start(&self, id: CallId, ask: Ask) -> Result<(), Stopped> {
        if self.is_closed() {
            return Err(Stopped);
        }
        let reserved = self.guard.reserve(ASK_BYTES.saturating_add(ask.bytes()))?;
        if let Some(Replayed::Answer(delivered)) = self.record(|recorder| recorder.asked(id, &ask))? {
            self.deliver(delivered);
            return Ok(());
        }
        self.asks.send(FromProgram::Ask { id, ask, reserved }).map_err(|_| Stopped)
    }

    fn next(&self, only: Option<CallId>, until: Option<Instant>) -> Next {
        self.slot.give();
        let next = self.wait_for_answer(only, until);
        self.slot.take(&self.guard);
        if self.is_closed() {
            return Next::Stopped;
        }
        if self.record(|recorder| recorder.delivered(&next)).is_err() { Next::Stopped } else { next }
    }

    fn resolve(&self, name: &str) -> Result<Resolved, Stopped> {
        loop {
            if self.is_closed() {
                return Err(Stopped);
            }
            let catalog = self.catalog();
            let Some(namespace) = catalog.unlisted_for(name).cloned() else { return Ok(catalog.resolve(name)) };
            self.asks.send(FromProgram::Admit { namespace: Arc::clone(&namespace) }).map_err(|_| Stopped)?;
            self.guard.pause();
            self.slot.give();
            let listed = self.wait_for_server(&namespace);
            self.slot.take(&self.guard);
            self.guard.resume();
            listed?;
            self.guard.check()?;
        }
    }

    fn names(&self) -> Result<Vec<Arc<str>>, Stopped> {
        if self.is_closed() {
            return Err(Stopped);
        }
        Ok(self.catalog().tools().map(|tool| Arc::clone(&tool.name)).collect())
    }

    fn print(&self, text: &str) -> Result<(), Stopped> {
        let mut output = lock(&self.output);
        if !output.is_open() {
            return Err(Stopped);
        }
        let kept = output.push(text);
        drop(output);
        if !kept.is_empty() {
            self.observe(&Event::Printed { text: kept });
        }
        Ok(())
    }

    fn skipped(&self, bytes: u64) {
        lock(&self.output).skip(bytes);
    }

    fn room(&self) -> u64 {
        lock(&self.output).room()
    }

    fn wake(&self) {
        lock(&self.inbox).woken = true;
        self.tell();
    }

    fn excused(&self, act: &mut dyn FnMut()) {
        self.slot.give();
        self.guard.pause();
        self.guard.begin_excuse();
        act();
        self.guard.end_excuse();
        self.slot.take(&self.guard);
        self.guard.resume();
    }

    fn raw_effect(&self) {
        self.raw_effect.store(true, Ordering::Relaxed);
    }
}

impl Ring for Exchange {
    fn ring(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut watch = lock(&self.watch);
        if let Some(left) = self.guard.look_at_clocks() {
            return Some(later(now, left.max(REPEAT_FIRST)));
        }
        let stopped_at = *watch.stopped_at.get_or_insert(now);
        if watch.over {
            // The driver still waits for calls that are out; it needs to know that the clock ran out.
            drop(watch);
            self.stopped.notify_one();
            return None;
        }
        let again = now + watch.repeat;
        watch.repeat = (watch.repeat * 2).min(REPEAT_MOST);
        let gone = if now.duration_since(stopped_at) >= watch.grace { watch.left_behind.take() } else { None };
        self.stop_was_seen(watch);
        if let Some(left_behind) = gone {
            left_behind.leave();
            self.slot.forfeit();
            self.given_up.notify_one();
        }
        Some(again)
    }
}

/// Fires an interrupt, which is an adapter's: its panic must not end who watches over the run.
fn fire(interrupt: &dyn Interrupt) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| interrupt.interrupt())) {
        tracing::error!(panic = panic_text(&*panic), "an interrupt panicked");
    }
}
