//! Approvals: a person's word on one call.

use async_trait::async_trait;

use crate::call::{Call, CallContext};

/// A person's word.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// This call.
    Allowed,
    /// Every such call of this run.
    AllowedForRun,
    /// Not this call.
    Denied {
        /// Why.
        reason: String,
    },
    /// Nobody can say now: the run is to be set aside.
    Suspended,
}

/// Asks a person about a call. The prompt spends the wall clock and no compute.
#[async_trait]
pub trait Approver: Send + Sync {
    /// Asks, and waits for the answer.
    async fn approve(&self, context: &CallContext, call: &Call) -> Approval;
}
