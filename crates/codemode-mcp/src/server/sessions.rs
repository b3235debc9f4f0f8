//! The sessions of the HTTP server: so many and no more, each with requests that can be told apart.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use futures_util::future::Either;
use futures_util::stream::{self, Stream};
use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientNotification, JsonRpcMessage, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use rmcp::transport::streamable_http_server::session::local::{LocalSessionManager, LocalSessionManagerError};
use rmcp::transport::streamable_http_server::session::{ServerSseMessage, SessionId, SessionManager};

use super::pipe::Pending;

/// The most sessions. Many clients leave theirs without a word, and each takes some 60 KiB.
const MOST_SESSIONS: usize = 1_000;

type LocalTransport = <LocalSessionManager as SessionManager>::Transport;

/// rmcp's sessions, of which the one unused for longest makes room for a new one.
pub(super) struct Sessions {
    local: LocalSessionManager,
    open: Mutex<HashMap<SessionId, Open>>,
}

struct Open {
    pending: Arc<Pending>,
    used: Instant,
}

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionsError {
    #[error("{MOST_SESSIONS} sessions are at work, and more are not taken; end some of them")]
    Full,
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl Sessions {
    pub(super) fn new(local: LocalSessionManager) -> Self {
        Self { local, open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<SessionId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The requests of a session, which is in use now.
    fn pending(&self, id: &SessionId) -> Option<Arc<Pending>> {
        let mut open = self.open();
        let session = open.get_mut(id)?;
        session.used = Instant::now();
        Some(Arc::clone(&session.pending))
    }

    /// The session to end where there is no room: the one unused for longest, of those that nobody waits for.
    fn in_the_way(&self) -> Result<Option<SessionId>, SessionsError> {
        let mut open = self.open();
        if open.len() < MOST_SESSIONS {
            return Ok(None);
        }
        let idle = open.iter().filter(|(_, session)| session.pending.is_empty());
        let oldest = idle.min_by_key(|(_, session)| session.used).map(|(id, _)| id.clone()).ok_or(SessionsError::Full)?;
        open.remove(&oldest);
        Ok(Some(oldest))
    }
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = Tracked;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        if let Some(oldest) = self.in_the_way()? {
            self.local.close_session(&oldest).await?;
        }
        let (id, transport) = self.local.create_session().await?;
        let pending = Arc::<Pending>::default();
        self.open().insert(id.clone(), Open { pending: Arc::clone(&pending), used: Instant::now() });
        Ok((id, Tracked { transport, pending }))
    }

    async fn initialize_session(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        let closed = self.open().remove(id);
        // What runs for it is stopped as if the client had cancelled it, and not when the last of the session is gone.
        for request in closed.map(|session| session.pending.ids()).unwrap_or_default() {
            let why = "the session was ended".to_owned();
            let cancelled = CancelledNotification::new(CancelledNotificationParam::new(Some(request), Some(why)));
            let cancelled = ClientNotification::CancelledNotification(cancelled);
            if self.local.accept_message(id, ClientJsonRpcMessage::notification(cancelled)).await.is_err() {
                break;
            }
        }
        Ok(self.local.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        if let JsonRpcMessage::Request(request) = &message
            && let Some(pending) = self.pending(id)
            // The bodies are bounded, and so are the connections that hold them.
            && let Err(error) = pending.begin(&request.id, 0)
        {
            let refusal = JsonRpcMessage::error(error, Some(request.id.clone()));
            return Ok(Either::Left(stream::iter([ServerSseMessage::from_message(refusal)])));
        }
        Ok(Either::Right(self.local.create_stream(id, message).await?))
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        if let JsonRpcMessage::Notification(notification) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(pending) = self.pending(id)
        {
            cancelled.params.request_id.iter().for_each(|id| pending.end(id));
        }
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.resume(id, last_event_id).await?)
    }
}

/// A session's transport, which notes the requests that are answered.
pub(super) struct Tracked {
    transport: LocalTransport,
    pending: Arc<Pending>,
}

impl Transport<RoleServer> for Tracked {
    type Error = <LocalTransport as Transport<RoleServer>>::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.pending.answer(&message);
        self.transport.send(message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.transport.receive().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close().await
    }
}
