//! The end of a connection's input: noticed at once, so that its programs do not outlive it for long.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// How long programs may go on after the input ended: somebody who pipes requests in and reads the answers gets those of
/// short programs.
const GRACE: Duration = Duration::from_secs(1);

/// Whether the input of a connection has ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Ending(CancellationToken);

impl Ending {
    /// Resolves a second after the input ended; never, where it does not.
    pub(super) async fn over(&self) {
        self.0.cancelled().await;
        tokio::time::sleep(GRACE).await;
    }

    /// A reader that says when its input ends.
    pub(super) fn watch<R>(&self, reader: R) -> Watched<R> {
        Watched { reader, ending: self.clone() }
    }
}

/// A reader that says when its input ends.
pub(super) struct Watched<R> {
    reader: R,
    ending: Ending,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let (before, room) = (buffer.filled().len(), buffer.remaining());
        let polled = Pin::new(&mut self.reader).poll_read(context, buffer);
        let ended = match &polled {
            Poll::Ready(Ok(())) => room > 0 && buffer.filled().len() == before,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.ending.0.cancel();
        }
        polled
    }
}
