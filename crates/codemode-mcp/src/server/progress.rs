//! Progress of a run or of a relayed call, told to a client that asked for it.

use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::text::{cut, one_line};
use codemode_core::{Event, Observer};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use tokio::sync::mpsc;

use super::connection::Connection;
use super::ending::Ending;

/// The most bytes of one message.
const MESSAGE_BYTES: usize = 300;

/// The most messages that wait for a client; past these they are left out. A thousand calls begin and end within it.
const WAITING: usize = 2_048;

/// Takes what is to be told. Observers must not block, so that it waits in a queue.
pub(super) struct Reporter {
    queue: Mutex<Option<mpsc::Sender<String>>>,
}

/// Sends what a [`Reporter`] took, in order, counting up.
pub(super) struct Sending {
    queue: mpsc::Receiver<String>,
    peer: Peer<RoleServer>,
    token: ProgressToken,
    ending: Ending,
}

/// A reporter for this request, and what sends; nothing where the client asked for no progress.
pub(super) fn reporting(connection: &Connection, context: &RequestContext<RoleServer>) -> Option<(Arc<Reporter>, Sending)> {
    let token = context.meta.get_progress_token()?;
    let (sender, receiver) = mpsc::channel(WAITING);
    let reporter = Reporter { queue: Mutex::new(Some(sender)) };
    Some((Arc::new(reporter), Sending { queue: receiver, peer: context.peer.clone(), token, ending: connection.ending.clone() }))
}

impl Reporter {
    /// Tells this.
    pub(super) fn say(&self, message: &str) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = &*queue {
            // A client that is gone needs no progress, and one that does not read it gets no more.
            let _ = queue.try_send(cut(&one_line(message), MESSAGE_BYTES).into_owned());
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
    ///
    /// After the end of the input nobody takes notifications, and what waits for that would hold the answer for ever.
    pub(super) async fn all(self) {
        let Self { mut queue, peer, token, ending } = self;
        let sending = async {
            let mut sent = 0.0;
            while let Some(message) = queue.recv().await {
                sent += 1.0;
                let progress = ProgressNotificationParam::new(token.clone(), sent).with_message(message);
                if peer.notify_progress(progress).await.is_err() {
                    return;
                }
            }
        };
        tokio::select! {
            () = sending => {}
            () = ending.begun() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_reads_no_progress_has_so_much_waiting_and_no_more() {
        let (sender, mut waiting) = mpsc::channel(WAITING);
        let reporter = Reporter { queue: Mutex::new(Some(sender)) };
        for number in 0..3_000 {
            reporter.say(&number.to_string());
        }
        reporter.end();
        let mut told = 0;
        while let Ok(message) = waiting.try_recv() {
            assert_eq!(message, told.to_string());
            told += 1;
        }
        assert_eq!(told, 2_048);
    }
}
