//! The life of one server: started, listed, listed again when it says so, and started again when it ended.

use std::sync::Arc;
use std::time::Duration;

use codemode_core::text::{cut, one_line};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::connection::{Link, Open};
use super::listing::list;
use super::specs::specs_of;
use super::spent;
use super::upstream::{Phase, State, Tools, Upstream};

/// How long a server that ended rests before it is started again, at first and at most.
const REST_FIRST: Duration = Duration::from_millis(500);
const REST_MOST: Duration = Duration::from_secs(30);
/// A server that lived this long begins anew with the shortest rest.
const LONG_LIFE: Duration = Duration::from_secs(60);
/// The least time between two lists, whatever the server says.
const BETWEEN_LISTS: Duration = Duration::from_millis(250);
/// The most bytes of what a server says of itself.
const VERSION_BYTES: usize = 200;

/// Keeps a server going until it is told to stop.
pub(super) async fn supervise(upstream: Arc<Upstream>) {
    let mut rest = REST_FIRST;
    loop {
        let began = Instant::now();
        let started = tokio::select! {
            biased;
            () = upstream.stop.cancelled() => break,
            started = start(&upstream) => started,
        };
        let why: Arc<str> = match started {
            Ok((mut open, tools)) => {
                let born = Instant::now();
                publish(&upstream, &open.link, Some(tools), Some(began.elapsed()));
                let Some(why) = serve(&upstream, &mut open).await else {
                    open.close().await;
                    break;
                };
                open.abandon();
                if born.elapsed() >= LONG_LIFE {
                    rest = REST_FIRST;
                }
                tracing::warn!(server = upstream.config.name, why = &*why, "a server ended, and is started again");
                why
            }
            Err(why) => {
                tracing::warn!(server = upstream.config.name, why, "a server could not be started");
                why.into()
            }
        };
        let again = Instant::now() + rest;
        let rested = rest;
        rest = (rest * 2).min(REST_MOST);
        let was_listed = upstream.state.borrow().tools.is_some();
        change(&upstream, |state| {
            state.phase = if was_listed { Phase::Restarting { why, next_try: again } } else { Phase::Failed { why, again } };
        });
        let next = async { if was_listed { sleep(rested).await } else { upstream.wanted.notified().await } };
        tokio::select! {
            biased;
            () = upstream.stop.cancelled() => break,
            () = next => {}
        }
    }
    change(&upstream, |state| state.phase = Phase::Closed);
}

/// Opens a connection and lists the tools, within the time that the server has to start.
async fn start(upstream: &Upstream) -> Result<(Open, Vec<Value>), String> {
    let until = Instant::now() + upstream.config.start_limit();
    let mut open = Open::new(&upstream.config, &upstream.problems, until).await?;
    let why = match timeout_at(until, list(&open.link, &upstream.problems)).await {
        Ok(Ok(tools)) => return Ok((open, tools)),
        Ok(Err(_)) if open.link.gone.is_cancelled() => format!("it ended while it listed its tools: {}", open.explain().await),
        Ok(Err(why)) => why,
        Err(_) => {
            let last = open.process.as_ref().and_then(super::process::Process::last_line);
            let why = format!("it did not list its tools within {}", spent(upstream.config.start_limit()));
            match last {
                Some(line) => format!("{why}; its last line on standard error: {line}"),
                None => why,
            }
        }
    };
    open.close().await;
    Err(cut(&one_line(&why), 1_000).into_owned())
}

/// Attends to a server until it ended, and says why; nothing where it is to be stopped.
async fn serve(upstream: &Upstream, open: &mut Open) -> Option<Arc<str>> {
    let link = Arc::clone(&open.link);
    loop {
        tokio::select! {
            biased;
            () = upstream.stop.cancelled() => return None,
            () = link.gone.cancelled() => return Some(open.explain().await),
            () = list_again(upstream, &link) => {}
        }
    }
}

/// Waits until the server says that its tools have changed, and lists them. Runs that are out keep theirs.
async fn list_again(upstream: &Upstream, link: &Arc<Link>) {
    link.signals.list_changed.notified().await;
    upstream.problems.forget_lists();
    match timeout_at(Instant::now() + upstream.config.start_limit(), list(link, &upstream.problems)).await {
        Ok(Ok(tools)) => publish(upstream, link, Some(tools), None),
        Ok(Err(why)) => upstream.problems.note(&format!("its tools have changed, and could not be listed again: {why}")),
        Err(_) => {
            let waited = spent(upstream.config.start_limit());
            upstream.problems.note(&format!("its tools have changed, and could not be listed again within {waited}"));
        }
    }
    sleep(BETWEEN_LISTS).await;
}

fn publish(upstream: &Upstream, link: &Arc<Link>, tools: Option<Vec<Value>>, took: Option<Duration>) {
    let tools: Option<Tools> = tools.map(|tools| specs_of(tools, &upstream.prefix, upstream.limits().total, &upstream.problems).into());
    let info = link.info();
    let version = info.as_ref().and_then(|info| info.server_info.as_ref()).map(|server| {
        cut(&one_line(&format!("{} {}", cut(&server.name, VERSION_BYTES), cut(&server.version, VERSION_BYTES))), VERSION_BYTES).into_owned()
    });
    let protocol = info.map(|info| cut(&one_line(info.protocol_version.as_str()), 40).into_owned());
    if let (Some(memory), Some(tools)) = (upstream.memory.clone(), tools.clone()) {
        let (config, version) = (upstream.config.clone(), version.clone());
        // A disk that is slow holds up no server.
        tokio::task::spawn_blocking(move || memory.keep(&config, version.as_deref(), &tools));
    }
    change(upstream, |state| {
        state.phase = Phase::Listed(Arc::clone(link));
        state.tools = tools.or_else(|| state.tools.take());
        state.version = version;
        state.protocol = protocol;
        state.started_in = took.or(state.started_in);
    });
}

fn change(upstream: &Upstream, how: impl FnOnce(&mut State)) {
    upstream.state.send_modify(how);
    (upstream.changed)();
}
