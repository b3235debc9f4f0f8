//! The end of a connection's input: noticed at once, so that its programs do not outlive it for long.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

/// How long programs may go on after the input ended: somebody who pipes requests in and reads the answers gets those of
/// short programs.
const GRACE: Duration = Duration::from_secs(1);

/// Whether the input of a connection has ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending(CancellationToken);

impl Ending {
    /// The input has ended.
    pub(super) fn begin(&self) {
        self.0.cancel();
    }

    /// Resolves when the input has ended; never, where it does not.
    pub(super) async fn begun(&self) {
        self.0.cancelled().await;
    }

    /// Resolves a second after the input ended; never, where it does not.
    pub(super) async fn over(&self) {
        self.begun().await;
        tokio::time::sleep(GRACE).await;
    }
}
