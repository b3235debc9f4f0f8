//! The stdio transport: messages as lines, each within a limit, and an answer that cannot be read ends its own call alone.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::text::{cut, one_line};
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, CustomResult, ErrorCode, ErrorData, JsonRpcError, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;

use super::deep::{shallow_list, why_unreadable};
use super::problems::Problems;
use crate::framing::{LINE_BYTES, Line, TopLevel, next_line};

/// The code of errors that this transport puts in the place of answers that it could not read.
pub(super) const UNREADABLE: ErrorCode = ErrorCode(-32_098);
/// Messages that wait to be taken up; past these the server waits.
const QUEUE: usize = 64;
/// Requests without an answer that are remembered; past these, strays are no longer told from late answers.
const MOST_PENDING: usize = 10_000;

/// A transport over a pair of streams.
pub(super) struct Lines<W> {
    incoming: mpsc::Receiver<ServerJsonRpcMessage>,
    outgoing: Arc<tokio::sync::Mutex<Option<W>>>,
    asked: Arc<Asked>,
}

/// The requests that were sent and not answered, with what their answers are read as.
#[derive(Default)]
struct Asked(Mutex<HashMap<RequestId, Reading>>);

/// What an answer is read as.
#[derive(Clone, Copy)]
enum Reading {
    /// The answer to the first request of a connection, which rmcp looks into.
    Handshake,
    /// As it is: what is in it is looked at by us, one part at a time, so that one bad part spoils no other.
    Plain,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Lines<W> {
    /// Reads `read` to its end in a task of its own.
    pub(super) fn new(read: impl AsyncRead + Send + Unpin + 'static, write: W, problems: Arc<Problems>) -> Self {
        let (sender, incoming) = mpsc::channel(QUEUE);
        let asked = Arc::new(Asked::default());
        let reader = Reader { asked: Arc::clone(&asked), problems, sender };
        tokio::spawn(reader.read(BufReader::with_capacity(64 << 10, read)));
        Self { incoming, outgoing: Arc::new(tokio::sync::Mutex::new(Some(write))), asked }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleClient> for Lines<W> {
    type Error = io::Error;

    fn send(&mut self, message: ClientJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Request(request) = &message {
            let handshake = matches!(request.request, ClientRequest::InitializeRequest(_) | ClientRequest::DiscoverRequest(_));
            self.asked.add(request.id.clone(), if handshake { Reading::Handshake } else { Reading::Plain });
        }
        let line = serde_json::to_vec(&message);
        let outgoing = Arc::clone(&self.outgoing);
        async move {
            let mut line = line?;
            line.push(b'\n');
            let mut outgoing = outgoing.lock().await;
            let Some(write) = outgoing.as_mut() else { return Err(io::ErrorKind::BrokenPipe.into()) };
            let sent = match write.write_all(&line).await {
                Ok(()) => write.flush().await,
                failed => failed,
            };
            if sent.is_err() {
                // Half a line may be out: what follows would not be understood.
                *outgoing = None;
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.incoming.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.incoming.close();
        // A write that a server does not take up holds the lock; dropping this end of the pipe is then the process's end.
        if let Ok(mut outgoing) = self.outgoing.try_lock() {
            outgoing.take();
        }
        Ok(())
    }
}

impl Asked {
    fn add(&self, id: RequestId, reading: Reading) {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.len() < MOST_PENDING {
            asked.insert(id, reading);
        }
    }

    /// Takes what the answer to this request is read as. Some servers send a number back as a string.
    fn take(&self, id: &RequestId) -> Option<Reading> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reading) = asked.remove(id) {
            return Some(reading);
        }
        let RequestId::String(text) = id else { return None };
        asked.remove(&RequestId::Number(text.parse().ok()?))
    }

    fn is_full(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len() >= MOST_PENDING
    }
}

struct Reader {
    asked: Arc<Asked>,
    problems: Arc<Problems>,
    sender: mpsc::Sender<ServerJsonRpcMessage>,
}

/// The members of a message that say what it is.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

impl Reader {
    async fn read(self, mut read: impl AsyncBufReadExt + Unpin) {
        let mut line = Vec::new();
        loop {
            match next_line(&mut read, &mut line).await {
                Ok(Line::Whole) => {
                    if self.on_line(&line).await.is_err() {
                        return;
                    }
                }
                Ok(Line::TooLong { bytes, top }) => {
                    let why = format!("its answer is a message of {bytes} bytes, and at most {LINE_BYTES} are read; ask for less at once");
                    self.problems.note(&format!("a message of {bytes} bytes, and at most {LINE_BYTES} are read"));
                    if self.unreadable(top.answers().cloned(), why).await.is_err() {
                        return;
                    }
                }
                Ok(Line::End) => return,
                Err(error) => {
                    tracing::debug!(%error, "a server's output could not be read");
                    return;
                }
            }
        }
    }

    /// Takes one line: a message, or several in an array, as one version of the protocol allows.
    async fn on_line(&self, line: &[u8]) -> Result<(), Closed> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return Ok(());
        }
        if line.starts_with(b"[")
            && let Ok(messages) = serde_json::from_slice::<Vec<&RawValue>>(line)
        {
            for message in messages {
                self.on_message(message.get().as_bytes()).await?;
            }
            return Ok(());
        }
        self.on_message(line).await
    }

    async fn on_message(&self, message: &[u8]) -> Result<(), Closed> {
        let envelope = match serde_json::from_slice::<Envelope<'_>>(message) {
            Ok(envelope) => envelope,
            Err(error) => {
                let mut top = TopLevel::default();
                top.read(message);
                if top.answers().is_none() {
                    self.problems.noise(message);
                }
                return self.unreadable(top.answers().cloned(), format!("its answer is no valid json: {error}")).await;
            }
        };
        if envelope.method.is_some() {
            return match serde_json::from_slice::<ServerJsonRpcMessage>(message) {
                Ok(message) => self.give(message).await,
                Err(_) => {
                    self.problems.noise(message);
                    Ok(())
                }
            };
        }
        let id = envelope.id.and_then(|id| serde_json::from_str::<RequestId>(id.get()).ok());
        match (id, envelope.result, envelope.error) {
            (Some(id), Some(result), None) => self.on_result(id, result.get()).await,
            (Some(id), _, Some(error)) => {
                if self.is_asked(&id).is_none() {
                    return Ok(());
                }
                let error = error_of(error.get());
                self.give(JsonRpcMessage::Error(JsonRpcError::new(Some(id), error))).await
            }
            (Some(id), None, None) => self.unreadable(Some(id), "its answer has neither a result nor an error".to_owned()).await,
            (None, _, Some(error)) => {
                // It could not read a request; which one, it does not say.
                self.problems.note(&format!("an error that says not which request it is about: {}", error_of(error.get()).message));
                Ok(())
            }
            (None, _, None) => {
                self.problems.noise(message);
                Ok(())
            }
        }
    }

    async fn on_result(&self, id: RequestId, result: &str) -> Result<(), Closed> {
        let Some(reading) = self.is_asked(&id) else { return Ok(()) };
        let read = match reading {
            Reading::Handshake => serde_json::from_str::<ServerResult>(result),
            Reading::Plain => serde_json::from_str::<Value>(result).map(|value| ServerResult::CustomResult(CustomResult::new(value))),
        };
        match read {
            Ok(result) => self.give(JsonRpcMessage::response(result, id)).await,
            Err(error) => match shallow_list(result, &self.problems) {
                Some(list) => self.give(JsonRpcMessage::response(ServerResult::CustomResult(CustomResult::new(list)), id)).await,
                None => self.give(JsonRpcMessage::Error(unreadable(id, why_unreadable(result, &error)))).await,
            },
        }
    }

    fn is_asked(&self, id: &RequestId) -> Option<Reading> {
        let reading = self.asked.take(id);
        if reading.is_none() && !self.asked.is_full() {
            self.problems.stray(&id.to_string());
        }
        reading
    }

    /// Ends the call whose answer this was, if it was one's.
    async fn unreadable(&self, answers: Option<RequestId>, why: String) -> Result<(), Closed> {
        match answers {
            Some(id) if self.is_asked(&id).is_some() => self.give(JsonRpcMessage::Error(unreadable(id, why))).await,
            _ => Ok(()),
        }
    }

    async fn give(&self, message: ServerJsonRpcMessage) -> Result<(), Closed> {
        self.sender.send(message).await.map_err(|_| Closed)
    }
}

/// Nobody takes messages any more.
struct Closed;

fn unreadable(id: RequestId, why: String) -> JsonRpcError {
    JsonRpcError::new(Some(id), ErrorData::new(UNREADABLE, cut(&one_line(&why), 300).into_owned(), None))
}

/// An error as the server sent it, or what can be made of it.
fn error_of(text: &str) -> ErrorData {
    serde_json::from_str(text).unwrap_or_else(|_| {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let message = value.get("message").and_then(Value::as_str).map_or_else(|| cut(text, 300).into_owned(), str::to_owned);
        ErrorData::new(ErrorCode::INTERNAL_ERROR, message, value.get("data").cloned())
    })
}
