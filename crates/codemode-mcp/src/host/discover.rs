//! What programs are told when they ask for tools: listed and remembered ones, and names of servers that never came.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use codemode_core::text::{cut, one_line};
use codemode_core::{Answer, Ask, Catalog, Json};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::McpHost;
use crate::client::Upstream;

/// How long list and search wait for servers of which nothing is known.
const PATIENCE: Duration = Duration::from_secs(5);

impl McpHost {
    pub(super) async fn answer(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        match ask {
            Ask::Open { handle, offset, limit } => self.blobs.open(handle, *offset, *limit),
            Ask::List | Ask::Search { .. } => {
                let unlisted = self.unlisted(catalog);
                let unknown = unlisted.iter().filter(|upstream| upstream.now().tools.is_none() && upstream.remembered.is_none());
                let _ = timeout(PATIENCE, join_all(unknown.map(|upstream| upstream.settled()))).await;
                let known = self.with_known(catalog, &unlisted);
                self.explain(self.discovery.answer(&known, ask))
            }
            Ask::Describe { name } => {
                let Some(namespace) = catalog.unlisted_for(name) else { return self.discovery.answer(catalog, ask) };
                if let Some(upstream) = self.upstream(namespace) {
                    let _ = upstream.tools().await;
                }
                let known = self.with_known(catalog, &self.unlisted(catalog));
                self.discovery.answer(&known, ask)
            }
            _ => self.discovery.answer(catalog, ask),
        }
    }

    /// The servers that this catalog does not list.
    fn unlisted(&self, catalog: &Catalog) -> Vec<&Arc<Upstream>> {
        let names: BTreeSet<&str> = catalog.unlisted().map(|name| &**name).collect();
        self.upstreams.iter().filter(|upstream| names.contains(&*upstream.prefix)).collect()
    }

    /// The catalog of a run with what is known of servers that it does not list.
    fn with_known(&self, catalog: &Arc<Catalog>, unlisted: &[&Arc<Upstream>]) -> Arc<Catalog> {
        if unlisted.is_empty() {
            return Arc::clone(catalog);
        }
        // Most runs have the host's own catalog, and that is made once.
        if Arc::ptr_eq(catalog, &self.catalogs.runs(&self.sources())) {
            return self.catalogs.known(&self.sources());
        }
        let mut known = Catalog::clone(catalog);
        for upstream in unlisted {
            if let Some(tools) = upstream.now().tools.or_else(|| upstream.remembered.clone()) {
                known = known.admitting(&upstream.prefix, tools.iter().cloned());
            }
        }
        Arc::new(known)
    }

    /// Puts how servers are that are not listed into their entries.
    fn explain(&self, answer: Answer) -> Answer {
        let Answer::Succeeded(content) = answer else { return answer };
        let Some(Value::Array(entries)) = content.structured.as_ref().map(Json::tree) else { return Answer::Succeeded(content) };
        let waiting: Vec<(&str, String)> =
            self.upstreams.iter().filter_map(|upstream| Some((&*upstream.prefix, unlisted_line(upstream)?))).collect();
        let line = |entry: &Value| {
            let name = entry.get("name")?.as_str()?;
            waiting.iter().find(|(prefix, _)| *prefix == name).map(|(_, line)| line.clone())
        };
        if waiting.is_empty() || !entries.iter().any(|entry| line(entry).is_some()) {
            return Answer::Succeeded(content);
        }
        let entries: Vec<Value> = entries
            .iter()
            .map(|entry| match line(entry) {
                Some(line) => json!({"name": entry["name"], "description": line}),
                None => entry.clone(),
            })
            .collect();
        Json::from_value(Value::Array(entries)).map_or(Answer::Succeeded(content), Answer::structured)
    }
}

/// What stands in the place of the tools of a server of which nothing is known.
fn unlisted_line(upstream: &Upstream) -> Option<String> {
    if upstream.now().tools.is_some() || upstream.remembered.is_some() {
        return None;
    }
    let line = match upstream.trouble() {
        Some(why) => format!("a server that is not there: {why}"),
        None => "a server that is not listed yet: a call or describe of one of its tools waits for it".to_owned(),
    };
    Some(cut(&one_line(&line), 300).into_owned())
}
