//! The queue of jobs. The shared loop runs them, one after the other, with a look at the latch before each.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context as Polling, Poll, Waker};

use boa_engine::job::{GenericJob, Job, JobExecutor, NativeAsyncJob, PromiseJob};
use boa_engine::{Context, JsNativeError, JsResult, JsValue};

/// A job that waits.
pub(crate) enum Waiting {
    /// Of a promise.
    Promise(PromiseJob),
    /// Of anything else.
    Generic(GenericJob),
    /// Of an import; nothing in it waits.
    Import(NativeAsyncJob),
}

impl Waiting {
    /// Runs it.
    pub(crate) fn call(self, context: &mut Context) -> JsResult<JsValue> {
        match self {
            Self::Promise(job) => job.call(context),
            Self::Generic(job) => job.call(context),
            Self::Import(job) => {
                let context = RefCell::new(context);
                let running = pin!(job.call(&context));
                match running.poll(&mut Polling::from_waker(Waker::noop())) {
                    Poll::Ready(given) => given,
                    Poll::Pending => Err(JsNativeError::error().with_message("an import waits for what nothing brings").into()),
                }
            }
        }
    }
}

/// Keeps jobs and runs none by itself: the engine's own executor spins while it waits.
#[derive(Default)]
pub(crate) struct Jobs(RefCell<VecDeque<Waiting>>);

impl Jobs {
    /// The job that has waited longest.
    pub(crate) fn take(&self) -> Option<Waiting> {
        self.0.borrow_mut().pop_front()
    }

    /// Whether no job waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

impl JobExecutor for Jobs {
    fn enqueue_job(self: Rc<Self>, job: Job, _context: &mut Context) {
        let waiting = match job {
            Job::PromiseJob(job) => Waiting::Promise(job),
            Job::GenericJob(job) => Waiting::Generic(job),
            Job::AsyncJob(job) => Waiting::Import(job),
            // Timers are ours, and what waits for other threads or for the collector is not there.
            _ => return,
        };
        self.0.borrow_mut().push_back(waiting);
    }

    fn run_jobs(self: Rc<Self>, _context: &mut Context) -> JsResult<()> {
        Ok(())
    }
}
