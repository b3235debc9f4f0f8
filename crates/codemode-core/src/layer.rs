//! Layers around a tool host: what a call passes through on its way to the tool.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use crate::answer::{Answer, Fault};
use crate::call::{Call, CallContext};
use crate::host::ToolHost;
use crate::json::Json;
use crate::tool::ToolSpec;

/// Where a layer stands, outermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Records the result that the program is about to see.
    ResultRecord,
    /// Inspects the result.
    Assess,
    /// Runs hooks before and after.
    Hooks,
    /// Checks arguments, again where a hook rewrote them.
    Validate,
    /// Applies rules.
    Rules,
    /// Asks a person.
    Approve,
    /// Records the call that is about to be made.
    CallRecord,
    /// Takes a snapshot of what the call is about to change.
    Checkpoint,
}

/// One layer. Its order among others is its stage's; layers of one stage stand in the order in which they were added.
#[async_trait]
pub trait Layer: Send + Sync {
    /// Where it stands.
    fn stage(&self) -> Stage;

    /// Admission, before the call is dispatched: what is refused here is neither counted nor in the ledger.
    ///
    /// # Errors
    /// Why the call is not admitted, as the program's answer.
    fn admit(&self, tool: &ToolSpec, arguments: &Json) -> Result<(), Fault> {
        let _ = (tool, arguments);
        Ok(())
    }

    /// Passes the call on with `rest.call(context, call)`, or answers it.
    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        rest.call(context, call).await
    }
}

/// What lies beneath a layer.
#[derive(Clone, Copy)]
pub struct Rest<'a> {
    layers: &'a [Arc<dyn Layer>],
    host: &'a dyn ToolHost,
}

impl<'a> Rest<'a> {
    /// All of these layers around a host.
    #[must_use]
    pub fn new(layers: &'a [Arc<dyn Layer>], host: &'a dyn ToolHost) -> Self {
        Self { layers, host }
    }

    /// Passes the call to the next layer, or to the host: within the tool's own deadline, and with a panic as an unknown outcome.
    pub async fn call(self, context: &CallContext, call: Call) -> Answer {
        match self.layers.split_first() {
            Some((layer, layers)) => layer.call(context, call, Rest { layers, host: self.host }).await,
            None => crate::driver::to_the_tool(self.host, context, call).await,
        }
    }
}

impl fmt::Debug for Rest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Rest").field("layers", &self.layers.len()).finish_non_exhaustive()
    }
}
