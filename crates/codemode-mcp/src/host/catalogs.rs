//! The catalogs of the host, made once for each change and not for each run.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::{Catalog, ToolSpec};
use tokio::sync::watch;

use crate::client::Upstream;

/// The catalogs as they were made last.
#[derive(Debug, Default)]
pub(super) struct Catalogs(Mutex<Made>);

#[derive(Debug, Default)]
struct Made {
    /// The change after which they were made.
    at: Option<(u64, Option<Arc<Catalog>>)>,
    runs: Arc<Catalog>,
    known: Arc<Catalog>,
    hidden: Vec<String>,
}

/// What catalogs are made of.
pub(super) struct Sources<'a> {
    pub(super) local: Option<Arc<Catalog>>,
    pub(super) upstreams: &'a [Arc<Upstream>],
    pub(super) changes: &'a watch::Sender<u64>,
}

impl Catalogs {
    /// What a run starts with: listed tools, and the names of servers that are not listed yet.
    pub(super) fn runs(&self, sources: &Sources<'_>) -> Arc<Catalog> {
        self.with(sources, |made| Arc::clone(&made.runs))
    }

    /// What is known: remembered tools of servers that are not listed yet as well.
    pub(super) fn known(&self, sources: &Sources<'_>) -> Arc<Catalog> {
        self.with(sources, |made| Arc::clone(&made.known))
    }

    /// Names of servers' tools that a local tool has.
    pub(super) fn hidden(&self, sources: &Sources<'_>) -> Vec<String> {
        self.with(sources, |made| made.hidden.clone())
    }

    fn with<T>(&self, sources: &Sources<'_>, look: impl FnOnce(&Made) -> T) -> T {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The count is read before what it counts, so that a change in between is seen the next time.
        let count = *sources.changes.borrow();
        let local = sources.local.as_ref().map(Arc::as_ptr);
        if made.at.as_ref().is_none_or(|(at, of)| *at != count || of.as_ref().map(Arc::as_ptr) != local) {
            *made = make(sources, count);
        }
        look(&made)
    }
}

fn make(sources: &Sources<'_>, count: u64) -> Made {
    let local = sources.local.as_deref().cloned().or_else(|| Catalog::new([]).ok()).unwrap_or_default();
    let (mut listed, mut remembered) = (Vec::new(), Vec::new());
    let (mut unlisted, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for upstream in sources.upstreams {
        match (upstream.now().tools, &upstream.remembered) {
            (Some(tools), _) => listed.extend(tools.iter().cloned()),
            (None, known) => {
                unlisted.insert(Arc::clone(&upstream.prefix));
                match known {
                    Some(tools) => remembered.extend(tools.iter().cloned()),
                    None => {
                        unknown.insert(Arc::clone(&upstream.prefix));
                    }
                }
            }
        }
    }
    let hidden = listed.iter().filter(|tool| local.get(&tool.name).is_some()).map(|tool| tool.name.to_string()).collect();
    let with_listed = with_tools(&local, listed);
    let known = with_tools(&with_listed, remembered).with_unlisted(unknown);
    Made { at: Some((count, sources.local.clone())), runs: Arc::new(with_listed.with_unlisted(unlisted)), known: Arc::new(known), hidden }
}

/// A catalog with more tools; those whose names are taken are left out.
fn with_tools(catalog: &Catalog, tools: Vec<Arc<ToolSpec>>) -> Catalog {
    // No server has an empty name, so that none counts as listed by this.
    catalog.admitting("", tools)
}
