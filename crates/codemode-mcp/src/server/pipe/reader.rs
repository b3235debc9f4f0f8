//! What a client puts on the pipe, line by line: a request always gets an answer, whatever is wrong with it.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use codemode_core::text::{cut, one_line};
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetMeta as _, JsonRpcMessage, ProtocolVersion, RequestId,
};
use serde::de::IgnoredAny;
use serde_json::error::Category;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncWrite};
use tokio::sync::mpsc;

use super::Outbox;
use super::pending::Pending;
use crate::framing::{LINE_BYTES, Line, TopLevel, next_line};
use crate::server::requests::wrong_params;

/// The most bytes of why a message cannot be read.
const WHY_BYTES: usize = 300;
/// What a message is, told to who sent something else.
const MESSAGE: &str = "a message is an object with jsonrpc \"2.0\", a method, params that are an object, and for a request an id that is a \
string or a whole number";

/// Reads messages for a transport.
pub(super) struct Reader<W> {
    pub(super) pending: Arc<Pending>,
    pub(super) outbox: Outbox<W>,
    pub(super) sender: mpsc::Sender<ClientJsonRpcMessage>,
    /// Whether a request has begun the connection, by the handshake or without one. Nothing but requests is of use before it,
    /// such as the cancellation of a question which versions there are, and rmcp takes nothing else.
    pub(super) begun: AtomicBool,
}

/// Whether a connection begins with this request.
fn begins(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty(),
    }
}

/// Nobody takes messages any more, or nobody reads answers.
struct Closed;

impl<W: AsyncWrite + Send + Unpin + 'static> Reader<W> {
    /// Reads until the end, which begins the connection's end.
    pub(super) async fn read(self, mut read: impl AsyncBufReadExt + Unpin) {
        let mut line = Vec::new();
        loop {
            // Who does not read answers is not read either.
            self.outbox.room.free().await;
            let taken = match next_line(&mut read, &mut line).await {
                Ok(Line::Whole) => self.on_line(&line).await,
                Ok(Line::TooLong { bytes, top }) => self.on_long(bytes, &top).await,
                Ok(Line::End) => break,
                Err(error) => {
                    tracing::debug!(%error, "the input could not be read");
                    break;
                }
            };
            if taken.is_err() {
                break;
            }
        }
        self.outbox.ending.begin();
    }

    async fn on_long(&self, bytes: u64, top: &TopLevel) -> Result<(), Closed> {
        // An answer and a notification are never answered.
        if top.answers().is_some() || top.notifies() {
            return Ok(());
        }
        let why = format!("this message has {bytes} bytes, and at most {LINE_BYTES} are read; send less at once");
        self.refuse(top.asks().cloned(), ErrorData::invalid_request(why, None)).await
    }

    /// Takes one line: a message, or several in an array, as versions before 2025-06-18 allow. Those are answered one by one.
    async fn on_line(&self, line: &[u8]) -> Result<(), Closed> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return Ok(());
        }
        if line.starts_with(b"[")
            && let Ok(messages) = serde_json::from_slice::<Vec<&RawValue>>(line)
        {
            if messages.is_empty() {
                return self.refuse(None, ErrorData::invalid_request(format!("an array without a message; {MESSAGE}"), None)).await;
            }
            for message in messages {
                self.on_message(message.get().as_bytes()).await?;
            }
            return Ok(());
        }
        self.on_message(line).await
    }

    async fn on_message(&self, message: &[u8]) -> Result<(), Closed> {
        match serde_json::from_slice::<ClientJsonRpcMessage>(message) {
            Ok(JsonRpcMessage::Request(request)) => {
                let wrong = match &request.request {
                    ClientRequest::CustomRequest(custom) => wrong_params(&custom.method),
                    _ => None,
                };
                match wrong.map_or_else(|| self.pending.begin(&request.id, message.len()), Err) {
                    Ok(()) => {
                        self.begun.fetch_or(begins(&request.request), Ordering::Relaxed);
                        self.give(JsonRpcMessage::Request(request)).await
                    }
                    Err(error) => self.refuse(Some(request.id), error).await,
                }
            }
            Ok(_) if !self.begun.load(Ordering::Relaxed) => Ok(()),
            Ok(message) => {
                if let JsonRpcMessage::Notification(notification) = &message
                    && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                {
                    // It is not answered any more.
                    cancelled.params.request_id.iter().for_each(|id| self.pending.end(id));
                }
                self.give(message).await
            }
            Err(error) => self.unreadable(message, &error).await,
        }
    }

    /// Answers what is no message; what wants no answer, or is one, is passed over.
    async fn unreadable(&self, message: &[u8], error: &serde_json::Error) -> Result<(), Closed> {
        let mut top = TopLevel::default();
        top.read(message);
        if matches!(error.classify(), Category::Syntax | Category::Eof) {
            let why = format!("this line is no json: {error}");
            return self.refuse(top.asks().cloned(), ErrorData::parse_error(cut(&one_line(&why), WHY_BYTES).into_owned(), None)).await;
        }
        let members: HashMap<String, IgnoredAny> = serde_json::from_slice(message).unwrap_or_default();
        if members.contains_key("id") != members.contains_key("method") {
            tracing::debug!(%error, "an answer or a notification could not be read");
            return Ok(());
        }
        self.refuse(top.asks().cloned(), ErrorData::invalid_request(MESSAGE, None)).await
    }

    async fn refuse(&self, id: Option<RequestId>, error: ErrorData) -> Result<(), Closed> {
        self.outbox.refuse(id, error).await.map_err(|_| Closed)
    }

    async fn give(&self, message: ClientJsonRpcMessage) -> Result<(), Closed> {
        self.sender.send(message).await.map_err(|_| Closed)
    }
}
