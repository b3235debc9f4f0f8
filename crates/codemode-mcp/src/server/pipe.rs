//! The transport of a pipe: each line is answered, also one that cannot be read, and nothing that waits is without a bound.

mod pending;
mod reader;
mod room;

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, mpsc};
use tokio_util::sync::{CancellationToken, DropGuard};

pub(super) use self::pending::Pending;
use self::reader::Reader;
pub(super) use self::room::Room;
use self::room::Taken;
use super::ending::Ending;

/// Messages that wait to be taken up; past these the client waits.
const QUEUE: usize = 64;

/// A transport over a pair of streams.
pub(super) struct Pipe<W> {
    incoming: mpsc::Receiver<ClientJsonRpcMessage>,
    outbox: Outbox<W>,
    pending: Arc<Pending>,
    _reading: DropGuard,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Pipe<W> {
    /// Reads `read` to its end in a task of its own, which this one's end is as well.
    pub(super) fn new(read: impl AsyncRead + Send + Unpin + 'static, write: W, ending: Ending, room: Room) -> Self {
        let (sender, incoming) = mpsc::channel(QUEUE);
        let pending = Arc::<Pending>::default();
        let outbox = Outbox { write: Arc::new(Mutex::new(Some(write))), room, ending };
        let reader = Reader { pending: Arc::clone(&pending), outbox: outbox.clone(), sender, begun: AtomicBool::new(false) };
        let gone = CancellationToken::new();
        let reading = gone.clone().drop_guard();
        tokio::spawn(async move { gone.run_until_cancelled_owned(reader.read(BufReader::with_capacity(64 << 10, read))).await });
        Self { incoming, outbox, pending, _reading: reading }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Pipe<W> {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.pending.answer(&message);
        self.outbox.send(&message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.incoming.close();
        // A write that the client does not take up holds the lock, and there is nobody to wait for.
        if let Ok(mut write) = self.outbox.write.try_lock() {
            write.take();
        }
        Ok(())
    }
}

/// Where messages go out, one after the other.
struct Outbox<W> {
    write: Arc<Mutex<Option<W>>>,
    room: Room,
    ending: Ending,
}

impl<W> Clone for Outbox<W> {
    fn clone(&self) -> Self {
        Self { write: Arc::clone(&self.write), room: self.room.clone(), ending: self.ending.clone() }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Outbox<W> {
    /// What the message takes counts from now on, not from when the future is first asked.
    fn send(&self, message: &ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + use<W> {
        let line = serde_json::to_vec(message).map(|mut line| {
            line.push(b'\n');
            let taken = self.room.take(line.len());
            (line, taken)
        });
        let outbox = self.clone();
        async move {
            let (line, taken) = line?;
            outbox.write(&line, taken).await
        }
    }

    async fn write(&self, line: &[u8], taken: Taken) -> io::Result<()> {
        let mut write = self.write.lock().await;
        let Some(open) = write.as_mut() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let sent = match open.write_all(line).await {
            Ok(()) => open.flush().await,
            failed => failed,
        };
        drop(taken);
        if sent.is_err() {
            // Half a line may be out, and nobody reads what follows: what runs for this client is of no use.
            *write = None;
            self.ending.begin();
        }
        sent
    }

    /// Answers a message that reaches nobody else.
    async fn refuse(&self, id: Option<RequestId>, error: ErrorData) -> io::Result<()> {
        self.send(&JsonRpcMessage::error(error, id)).await
    }
}
