//! An interpreter in a worker, as its host's thread sees it: the other end of what its program does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use codemode_core::{Bound, Death, End, Ended, EngineError, Guard, Handle, Input, Interpreter, Interrupt, Json, Next, OpenSpec, Value};

use super::engine::Described;
use super::life::Life;
use super::pool::{Key, Shared};
use super::process::{Process, shown};
use super::queue::Place;
use super::start_error::StartError;
use crate::wire::{FrameError, ToChild, ToParent, WireAnswer, WireResolved, WireTool, WireValue, malformed};

/// How long an engine's own bound has before its process is killed, counted from the first interrupt.
const OWN_BOUND: Duration = Duration::from_millis(30);

/// How many workers are started for a run where one after the other dies before it is ready.
const STARTS: u32 = 3;

/// What a message may have besides the program's own memory, in bytes.
const MESSAGE_BYTES: usize = 1 << 20;

/// An interpreter in a worker. It has none before its first run, so that a program which waits for a place holds no process.
pub(super) struct WorkerInterpreter {
    shared: Arc<Shared>,
    principal: Option<Arc<str>>,
    described: Described,
    spec: OpenSpec,
    guard: Arc<Guard>,
    stop: Arc<Stop>,
    /// The workers for a run with the profile's own budgets.
    key: Key,
    leased: Option<Leased>,
}

struct Leased {
    key: Key,
    process: Process,
    /// A program ran in it.
    used: bool,
    /// It can serve another program.
    sound: bool,
}

/// How a program is stopped: where it waits for a place, by waking its thread; else by a signal, and then by a kill.
#[derive(Debug, Default)]
struct Stop(Mutex<Stopping>);

#[derive(Debug, Default)]
struct Stopping {
    waiting: Option<Thread>,
    life: Option<Arc<Life>>,
    first: Option<Instant>,
}

impl Stop {
    fn lock(&self) -> MutexGuard<'_, Stopping> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Interrupt for Stop {
    fn interrupt(&self) {
        let mut stopping = self.lock();
        if let Some(thread) = &stopping.waiting {
            thread.unpark();
        }
        let Some(life) = stopping.life.clone() else { return };
        let first = *stopping.first.get_or_insert_with(Instant::now);
        drop(stopping);
        if first.elapsed() >= OWN_BOUND { life.kill() } else { life.signal() }
    }
}

/// What a conversation came to.
enum Talk {
    Ended(Ended),
    Broke(String),
    Panicked(String),
    Died,
}

impl WorkerInterpreter {
    pub(super) fn new(shared: Arc<Shared>, principal: Option<Arc<str>>, described: Described, spec: &OpenSpec, guard: &Arc<Guard>) -> Self {
        let key = key(&described, principal.as_ref(), spec, spec.profile.budgets.memory_bytes);
        Self { shared, principal, described, spec: spec.clone(), guard: Arc::clone(guard), stop: Arc::default(), key, leased: None }
    }

    fn key(&self, memory_bytes: u64) -> Key {
        key(&self.described, self.principal.as_ref(), &self.spec, memory_bytes)
    }

    fn error(&self, message: String) -> EngineError {
        EngineError { engine: self.described.id, message }
    }

    /// Waits for a place, and takes a worker that is ready. Nothing where the run was stopped meanwhile.
    fn enter<'q>(&mut self, shared: &'q Arc<Shared>, memory_bytes: u64) -> Result<Option<Place<'q>>, StartError> {
        self.stop.lock().waiting = Some(std::thread::current());
        let place = shared.queue.enter(&self.guard);
        self.stop.lock().waiting = None;
        let Some(place) = place else { return Ok(None) };
        if self.leased.is_none() {
            let key = if memory_bytes > self.spec.profile.budgets.memory_bytes { self.key(memory_bytes) } else { self.key.clone() };
            match self.lease(shared, &key) {
                Err(_) if self.guard.stopped() => return Ok(None),
                leased => self.leased = Some(leased?),
            }
        }
        Ok(Some(place))
    }

    fn lease(&self, shared: &Arc<Shared>, key: &Key) -> Result<Leased, StartError> {
        let mut left = STARTS;
        loop {
            // One that waited may have died in its sleep; each is tried once.
            let mut fresh = true;
            let leased = shared.lease(key).and_then(|(mut process, is_fresh)| {
                fresh = is_fresh;
                self.stop.lock().life = Some(Arc::clone(&process.life));
                let ready = shared.make_ready(&mut process);
                if ready.is_err() {
                    shared.let_go(key);
                }
                ready.map(|()| process)
            });
            left -= u32::from(fresh);
            match leased {
                Ok(process) => return Ok(Leased { key: key.clone(), process, used: false, sound: true }),
                Err(error) if left == 0 || !error.may_pass() || self.guard.stopped() => return Err(error),
                Err(error) => tracing::warn!(%error, "another one is tried"),
            }
        }
    }
}

impl Interpreter for WorkerInterpreter {
    fn interrupt(&self) -> Arc<dyn Interrupt> {
        Arc::clone(&self.stop) as Arc<dyn Interrupt>
    }

    fn run(&mut self, input: &Input, handle: &Handle) -> Result<Ended, EngineError> {
        self.stop.lock().first = None;
        let shared = Arc::clone(&self.shared);
        let memory_bytes = handle.budgets().memory_bytes;
        let entered = handle.excused(|| self.enter(&shared, memory_bytes)).unwrap_or(Ok(None));
        let place = entered.map_err(|error| self.error(error.to_string()))?;
        let Some(leased) = self.leased.as_mut().filter(|_| place.is_some() && !handle.guard().stopped()) else {
            return Ok(Ended::new(End::Stopped));
        };
        leased.used = true;
        leased.process.runs = leased.process.runs.saturating_add(1);
        let talk = Conversation { process: &mut leased.process, handle, local: leased.key.is_local() }.hold(input);
        drop(place);
        let talk = talk.unwrap_or_else(|error| match error {
            FrameError::Pipe(_) | FrameError::Torn => Talk::Died,
            error => {
                leased.process.life.kill();
                leased.sound = false;
                let cause = format!("the worker process was killed, since it broke the protocol: {error}");
                Talk::Ended(Ended::new(End::Died(Death { cause, of_memory: false })))
            }
        });
        match talk {
            Talk::Ended(ended) => Ok(ended),
            Talk::Broke(message) => {
                leased.sound = false;
                Err(self.error(message))
            }
            Talk::Panicked(message) => {
                leased.sound = false;
                Ok(Ended::new(End::Died(Death { cause: format!("the engine panicked: {message}"), of_memory: false })))
            }
            Talk::Died => {
                leased.sound = false;
                Ok(died(leased.process.life.death(), handle.guard()))
            }
        }
    }
}

fn key(described: &Described, principal: Option<&Arc<str>>, spec: &OpenSpec, memory_bytes: u64) -> Key {
    Key::new(described, principal.cloned(), &spec.profile, spec.deterministic, memory_bytes)
}

/// The end of a program whose process died. A death by memory is the bound's; how far it went past that, nobody lived to tell.
fn died(death: Death, guard: &Guard) -> Ended {
    if death.of_memory {
        guard.fire(Bound::Memory, guard.peak().max(guard.memory_limit().saturating_add(1)) as u64);
    }
    Ended::new(if guard.stopped() { End::Stopped } else { End::Died(death) })
}

impl Drop for WorkerInterpreter {
    fn drop(&mut self) {
        let Some(mut leased) = self.leased.take() else { return };
        let mut sound = leased.sound && !(leased.used && (self.guard.stopped() || self.shared.is_worn(&leased.process)));
        if sound && leased.used {
            // What the program left is dropped there, where it is in nobody's way.
            sound = leased.process.send(&ToChild::Renew).is_ok();
            leased.process.opening = true;
        }
        if sound {
            self.shared.give_back(&leased.key, leased.process);
        } else {
            self.shared.let_go(&leased.key);
        }
    }
}

/// One run's conversation.
struct Conversation<'a> {
    process: &'a mut Process,
    handle: &'a Handle,
    local: bool,
}

/// What is to be done about a message, which is borrowed from what it was read into.
enum Step {
    Go,
    Wait(Option<Duration>),
    Resolve(String),
    Tools,
    Done(Talk),
}

impl Conversation<'_> {
    fn hold(&mut self, input: &Input) -> Result<Talk, FrameError> {
        self.process.send(&ToChild::Run {
            source: &input.source,
            cwd: &input.cwd,
            state: input.state.as_ref().map(Json::text),
            budgets: Box::new(*self.handle.budgets()),
            seed: self.handle.seed(),
        })?;
        loop {
            match self.step()? {
                Step::Go => {}
                Step::Wait(left) => {
                    if !self.wait(left)? {
                        return Ok(Talk::Died);
                    }
                }
                Step::Resolve(name) => match self.handle.resolve(&name) {
                    Ok(resolved) => self.process.send(&ToChild::Resolved(WireResolved::of(&resolved)))?,
                    Err(codemode_core::Stopped) => self.process.send(&ToChild::Stopped)?,
                },
                Step::Tools => self.tools()?,
                Step::Done(talk) => return Ok(talk),
            }
        }
    }

    /// Takes the next message.
    fn step(&mut self) -> Result<Step, FrameError> {
        let handle = self.handle;
        let guard = handle.guard();
        let most = guard.memory_limit().saturating_add(MESSAGE_BYTES);
        let Some(message) = self.process.receive(most)? else { return Ok(Step::Done(Talk::Died)) };
        Ok(match message {
            ToParent::Ask { id, ask } => {
                // A run that is over takes nothing more, and its worker learns of that when it waits.
                if let Ok(started) = handle.start(ask.read()?)
                    && started.0 != id
                {
                    return Err(FrameError::Malformed(format!("it numbered its ask {id}, which is its {}", started.0)));
                }
                Step::Go
            }
            ToParent::Print { text, skipped } => {
                if !text.is_empty() {
                    let _ = handle.print(text);
                }
                if skipped > 0 {
                    handle.skipped(skipped);
                }
                Step::Go
            }
            ToParent::RawEffect => {
                handle.raw_effect();
                Step::Go
            }
            ToParent::Wait { until_ns, held, peak } => {
                note_memory(guard, held, peak);
                Step::Wait(until_ns.map(Duration::from_nanos))
            }
            // It was answered meanwhile.
            ToParent::Awake => Step::Go,
            ToParent::Resolve { name } => Step::Resolve(name.to_owned()),
            ToParent::Tools => Step::Tools,
            ToParent::Ended { end, value, state, warnings, fired, held, peak, processor_ns } => {
                note_memory(guard, held, peak);
                if let Some((bound, observed)) = fired.filter(|(bound, _)| *bound != Bound::Interrupted) {
                    guard.fire(bound, observed);
                }
                Step::Done(Talk::Ended(Ended {
                    end: end.read(),
                    value: value.map(read_value).transpose()?,
                    state: state.map(|text| Json::parse(text).map_err(|error| malformed(&error))).transpose()?,
                    warnings: warnings.into_iter().map(str::to_owned).collect(),
                    processor: Some(Duration::from_nanos(processor_ns)),
                }))
            }
            ToParent::Broke { message } => Step::Done(Talk::Broke(shown(message))),
            ToParent::Panicked { message } => Step::Done(Talk::Panicked(shown(message))),
            ToParent::Ready { .. } | ToParent::Opened | ToParent::Checked(_) | ToParent::Described { .. } => {
                return Err(FrameError::Malformed("it answered what nobody asked".to_owned()));
            }
        })
    }

    /// Waits for what the program waits for, and replies. False where the worker died meanwhile.
    fn wait(&mut self, left: Option<Duration>) -> Result<bool, FrameError> {
        let until = left.and_then(|left| Instant::now().checked_add(left));
        let life = Arc::clone(&self.process.life);
        life.waits(Some(self.handle.clone()));
        // Whoever is woken by news has to be known before there is any; what was read already is none to the pipe.
        let has_news = self.local && self.process.has_news();
        let next = if has_news || life.is_gone() { Next::Woken } else { self.handle.next(until) };
        life.waits(None);
        match &next {
            Next::Answer(delivered) => {
                let took_ns = u64::try_from(delivered.took.as_nanos()).unwrap_or(u64::MAX);
                let answer = WireAnswer::of(&delivered.answer);
                self.process.send(&ToChild::Answer { id: delivered.id.0, took_ns, answer })?;
            }
            Next::Due => self.process.send(&ToChild::Due)?,
            Next::Woken if life.is_gone() => return Ok(false),
            Next::Woken => self.process.send(&ToChild::Woken)?,
            Next::Stopped => self.process.send(&ToChild::Stopped)?,
        }
        Ok(true)
    }

    fn tools(&mut self) -> Result<(), FrameError> {
        let resolved: Result<Vec<_>, _> =
            self.handle.names().and_then(|names| names.iter().map(|name| self.handle.resolve(name)).collect());
        match resolved {
            Ok(resolved) => {
                let tools = resolved.iter().filter_map(|resolved| match resolved {
                    codemode_core::Resolved::Tool(tool) => Some(WireTool::of(tool)),
                    _ => None,
                });
                self.process.send(&ToChild::Tools(tools.collect()))
            }
            Err(codemode_core::Stopped) => self.process.send(&ToChild::Stopped),
        }
    }
}

fn note_memory(guard: &Guard, held: u64, peak: u64) {
    let bytes = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    guard.tick(bytes(held));
    guard.note_peak(bytes(peak));
}

/// A host believes nothing that its worker says: a value is one JSON document, or the worker is broken.
fn read_value(value: WireValue<'_>) -> Result<Value, FrameError> {
    Ok(match value {
        WireValue::Json(text) => Value::Json(Json::parse(text).map_err(|error| malformed(&error))?),
        WireValue::Text(text) => Value::Text(text.to_owned()),
    })
}
