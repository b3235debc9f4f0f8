//! Asks on their way: admission, dispatch through the layers, and the answer's way back.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{Either, select};
use serde_json::json;
use tracing::Instrument;

use super::alarm;
use super::drive::Drive;
use super::exchange::FromProgram;
use super::runner::Setup;
use super::seat::panic_text;
use crate::answer::{Answer, Fault, code};
use crate::call::{Call, CallContext};
use crate::catalog::{Catalog, Resolved};
use crate::handle::{Ask, CallId, Delivered};
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
}

/// Something that was out and has come back.
pub(super) enum Finished {
    Called { id: CallId, seq: u64, answer: Answer, took: Duration },
    Discovered { id: CallId, answer: Answer, took: Duration },
    Admitted { catalog: Arc<Catalog> },
}

impl Drive {
    /// Takes one message of the program's.
    pub(super) fn on_message(&mut self, message: FromProgram) {
        if self.exchange.guard.stopped() {
            return;
        }
        match message {
            FromProgram::Ask { id, ask: Ask::Call { name, arguments, intent } } => self.submit(id, &name, arguments, intent),
            FromProgram::Ask { id, ask: Ask::Budget } => {
                let answer = Answer::structured(self.budget());
                self.exchange.deliver(Delivered { id, answer, took: Duration::ZERO });
            }
            FromProgram::Ask { id, ask } => {
                let (host, catalog) = (Arc::clone(&self.setup.host), self.exchange.catalog());
                self.in_flight.push(Box::pin(async move {
                    let began = Instant::now();
                    let answer = protected(host.discover(&catalog, &ask)).await;
                    Finished::Discovered { id, answer, took: began.elapsed() }
                }));
            }
            FromProgram::Admit { namespace } => {
                let (host, catalog) = (Arc::clone(&self.setup.host), self.exchange.catalog());
                self.in_flight.push(Box::pin(async move {
                    let admitted = AssertUnwindSafe(host.admit(&namespace)).catch_unwind().await.unwrap_or_default();
                    Finished::Admitted { catalog: Arc::new(catalog.admitting(&namespace, admitted)) }
                }));
            }
        }
    }

    /// Admission: what is refused here is answered and not dispatched.
    fn submit(&mut self, id: CallId, name: &str, arguments: Json, intent: Option<String>) {
        match self.admission(name, &arguments) {
            Ok(tool) => {
                let parallel = tool.annotations.is_parallel();
                self.schedule.submit(Pending { id, tool, arguments, intent: intent.map(Arc::from) }, parallel);
            }
            Err(fault) => self.deliver(id, Answer::NotRun(fault), Duration::ZERO, name),
        }
    }

    fn admission(&self, name: &str, arguments: &Json) -> Result<Arc<ToolSpec>, Fault> {
        let tool = match self.exchange.catalog().resolve(name) {
            Resolved::Tool(tool) => tool,
            Resolved::Namespace(namespace) => {
                let message = format!("\"{namespace}\" is a server, and a call names one of its tools");
                return Err(Fault::new(code::UNKNOWN_TOOL, message));
            }
            Resolved::Missing(missing) => {
                let fault = Fault::new(code::UNKNOWN_TOOL, missing.message("the list of tools"));
                return Err(match missing.nearest.into_iter().next() {
                    Some(nearest) => fault.with_fix(nearest),
                    None => fault,
                });
            }
        };
        let limit = self.budgets.call_arguments_bytes;
        if arguments.bytes() as u64 > limit {
            let message = format!("the arguments have {} bytes as json, and at most {limit} are allowed; send less", arguments.bytes());
            return Err(Fault::new(code::INVALID_ARGUMENTS, message));
        }
        for layer in &self.setup.layers {
            layer.admit(&tool, arguments)?;
        }
        Ok(tool)
    }

    /// Starts every call that the schedule allows. The call past the budget fires the bound and reaches nobody.
    pub(super) fn start_calls(&mut self) {
        while !self.exchange.guard.stopped() {
            let Some(pending) = self.schedule.start() else { return };
            if self.ledger.len() as u64 >= self.budgets.calls {
                self.exchange.stop(Bound::Calls, self.budgets.calls.saturating_add(1));
                return;
            }
            self.dispatch(pending);
        }
    }

    fn dispatch(&mut self, pending: Pending) {
        let Pending { id, tool, arguments, intent } = pending;
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
            deadline: tool.annotations.deadline.map(|deadline| alarm::later(began, deadline)),
            cancelled: self.cancelled.child_token(),
            control: Arc::clone(&self.control) as Arc<dyn crate::call::Control>,
        };
        let span = tracing::debug_span!("call", seq, tool = &*context.tool);
        let setup = Arc::clone(&self.setup);
        let call = Call { tool, arguments };
        self.in_flight.push(Box::pin(
            async move {
                let answer = answer_of(&setup, &context, call).await;
                Finished::Called { id, seq, answer, took: began.elapsed() }
            }
            .instrument(span),
        ));
    }

    /// Takes what came back: to the ledger, to the observer and, unless the run was stopped, to the program.
    pub(super) fn on_finished(&mut self, finished: Finished) {
        match finished {
            Finished::Called { id, seq, answer, took } => {
                self.schedule.ended();
                let Some(record) = self.ledger.answered(seq, &answer, took).cloned() else { return };
                let CallRecord { tool, status, bytes, .. } = record;
                tracing::debug!(seq, tool = &*tool, status = status.as_str(), bytes, "call finished");
                self.observe(&Event::CallFinished { seq, tool: &tool, status, bytes, took });
                self.deliver(id, answer, took, &tool);
            }
            Finished::Discovered { id, answer, took } => self.deliver(id, answer, took, "discovery"),
            Finished::Admitted { catalog } => self.exchange.admitted(catalog),
        }
    }

    /// Counts an answer against the result budgets and puts it before the program.
    fn deliver(&mut self, id: CallId, answer: Answer, took: Duration, tool: &str) {
        if self.exchange.guard.stopped() {
            return;
        }
        let bytes = answer.bytes() as u64;
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
        self.in_flight.clear();
    }

    /// Calls that were dispatched and have no answer yet.
    pub(super) fn out(&self) -> impl Iterator<Item = &CallRecord> {
        self.ledger.records().iter().filter(|record| record.status == crate::ledger::CallStatus::Unknown && record.took.is_zero())
    }

    fn budget(&self) -> Json {
        let row = |used: u64, limit: u64| json!({"used": used, "limit": limit, "remaining": limit.saturating_sub(used)});
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let guard = &self.exchange.guard;
        let budget = json!({
            "inner_calls": row(self.ledger.len() as u64, self.budgets.calls),
            "result_bytes": row(self.result_bytes, self.budgets.total_result_bytes),
            "runtime_ms": row(millis(guard.computed()), millis(self.budgets.compute)),
            "memory_bytes": row(guard.held() as u64, self.budgets.memory_bytes),
            "inner_result_bytes_limit": self.budgets.call_result_bytes,
            "return_bytes_limit": self.budgets.value,
        });
        Json::from_value(budget).unwrap_or_else(|_| Json::null())
    }
}

/// One call through the layers, within its own deadline; a panic on the way is an unknown outcome.
async fn answer_of(setup: &Setup, context: &CallContext, call: Call) -> Answer {
    let deadline = call.tool.annotations.deadline;
    let called = std::pin::pin!(protected(Rest::new(&setup.layers, &*setup.host).call(context, call)));
    let Some(deadline) = deadline else { return called.await };
    match select(called, std::pin::pin!(alarm::sleep(deadline))).await {
        Either::Left((answer, _)) => answer,
        Either::Right(((), _)) => {
            context.cancelled.cancel();
            let message = format!("the tool gave no answer within its own deadline of {} ms; it may have run", deadline.as_millis());
            Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, message))
        }
    }
}

async fn protected(answer: impl Future<Output = Answer>) -> Answer {
    AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|panic| {
        let message = format!("the tool panicked, and may have run: {}", panic_text(&*panic));
        Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, message))
    })
}
