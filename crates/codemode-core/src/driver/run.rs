//! A run as its host holds it: a future, and a way to stop it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use super::exchange::Exchange;
use super::runner::HostError;
use crate::kind::Bound;
use crate::outcome::Outcome;

type Boxed = Pin<Box<dyn Future<Output = Result<Outcome, HostError>> + Send>>;

/// One program's execution: await it for its outcome.
///
/// Dropping it stops the program and frees everything of the host's at once; no end is recorded then.
/// [`Run::stop`] stops it and still gives the outcome.
#[must_use = "a run does nothing until it is awaited"]
pub struct Run {
    future: Boxed,
    stopper: Stopper,
}

impl Run {
    pub(super) fn new<F, Fut>(start: F) -> Self
    where
        F: FnOnce(Stopper) -> Fut,
        Fut: Future<Output = Result<Outcome, HostError>> + Send + 'static,
    {
        let stopper = Stopper::default();
        Self { future: Box::pin(start(stopper.clone())), stopper }
    }

    /// Stops the program and waits for its outcome, which says `interrupted` unless it and its calls had ended by then.
    ///
    /// # Errors
    /// As awaiting the run.
    pub async fn stop(self) -> Result<Outcome, HostError> {
        self.stopper.stop();
        self.await
    }

    /// Something that stops this run from elsewhere: a signal handler, another task.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }
}

impl Future for Run {
    type Output = Result<Outcome, HostError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.future.as_mut().poll(context)
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Run").finish_non_exhaustive()
    }
}

/// Stops one run from anywhere. Stopping a run that has ended does nothing.
#[derive(Clone, Default)]
pub struct Stopper(Arc<Mutex<Target>>);

#[derive(Default)]
struct Target {
    asked: bool,
    /// A stopper that is kept keeps nothing of its run.
    exchange: Weak<Exchange>,
}

impl Stopper {
    /// Stops the run: its outcome will say `interrupted`.
    pub fn stop(&self) {
        let mut target = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        target.asked = true;
        if let Some(exchange) = target.exchange.upgrade() {
            exchange.stop(Bound::Interrupted, 0);
        }
    }

    pub(super) fn aim(&self, exchange: &Arc<Exchange>) {
        let mut target = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if target.asked {
            exchange.stop(Bound::Interrupted, 0);
        }
        target.exchange = Arc::downgrade(exchange);
    }
}

impl fmt::Debug for Stopper {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Stopper").finish_non_exhaustive()
    }
}
