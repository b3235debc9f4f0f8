//! One call: sent once, waited for within its limits, and cancelled where nobody waits any more.

use std::sync::Arc;
use std::time::Duration;

use codemode_core::text::{cut, one_line, prefix};
use codemode_core::{CallContext, Note};
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam, ClientNotification, ClientRequest,
    ErrorData, JsonObject, RequestId,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::Value;
use tokio::time::{Instant, sleep_until, timeout};

use super::connection::{Link, chain, plain};
use super::handler::Progress;
use super::lines::UNREADABLE;
use super::{http, spent};

/// Progress of one call that is passed on; what follows still counts as a sign of life.
const MOST_NOTES: usize = 200;
/// How long before the deadline of who asks a call ends, so that it is this side that says why.
const AHEAD: Duration = Duration::from_millis(50);
/// How long the notification that a call is cancelled may take to be sent.
const CANCEL_WITHIN: Duration = Duration::from_secs(2);

/// How long a call may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Without a sign of life.
    pub(crate) idle: Duration,
    /// In all.
    pub(crate) total: Duration,
}

/// What came of a call.
#[derive(Debug)]
pub(crate) enum Reply {
    /// The server's result.
    Result(Value),
    /// The server answered with an error of the protocol.
    Error { message: String, data: Option<Value> },
    /// The server answered, and the answer could not be read.
    Unreadable(String),
    /// The call did not reach the server.
    NotSent(String),
    /// The call was sent, and nobody knows what came of it.
    Unknown(String),
}

/// Calls a tool by the server's own name of it.
pub(super) async fn call(link: &Arc<Link>, limits: Limits, context: &CallContext, tool: &str, arguments: JsonObject) -> Reply {
    let mut params = CallToolRequestParams::new(tool.to_owned());
    params.arguments = Some(arguments);
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    let began = Instant::now();
    let handle = match link.peer.send_request_with_option(request, PeerRequestOptions::no_options()).await {
        Ok(handle) => handle,
        Err(_) => return Reply::NotSent(link.reason().await.to_string()),
    };
    let RequestHandle { mut rx, id, progress_token, peer, .. } = handle;
    let mut out = Out { peer, id: Some(id), reason: "nobody waits for the answer any more" };
    let mut watch = link.signals.watch(progress_token);
    let mut total = began + limits.total;
    if let Some(deadline) = context.deadline.map(Instant::from_std) {
        total = total.min(deadline.checked_sub(AHEAD).filter(|ahead| *ahead > began).unwrap_or(deadline));
    }
    let mut idle = began + limits.idle;
    let mut notes = 0;
    loop {
        tokio::select! {
            biased;
            answered = &mut rx => {
                out.id = None;
                return match answered {
                    Ok(Ok(result)) => Reply::Result(plain(result)),
                    Ok(Err(error)) => failed(link, error).await,
                    Err(_) => Reply::Unknown(format!("it ended while the call was out: {}", link.reason().await)),
                };
            }
            () = context.cancelled.cancelled() => {
                out.reason = "the program that made the call was stopped";
                return Reply::Unknown("the run was stopped while the call was out".to_owned());
            }
            Some(progress) = watch.progress.recv() => {
                idle = Instant::now() + limits.idle;
                if notes < MOST_NOTES {
                    notes += 1;
                    context.control.note(Note::Progress(shown(&context.tool, &progress)));
                }
            }
            () = sleep_until(total) => {
                out.reason = "the call took too long";
                return Reply::Unknown(format!("the call was cancelled after {}, which is as long as it may take", spent(began.elapsed())));
            }
            () = sleep_until(idle) => {
                out.reason = "the call was silent for too long";
                return Reply::Unknown(format!("it gave no sign for {}, and the call was cancelled", spent(limits.idle)));
            }
        }
    }
}

/// A request that is out: cancelled at the server when this is dropped before an answer came.
struct Out {
    peer: Peer<RoleClient>,
    id: Option<RequestId>,
    reason: &'static str,
}

impl Drop for Out {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) else { return };
        let params = CancelledNotificationParam::new(Some(id), Some(self.reason.to_owned()));
        let notification = ClientNotification::CancelledNotification(CancelledNotification::new(params));
        let peer = self.peer.clone();
        runtime.spawn(async move {
            let _ = timeout(CANCEL_WITHIN, peer.send_notification(notification)).await;
        });
    }
}

async fn failed(link: &Arc<Link>, error: ServiceError) -> Reply {
    match error {
        ServiceError::McpError(ErrorData { code, message, .. }) if code == UNREADABLE => Reply::Unreadable(message.into_owned()),
        ServiceError::McpError(ErrorData { code, message, data }) => {
            let message = if message.is_empty() { format!("it answered with error {}", code.0) } else { message.into_owned() };
            Reply::Error { message, data }
        }
        ServiceError::TransportSend(error) => {
            if link.is_refused.is_some_and(|is_refused| is_refused(&*error.error)) {
                return Reply::NotSent("nobody listens at its address".to_owned());
            }
            let why = http::without_addresses(&chain(&*error.error));
            let why = cut(&one_line(prefix(&why, 1_000)), 500).into_owned();
            if why.contains("exceeded the maximum size") {
                return Reply::Unreadable(format!("its answer is too long: {why}"));
            }
            if why.contains("Auth required") || why.contains("Insufficient scope") {
                return Reply::NotSent("it asks for credentials that were not given or are not enough; set its headers".to_owned());
            }
            if link.gone.is_cancelled() {
                return Reply::Unknown(format!("it ended while the call was sent: {}", link.reason().await));
            }
            Reply::Unknown(format!("the call could not be sent whole, or its answer not be read: {why}"))
        }
        ServiceError::TransportClosed => Reply::Unknown(format!("it ended while the call was out: {}", link.reason().await)),
        other => Reply::Unknown(format!("no answer came: {}", cut(&one_line(&other.to_string()), 300))),
    }
}

fn shown(tool: &str, progress: &Progress) -> String {
    let mut text = format!("{tool}: {}", progress.done);
    if let Some(total) = progress.total {
        text.push_str(&format!("/{total}"));
    }
    if let Some(message) = &progress.message {
        text.push(' ');
        text.push_str(prefix(message, 300));
    }
    cut(&one_line(&text), 200).into_owned()
}
