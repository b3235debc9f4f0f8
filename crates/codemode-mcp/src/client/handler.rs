//! What a server may ask of us, and what it tells: nothing is given, progress and changed lists are passed on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ErrorData, Implementation, ListRootsRequestMethod, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient};
use tokio::sync::{Notify, mpsc};

/// Progress that waits to be looked at; what does not fit is dropped, since it would say the same.
const QUEUE: usize = 16;

/// What a connection's notifications end up in.
#[derive(Debug, Default)]
pub(super) struct Signals {
    progress: Mutex<HashMap<ProgressToken, mpsc::Sender<Progress>>>,
    /// The server's list of tools has changed.
    pub(super) list_changed: Notify,
}

/// How far a call is, in the server's words.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) done: f64,
    pub(super) total: Option<f64>,
    pub(super) message: Option<String>,
}

/// Progress of one call, until this is dropped.
pub(super) struct Watch {
    signals: Arc<Signals>,
    token: ProgressToken,
    pub(super) progress: mpsc::Receiver<Progress>,
}

impl Signals {
    /// Watches the progress of the call of this token.
    pub(super) fn watch(self: &Arc<Self>, token: ProgressToken) -> Watch {
        let (sender, progress) = mpsc::channel(QUEUE);
        self.progress().insert(token.clone(), sender);
        Watch { signals: Arc::clone(self), token, progress }
    }

    fn progress(&self) -> std::sync::MutexGuard<'_, HashMap<ProgressToken, mpsc::Sender<Progress>>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.signals.progress().remove(&self.token);
    }
}

/// The client as rmcp sees it.
#[derive(Clone)]
pub(super) struct Handler(pub(super) Arc<Signals>);

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        // No capability is offered: a program can answer no question, sample no model, and has no roots to name.
        let client = Implementation::new("codemode", env!("CARGO_PKG_VERSION"));
        // The newest version has no such request, and is not to be asked for in one.
        ClientConfig::new(ClientCapabilities::default(), client).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    #[expect(deprecated, reason = "servers of older versions ask for it")]
    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListRootsRequestMethod>())
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _context: NotificationContext<RoleClient>) {
        let sender = self.0.progress().get(&params.progress_token).cloned();
        if let Some(sender) = sender {
            let _ = sender.try_send(Progress { done: params.progress, total: params.total, message: params.message });
        }
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.0.list_changed.notify_one();
    }
}
