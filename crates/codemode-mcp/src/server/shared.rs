//! What all connections of a server share.

use std::sync::{Arc, Mutex, PoisonError};

use codemode::{Layer, Profile, Runtime};
use codemode_core::{Catalog, Fault};
use codemode_policy::Inventory;

use super::gate::Gate;
use super::offer::{Direct, Offer, OfferOptions};
use super::programs::ProgramHost;
use super::shelf::Shelf;
use crate::host::McpHost;

/// What a server is made of.
pub(super) struct Parts {
    pub(super) host: Arc<McpHost>,
    pub(super) programs: Arc<ProgramHost>,
    pub(super) inventory: Option<Arc<Inventory>>,
    pub(super) runtime: Runtime,
    /// Outermost first.
    pub(super) layers: Vec<Arc<dyn Layer>>,
    pub(super) profile: Profile,
    pub(super) description_tokens: usize,
    pub(super) instructions: String,
}

/// What all connections of a server share.
pub(super) struct Shared {
    parts: Parts,
    /// The last description, and the catalog that it is of: connections over the same tools do not make it again.
    offer: Mutex<Option<(Arc<Catalog>, Arc<Offer>)>>,
    /// The direct tools of the last catalog.
    direct: Mutex<Option<Arc<Direct>>>,
    /// What requests without a connection left to be read: from 2026-07-28 on each HTTP request stands alone.
    pub(super) shelf: Arc<Shelf>,
    pub(super) gate: Gate,
}

impl std::ops::Deref for Shared {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

impl Shared {
    pub(super) fn new(parts: Parts) -> Self {
        Self { parts, offer: Mutex::default(), direct: Mutex::default(), shelf: Arc::default(), gate: Gate::default() }
    }

    /// Whether `run_code` is offered.
    pub(super) fn offers_code_mode(&self) -> bool {
        self.inventory.as_ref().is_none_or(|inventory| inventory.offers_code_mode())
    }

    /// Whether programs may run now.
    ///
    /// # Errors
    /// Why none may, and what to do.
    pub(super) fn may_run(&self) -> Result<(), Fault> {
        self.inventory.as_ref().map_or(Ok(()), |inventory| inventory.may_run())
    }

    /// What is offered for programs over the tools that are known now.
    pub(super) fn offer(&self) -> Arc<Offer> {
        let known = self.programs.view(self.host.known());
        let mut last = self.offer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((catalog, offer)) = &*last
            && Arc::ptr_eq(catalog, &known)
        {
            return Arc::clone(offer);
        }
        let offer = if self.offers_code_mode() {
            let options = OfferOptions { profile: &self.profile, tokens: self.description_tokens, direct: !self.direct().tools.is_empty() };
            Offer::new(&known, &options)
        } else {
            Offer::default()
        };
        let offer = Arc::new(offer);
        *last = Some((known, Arc::clone(&offer)));
        offer
    }

    /// The tools that are called directly, of those that are known now.
    pub(super) fn direct(&self) -> Arc<Direct> {
        let known = self.host.known();
        let mut last = self.direct.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(direct) = &*last
            && Arc::ptr_eq(&direct.catalog, &known)
        {
            return Arc::clone(direct);
        }
        let specs = self.inventory.as_ref().map(|inventory| inventory.direct(&known)).unwrap_or_default();
        let direct = Arc::new(Direct::new(&known, specs));
        *last = Some(Arc::clone(&direct));
        direct
    }
}
