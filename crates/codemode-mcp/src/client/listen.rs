//! Changes of a server's tools, for versions of the protocol in which they are told to those alone who listen.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ServerNotification, SubscriptionFilter};
use rmcp::service::{Peer, ServiceError};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::handler::Signals;

/// How long after the end of a stream the next one is asked for, at first and at most.
const AGAIN_FIRST: Duration = Duration::from_secs(1);
const AGAIN_MOST: Duration = Duration::from_secs(60);

/// Listens until the connection is gone, or the server has no such streams. A change that was missed between two streams is taken for one.
pub(super) async fn listen(peer: Peer<RoleClient>, signals: Arc<Signals>, gone: CancellationToken) {
    gone.run_until_cancelled(listen_again_and_again(&peer, &signals)).await;
}

async fn listen_again_and_again(peer: &Peer<RoleClient>, signals: &Signals) {
    let mut again = AGAIN_FIRST;
    let mut heard_before = false;
    loop {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        match peer.listen(filter).await {
            Ok(mut stream) if stream.acknowledged().tools_list_changed == Some(true) => {
                if std::mem::replace(&mut heard_before, true) {
                    signals.list_changed.notify_one();
                }
                while let Ok(Some(said)) = stream.next().await {
                    again = AGAIN_FIRST;
                    if matches!(said, ServerNotification::ToolListChangedNotification(_)) {
                        signals.list_changed.notify_one();
                    }
                }
            }
            // Its list does not change, or it does not tell.
            Ok(_) => return,
            Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND => return,
            Err(error) => tracing::debug!(%error, "changes of a server's tools are not told"),
        }
        sleep(again).await;
        again = (again * 2).min(AGAIN_MOST);
    }
}
