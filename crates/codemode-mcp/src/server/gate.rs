//! How much is done at once: what comes past it waits, and takes neither a thread nor memory of a program's.

use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::connection::Connection;

/// The most programs and direct calls at once, of all connections; each program may hold its whole memory budget.
pub(super) const CALLS: usize = 64;
/// The most of these for one HTTP connection: one client leaves room for others.
pub(super) const CALLS_OF_ONE: usize = CALLS / 2;
/// The most answers of other kinds that are made at once: a resource may have 16 MiB.
const LOOKS: usize = 8;

/// The places for what is done at once.
#[derive(Debug)]
pub(super) struct Gate {
    calls: Semaphore,
    looks: Semaphore,
}

impl Default for Gate {
    fn default() -> Self {
        Self { calls: Semaphore::new(CALLS), looks: Semaphore::new(LOOKS) }
    }
}

/// A place for a call: of its connection, and of all.
pub(super) type CallPlace<'a> = (SemaphorePermit<'a>, SemaphorePermit<'a>);

/// A place for a program, and the turn of its session where there is one.
pub(super) type RunPlace<'a> = (Option<SemaphorePermit<'a>>, CallPlace<'a>);

impl Connection {
    /// A place for a program. Those of a session come one after the other, and while they wait they keep no place from others.
    ///
    /// # Errors
    /// As [`Connection::call_place`].
    pub(super) async fn run_place(&self, context: &RequestContext<RoleServer>) -> Result<RunPlace<'_>, ErrorData> {
        let turn = match &self.session {
            Some(_) => Some(self.place(&self.turn, context).await?),
            None => None,
        };
        Ok((turn, self.call_place(context).await?))
    }

    /// A place for a direct call.
    ///
    /// # Errors
    /// When the request is not wanted any more before there is one; nobody reads why.
    pub(super) async fn call_place(&self, context: &RequestContext<RoleServer>) -> Result<CallPlace<'_>, ErrorData> {
        // Its own first: who waits for that keeps nobody else's.
        let own = self.place(&self.share, context).await?;
        Ok((own, self.place(&self.shared.gate.calls, context).await?))
    }

    /// A place for any other answer.
    ///
    /// # Errors
    /// As [`Connection::call_place`].
    pub(super) async fn look_place(&self, context: &RequestContext<RoleServer>) -> Result<SemaphorePermit<'_>, ErrorData> {
        self.place(&self.shared.gate.looks, context).await
    }

    async fn place<'a>(&'a self, places: &'a Semaphore, context: &RequestContext<RoleServer>) -> Result<SemaphorePermit<'a>, ErrorData> {
        let place = async {
            // A client that does not read what it has gets nothing more made.
            self.room.free().await;
            places.acquire().await
        };
        tokio::select! {
            biased;
            place = place => place.map_err(|_| ErrorData::internal_error("the server ends", None)),
            () = self.unwanted(context) => Err(ErrorData::internal_error("the request was cancelled before it was begun", None)),
        }
    }
}
