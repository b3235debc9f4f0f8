//! `search_tools`: finds tools for a program where the description does not show every one.

use codemode_catalog::signature_line;
use codemode_core::text::{cut, one_line, prefix};
use codemode_core::{Answer, Ask, Catalog, ToolHost};
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::{Value, json};

use super::arguments::SearchArguments;
use super::connection::Connection;

/// The most bytes of a query that are looked at.
const QUERY_BYTES: usize = 1_000;
/// The most bytes of a description in a result.
const DESCRIPTION_BYTES: usize = 300;

/// Searches the tools of programs for any of the words, best first.
///
/// # Errors
/// When the arguments are none of `search_tools`.
pub(super) async fn search_tools(connection: &Connection, arguments: Option<JsonObject>) -> Result<CallToolResult, ErrorData> {
    let SearchArguments { query, limit } = SearchArguments::read(arguments).map_err(|why| ErrorData::invalid_params(why, None))?;
    let programs = &connection.shared.programs;
    let catalog = programs.view(connection.shared.host.known());
    let ask = Ask::Search { query: prefix(&query, QUERY_BYTES).to_owned(), all_words: false, offset: 0, limit };
    let found = match programs.discover(&catalog, &ask).await {
        Answer::Succeeded(content) => content.structured.map(|json| json.tree().clone()).unwrap_or_default(),
        Answer::Failed(fault) | Answer::NotRun(fault) | Answer::Unknown(fault) => {
            return Ok(CallToolResult::error(vec![ContentBlock::text(fault.message)]));
        }
    };
    let found: Vec<Value> = found.as_array().into_iter().flatten().take(limit).map(|entry| described(&catalog, entry)).collect();
    let mut result = CallToolResult::success(vec![ContentBlock::text(lines(&found))]);
    result.structured_content = Some(json!({"tools": found}));
    Ok(result)
}

/// An entry with the tool's signature, where the tool is listed.
fn described(catalog: &Catalog, entry: &Value) -> Value {
    let text = |field: &str| entry.get(field).and_then(Value::as_str).unwrap_or_default();
    let name = text("name");
    let mut described = json!({"name": name, "description": cut(text("description"), DESCRIPTION_BYTES)});
    if let Some(tool) = catalog.get(name) {
        described["signature"] = json!(signature_line(tool));
    }
    described
}

fn lines(found: &[Value]) -> String {
    if found.is_empty() {
        return "no tool fits these words; try others, or fewer".to_owned();
    }
    let line = |entry: &Value| {
        let text = |field: &str| entry.get(field).and_then(Value::as_str).map(one_line);
        let first = text("signature").or_else(|| text("name")).unwrap_or_default();
        match text("description").filter(|description| !description.is_empty()) {
            Some(description) => format!("{first}\n    {description}"),
            None => first.into_owned(),
        }
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}
