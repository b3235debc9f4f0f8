//! One connection to a server: opened, spoken over, and known to be over.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use codemode_core::text::{cut, one_line, prefix};
use rmcp::RoleClient;
use rmcp::model::{ProtocolVersion, ServerPeerInfo, ServerResult};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt, Peer, RunningService, RunningServiceCancellationToken};
use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::handler::{Handler, Signals};
use super::http::IsRefused;
use super::lines::Lines;
use super::listen::listen;
use super::problems::Problems;
use super::process::Process;
use super::{http, spent};
use crate::config::{ServerConfig, TransportConfig};

/// The most bytes of why a connection could not be opened, or ended.
const WHY_BYTES: usize = 1_000;
/// How long a server that refused one way to open a connection has for the other.
const SECOND_ATTEMPT: Duration = Duration::from_secs(5);
/// How long a connection has to end by itself once it was told to.
const GRACE: Duration = Duration::from_secs(3);
/// How long who waited for an answer waits for why there is none.
const EXPLANATION: Duration = Duration::from_secs(6);

/// A connection, as calls use it.
pub(crate) struct Link {
    pub(super) peer: Peer<RoleClient>,
    pub(super) signals: Arc<Signals>,
    pub(super) is_refused: Option<IsRefused>,
    /// Nothing comes over it any more.
    pub(super) gone: CancellationToken,
    /// Why, once that is known.
    why: watch::Sender<Option<Arc<str>>>,
}

/// A connection, as its owner has it.
pub(super) struct Open {
    pub(super) link: Arc<Link>,
    pub(super) process: Option<Process>,
    stop: RunningServiceCancellationToken,
    service: JoinHandle<()>,
}

/// Why a connection could not be opened.
struct Refusal {
    why: String,
    /// The server did answer, and does not know the request that opens one.
    other_lifecycle: bool,
}

impl Refusal {
    fn plain(why: impl Into<String>) -> Self {
        Self { why: why.into(), other_lifecycle: false }
    }
}

impl Link {
    /// Says that the connection is over, and why.
    pub(super) fn over(&self, why: &str) {
        self.why.send_modify(|known| {
            if known.is_none() {
                *known = Some(bounded(why).into());
            }
        });
        self.gone.cancel();
    }

    /// Why the connection is over: waits until that is known, for some seconds at most.
    pub(super) async fn reason(&self) -> Arc<str> {
        let mut why = self.why.subscribe();
        let known = tokio::time::timeout(EXPLANATION, why.wait_for(Option::is_some)).await;
        match known {
            Ok(Ok(why)) => why.clone().unwrap_or_default(),
            _ => "the connection ended".into(),
        }
    }

    /// What the server said of itself.
    pub(super) fn info(&self) -> Option<Arc<ServerPeerInfo>> {
        self.peer.peer_info()
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Link").field("gone", &self.gone.is_cancelled()).finish_non_exhaustive()
    }
}

impl Open {
    /// Opens a connection: the process is started or the address is spoken to, and both sides have introduced themselves.
    ///
    /// A server that does not know `initialize` is asked again in the way of the versions that have none. The other way round
    /// would cost each older server, which are nearly all, a start or a wait.
    ///
    /// # Errors
    /// One sentence, at most 1,000 bytes, without secrets.
    pub(super) async fn new(config: &ServerConfig, problems: &Arc<Problems>, until: Instant) -> Result<Self, String> {
        let first = attempt(config, problems, ClientLifecycleMode::Initialize, until).await;
        let refusal = match first {
            Ok(open) => return Ok(open),
            Err(refusal) => refusal,
        };
        if refusal.other_lifecycle {
            let newest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
            // It has answered once, so that it answers soon if it does at all.
            let until = until.min(Instant::now() + SECOND_ATTEMPT);
            if let Ok(open) = attempt(config, problems, newest, until).await {
                tokio::spawn(listen(open.link.peer.clone(), Arc::clone(&open.link.signals), open.link.gone.clone()));
                return Ok(open);
            }
        }
        Err(bounded(&refusal.why))
    }

    /// Ends it, and the process with it.
    pub(super) async fn close(mut self) {
        self.link.over("it was closed");
        self.stop.cancel();
        if tokio::time::timeout(GRACE, &mut self.service).await.is_err() {
            self.service.abort();
        }
        if let Some(process) = &mut self.process {
            process.end().await;
        }
    }

    /// Lets go of it once it is over.
    pub(super) fn abandon(self) {
        self.stop.cancel();
    }

    /// Finds out why nothing comes any more, and tells who waits.
    pub(super) async fn explain(&mut self) -> Arc<str> {
        if let Some(process) = &mut self.process {
            let why = process.ended().await;
            self.link.over(&why);
        }
        self.link.over("the connection ended");
        self.link.reason().await
    }
}

async fn attempt(config: &ServerConfig, problems: &Arc<Problems>, mode: ClientLifecycleMode, until: Instant) -> Result<Open, Refusal> {
    let signals = Arc::<Signals>::default();
    let handler = Handler(Arc::clone(&signals));
    let (served, mut process, is_refused) = match &config.transport {
        TransportConfig::Stdio { .. } => {
            let (process, streams) = Process::start(&config.transport, &config.name).map_err(Refusal::plain)?;
            let lines = Lines::new(streams.stdout, streams.stdin, Arc::clone(problems));
            (tokio::time::timeout_at(until, handler.serve_with_lifecycle(lines, mode)).await, Some(process), None)
        }
        TransportConfig::Http { .. } => {
            let (transport, is_refused) = http::transport(&config.transport).map_err(Refusal::plain)?;
            (tokio::time::timeout_at(until, handler.serve_with_lifecycle(transport, mode)).await, None, Some(is_refused))
        }
    };
    match served {
        Ok(Ok(running)) => Ok(opened(running, signals, process, is_refused)),
        Ok(Err(error)) => Err(refusal(error, process.as_mut()).await),
        Err(_) => {
            let why = format!("it did not answer the request that opens a connection within {}", spent(config.start_limit()));
            Err(Refusal::plain(match process.as_ref().and_then(Process::last_line) {
                Some(line) => format!("{why}; its last line on standard error: {line}"),
                None => why,
            }))
        }
    }
}

fn opened(
    running: RunningService<RoleClient, Handler>,
    signals: Arc<Signals>,
    process: Option<Process>,
    is_refused: Option<IsRefused>,
) -> Open {
    let gone = CancellationToken::new();
    let link = Arc::new(Link { peer: running.peer().clone(), signals, is_refused, gone: gone.clone(), why: watch::Sender::new(None) });
    let stop = running.cancellation_token();
    let service = tokio::spawn(async move {
        let _ = running.waiting().await;
        gone.cancel();
    });
    Open { link, process, stop, service }
}

async fn refusal(error: ClientInitializeError, process: Option<&mut Process>) -> Refusal {
    match error {
        ClientInitializeError::JsonRpcError(error) => Refusal {
            why: format!("it refused to open a connection: {}", prefix(&error.message, 500)),
            // A server may answer the unknown with whatever code; only what it could not read is no answer.
            other_lifecycle: error.code != super::lines::UNREADABLE,
        },
        ClientInitializeError::ConnectionClosed(_) | ClientInitializeError::TransportError { .. } if process.is_some() => {
            let how = match process {
                Some(process) => process.ended().await,
                None => String::new(),
            };
            Refusal::plain(format!("it ended before it answered the request that opens a connection: {how}"))
        }
        ClientInitializeError::TransportError { error, .. } => {
            Refusal::plain(format!("it could not be reached: {}", http::without_addresses(&chain(&*error.error))))
        }
        ClientInitializeError::ConflictInitResponseId(..) | ClientInitializeError::UncorrelatedErrorResponse { .. } => {
            Refusal::plain("it answered the request that opens a connection under another request's id")
        }
        ClientInitializeError::ExpectedInitResponse(_) | ClientInitializeError::ExpectedInitResult(_) => {
            Refusal::plain("what it answered to the request that opens a connection is no such answer")
        }
        other => Refusal::plain(http::without_addresses(prefix(&other.to_string(), 500))),
    }
}

/// An error with what caused it, each cause once.
pub(super) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) && text.len() < WHY_BYTES {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

/// The value of a result, whatever rmcp took it for.
pub(super) fn plain(result: ServerResult) -> Value {
    match result {
        ServerResult::CustomResult(result) => result.0,
        other => serde_json::to_value(other).unwrap_or_default(),
    }
}

fn bounded(why: &str) -> String {
    cut(&one_line(prefix(why, 2 * WHY_BYTES)), WHY_BYTES).into_owned()
}
