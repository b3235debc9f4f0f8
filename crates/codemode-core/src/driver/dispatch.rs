//! Asks on their way: admission, dispatch through the layers, and the answer's way back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{Either, select};
use tracing::Instrument;

use super::alarm;
use super::drive::Drive;
use super::exchange::FromProgram;
use super::intent;
use super::seat::panic_text;
use crate::answer::{Answer, Fault, code};
use crate::call::{Call, CallContext};
use crate::catalog::Resolved;
use crate::guard::Reserved;
use crate::handle::{Ask, CallId, Delivered};
use crate::host::ToolHost;
use crate::json::Json;
use crate::kind::Bound;
use crate::layer::Rest;
use crate::ledger::CallRecord;
use crate::observe::Event;
use crate::tool::ToolSpec;

/// A call that was admitted and waits for its turn.
pub(super) struct Pending {
    id: CallId,
    pub(super) tool: Arc<ToolSpec>,
    arguments: Json,
    intent: Option<Arc<str>>,
    reserved: Reserved,
}

/// Something that was out and has come back.
pub(super) enum Finished {
    Called {
        id: CallId,
        seq: u64,
        answer: Answer,
        took: Duration,
    },
    Discovered {
        id: CallId,
        answer: Answer,
        took: Duration,
    },
    /// Without tools there may be a reason for it.
    Admitted {
        namespace: Arc<str>,
        tools: Result<Vec<Arc<ToolSpec>>, Option<String>>,
    },
}

impl Drive {
    /// Takes one message of the program's.
    pub(super) fn on_message(&mut self, message: FromProgram) {
        if self.exchange.guard.stopped() {
            return;
        }
        let Some(message) = self.unless_it_waits(message) else { return };
        match message {
            FromProgram::Ask { id, ask: Ask::Call { name, arguments, intent }, reserved } => {
                self.submit(id, &name, arguments, intent, reserved);
            }
            FromProgram::Ask { id, ask: Ask::Budget, reserved } => {
                // The snapshot is of what the program holds, and not of its question.
                drop(reserved);
                let answer = Answer::structured(self.budget());
                self.exchange.deliver(Delivered { id, answer, took: Duration::ZERO });
            }
            FromProgram::Ask { id, mut ask, reserved } => {
                if let Ask::Open { limit, .. } = &mut ask {
                    // In base64 it grows by a third: a piece that is as large as a result may be would end the run.
                    *limit = (*limit).min((self.budgets.call_result_bytes / 2).max(1));
                }
                let (host, catalog) = (Arc::clone(&self.setup.host), self.exchange.catalog());
                self.in_flight.push(Box::pin(async move {
                    let began = Instant::now();
                    let answer = protected("the host", async { host.discover(&catalog, &ask).await }).await;
                    drop(reserved);
                    Finished::Discovered { id, answer, took: began.elapsed() }
                }));
            }
            FromProgram::Admit { namespace } => self.list(namespace),
        }
    }

    /// Admission: what is refused here is answered and not dispatched.
    fn submit(&mut self, id: CallId, name: &str, arguments: Json, intent: Option<String>, reserved: Reserved) {
        match self.admission(name, arguments, intent) {
            Ok((tool, arguments, intent)) => {
                let parallel = tool.annotations.is_parallel();
                self.schedule.submit(Pending { id, tool, arguments, intent: intent.map(Arc::from), reserved }, parallel);
            }
            Err(fault) => {
                let answer = Answer::NotRun(fault);
                let bytes = self.bytes(&answer);
                self.deliver(id, answer, bytes, Duration::ZERO, name);
            }
        }
    }

    fn admission(&self, name: &str, arguments: Json, intent: Option<String>) -> Result<(Arc<ToolSpec>, Json, Option<String>), Fault> {
        let tool = match self.exchange.catalog().resolve(name) {
            Resolved::Tool(tool) => tool,
            Resolved::Namespace(namespace) => {
                let message = format!("\"{namespace}\" is a server, and a call names one of its tools");
                return Err(Fault::new(code::UNKNOWN_TOOL, message));
            }
            Resolved::Missing(missing) => return Err(missing.fault("the list of tools")),
        };
        let limit = self.budgets.call_arguments_bytes;
        if arguments.bytes() as u64 > limit {
            let message = format!("the arguments have {} bytes as json, and at most {limit} are allowed; send less", arguments.bytes());
            return Err(Fault::new(code::INVALID_ARGUMENTS, message));
        }
        let (arguments, intent) = match intent {
            None if self.setup.spec.profile.call_intents => intent::taken_from(&tool, &arguments)?,
            given => (arguments, given),
        };
        let admitted = || self.setup.layers.iter().try_for_each(|layer| layer.admit(&tool, &arguments));
        catch_unwind(AssertUnwindSafe(admitted)).unwrap_or_else(|panic| {
            let message = format!("what admits calls panicked, and this one was not made: {}", panic_text(&*panic));
            Err(Fault::new(code::UNAVAILABLE, message))
        })?;
        Ok((tool, arguments, intent))
    }

    /// Starts every call that the schedule allows. The call past the budget fires the bound and reaches nobody.
    pub(super) fn start_calls(&mut self) {
        while !self.exchange.guard.stopped() {
            let Some(pending) = self.schedule.start() else { return };
            if self.ledger.len() as u64 >= self.budgets.calls {
                // It was given its turn and does not use it: a run that ends waits for those who do.
                self.schedule.ended();
                self.exchange.stop(Bound::Calls, self.budgets.calls.saturating_add(1));
                return;
            }
            self.dispatch(pending);
        }
    }

    fn dispatch(&mut self, pending: Pending) {
        // From here the call is bounded by the budgets of calls and of arguments.
        let Pending { id, tool, arguments, intent, reserved } = pending;
        drop(reserved);
        let name = Arc::clone(&tool.name);
        let may_change_world = tool.annotations.may_change_world();
        let seq = self.ledger.dispatched(id, Arc::clone(&name), arguments.clone(), may_change_world);
        self.observe(&Event::CallStarted { seq, tool: &name, arguments: &arguments });
        let began = Instant::now();
        let context = CallContext {
            run: Some(self.run.clone()),
            session: self.request.session.clone(),
            parent_turn: self.request.parent_turn.clone(),
            seq,
            intent,
            tool: name,
            deadline: None,
            cancelled: self.cancelled.child_token(),
            control: Arc::clone(&self.control) as Arc<dyn crate::call::Control>,
        };
        let span = tracing::debug_span!("call", seq, tool = &*context.tool);
        let setup = Arc::clone(&self.setup);
        let call = Call { tool, arguments };
        let calling = async move {
            let answer = protected("a layer", Rest::new(&setup.layers, &*setup.host).call(&context, call)).await;
            Finished::Called { id, seq, answer, took: began.elapsed() }
        };
        // Nobody traces calls as a rule, and a span that nobody sees is entered and left at each poll all the same.
        self.in_flight.push(if span.is_disabled() { Box::pin(calling) } else { Box::pin(calling.instrument(span)) });
    }

    /// Takes what came back: to the ledger, to the observer and, unless the run was stopped, to the program.
    pub(super) fn on_finished(&mut self, finished: Finished) {
        match finished {
            Finished::Called { id, seq, answer, took } => {
                self.schedule.ended();
                let bytes = self.bytes(&answer);
                let Some(record) = self.ledger.answered(seq, &answer, bytes, took).cloned() else { return };
                let CallRecord { tool, status, .. } = record;
                tracing::debug!(seq, tool = &*tool, status = status.as_str(), bytes, "call finished");
                self.observe(&Event::CallFinished { seq, tool: &tool, status, bytes, took });
                self.deliver(id, answer, bytes, took, &tool);
            }
            Finished::Discovered { id, answer, took } => {
                let bytes = self.bytes(&answer);
                self.deliver(id, answer, bytes, took, "discovery");
            }
            Finished::Admitted { namespace, tools } => self.on_listed(&namespace, tools),
        }
    }

    /// The size of what the program sees of an answer.
    fn bytes(&self, answer: &Answer) -> u64 {
        answer.bytes_in(self.setup.spec.profile.form) as u64
    }

    /// Counts an answer against the result budgets and puts it before the program.
    fn deliver(&mut self, id: CallId, answer: Answer, bytes: u64, took: Duration, tool: &str) {
        if self.exchange.guard.stopped() {
            return;
        }
        if bytes > self.budgets.call_result_bytes {
            tracing::debug!(tool, bytes, "a result passed its budget");
            self.exchange.stop(Bound::CallResult, bytes);
            return;
        }
        self.result_bytes += bytes;
        if self.result_bytes > self.budgets.total_result_bytes {
            self.exchange.stop(Bound::TotalResults, self.result_bytes);
            return;
        }
        self.exchange.deliver(Delivered { id, answer, took });
    }

    /// The settling time is over: calls that are still silent stay `unknown`.
    pub(super) fn abandon_calls(&mut self) {
        // A tool that panics as it is dropped has nobody left to tell.
        let silent = std::mem::take(&mut self.in_flight);
        let _ = catch_unwind(AssertUnwindSafe(|| drop(silent)));
        self.schedule.abandon();
    }

    /// Calls that were dispatched and have no answer yet.
    pub(super) fn out(&self) -> impl Iterator<Item = &CallRecord> {
        self.ledger.records().iter().filter(|record| record.status == crate::ledger::CallStatus::Unknown && record.took.is_zero())
    }
}

/// A call's last step, to its tool: within the tool's own deadline, which begins here and not while a person is asked.
///
/// A tool that panics is an unknown outcome to the layers too, so that they can put it on record.
pub(crate) async fn to_the_tool(host: &dyn ToolHost, context: &CallContext, call: Call) -> Answer {
    let Some(deadline) = call.tool.annotations.deadline else {
        return protected("the tool", async { host.call(context, call).await }).await;
    };
    let context = CallContext { deadline: Some(alarm::later(Instant::now(), deadline)), ..context.clone() };
    let called = std::pin::pin!(protected("the tool", async { host.call(&context, call).await }));
    match select(called, std::pin::pin!(alarm::sleep(deadline))).await {
        Either::Left((answer, _)) => answer,
        Either::Right(((), _)) => {
            context.cancelled.cancel();
            let message = format!("the tool gave no answer within its own deadline of {} ms; it may have run", deadline.as_millis());
            Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, message))
        }
    }
}

async fn protected(who: &str, answer: impl Future<Output = Answer>) -> Answer {
    AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|panic| {
        let message = format!("{who} panicked, and may have run: {}", panic_text(&*panic));
        Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, message))
    })
}
