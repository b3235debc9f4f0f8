//! What the runner watches while a program runs: the moment to stop it, and the interpreters that are alive.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use codemode_core::{
    Ended, Engine, EngineError, Event, Gap, Guard, Handle, Input, Interpreter, Interrupt, Observer, OpenSpec, Raised, Stopper, Support,
};
use tokio::sync::Notify;

use crate::case::At;

/// Sees a run's events and acts once, at the moment that the case names.
pub(crate) struct Moment {
    at: At,
    seen: Mutex<Seen>,
    /// Told when the moment has come.
    pub(crate) come: Notify,
}

#[derive(Default)]
struct Seen {
    printed: String,
    calls: u64,
    stopper: Option<Stopper>,
    done: bool,
}

impl Moment {
    pub(crate) fn new(at: At) -> Arc<Self> {
        Arc::new(Self { at, seen: Mutex::default(), come: Notify::new() })
    }

    /// Names the run to stop, which has not begun yet.
    pub(crate) fn aim(&self, stopper: Stopper) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.stopper = Some(stopper);
        if matches!(self.at, At::Start) {
            self.act(&mut seen);
        }
    }

    fn act(&self, seen: &mut Seen) {
        if !std::mem::replace(&mut seen.done, true) {
            if let Some(stopper) = &seen.stopper {
                stopper.stop();
            }
            self.come.notify_one();
        }
    }
}

impl Observer for Moment {
    fn event(&self, event: &Event<'_>) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Printed { text } => seen.printed.push_str(text),
            Event::CallStarted { .. } => seen.calls += 1,
            _ => return,
        }
        let come = match &self.at {
            At::Start => false,
            At::Printed(text) => seen.printed.contains(text),
            At::Calls(calls) => seen.calls >= *calls,
        };
        if come {
            self.act(&mut seen);
        }
    }
}

/// How many interpreters are alive.
#[derive(Default)]
pub(crate) struct Alive {
    count: Mutex<usize>,
    fewer: Condvar,
}

impl Alive {
    /// Waits until none is, at most for `patience`, and gives how many still are.
    pub(crate) fn wait_for_none(&self, patience: Duration) -> usize {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, _) = self.fewer.wait_timeout_while(count, patience, |count| *count > 0).unwrap_or_else(PoisonError::into_inner);
        *count
    }
}

/// The engine, with a count of its interpreters.
pub(crate) fn watched(engine: Arc<dyn Engine>) -> (Arc<dyn Engine>, Arc<Alive>) {
    let alive = Arc::new(Alive::default());
    (Arc::new(Watched { engine, alive: Arc::clone(&alive) }), alive)
}

/// An engine whose interpreters are counted.
struct Watched {
    engine: Arc<dyn Engine>,
    alive: Arc<Alive>,
}

impl Engine for Watched {
    fn id(&self) -> &'static str {
        self.engine.id()
    }

    fn support(&self) -> Support {
        self.engine.support()
    }

    fn gaps(&self) -> &'static [Gap] {
        self.engine.gaps()
    }

    fn check(&self, spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        self.engine.check(spec, source)
    }

    fn open(&self, spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        let interpreter = self.engine.open(spec, guard)?;
        *self.alive.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Ok(Box::new(Counted { interpreter, _one: One(Arc::clone(&self.alive)) }))
    }
}

/// An interpreter; the count goes down after it is gone.
struct Counted {
    interpreter: Box<dyn Interpreter>,
    _one: One,
}

struct One(Arc<Alive>);

impl Drop for One {
    fn drop(&mut self) {
        *self.0.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.fewer.notify_all();
    }
}

impl Interpreter for Counted {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        self.interpreter.interrupt()
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        self.interpreter.run(input, handle)
    }
}
