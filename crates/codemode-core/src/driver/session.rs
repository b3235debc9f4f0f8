//! A session: runs, one at a time, that share an interpreter for as long as it lives.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::drive::Drive;
use super::run::Run;
use super::runner::{RunRequest, Setup};
use super::seat::Seat;

/// Runs that share an interpreter. A bound, a crash or a stop ends the interpreter; the next run gets a new one.
///
/// A second run waits until the first is over.
pub struct Session {
    setup: Arc<Setup>,
    seat: Arc<Mutex<Option<Seat>>>,
}

impl Session {
    pub(super) fn new(setup: Arc<Setup>) -> Self {
        Self { setup, seat: Arc::default() }
    }

    /// Starts a program on the session's interpreter. Nothing happens before the run is polled.
    pub fn run(&self, request: RunRequest) -> Run {
        let (setup, seat) = (Arc::clone(&self.setup), Arc::clone(&self.seat));
        Run::new(move |stopper| async move {
            let mut place = seat.lock().await;
            setup.may_start()?;
            // Taken out for the run: a dropped future leaves no seat behind whose state nobody knows.
            let seat = match place.take() {
                Some(seat) if !seat.has_ended() => seat,
                _ => Seat::start(Arc::clone(&setup.engine), setup.spec.clone(), true)?,
            };
            let outcome = Drive::new(setup, request, &seat, stopper).await?.complete(&seat).await;
            if !seat.has_ended() {
                *place = Some(seat);
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
