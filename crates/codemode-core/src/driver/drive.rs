//! One run from start to end: the loop that answers its program.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::alarm::{self, Alarm};
use super::control::RunControl;
use super::dispatch::{Finished, Pending};
use super::exchange::{Exchange, FromProgram};
use super::finish;
use super::run::Stopper;
use super::runner::{HostError, RunRequest, Setup};
use super::schedule::Schedule;
use super::seat::{Job, Occupied, Returned, Seat, panic_text};
use super::servers::Waiting;
use crate::budget::Budgets;
use crate::call::RunId;
use crate::engine::Input;
use crate::handle::Handle;
use crate::journal::RunStart;
use crate::json::Json;
use crate::ledger::{CallRecord, Ledger};
use crate::observe::Event;
use crate::outcome::Outcome;
use crate::output::Output;

/// The state of one run on the host's side. Dropping it before the end stops the program and frees what is the host's.
pub(super) struct Drive {
    pub(super) setup: Arc<Setup>,
    pub(super) request: RunRequest,
    pub(super) run: RunId,
    pub(super) budgets: Budgets,
    pub(super) exchange: Arc<Exchange>,
    pub(super) control: Arc<RunControl>,
    pub(super) ledger: Ledger,
    pub(super) schedule: Schedule<Pending>,
    pub(super) waiting: Waiting,
    pub(super) in_flight: FuturesUnordered<BoxFuture<'static, Finished>>,
    pub(super) cancelled: CancellationToken,
    pub(super) result_bytes: u64,
    pub(super) warnings: Vec<String>,
    pub(super) left_behind: bool,
    /// The program came to its end before any bound fired: one that fires later finds the run waiting for calls.
    pub(super) ended_first: bool,
    asks: mpsc::UnboundedReceiver<FromProgram>,
    alarm: Option<Alarm>,
    state: Option<Json>,
    stopped: bool,
}

impl Drive {
    /// Everything up to the moment before the program starts.
    pub(super) async fn new(setup: Arc<Setup>, request: RunRequest, seat: &Seat, stopper: Stopper) -> Result<Self, HostError> {
        let profile = &setup.spec.profile;
        let budgets = request.budgets.unwrap_or(profile.budgets);
        profile.ceilings.check(&budgets)?;
        if profile.intent_required && request.intent.as_ref().is_none_or(|intent| intent.trim().is_empty()) {
            return Err(HostError::IntentMissing { profile: profile.name() });
        }
        let run = request.run.clone().unwrap_or_else(RunId::fresh);
        let mut state = request.state.clone();
        if let Some(journal) = &setup.journal {
            let start = RunStart {
                run: run.clone(),
                engine: setup.engine.id(),
                profile: profile.name(),
                source: Arc::clone(&request.source),
                intent: request.intent.clone(),
            };
            state = finish::journaled(journal.run_started(&start)).await?.or(state);
        }
        let catalog = catch_unwind(AssertUnwindSafe(|| setup.host.catalog()))
            .map_err(|panic| HostError::Panicked { place: "the host's catalog", message: panic_text(&*panic) })?;
        let (sender, asks) = mpsc::unbounded_channel();
        let exchange = Arc::new(Exchange::new(
            Arc::clone(&seat.guard),
            catalog,
            Output::new(budgets.text_unit, budgets.output),
            (setup.grace, seat.left_behind()),
            sender,
            [setup.observer.as_ref(), request.observer.as_ref()],
            setup.recorder.as_ref(),
        ));
        seat.guard.arm(&budgets);
        stopper.aim(&exchange);
        Ok(Self {
            control: RunControl::new(&exchange),
            schedule: Schedule::new(usize::try_from(budgets.calls_in_flight).unwrap_or(usize::MAX)),
            waiting: Waiting::default(),
            in_flight: FuturesUnordered::new(),
            cancelled: CancellationToken::new(),
            ledger: Ledger::default(),
            result_bytes: 0,
            warnings: Vec::new(),
            left_behind: false,
            ended_first: false,
            alarm: None,
            stopped: false,
            setup,
            request,
            run,
            budgets,
            exchange,
            asks,
            state,
        })
    }

    /// Runs the program and gives its outcome.
    pub(super) async fn complete(mut self, seat: &Seat) -> Result<Outcome, HostError> {
        let span = tracing::info_span!("run", run = %self.run, engine = self.setup.engine.id(), profile = self.setup.spec.profile.name());
        async {
            let profile = self.setup.spec.profile.name();
            self.observe(&Event::Started { run: &self.run, engine: self.setup.engine.id(), profile });
            let returned = match finish::too_large(&self.request.source, &self.budgets) {
                Some(raised) => Some(Returned::Ended(crate::engine::Ended::new(crate::engine::End::Compile(raised)))),
                // Stopped before it began: nothing runs.
                None if self.exchange.guard.stopped() => None,
                None => self.answer_until_the_end(seat).await?,
            };
            self.exchange.close();
            // Taken back before the guard may be armed for another run.
            if let Some(alarm) = self.alarm.take() {
                if self.left_behind { alarm.leave() } else { drop(alarm) }
            }
            self.finish(returned).await
        }
        .instrument(span)
        .await
    }

    /// Answers the program until it has ended, or is given up on, and no call is out.
    async fn answer_until_the_end(&mut self, seat: &Seat) -> Result<Option<Returned>, HostError> {
        let (done, mut ended) = oneshot::channel();
        let handle = Handle::new(
            Arc::clone(&self.exchange) as Arc<dyn crate::handle::Port>,
            Arc::clone(&self.exchange.guard),
            self.budgets,
            self.setup.clock(),
        );
        let input = Input { source: Arc::clone(&self.request.source), cwd: Arc::clone(&self.request.cwd), state: self.state.take() };
        let first = alarm::later(Instant::now(), self.budgets.compute.min(self.budgets.wall));
        self.alarm = Some(alarm::set(first, Arc::clone(&self.exchange) as Arc<dyn alarm::Ring>)?);
        let exchange = Arc::clone(&self.exchange);
        if !seat.give(Job { input, handle, exchange: Occupied(Arc::clone(&exchange)), done }) {
            return Ok(Some(Returned::Panicked("the interpreter's thread is gone".to_owned())));
        }
        let mut returned = None;
        let mut over = false;
        let mut settled = Box::pin(std::future::pending::<()>()) as BoxFuture<'static, ()>;
        loop {
            if !self.stopped && self.exchange.guard.stopped() {
                self.on_stop();
                settled = Box::pin(alarm::sleep(self.setup.spec.profile.settle));
            }
            self.start_calls();
            // Listing and searching change nothing: a program that did not await them is not waited for.
            if over && self.schedule.out() == 0 {
                return Ok(returned);
            }
            tokio::select! {
                biased;
                Some(message) = self.asks.recv(), if !over => self.on_message(message),
                Some(finished) = self.in_flight.next(), if !self.in_flight.is_empty() => self.on_finished(finished),
                result = &mut ended, if !over => {
                    let result = result.unwrap_or_else(|_| Returned::Panicked("the interpreter's thread is gone".to_owned()));
                    over = true;
                    if result.is_a_death() && !self.stopped {
                        // Nobody is left who waits for what is out.
                        self.on_stop();
                        settled = Box::pin(alarm::sleep(self.setup.spec.profile.settle));
                    } else {
                        self.on_return();
                    }
                    returned = Some(result);
                }
                () = exchange.stopped.notified() => {}
                () = exchange.given_up.notified(), if !over => {
                    over = true;
                    self.left_behind = true;
                }
                () = &mut settled => {
                    self.abandon_calls();
                    if over { return Ok(returned); }
                    settled = Box::pin(std::future::pending());
                }
            }
        }
    }

    /// A bound fired: the watchdog turns to the program, what waits is dropped, what is out is cancelled.
    fn on_stop(&mut self) {
        self.stopped = true;
        // It may sleep until a clock is due; from now on it interrupts, and gives the thread up after its grace.
        if let Ok(alarm) = self.alarm_now() {
            self.alarm = Some(alarm);
        }
        self.cancelled.cancel();
        self.schedule.drop_waiting().for_each(drop);
        self.waiting.drop_asks();
    }

    /// The program came to its end: what it did not await and was not started is dropped, and said.
    fn on_return(&mut self) {
        while let Ok(message) = self.asks.try_recv() {
            self.on_message(message);
        }
        if self.exchange.guard.stopped() {
            return;
        }
        self.ended_first = true;
        self.start_calls();
        let mut dropped: Vec<String> = self.schedule.drop_waiting().map(|pending| pending.tool.name.to_string()).collect();
        dropped.extend(self.waiting.drop_asks().iter().map(|name| crate::text::one_line(crate::text::prefix(name, 200)).into_owned()));
        dropped.sort();
        dropped.dedup();
        if !dropped.is_empty() {
            let names = crate::text::cut(&dropped.join(", "), 500).into_owned();
            self.warnings.push(format!(
                "calls had not started when the program ended, and were dropped: {names}; await what must be done before the end"
            ));
        }
        // Whether a tool has answered by now is chance; whether the program has looked at its answer is not.
        let unread = self.exchange.unread();
        let is_unread = |record: &&CallRecord| unread.contains(&record.id);
        let mut unawaited: Vec<&str> =
            self.out().chain(self.ledger.records().iter().filter(is_unread)).map(|record| &*record.tool).collect();
        unawaited.sort_unstable();
        unawaited.dedup();
        if !unawaited.is_empty() {
            let names = crate::text::cut(&unawaited.join(", "), 500).into_owned();
            self.warnings.push(format!(
                "the program ended without the answers of calls that had started: {names}; await what must be done before the end"
            ));
        }
    }

    fn alarm_now(&self) -> std::io::Result<Alarm> {
        alarm::set(Instant::now(), Arc::clone(&self.exchange) as Arc<dyn alarm::Ring>)
    }

    pub(super) fn observe(&self, event: &Event<'_>) {
        self.exchange.observe(event);
    }
}

impl Drop for Drive {
    /// Dropped before its end, it stops the program; the watchdog goes on interrupting until the thread is done.
    fn drop(&mut self) {
        if let Some(alarm) = self.alarm.take() {
            self.exchange.stop(crate::kind::Bound::Interrupted, 0);
            self.cancelled.cancel();
            match self.alarm_now() {
                Ok(sooner) => sooner.leave(),
                Err(_) => alarm.leave(),
            }
        }
        self.exchange.close();
    }
}
