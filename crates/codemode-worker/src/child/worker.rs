//! What a worker does at its host's word, one thing at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use codemode_core::{
    Budgets, Ended, Engine, EngineError, Guard, Handle, Input, Interpreter, Json, Local, OpenSpec, Port, Profile, RunClock, Value,
};
use rustix::time::{ClockId, clock_gettime};

use super::port::ChildPort;
use super::stop::Stopper;
use super::waker::Waker;
use super::{Link, MOST_FRAME, lock, read};
use crate::wire::{FrameError, ToChild, ToParent, WireEnd, WireRaised, WireValue};

pub(super) struct Worker<'e> {
    pub(super) engines: &'e [Arc<dyn Engine>],
    pub(super) local: Option<Arc<dyn Local>>,
    pub(super) link: Arc<Mutex<Link>>,
    pub(super) stopper: Stopper,
    pub(super) waker: Arc<Waker>,
    pub(super) stack_bytes: usize,
    pub(super) guard: Arc<Guard>,
    pub(super) opened: Option<Opened>,
}

/// An interpreter, and what another like it is made of.
pub(super) struct Opened {
    engine: Arc<dyn Engine>,
    spec: OpenSpec,
    interpreter: Option<Box<dyn Interpreter>>,
}

impl Worker<'_> {
    pub(super) fn serve(&mut self) -> Result<(), FrameError> {
        let link = Arc::clone(&self.link);
        loop {
            // The frame is copied, since what it asks for reads and writes on the same pipes.
            let Some(frame) = lock(&link).reader.next(MOST_FRAME)?.map(<[u8]>::to_vec) else { return Ok(()) };
            match read(&frame)? {
                ToChild::Describe { engine } => self.describe(engine)?,
                ToChild::Open { engine, profile, deterministic } => self.open(engine, *profile, deterministic)?,
                ToChild::Check { source } => self.check(source)?,
                ToChild::Run { source, cwd, state, budgets, seed } => {
                    let state = state.map(|text| Json::written(text.to_owned()));
                    let input = Input { source: source.into(), cwd: cwd.into(), state };
                    self.run(&input, &budgets, seed)?;
                }
                ToChild::Renew => self.renew()?,
                // An answer to a question that the run which asked it did not wait for.
                ToChild::Answer { .. } | ToChild::Due | ToChild::Woken | ToChild::Stopped | ToChild::Resolved(_) | ToChild::Tools(_) => {}
                ToChild::Hello(_) => return Err(FrameError::Malformed("a second greeting".to_owned())),
            }
        }
    }

    fn send(&self, message: &ToParent<'_>) -> Result<(), FrameError> {
        lock(&self.link).writer.send(message)
    }

    fn broke(&self, message: &str) -> Result<(), FrameError> {
        self.send(&ToParent::Broke { message })
    }

    fn engine(&self, id: &str) -> Option<Arc<dyn Engine>> {
        self.engines.iter().find(|known| known.id() == id).map(Arc::clone)
    }

    fn no_engine(&self, id: &str) -> Result<(), FrameError> {
        let there: Vec<&str> = self.engines.iter().map(|engine| engine.id()).collect();
        self.broke(&format!("the worker has no such engine, only {}; build it with the feature \"{id}\"", there.join(", ")))
    }

    fn describe(&self, id: &str) -> Result<(), FrameError> {
        let Some(engine) = self.engine(id) else { return self.no_engine(id) };
        let mut support = engine.support();
        support.grant_local |= self.local.is_some() && support.pass_local;
        let gaps = engine.gaps().iter().map(|gap| (gap.case, gap.reason)).collect();
        self.send(&ToParent::Described { support, gaps })
    }

    fn open(&mut self, id: &str, profile: Profile, deterministic: bool) -> Result<(), FrameError> {
        self.opened = None;
        let Some(engine) = self.engine(id) else { return self.no_engine(id) };
        let local = self.local.clone().filter(|_| profile.authority == codemode_core::Authority::Local);
        let needs_local = profile.authority == codemode_core::Authority::Local && !engine.support().grant_local;
        if needs_local && local.is_none() {
            return self.broke("this worker has no service for authority `local`; give it one where it begins to serve");
        }
        let spec = OpenSpec { profile, deterministic, stack_bytes: self.stack_bytes, local };
        self.opened = Some(Opened { engine, spec, interpreter: None });
        self.make_interpreter()
    }

    fn make_interpreter(&mut self) -> Result<(), FrameError> {
        let Some(opened) = &mut self.opened else { return Ok(()) };
        // What an adapter asks of its guard while it opens is answered as in a run.
        self.guard = Guard::new();
        self.guard.arm(&opened.spec.profile.budgets);
        match catch_unwind(AssertUnwindSafe(|| opened.engine.open(&opened.spec, &self.guard))) {
            Ok(Ok(interpreter)) => {
                opened.interpreter = Some(interpreter);
                self.send(&ToParent::Opened)
            }
            Ok(Err(error)) => self.broke(&error.message),
            Err(panic) => self.panicked(&*panic),
        }
    }

    fn check(&mut self, source: &str) -> Result<(), FrameError> {
        let Some(opened) = &self.opened else { return self.broke("there is no engine to parse it") };
        match catch_unwind(AssertUnwindSafe(|| opened.engine.check(&opened.spec, source))) {
            Ok(checked) => self.send(&ToParent::Checked(checked.as_ref().err().map(WireRaised::of))),
            Err(panic) => self.panicked(&*panic),
        }
    }

    fn renew(&mut self) -> Result<(), FrameError> {
        if let Some(opened) = &mut self.opened {
            drop(opened.interpreter.take());
        }
        self.make_interpreter()
    }

    fn run(&mut self, input: &Input, budgets: &Budgets, seed: Option<(u64, u64)>) -> Result<(), FrameError> {
        let Some(interpreter) = self.opened.as_mut().and_then(|opened| opened.interpreter.as_mut()) else {
            return self.broke("there is no interpreter for a run");
        };
        self.guard.arm(budgets);
        let port = Arc::new(ChildPort::new(&self.link, &self.guard, &self.waker, budgets));
        let clock = seed.map_or_else(RunClock::real, |(seed, start)| RunClock::deterministic(seed, start));
        let handle = Handle::new(Arc::clone(&port) as Arc<dyn Port>, Arc::clone(&self.guard), *budgets, clock);
        self.stopper.watch(&self.guard, interpreter.interrupt());
        let before = processor_time();
        self.guard.resume();
        let ran = catch_unwind(AssertUnwindSafe(|| interpreter.run(input, &handle)));
        self.guard.pause();
        self.stopper.idle();
        port.close()?;
        let processor_ns = u64::try_from(processor_time().saturating_sub(before).as_nanos()).unwrap_or(u64::MAX);
        match ran {
            Ok(ran) => self.tell_end(ran, processor_ns),
            Err(panic) => self.panicked(&*panic),
        }
    }

    fn tell_end(&self, ran: Result<Ended, EngineError>, processor_ns: u64) -> Result<(), FrameError> {
        let ended = match ran {
            Ok(ended) => ended,
            Err(error) => return self.broke(&error.message),
        };
        self.send(&ToParent::Ended {
            end: WireEnd::of(&ended.end),
            value: ended.value.as_ref().map(|value| match value {
                Value::Json(json) => WireValue::Json(json.text()),
                Value::Text(text) => WireValue::Text(text),
            }),
            state: ended.state.as_ref().map(Json::text),
            warnings: ended.warnings.iter().map(String::as_str).collect(),
            fired: self.guard.fired(),
            held: self.guard.held() as u64,
            peak: self.guard.peak() as u64,
            processor_ns,
        })
    }

    fn panicked(&self, panic: &(dyn std::any::Any + Send)) -> Result<(), FrameError> {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let message = codemode_core::text::cut(text.unwrap_or("no message"), 500);
        self.send(&ToParent::Panicked { message: &message })?;
        // What the panic left is no interpreter any more.
        Err(FrameError::Malformed(format!("the engine panicked: {message}")))
    }
}

/// What the processor has spent on this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), u32::try_from(time.tv_nsec).unwrap_or_default())
}
