//! A tool host made of one closure of name and JSON text.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use codemode_core::{Answer, Call, CallContext, Catalog, Fault, ToolHost, code};

type Answering = dyn Fn(&str, &str) -> Result<String, String> + Send + Sync;

/// A host whose tools are all answered by one closure: it gets the tool's name and its arguments as JSON text, and gives
/// the result's text, or the message of a failure that the tool reports.
///
/// The closure may block: each call runs on tokio's pool for blocking work, so that a run needs a tokio runtime around it.
/// A call whose run is stopped is left to end by itself; a closure that panics is an unknown outcome for the program.
#[derive(Clone)]
pub struct ClosureHost {
    catalog: Arc<Catalog>,
    answer: Arc<Answering>,
}

impl ClosureHost {
    /// A host of these tools and this closure.
    pub fn new(catalog: Catalog, answer: impl Fn(&str, &str) -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self { catalog: Arc::new(catalog), answer: Arc::new(answer) }
    }
}

#[async_trait]
impl ToolHost for ClosureHost {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn call(&self, _context: &CallContext, call: Call) -> Answer {
        let answer = Arc::clone(&self.answer);
        match tokio::task::spawn_blocking(move || answer(&call.tool.name, call.arguments.text())).await {
            Ok(Ok(text)) => Answer::text(text),
            Ok(Err(message)) => Answer::failed(message),
            Err(_) => Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, "the tool panicked, and may have run")),
        }
    }
}

impl fmt::Debug for ClosureHost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ClosureHost").field("tools", &self.catalog.len()).finish_non_exhaustive()
    }
}
