//! The host as programs see it: the same tools, less those that are not for programs.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use codemode_core::{Answer, Ask, Blob, Call, CallContext, Catalog, ToolHost, ToolSpec};
use codemode_policy::Inventory;

use crate::host::McpHost;

/// How many views are kept: of the listed and of the known catalog, each before and after a change.
const KEPT_VIEWS: usize = 4;

/// A catalog, and what of it is for programs.
type View = (Arc<Catalog>, Arc<Catalog>);

/// The host whose tools programs call: a [`McpHost`] without what an inventory keeps from programs.
///
/// [`CodeServer`](crate::CodeServer) makes its own; this is for who runs programs without a server.
pub struct ProgramHost {
    host: Arc<McpHost>,
    inventory: Option<Arc<Inventory>>,
    /// Views by the identity of their catalogs: a run over many tools must not pay for another look at each.
    views: Mutex<VecDeque<View>>,
}

impl ProgramHost {
    /// The tools of this host that the inventory leaves to programs; all of them without one.
    #[must_use]
    pub fn new(host: Arc<McpHost>, inventory: Option<Arc<Inventory>>) -> Self {
        Self { host, inventory, views: Mutex::default() }
    }

    /// What of this catalog is for programs.
    pub(super) fn view(&self, catalog: Arc<Catalog>) -> Arc<Catalog> {
        let Some(inventory) = &self.inventory else { return catalog };
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, view)) = views.iter().find(|(whole, _)| Arc::ptr_eq(whole, &catalog)) {
            return Arc::clone(view);
        }
        let view = inventory.for_programs(&catalog);
        views.push_front((catalog, Arc::clone(&view)));
        views.truncate(KEPT_VIEWS);
        view
    }
}

#[async_trait]
impl ToolHost for ProgramHost {
    fn catalog(&self) -> Arc<Catalog> {
        self.view(self.host.catalog())
    }

    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        let tools = self.host.admit(namespace).await;
        let Some(inventory) = &self.inventory else { return tools };
        // What is not for programs stays out, also where it comes late.
        let admitted = Arc::new(Catalog::default().admitting(namespace, tools));
        inventory.for_programs(&admitted).tools().cloned().collect()
    }

    fn unavailable(&self, namespace: &str) -> Option<String> {
        self.host.unavailable(namespace)
    }

    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        self.host.discover(catalog, ask).await
    }

    fn blob(&self, handle: &str) -> Option<Blob> {
        self.host.blob(handle)
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        self.host.call(context, call).await
    }
}

impl std::fmt::Debug for ProgramHost {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ProgramHost").finish_non_exhaustive()
    }
}
