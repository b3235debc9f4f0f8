//! A session: runs, one at a time, that share an interpreter for as long as it lives, and committed state for longer.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::drive::Drive;
use super::run::Run;
use super::runner::{RunRequest, Setup};
use super::seat::Seat;
use crate::json::Json;

/// Runs that share an interpreter. A bound, a crash or a stop ends the interpreter; the next run gets a new one.
///
/// State that a run committed is given to the next, by a new interpreter as well. It is kept in memory; where there is a
/// journal, what that gives comes first.
/// A second run waits until the first is over.
pub struct Session {
    setup: Arc<Setup>,
    kept: Arc<Mutex<Kept>>,
}

/// What a session keeps between two runs.
#[derive(Default)]
struct Kept {
    seat: Option<Seat>,
    /// What was committed last; the state in a request counts until then.
    state: Option<Json>,
}

impl Session {
    pub(super) fn new(setup: Arc<Setup>) -> Self {
        Self { setup, kept: Arc::default() }
    }

    /// Starts a program on the session's interpreter. Nothing happens before the run is polled.
    pub fn run(&self, mut request: RunRequest) -> Run {
        let (setup, kept) = (Arc::clone(&self.setup), Arc::clone(&self.kept));
        Run::new(move |stopper| async move {
            let mut kept = kept.lock().await;
            setup.may_start()?;
            // Taken out for the run: a dropped future leaves no seat behind whose state nobody knows.
            let seat = match kept.seat.take() {
                Some(seat) if !seat.has_ended() => seat,
                _ => Seat::start(Arc::clone(&setup.engine), setup.spec.clone(), true)?,
            };
            if kept.state.is_some() {
                request.state.clone_from(&kept.state);
            }
            let drive = match Drive::new(setup, request, &seat, stopper).await {
                Ok(drive) => drive,
                Err(error) => {
                    // Nothing ran: what programs kept in the interpreter stays.
                    kept.seat = Some(seat);
                    return Err(error);
                }
            };
            let outcome = drive.complete(&seat).await;
            if !seat.has_ended() {
                kept.seat = Some(seat);
            }
            if let Ok(outcome) = &outcome
                && outcome.state_committed == Some(true)
            {
                kept.state.clone_from(&outcome.state);
            }
            outcome
        })
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Session").field("engine", &self.setup.engine.id()).finish_non_exhaustive()
    }
}
