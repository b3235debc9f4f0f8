//! The user's interface: what a host brings.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;

use crate::answer::{Answer, Fault, code};
use crate::call::{Call, CallContext};
use crate::catalog::{Catalog, Resolved};
use crate::handle::Ask;
use crate::json::Json;
use crate::tool::ToolSpec;

/// The owner of the tools. Its calls run on the host's own async runtime.
///
/// A call that panics is an unknown outcome for the program; nothing else breaks.
#[async_trait]
pub trait ToolHost: Send + Sync {
    /// The tools, as they are now. A run keeps the catalog that it started with.
    fn catalog(&self) -> Arc<Catalog>;

    /// Waits for a server that is not listed yet, and gives its tools. Asked once a run for each such server.
    async fn admit(&self, namespace: &str) -> Vec<Arc<ToolSpec>> {
        let _ = namespace;
        Vec::new()
    }

    /// Answers list, search and describe over the catalog of a run.
    ///
    /// The default lists name and description, searches names and descriptions for all words, and describes schemas.
    async fn discover(&self, catalog: &Catalog, ask: &Ask) -> Answer {
        discover_plainly(catalog, ask)
    }

    /// Uses one tool. Arguments were validated; the context's token is cancelled when the run stops.
    ///
    /// Calls of a run are polled in the run's own task: one that blocks its thread holds up the whole run, so that blocking
    /// work goes to a pool for it.
    async fn call(&self, context: &CallContext, call: Call) -> Answer;
}

/// The plain answers to list, search and describe.
#[must_use]
pub fn discover_plainly(catalog: &Catalog, ask: &Ask) -> Answer {
    let entry = |tool: &ToolSpec| json!({"name": &*tool.name, "description": tool.description});
    let value = match ask {
        Ask::List => catalog.tools().map(|tool| entry(tool)).collect(),
        Ask::Search { query } => {
            let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
            let fits = |tool: &&Arc<ToolSpec>| {
                let text = format!("{} {}", tool.name, tool.description).to_lowercase();
                words.iter().all(|word| text.contains(word))
            };
            catalog.tools().filter(fits).map(|tool| entry(tool)).collect()
        }
        Ask::Describe { name } => match catalog.resolve(name) {
            Resolved::Tool(tool) => json!({
                "name": &*tool.name,
                "description": tool.description,
                "parameters": tool.input_schema.as_ref().map(Json::tree),
                "output": tool.output_schema.as_ref().map(Json::tree),
            }),
            _ => serde_json::Value::Null,
        },
        _ => return Answer::NotRun(Fault::new(code::UNSUPPORTED, "this host answers list, search and describe only")),
    };
    match Json::from_value(value) {
        Ok(json) => Answer::structured(json),
        Err(error) => Answer::Failed(Fault::new(code::FAILED, error.to_string())),
    }
}

/// A host made of a catalog and one async closure that answers every call.
pub struct FnHost<F> {
    catalog: Arc<Catalog>,
    answer: F,
}

impl<F, Fut> FnHost<F>
where
    F: Fn(CallContext, Call) -> Fut + Send + Sync,
    Fut: Future<Output = Answer> + Send,
{
    /// A host whose calls are all answered by `answer`.
    pub fn new(catalog: Catalog, answer: F) -> Self {
        Self { catalog: Arc::new(catalog), answer }
    }
}

impl<F> fmt::Debug for FnHost<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FnHost").field("tools", &self.catalog.len()).finish_non_exhaustive()
    }
}

#[async_trait]
impl<F, Fut> ToolHost for FnHost<F>
where
    F: Fn(CallContext, Call) -> Fut + Send + Sync,
    Fut: Future<Output = Answer> + Send,
{
    fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        (self.answer)(context.clone(), call).await
    }
}
