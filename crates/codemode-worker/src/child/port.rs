//! What lies under a program's handle in a worker: the pipe to its host.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use codemode_core::{Ask, Budgets, CallId, Delivered, Guard, Next, Port, Resolved, Stopped, Unit};

use super::waker::Waker;
use super::{Link, MOST_FRAME, lock, read};
use crate::wire::{FrameError, ToChild, ToParent, WireAsk};

/// One run's port.
pub(super) struct ChildPort {
    /// Nothing once the run is over.
    inner: Mutex<Option<Inner>>,
    /// Beside the rest, which is locked while the program waits.
    waker: Arc<Waker>,
}

struct Inner {
    link: Arc<Mutex<Link>>,
    guard: Arc<Guard>,
    waker: Arc<Waker>,
    /// Answers that came while another was waited for.
    answers: VecDeque<Delivered>,
    /// Tools that were asked for: they stay what they are for a run.
    tools: HashMap<Arc<str>, Resolved>,
    unit: Unit,
    /// The output that would still be held, in `unit`.
    room: u64,
    /// Output that was cut off, in bytes, and that the host does not know of yet.
    skipped: u64,
    /// The first error of the pipe: the host is gone, and so is the run.
    broken: Option<FrameError>,
}

impl ChildPort {
    pub(super) fn new(link: &Arc<Mutex<Link>>, guard: &Arc<Guard>, waker: &Arc<Waker>, budgets: &Budgets) -> Self {
        let inner = Inner {
            link: Arc::clone(link),
            guard: Arc::clone(guard),
            waker: Arc::clone(waker),
            answers: VecDeque::new(),
            tools: HashMap::new(),
            unit: budgets.text_unit,
            room: budgets.output,
            skipped: 0,
            broken: None,
        };
        // What an earlier run was woken for is no news.
        waker.take();
        Self { inner: Mutex::new(Some(inner)), waker: Arc::clone(waker) }
    }

    /// The run is over: what the program kept of its handle does nothing from now on.
    pub(super) fn close(&self) -> Result<(), FrameError> {
        let Some(mut inner) = self.lock().take() else { return Ok(()) };
        let _ = inner.tell_skipped();
        inner.broken.map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Inner>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, act: impl FnOnce(&mut Inner) -> Result<T, Stopped>) -> Result<T, Stopped> {
        act(self.lock().as_mut().ok_or(Stopped)?)
    }
}

impl Inner {
    fn send(&mut self, message: &ToParent<'_>) -> Result<(), Stopped> {
        let sent = lock(&self.link).writer.send(message);
        self.or_broken(sent)
    }

    fn or_broken<T>(&mut self, result: Result<T, FrameError>) -> Result<T, Stopped> {
        result.map_err(|error| {
            // Nobody is there to stop the program, which is not to go on by itself.
            self.guard.fire(codemode_core::Bound::Interrupted, 0);
            self.broken.get_or_insert(error);
            Stopped
        })
    }

    /// The host's next message, for as long as `take` refuses what it is shown.
    fn receive<T>(&mut self, mut take: impl FnMut(&mut Self, ToChild<'_>) -> Option<T>) -> Result<T, Stopped> {
        let link = Arc::clone(&self.link);
        loop {
            let mut link = lock(&link);
            let frame = match link.reader.next(MOST_FRAME) {
                Ok(Some(frame)) => read(frame),
                Ok(None) => Err(FrameError::Torn),
                Err(error) => Err(error),
            };
            let message = self.or_broken(frame)?;
            if let Some(taken) = take(self, message) {
                return Ok(taken);
            }
        }
    }

    fn tell_skipped(&mut self) -> Result<(), Stopped> {
        match std::mem::take(&mut self.skipped) {
            0 => Ok(()),
            skipped => self.send(&ToParent::Print { text: "", skipped }),
        }
    }

    fn at_hand(&mut self, only: Option<CallId>) -> Option<Next> {
        let found = match only {
            None => self.answers.pop_front(),
            Some(id) => {
                let place = self.answers.iter().position(|delivered| delivered.id == id);
                place.and_then(|place| self.answers.remove(place))
            }
        };
        found.map(Next::Answer).or_else(|| (only.is_none() && self.waker.take()).then_some(Next::Woken))
    }

    fn wait(&mut self, only: Option<CallId>, until: Option<Instant>) -> Result<Next, Stopped> {
        self.tell_skipped()?;
        loop {
            if let Some(next) = self.at_hand(only) {
                return Ok(next);
            }
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return Ok(Next::Due);
            }
            let until_ns = left.map(|left| u64::try_from(left.as_nanos()).unwrap_or(u64::MAX));
            let (held, peak) = (self.guard.held() as u64, self.guard.peak() as u64);
            self.send(&ToParent::Wait { until_ns, held, peak })?;
            self.or_awake(only)?;
            let next = self.receive(|_, message| match message {
                ToChild::Answer { id, took_ns, answer } => {
                    Some(Next::Answer(Delivered { id: CallId(id), answer: answer.read(), took: Duration::from_nanos(took_ns) }))
                }
                ToChild::Due => Some(Next::Due),
                ToChild::Stopped => Some(Next::Stopped),
                ToChild::Woken => Some(Next::Woken),
                _ => None,
            })?;
            match next {
                // Taken from the waker, at the next turn.
                Next::Woken => {}
                Next::Answer(delivered) if only.is_none_or(|only| only == delivered.id) => return Ok(Next::Answer(delivered)),
                Next::Answer(delivered) => self.answers.push_back(delivered),
                other => return Ok(other),
            }
        }
    }

    /// Waits for the host's reply; where somebody wakes first, the host is told, and replies at once.
    fn or_awake(&mut self, only: Option<CallId>) -> Result<(), Stopped> {
        let link = Arc::clone(&self.link);
        let mut link = lock(&link);
        let replied = only.is_some() || link.reader.has_some() || self.waker.waits_for(link.reader.source());
        let told = if replied { Ok(()) } else { link.writer.send(&ToParent::Awake) };
        drop(link);
        self.or_broken(told)
    }

    fn resolve(&mut self, name: &str) -> Result<Resolved, Stopped> {
        if let Some(known) = self.tools.get(name) {
            return Ok(known.clone());
        }
        self.send(&ToParent::Resolve { name })?;
        let resolved = self.receive(|_, message| match message {
            ToChild::Resolved(resolved) => Some(Ok(resolved.read())),
            ToChild::Stopped => Some(Err(Stopped)),
            _ => None,
        })??;
        if matches!(resolved, Resolved::Tool(_)) {
            self.tools.insert(name.into(), resolved.clone());
        }
        Ok(resolved)
    }

    fn names(&mut self) -> Result<Vec<Arc<str>>, Stopped> {
        self.send(&ToParent::Tools)?;
        self.receive(|inner, message| match message {
            ToChild::Tools(tools) => {
                let tools = tools.into_iter().map(|tool| Arc::new(tool.read()));
                // Whoever asks for all names asks for what they stand for next.
                let names = tools.map(|tool| {
                    let name = Arc::clone(&tool.name);
                    inner.tools.insert(Arc::clone(&name), Resolved::Tool(tool));
                    name
                });
                Some(Ok(names.collect()))
            }
            ToChild::Stopped => Some(Err(Stopped)),
            _ => None,
        })?
    }

    fn print(&mut self, text: &str) -> Result<(), Stopped> {
        let kept = if self.skipped > 0 { "" } else { self.unit.prefix(text, self.room) };
        let cut = (text.len() - kept.len()) as u64;
        if cut > 0 {
            self.room = 0;
            self.skipped += cut;
        } else {
            self.room -= self.unit.measure(kept);
        }
        if kept.is_empty() { Ok(()) } else { self.send(&ToParent::Print { text: kept, skipped: 0 }) }
    }
}

impl Port for ChildPort {
    fn start(&self, id: CallId, ask: Ask) -> Result<(), Stopped> {
        self.with(|inner| {
            inner.tell_skipped()?;
            let ask = WireAsk::of(&ask).ok_or(Stopped)?;
            inner.send(&ToParent::Ask { id: id.0, ask })
        })
    }

    fn next(&self, only: Option<CallId>, until: Option<Instant>) -> Next {
        self.with(|inner| inner.wait(only, until)).unwrap_or(Next::Stopped)
    }

    fn resolve(&self, name: &str) -> Result<Resolved, Stopped> {
        self.with(|inner| inner.resolve(name))
    }

    fn names(&self) -> Result<Vec<Arc<str>>, Stopped> {
        self.with(Inner::names)
    }

    fn print(&self, text: &str) -> Result<(), Stopped> {
        self.with(|inner| inner.print(text))
    }

    fn skipped(&self, bytes: u64) {
        let _ = self.with(|inner| {
            inner.skipped += bytes;
            Ok(())
        });
    }

    fn room(&self) -> u64 {
        self.lock().as_ref().map_or(0, |inner| if inner.skipped > 0 { 0 } else { inner.unit.most_bytes(inner.room) })
    }

    fn wake(&self) {
        self.waker.wake();
    }

    fn excused(&self, act: &mut dyn FnMut()) {
        act();
    }

    fn raw_effect(&self) {
        let _ = self.with(|inner| inner.send(&ToParent::RawEffect));
    }
}
