//! An engine that runs in workers.

use std::sync::{Arc, PoisonError};

use codemode_core::{Engine, EngineError, Gap, Guard, Interpreter, OpenSpec, Raised, Support};

use super::interpreter::WorkerInterpreter;
use super::pool::{Key, Shared};
use super::process::{MOST_SMALL, STARTS_WITHIN, shown};
use super::start_error::StartError;
use crate::wire::{ToChild, ToParent};

/// What a worker says of an engine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Described {
    pub(super) id: &'static str,
    support: Support,
    gaps: &'static [Gap],
}

/// An engine in workers.
#[derive(Debug)]
pub(super) struct WorkerEngine {
    shared: Arc<Shared>,
    principal: Option<Arc<str>>,
    described: Described,
}

impl WorkerEngine {
    pub(super) fn new(shared: Arc<Shared>, principal: Option<Arc<str>>, described: Described) -> Self {
        Self { shared, principal, described }
    }
}

impl Engine for WorkerEngine {
    fn id(&self) -> &'static str {
        self.described.id
    }

    fn support(&self) -> Support {
        self.described.support
    }

    fn gaps(&self) -> &'static [Gap] {
        self.described.gaps
    }

    fn check(&self, spec: &OpenSpec, source: &str) -> Result<(), Raised> {
        let memory = spec.profile.budgets.memory_bytes;
        let key = Key::new(&self.described, self.principal.clone(), &spec.profile, spec.deterministic, memory);
        let failed = |error: StartError| Raised { message: error.to_string(), ..Raised::default() };
        let (mut process, _) = self.shared.lease(&key).map_err(failed)?;
        let checked = self.shared.make_ready(&mut process).map_err(failed).and_then(|()| {
            let broken = |error: &dyn std::fmt::Display| failed(StartError::lasting(error.to_string()));
            process.send(&ToChild::Check { source }).map_err(|error| broken(&error))?;
            let life = Arc::clone(&process.life);
            match process.receive_within(STARTS_WITHIN, MOST_SMALL).map_err(|error| broken(&error))? {
                Some(ToParent::Checked(raised)) => Ok(raised.map(crate::wire::WireRaised::read)),
                Some(ToParent::Broke { message } | ToParent::Panicked { message }) => Err(broken(&shown(message))),
                Some(_) => Err(broken(&"it said something else than what it was asked")),
                None => Err(broken(&life.death().cause)),
            }
        });
        match checked {
            Ok(raised) => {
                self.shared.give_back(&key, process);
                raised.map_or(Ok(()), Err)
            }
            Err(raised) => {
                self.shared.let_go(&key);
                Err(raised)
            }
        }
    }

    fn open(&self, spec: &OpenSpec, guard: &Arc<Guard>) -> Result<Box<dyn Interpreter>, EngineError> {
        let (shared, principal) = (Arc::clone(&self.shared), self.principal.clone());
        Ok(Box::new(WorkerInterpreter::new(shared, principal, self.described, spec, guard)))
    }
}

/// Whatever an engine is in a thread, a process is stopped and its memory is bounded.
fn bounded(support: Support) -> Support {
    Support { stop_compute: true, bound_memory: true, ..support }
}

impl Shared {
    /// What an engine of the host's own is like in a worker.
    pub(super) fn remember(&self, engine: &dyn Engine) -> Described {
        let described = Described { id: engine.id(), support: bounded(engine.support()), gaps: engine.gaps() };
        self.described.lock().unwrap_or_else(PoisonError::into_inner).insert(engine.id().to_owned(), described);
        described
    }

    /// What an engine is like in a worker, which is asked.
    pub(super) fn describe(self: &Arc<Self>, id: &str) -> Result<Described, StartError> {
        let mut known = self.described.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(described) = known.get(id) {
            return Ok(*described);
        }
        let mut process = self.start_bare()?;
        process.send(&ToChild::Describe { engine: id })?;
        let life = Arc::clone(&process.life);
        let said = process.receive_within(STARTS_WITHIN, MOST_SMALL)?;
        let described = match said {
            // Kept for as long as the process: there are as many as there are engines.
            Some(ToParent::Described { support, gaps }) => Described {
                id: leaked(id),
                support: bounded(support),
                gaps: Box::leak(gaps.into_iter().map(|(case, reason)| Gap { case: leaked(case), reason: leaked(reason) }).collect()),
            },
            Some(ToParent::Broke { message }) => return Err(StartError::lasting(shown(message))),
            Some(_) => return Err(StartError::lasting("it said something else than what it was asked".to_owned())),
            None => return Err(StartError::death(life.death().cause)),
        };
        known.insert(id.to_owned(), described);
        Ok(described)
    }
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}
