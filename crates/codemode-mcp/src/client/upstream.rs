//! One server as the host has it: its state, what is waited for, and calls to it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use codemode_core::{CallContext, ToolSpec};
use rmcp::model::JsonObject;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::call::{Limits, Reply, call};
use super::connection::Link;
use super::problems::Problems;
use super::spent;
use super::supervise::supervise;
use crate::config::ServerConfig;
use crate::memory::Memory;

/// How long a call waits for a server that is being started again.
const PATIENCE: Duration = Duration::from_secs(10);

/// What an [`Upstream`] is made of.
pub(crate) struct UpstreamParts {
    pub(crate) config: ServerConfig,
    pub(crate) prefix: Arc<str>,
    pub(crate) memory: Option<Memory>,
    /// Called whenever what is known of the server has changed.
    pub(crate) changed: Arc<dyn Fn() + Send + Sync>,
}

/// One server.
pub(crate) struct Upstream {
    pub(crate) config: ServerConfig,
    pub(crate) prefix: Arc<str>,
    /// What it listed in an earlier process.
    pub(crate) remembered: Option<Tools>,
    pub(crate) problems: Arc<Problems>,
    pub(super) memory: Option<Memory>,
    pub(super) changed: Arc<dyn Fn() + Send + Sync>,
    pub(super) state: watch::Sender<State>,
    pub(super) stop: CancellationToken,
    /// Somebody wants a server that failed.
    pub(super) wanted: Notify,
    supervisor: Mutex<Option<JoinHandle<()>>>,
}

/// A server's tools.
pub(crate) type Tools = Arc<[Arc<ToolSpec>]>;

/// What is known of a server now.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) phase: Phase,
    /// What it listed last; absent until it did.
    pub(crate) tools: Option<Tools>,
    pub(crate) version: Option<String>,
    pub(crate) protocol: Option<String>,
    pub(crate) started_in: Option<Duration>,
}

/// Where a server is in its life.
#[derive(Debug, Clone)]
pub(crate) enum Phase {
    /// Being started for the first time, or again after it never came.
    Starting,
    /// Connected, and its tools are known.
    Listed(Arc<Link>),
    /// It never came; who wants it may try again from then on.
    Failed { why: Arc<str>, again: Instant },
    /// It was there, and is being started again.
    Restarting { why: Arc<str>, next_try: Instant },
    /// The host was closed.
    Closed,
}

impl Upstream {
    /// Starts the server, inside a tokio runtime, and waits for nothing.
    pub(crate) fn start(parts: UpstreamParts) -> Arc<Self> {
        let UpstreamParts { config, prefix, memory, changed } = parts;
        let remembered = memory.as_ref().and_then(|memory| memory.recall(&config, &prefix));
        let state = State { phase: Phase::Starting, tools: None, version: None, protocol: None, started_in: None };
        let upstream = Arc::new(Self {
            config,
            prefix,
            remembered,
            problems: Arc::default(),
            memory,
            changed,
            state: watch::Sender::new(state),
            stop: CancellationToken::new(),
            wanted: Notify::new(),
            supervisor: Mutex::default(),
        });
        let supervisor = tokio::spawn(supervise(Arc::clone(&upstream)));
        *upstream.supervisor() = Some(supervisor);
        upstream
    }

    /// What is known of the server now.
    pub(crate) fn now(&self) -> State {
        self.state.borrow().clone()
    }

    /// Its tools, waiting until they are listed: at most as long as the server may take to start.
    ///
    /// A server that failed is tried again, unless that was only just done.
    pub(crate) async fn tools(&self) -> Option<Tools> {
        let mut states = self.state.subscribe();
        loop {
            {
                let state = states.borrow_and_update();
                if let Some(tools) = &state.tools {
                    return Some(Arc::clone(tools));
                }
                match &state.phase {
                    Phase::Failed { again, .. } if Instant::now() < *again => return None,
                    Phase::Closed => return None,
                    _ => {}
                }
            }
            self.want();
            if states.changed().await.is_err() {
                return None;
            }
        }
    }

    /// Waits until the server is listed or has failed; a failed one is not tried again.
    pub(crate) async fn settled(&self) {
        let _ = self.state.subscribe().wait_for(|state| !matches!(state.phase, Phase::Starting)).await;
    }

    /// How long calls may take, by the configuration.
    pub(crate) fn limits(&self) -> Limits {
        Limits { idle: self.config.silence_limit(), total: self.config.call_limit() }
    }

    /// Calls one of its tools, by the server's own name of it.
    pub(crate) async fn call(&self, context: &CallContext, tool: &str, arguments: JsonObject) -> Reply {
        let link = tokio::select! {
            biased;
            link = self.link() => link,
            () = context.cancelled.cancelled() => Err("the run was stopped before the call was sent".to_owned()),
        };
        match link {
            Ok(link) => call(&link, self.limits(), context, tool, arguments).await,
            Err(why) => Reply::NotSent(why),
        }
    }

    /// Why it cannot be called, if it cannot.
    pub(crate) fn trouble(&self) -> Option<Arc<str>> {
        match &self.state.borrow().phase {
            Phase::Failed { why, .. } | Phase::Restarting { why, .. } => Some(Arc::clone(why)),
            Phase::Closed => Some("it was closed".into()),
            Phase::Starting | Phase::Listed(_) => None,
        }
    }

    /// Has the server ended, without waiting for it.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Ends the server, and waits until its process is gone.
    pub(crate) async fn close(&self) {
        self.stop.cancel();
        let supervisor = self.supervisor().take();
        if let Some(supervisor) = supervisor {
            let _ = supervisor.await;
        }
    }

    /// The connection, waiting for one that is about to be there.
    async fn link(&self) -> Result<Arc<Link>, String> {
        let began = Instant::now();
        let mut states = self.state.subscribe();
        let mut patience = PATIENCE;
        loop {
            {
                let state = states.borrow_and_update();
                match &state.phase {
                    Phase::Listed(link) if !link.gone.is_cancelled() => return Ok(Arc::clone(link)),
                    // It bounds itself.
                    Phase::Starting => patience = patience.max(self.config.start_limit() + Duration::from_secs(1)),
                    Phase::Failed { why, again } if Instant::now() < *again => return Err(why.to_string()),
                    Phase::Closed => return Err("it was closed".to_owned()),
                    _ => {}
                }
            }
            self.want();
            let left = patience.saturating_sub(began.elapsed());
            match tokio::time::timeout(left, states.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err("it was closed".to_owned()),
                Err(_) => {
                    let why = self.trouble().unwrap_or_else(|| "it is still being started".into());
                    return Err(format!("{why}; it was waited for {}", spent(patience)));
                }
            }
        }
    }

    /// Has a server that failed tried again, where it is time for that.
    fn want(&self) {
        let tried = self.state.send_if_modified(|state| match state.phase {
            Phase::Failed { again, .. } if again <= Instant::now() => {
                state.phase = Phase::Starting;
                true
            }
            _ => false,
        });
        if tried {
            self.wanted.notify_one();
        }
    }

    fn supervisor(&self) -> std::sync::MutexGuard<'_, Option<JoinHandle<()>>> {
        self.supervisor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Upstream").field("prefix", &self.prefix).field("phase", &self.state.borrow().phase).finish_non_exhaustive()
    }
}
