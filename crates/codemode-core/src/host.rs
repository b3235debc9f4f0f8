//! The user's interface: what a host brings.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;

use crate::answer::{Answer, Blob};
use crate::call::{Call, CallContext};
use crate::catalog::Catalog;
use crate::discover::discover_plainly;
use crate::handle::Ask;
use crate::tool::ToolSpec;

/// The owner of the tools. Its calls run on the host's own async runtime.
///
/// A call that panics is an unknown outcome for the program; nothing else breaks.
#[async_trait]
pub trait ToolHost: Send + Sync {
    /// The tools, as they are now. A run keeps the catalog that it started with.
    fn catalog(&self) -> Arc<Catalog>;

    /// Waits for a server that is not listed yet, and gives its tools. Asked once a run for each such server.
    ///
    /// It may wait as long as the host sees fit: the wall clock runs meanwhile. Where it gives no tools,
    /// [`unavailable`](Self::unavailable) is asked why.
    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        let _ = namespace;
        Vec::new()
    }

    /// Why a server that was just waited for gave no tools: it did not start, it died, it does not answer. Nothing where it has none.
    ///
    /// The program's calls of that server say it, with the code [`unavailable`](crate::code::UNAVAILABLE), and so does a warning of
    /// the outcome. At most 500 bytes are told.
    fn unavailable(&self, namespace: &str) -> Option<String> {
        let _ = namespace;
        None
    }

    /// Answers list, search, describe and open over the catalog of a run, which is the same `Arc` from one ask to the next until a
    /// server is admitted. A tool of a server that was not listed is described after the server was waited for.
    ///
    /// The default is [`discover_plainly`]. An answer is structured: arrays of objects with `name` and `description` for list and
    /// search, best first; for describe an object with `parameters`, and `output_schema` where there is one, or `null` where
    /// nothing has this name or alias. What the program gets counts as a result.
    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        discover_plainly(catalog, ask)
    }

    /// The binary part of this handle, where this host holds one.
    ///
    /// A program that ended well gets the parts whose handles it gave back into [`Outcome::content`](crate::Outcome::content). A
    /// handle begins with [`Blob::PREFIX`], and is unique in this process.
    fn blob(&self, handle: &str) -> Option<Blob> {
        let _ = handle;
        None
    }

    /// Uses one tool. Arguments were validated; the context's token is cancelled when the run stops.
    ///
    /// Calls of a run are polled in the run's own task: one that blocks its thread holds up the whole run, so that blocking
    /// work goes to a pool for it.
    async fn call(&self, context: &CallContext, call: Call) -> Answer;
}

/// A host made of a catalog and one async closure that answers every call.
pub struct FnHost<F> {
    catalog: Arc<Catalog>,
    answer: F,
}

impl<F, Fut> FnHost<F>
where
    F: Fn(CallContext, Call) -> Fut + Send + Sync,
    Fut: Future<Output = Answer> + Send,
{
    /// A host whose calls are all answered by `answer`.
    pub fn new(catalog: Catalog, answer: F) -> Self {
        Self { catalog: Arc::new(catalog), answer }
    }
}

impl<F> fmt::Debug for FnHost<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FnHost").field("tools", &self.catalog.len()).finish_non_exhaustive()
    }
}

#[async_trait]
impl<F, Fut> ToolHost for FnHost<F>
where
    F: Fn(CallContext, Call) -> Fut + Send + Sync,
    Fut: Future<Output = Answer> + Send,
{
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        (self.answer)(context.clone(), call).await
    }
}
