//! Servers that are not listed yet: each is waited for once a run, and asks that name a tool of one wait with it.

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures_util::FutureExt;

use super::dispatch::Finished;
use super::drive::Drive;
use super::exchange::FromProgram;
use super::seat::panic_text;
use crate::handle::Ask;
use crate::missing::Unavailable;
use crate::tool::ToolSpec;

/// What waits for servers.
#[derive(Default)]
pub(super) struct Waiting {
    /// Servers that are being listed.
    listing: HashSet<Arc<str>>,
    asks: VecDeque<FromProgram>,
    /// How many of the asks are calls.
    calls: usize,
}

impl Waiting {
    /// Drops what waits, and gives the names that its calls have.
    pub(super) fn drop_asks(&mut self) -> Vec<String> {
        self.calls = 0;
        let asks = std::mem::take(&mut self.asks);
        asks.into_iter().filter_map(|message| named(&message).filter(|(_, is_call)| *is_call).map(|(name, _)| name.to_owned())).collect()
    }

    fn push(&mut self, message: FromProgram, is_call: bool) {
        self.calls += usize::from(is_call);
        self.asks.push_back(message);
    }
}

/// The tool that an ask names, and whether it is a call.
fn named(message: &FromProgram) -> Option<(&str, bool)> {
    match message {
        FromProgram::Ask { ask: Ask::Call { name, .. }, .. } => Some((name, true)),
        FromProgram::Ask { ask: Ask::Describe { name }, .. } => Some((name, false)),
        _ => None,
    }
}

impl Drive {
    /// The message itself where it can be taken up at once. What names a tool of a server that is not listed waits for that server;
    /// a call also waits for the calls before it, since calls start in the order in which they are made.
    pub(super) fn unless_it_waits(&mut self, message: FromProgram) -> Option<FromProgram> {
        let Some((name, is_call)) = named(&message) else { return Some(message) };
        let server = self.exchange.catalog().unlisted_for(name).cloned();
        if server.is_none() && !(is_call && self.waiting.calls > 0) {
            return Some(message);
        }
        self.waiting.push(message, is_call);
        if let Some(server) = server {
            self.list(server);
        }
        None
    }

    /// Waits for a server, unless that is done already.
    pub(super) fn list(&mut self, namespace: Arc<str>) {
        let is_listed = !self.exchange.catalog().unlisted().any(|unlisted| *unlisted == namespace);
        if is_listed || !self.waiting.listing.insert(Arc::clone(&namespace)) {
            return;
        }
        let host = Arc::clone(&self.setup.host);
        self.in_flight.push(Box::pin(async move {
            let listed = AssertUnwindSafe(async { host.admit(&namespace).await }).catch_unwind().await;
            let tools = match listed {
                Ok(tools) if tools.is_empty() => Err(why_not(|| host.unavailable(&namespace))),
                Ok(tools) => Ok(tools),
                Err(panic) => Err(Some(panicked(&*panic))),
            };
            Finished::Admitted { namespace, tools }
        }));
    }

    /// A server was waited for: its tools are admitted, or why it has none is kept, and what waited for it goes on.
    pub(super) fn on_listed(&mut self, namespace: &Arc<str>, tools: Result<Vec<Arc<ToolSpec>>, Option<String>>) {
        let catalog = self.exchange.catalog();
        let catalog = match tools {
            Ok(tools) => catalog.admitting(namespace, tools),
            Err(None) => catalog.admitting(namespace, []),
            Err(Some(why)) => {
                let why: Arc<str> = why.into();
                let unavailable = Unavailable { server: Arc::clone(namespace), why: Arc::clone(&why) };
                self.warnings.push(unavailable.to_string());
                catalog.lacking(namespace, why)
            }
        };
        self.waiting.listing.remove(namespace);
        self.exchange.admitted(Arc::new(catalog));
        self.waiting.calls = 0;
        for message in std::mem::take(&mut self.waiting.asks) {
            self.on_message(message);
        }
    }
}

fn why_not(asked: impl FnOnce() -> Option<String>) -> Option<String> {
    catch_unwind(AssertUnwindSafe(asked)).unwrap_or_else(|panic| Some(panicked(&*panic)))
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> String {
    format!("its host panicked: {}", panic_text(panic))
}
