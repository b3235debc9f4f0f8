//! Progress of a run or of a relayed call, told to a client that asked for it.

use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::text::{cut, one_line};
use codemode_core::{Event, Observer};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};
use tokio::sync::mpsc;

/// The most bytes of one message.
const MESSAGE_BYTES: usize = 300;

/// Takes what is to be told. Observers must not block, so that it waits in a queue; a run's calls bound it.
pub(super) struct Reporter {
    queue: Mutex<Option<mpsc::UnboundedSender<String>>>,
}

/// Sends what a [`Reporter`] took, in order, counting up.
pub(super) struct Sending {
    queue: mpsc::UnboundedReceiver<String>,
    peer: Peer<RoleServer>,
    token: ProgressToken,
}

/// A reporter for this request, and what sends; nothing where the client asked for no progress.
pub(super) fn reporting(peer: &Peer<RoleServer>, token: Option<ProgressToken>) -> Option<(Arc<Reporter>, Sending)> {
    let token = token?;
    let (sender, receiver) = mpsc::unbounded_channel();
    let reporter = Reporter { queue: Mutex::new(Some(sender)) };
    Some((Arc::new(reporter), Sending { queue: receiver, peer: peer.clone(), token }))
}

impl Reporter {
    /// Tells this.
    pub(super) fn say(&self, message: &str) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = &*queue {
            // A client that is gone needs no progress.
            let _ = queue.send(cut(&one_line(message), MESSAGE_BYTES).into_owned());
        }
    }

    /// Takes nothing more, so that what sends comes to its end, whoever still holds this.
    pub(super) fn end(&self) {
        *self.queue.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Observer for Reporter {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::CallStarted { tool, .. } => self.say(&format!("{}: started", cut(tool, 200))),
            Event::CallFinished { tool, status, .. } => self.say(&format!("{}: {status}", cut(tool, 200))),
            _ => {}
        }
    }
}

impl Sending {
    /// Sends until the reporter has ended and all is sent, so that no progress comes after the answer.
    pub(super) async fn all(mut self) {
        let mut sent = 0.0;
        while let Some(message) = self.queue.recv().await {
            sent += 1.0;
            let progress = ProgressNotificationParam::new(self.token.clone(), sent).with_message(message);
            if self.peer.notify_progress(progress).await.is_err() {
                return;
            }
        }
    }
}
