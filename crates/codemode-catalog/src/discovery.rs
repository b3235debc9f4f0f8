//! Answers list, search and describe for a host, over indices that are kept from one run to the next.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::{Answer, Ask, Catalog, Fault, Json, Resolved, ToolSpec, code};
use serde_json::{Value, json};

use crate::clean::one_line;
use crate::line::signature_line;
use crate::observed::ObservedShapes;
use crate::search::{SearchIndex, SearchMode};
use crate::words::{each_word, query_words};

/// How many indices are kept: one for the runs that begin now, and some for runs whose catalogs are older.
const KEPT_INDICES: usize = 4;
/// Bytes of a tool's description where many tools are told of.
const ENTRY_BYTES: usize = 300;
/// More words of a query than this are not compared with the names of servers.
const MOST_WORDS: usize = 32;

/// Answers the questions of programs about tools: one for all runs of a host.
///
/// It keeps the search indices of the last four catalogs; catalogs that offer the very same tools share one, whatever else
/// is different about them.
#[derive(Debug, Default)]
pub struct Discovery {
    shapes: Option<Arc<ObservedShapes>>,
    indices: Mutex<VecDeque<SearchIndex>>,
}

impl Discovery {
    /// Without shapes of results that were seen.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With shapes of results that were seen: describe shows them as `observed` for tools that promise none.
    #[must_use]
    pub fn with_shapes(shapes: Arc<ObservedShapes>) -> Self {
        Self { shapes: Some(shapes), ..Self::default() }
    }

    /// The answer to [`Ask::List`], [`Ask::Search`] or [`Ask::Describe`]; anything else is not run.
    ///
    /// List and search give `{name, description}` objects, with at most 300 bytes of the first paragraph of a description;
    /// search gives whole names first, then the best, and one page of them. Describe gives `{name, alias?, description,
    /// signature, parameters, output_schema?, observed?}`, or `null` where nothing has this name.
    ///
    /// Nothing is waited for: a server that is not listed yet, and of which `catalog` has no tools, is an entry by its name
    /// after the tools. An `&Arc<Catalog>` does as well as an `&Catalog`.
    #[must_use]
    pub fn answer(&self, catalog: &Catalog, ask: &Ask) -> Answer {
        let value = match ask {
            Ask::List => catalog.tools().map(|tool| entry(tool)).chain(unlisted(catalog).map(server_entry)).collect(),
            Ask::Search { query, all_words, offset, limit } => {
                let mode = if *all_words { SearchMode::AllWords } else { SearchMode::AnyWords };
                let hits = self.index(catalog).search(query, mode, usize::MAX);
                let tools = hits.iter().map(|hit| entry(&hit.tool));
                let servers = unlisted(catalog).filter(|server| is_asked_for(server, query, mode)).map(server_entry);
                tools.chain(servers).skip(*offset).take(*limit).collect()
            }
            Ask::Describe { name } => match catalog.resolve(name) {
                Resolved::Tool(tool) => self.described(catalog, &tool),
                Resolved::Namespace(_) | Resolved::Missing(_) => Value::Null,
            },
            _ => return Answer::NotRun(Fault::new(code::UNSUPPORTED, "list, search and describe are answered here, and nothing else")),
        };
        match Json::from_value(value) {
            Ok(json) => Answer::structured(json),
            Err(error) => Answer::Failed(Fault::new(code::FAILED, error.to_string())),
        }
    }

    /// The search index over the tools of `catalog`, made where it is not kept: some milliseconds for thousands of tools.
    ///
    /// A host whose catalog has changed may ask for it off its hot path, so that no search waits for it.
    #[must_use]
    pub fn index(&self, catalog: &Catalog) -> SearchIndex {
        if let Some(index) = self.kept(catalog) {
            return index;
        }
        // Not under the lock: making it takes a while, and making it twice is harmless.
        let index = SearchIndex::new(catalog);
        let mut indices = self.indices.lock().unwrap_or_else(PoisonError::into_inner);
        indices.push_front(index.clone());
        indices.truncate(KEPT_INDICES);
        index
    }

    /// The index that is kept for these tools, which becomes the last to be forgotten.
    fn kept(&self, catalog: &Catalog) -> Option<SearchIndex> {
        let mut indices = self.indices.lock().unwrap_or_else(PoisonError::into_inner);
        let place = indices.iter().position(|index| index.is_of(catalog))?;
        let index = indices.remove(place)?;
        indices.push_front(index.clone());
        Some(index)
    }

    fn described(&self, catalog: &Catalog, tool: &ToolSpec) -> Value {
        let mut described = json!({"name": &*tool.name});
        if let Some(alias) = catalog.alias(&tool.name) {
            described["alias"] = json!(&**alias);
        }
        described["description"] = json!(tool.description);
        described["signature"] = json!(signature_line(tool));
        described["parameters"] = tool.input_schema.as_ref().map_or_else(|| json!({"type": "object"}), |schema| schema.tree().clone());
        if let Some(schema) = &tool.output_schema {
            described["output_schema"] = schema.tree().clone();
        } else if let Some(seen) = self.shapes.as_ref().and_then(|shapes| shapes.schema(tool)) {
            described["observed"] = seen;
        }
        described
    }
}

fn entry(tool: &ToolSpec) -> Value {
    json!({"name": &*tool.name, "description": first_paragraph(&tool.description)})
}

/// What stands before the first empty line, on one line.
fn first_paragraph(text: &str) -> String {
    let text = text.trim_start();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            break;
        }
        end += line.len();
    }
    one_line(&text[..end], ENTRY_BYTES).unwrap_or_default()
}

/// The servers of which nothing is known but that they are there.
fn unlisted(catalog: &Catalog) -> impl Iterator<Item = &Arc<str>> {
    catalog.unlisted().filter(|server| !catalog.tools().any(|tool| tool.namespace.as_ref() == Some(server)))
}

fn server_entry(server: &Arc<str>) -> Value {
    json!({"name": &**server, "description": "A server that is not listed yet: its tools are listed when it is first used."})
}

/// Whether a query has words of a server's name: any of them, or nothing else.
fn is_asked_for(server: &str, query: &str, mode: SearchMode) -> bool {
    let mut name = Vec::new();
    each_word(server, MOST_WORDS, |word| name.push(word.to_owned()));
    let words = query_words(query, MOST_WORDS);
    match mode {
        SearchMode::AllWords => !words.is_empty() && words.iter().all(|word| name.contains(word)),
        SearchMode::AnyWords => words.iter().any(|word| name.contains(word)),
    }
}
