//! The end of a run: what the latch and the program's own end make of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use futures_util::FutureExt;

use super::drive::Drive;
use super::runner::HostError;
use super::seat::{Returned, panic_text};
use crate::budget::Budgets;
use crate::call::Note;
use crate::engine::{End, Ended, Raised, Value};
use crate::given_back::given_back;
use crate::journal::JournalError;
use crate::kind::{Bound, FailureKind};
use crate::observe::Event;
use crate::outcome::{Failure, MESSAGE_BYTES, Outcome, SHOWN_BLOBS, Status, TRACEBACK_BYTES, Usage, millis};
use crate::text::cut;

/// The `compile` of a source that is too large, which runs nothing.
pub(super) fn too_large(source: &str, budgets: &Budgets) -> Option<Raised> {
    let size = budgets.text_unit.measure(source);
    let (limit, unit) = (budgets.source, budgets.text_unit.word());
    (size > limit).then(|| Raised {
        message: format!(
            "the program has {size} {unit}, and at most {limit} are allowed; split the work, or fetch data instead of writing it out"
        ),
        ..Raised::default()
    })
}

impl Drive {
    /// Makes the outcome, commits state, and tells journal and observer.
    pub(super) async fn finish(&mut self, returned: Option<Returned>) -> Result<Outcome, HostError> {
        let ended = match returned {
            Some(Returned::Ended(ended)) => ended,
            Some(Returned::Broke(error)) if self.exchange.guard.fired().is_none() => return Err(error.into()),
            Some(Returned::Panicked(message)) if self.exchange.guard.fired().is_none() => {
                let cause = format!("the engine panicked: {message}");
                Ended::new(End::Died(crate::engine::Death { cause, of_memory: false }))
            }
            _ => Ended::new(End::Stopped),
        };
        let mut outcome = self.outcome(ended);
        self.give_back(&mut outcome);
        self.commit(&mut outcome).await;
        if let Some(journal) = &self.setup.journal
            && let Err(error) = journaled(journal.run_ended(&outcome)).await
        {
            outcome.warnings.push(bounded(format!("the end of the run is not on record: {error}")));
        }
        tracing::info!(status = outcome.status.as_str(), calls = outcome.ledger.len(), "run ended");
        self.observe(&Event::Ended { outcome: &outcome });
        Ok(outcome)
    }

    fn outcome(&mut self, ended: Ended) -> Outcome {
        let guard = &self.exchange.guard;
        let kept = self.control.take();
        let own = of_end(ended.end, &self.ledger);
        let mut failure = match guard.fired() {
            Some((bound, observed)) => {
                if self.ended_first {
                    self.warnings.push(bounded(own_end(own.as_ref())));
                }
                Some(of_bound(bound, observed, &self.budgets, self.exchange.take_why()))
            }
            None => own,
        };
        if failure.is_none()
            && let Some((bound, observed)) = ended.state.as_ref().and_then(|state| crate::state::over(state, &self.budgets))
        {
            failure = Some(of_bound(bound, observed, &self.budgets, None));
        }
        let mut warnings = std::mem::take(&mut self.warnings);
        let unshown = ended.warnings.len().saturating_sub(MOST_SHOWN_NOTES);
        warnings.extend(ended.warnings.into_iter().take(MOST_SHOWN_NOTES).map(bounded));
        if self.left_behind {
            warnings.push("the program sits in a call that cannot be stopped; its thread was left behind".to_owned());
        }
        let silent = self.out().count();
        if silent > 0 {
            warnings.push(format!(
                "{} gave no answer within {} ms of the stop, and may have run",
                if silent == 1 { "1 call".to_owned() } else { format!("{silent} calls") },
                self.setup.spec.profile.settle.as_millis()
            ));
        }
        let mut value = None;
        {
            let mut output = self.exchange.output.lock().unwrap_or_else(PoisonError::into_inner);
            match ended.value.filter(|_| failure.is_none()) {
                Some(Value::Text(text)) if output.is_empty() => {
                    output.push(&text);
                }
                Some(Value::Json(json)) => value = Some(json),
                _ => {}
            }
        }
        if let Some(json) = &value {
            let size = self.budgets.text_unit.measure(json.text());
            if size > most_value(&self.budgets) {
                failure = Some(of_bound(Bound::Value, size, &self.budgets, None));
                value = None;
            } else if self.budgets.joint_output {
                // The value is what was asked for: it comes first, and the log has the rest.
                self.exchange.output.lock().unwrap_or_else(PoisonError::into_inner).shorten(self.budgets.output - size);
            }
        }
        let (output, dropped) = self.exchange.output.lock().unwrap_or_else(PoisonError::into_inner).take();
        let spill = self.spill(&output, &mut warnings);
        let context = sorted_notes(kept.notes, kept.dropped + unshown, &mut warnings);
        let ledger = std::mem::take(&mut self.ledger);
        Outcome {
            status: failure.as_ref().map_or(Status::Ok, |failure| Status::Failed(failure.kind)),
            value,
            shown_bytes: self.budgets.shown_bytes,
            effects: ledger.effects(self.exchange.raw_effect.load(Ordering::Relaxed)),
            usage: Usage {
                compute: guard.computed(),
                processor: ended.processor,
                wall: guard.elapsed(),
                memory_peak_bytes: guard.peak() as u64,
                calls: ledger.len() as u64,
                result_bytes: self.result_bytes,
                output_bytes: output.len() as u64,
                output_dropped_bytes: dropped,
            },
            state: ended.state.filter(|_| failure.is_none()),
            output,
            failure,
            ledger,
            warnings,
            spill,
            state_committed: None,
            run: self.run.clone(),
            engine: self.setup.engine.id(),
            profile: self.setup.spec.profile.name(),
            intent: self.request.intent.clone(),
            context,
            content: Vec::new(),
            changed_paths_count: kept.paths.count(),
            changed_paths_incomplete: kept.paths.incomplete,
            changed_paths: kept.paths.sample,
        }
    }

    fn spill(&self, output: &str, warnings: &mut Vec<String>) -> Option<String> {
        if output.len() as u64 <= self.budgets.shown_bytes {
            return None;
        }
        let spill = self.setup.spill.as_ref()?;
        let error = match catch_unwind(AssertUnwindSafe(|| spill.spill(&self.run, output))) {
            Ok(Ok(place)) => return Some(place),
            Ok(Err(error)) => error.to_string(),
            Err(panic) => format!("the spill panicked: {}", panic_text(&*panic)),
        };
        warnings.push(bounded(format!("output that is not shown could not be kept: {error}")));
        None
    }

    /// Finds the binary parts that the program gave back.
    fn give_back(&self, outcome: &mut Outcome) {
        if !outcome.is_ok() {
            return;
        }
        let held = |handle: &str| catch_unwind(AssertUnwindSafe(|| self.setup.host.blob(handle))).ok().flatten();
        let (content, omitted) = given_back(outcome.value.as_ref(), &outcome.output, held);
        outcome.content = content;
        if omitted > 0 {
            outcome.warnings.push(format!("{omitted} more binary parts were given back and are not shown; at most {SHOWN_BLOBS} are"));
        }
    }

    async fn commit(&mut self, outcome: &mut Outcome) {
        if self.setup.spec.profile.form != crate::profile::Form::Cell {
            return;
        }
        outcome.state_committed = Some(false);
        let Some(state) = &outcome.state else { return };
        if let Some(journal) = &self.setup.journal
            && let Err(error) = journaled(journal.committed(&self.run, state)).await
        {
            outcome.warnings.push(bounded(format!("state was not committed: {error}")));
            outcome.state = None;
            return;
        }
        outcome.state_committed = Some(true);
    }
}

/// What a journal does, where its panic is its error.
pub(super) async fn journaled<T>(act: impl Future<Output = Result<T, JournalError>>) -> Result<T, JournalError> {
    AssertUnwindSafe(act).catch_unwind().await.unwrap_or_else(|panic| Err(JournalError(format!("it panicked: {}", panic_text(&*panic)))))
}

fn bounded(text: String) -> String {
    if text.len() <= MESSAGE_BYTES { text } else { cut(&text, MESSAGE_BYTES).into_owned() }
}

/// The most warnings, and the most other notes of one kind, that an outcome shows.
const MOST_SHOWN_NOTES: usize = 50;

/// Notes by what they are: warnings go to the warnings; context is given back.
fn sorted_notes(notes: Vec<Note>, mut dropped: usize, warnings: &mut Vec<String>) -> Vec<String> {
    let mut context = Vec::new();
    for note in notes {
        match note {
            Note::Warning(text) if warnings.len() < MOST_SHOWN_NOTES => warnings.push(text),
            Note::Context(text) if context.len() < MOST_SHOWN_NOTES => context.push(text),
            Note::Progress(_) | Note::ChangedPath(_) => {}
            Note::Warning(_) | Note::Context(_) => dropped += 1,
        }
    }
    if dropped > 0 {
        warnings.push(format!("{dropped} more warnings and notes are not shown"));
    }
    context
}

/// The most that a returned value may have: where output shares its budget, that is one limit more.
pub(super) fn most_value(budgets: &Budgets) -> u64 {
    if budgets.joint_output { budgets.value.min(budgets.output) } else { budgets.value }
}

/// The failure of a bound that fired, in words that are the same in each run.
fn of_bound(bound: Bound, observed: u64, budgets: &Budgets, why: Option<String>) -> Failure {
    let unit = budgets.text_unit.word();
    let (limit, message) = match bound {
        Bound::Compute => {
            let limit = millis(budgets.compute);
            (Some(limit), format!("the compute budget of {limit} ms ran out; time spent waiting for tools does not count"))
        }
        Bound::Wall => {
            let limit = millis(budgets.wall);
            (Some(limit), format!("the wall clock of {limit} ms ran out; it is never extended"))
        }
        Bound::Memory => {
            let limit = budgets.memory_bytes;
            (Some(limit), format!("the program held more than its memory budget of {limit} bytes"))
        }
        Bound::Calls => {
            let limit = budgets.calls;
            (
                Some(limit),
                format!("the program asked for call {}, and its budget is {limit}; that call was not made", limit.saturating_add(1)),
            )
        }
        Bound::Interrupted => (None, "the run was stopped by its user or its host".to_owned()),
        Bound::CallResult => {
            let limit = budgets.call_result_bytes;
            (Some(limit), format!("one result had {observed} bytes, and its budget is {limit} bytes"))
        }
        Bound::TotalResults => {
            let limit = budgets.total_result_bytes;
            (Some(limit), format!("all results together had {observed} bytes, and their budget is {limit} bytes"))
        }
        Bound::Value => {
            // An adapter stops measuring soon after the budget, so that what was observed may not be all.
            let limit = most_value(budgets);
            (Some(limit), format!("the returned value has {observed} {unit} or more as json, and its budget is {limit} {unit}"))
        }
        Bound::StateBytes => {
            let limit = budgets.state_bytes;
            (Some(limit), format!("the state has {observed} bytes or more as json, and its budget is {limit} bytes; it was not committed"))
        }
        Bound::StateDepth => {
            let limit = budgets.state_depth;
            (Some(limit), format!("the state nests {observed} levels deep or more, and its budget is {limit} levels; it was not committed"))
        }
        Bound::StateNodes => {
            let limit = budgets.state_nodes;
            (Some(limit), format!("the state has {observed} values or more, and its budget is {limit} values; it was not committed"))
        }
        Bound::History => (None, "the journal has no room for another call".to_owned()),
        Bound::Hook => (None, "a hook ended the run".to_owned()),
    };
    let message = cut(&why.unwrap_or(message), MESSAGE_BYTES).into_owned();
    let observed = limit.is_some().then_some(observed);
    Failure { kind: bound.kind(), message, traceback: None, location: None, bound: Some(bound), limit, observed, fix: None }
}

/// What is said of a program that had come to its end before the bound fired: the bound is what the outcome reports, and its reader
/// is to know what the program did.
fn own_end(failure: Option<&Failure>) -> String {
    let end = match failure {
        None => "well".to_owned(),
        Some(Failure { kind, message, location, .. }) => {
            let line = location.map_or_else(String::new, |location| format!(" (line {})", location.line));
            format!("as {kind}: {}{line}", crate::text::one_line(message))
        }
    };
    format!("the bound fired while the run waited for calls; the program itself had ended {end}")
}

/// The failure of a program that no bound stopped, if it failed.
fn of_end(end: End, ledger: &crate::ledger::Ledger) -> Option<Failure> {
    let (kind, raised) = match end {
        End::Returned => return None,
        End::Compile(raised) => (FailureKind::Compile, raised),
        End::Raised(raised) => {
            let refused = raised.refusal.is_some_and(|id| ledger.refused(id));
            (if refused { FailureKind::Denied } else { FailureKind::Error }, raised)
        }
        End::NeverSettles => {
            let message = "the program waits for something that nothing can settle: no call is out and no timer is set; \
                           await calls and timers only, and resolve each promise that the program makes itself"
                .to_owned();
            (FailureKind::Error, Raised { message, ..Raised::default() })
        }
        End::Stopped => {
            let message = "the engine reports a stop, and no bound fired".to_owned();
            (FailureKind::Crashed, Raised { message, ..Raised::default() })
        }
        End::Died(death) => {
            let kind = if death.of_memory { FailureKind::Memory } else { FailureKind::Crashed };
            let last = ledger.records().last().map_or_else(String::new, |record| {
                let name = cut(&record.tool, 200);
                format!("; the last call was {}: {}, {}", record.seq, crate::text::one_line(&name), record.status)
            });
            (kind, Raised { message: format!("{}{last}", death.cause), ..Raised::default() })
        }
    };
    Some(Failure {
        kind,
        message: cut(&raised.message, MESSAGE_BYTES).into_owned(),
        traceback: raised.traceback.map(|traceback| cut(&traceback, TRACEBACK_BYTES).into_owned()),
        location: raised.location,
        bound: None,
        limit: None,
        observed: None,
        fix: raised.fix.map(bounded),
    })
}
