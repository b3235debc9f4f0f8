//! Lists a server's tools, page by page, within bounds.

use std::collections::HashSet;

use rmcp::model::{ClientRequest, ErrorCode, ListToolsRequest, PaginatedRequestParams};
use rmcp::service::ServiceError;
use serde_json::Value;

use codemode_core::text::prefix;

use super::connection::{Link, plain};
use super::problems::Problems;

/// The most tools of one server.
const MOST_TOOLS: usize = 10_000;
/// The most pages of one list.
const MOST_PAGES: usize = 100;
/// The most bytes of all tools of one server together, as JSON.
const MOST_BYTES: usize = 32 << 20;

/// All tools as the server describes them, as far as they are within bounds.
///
/// # Errors
/// One sentence, where a page did not come.
pub(super) async fn list(link: &Link, problems: &Problems) -> Result<Vec<Value>, String> {
    let mut tools = Vec::new();
    let mut bytes = 0;
    let mut cursors = HashSet::new();
    let mut cursor: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let params = cursor.take().map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let request = ListToolsRequest { params, ..ListToolsRequest::default() };
        let mut page = match link.peer.send_request(ClientRequest::ListToolsRequest(request)).await {
            Ok(page) => plain(page),
            Err(ServiceError::McpError(error)) if error.code == ErrorCode::METHOD_NOT_FOUND && has_no_tools(link) => return Ok(tools),
            Err(ServiceError::McpError(error)) => return Err(format!("it did not list its tools: {}", prefix(&error.message, 500))),
            Err(_) => return Err(format!("it ended while it listed its tools: {}", link.reason().await)),
        };
        let Some(Value::Array(listed)) = page.get_mut("tools").map(Value::take) else {
            return Err("what it answered to the request for its tools is no list of them".to_owned());
        };
        for tool in listed {
            bytes += tool.to_string().len();
            if tools.len() == MOST_TOOLS || bytes > MOST_BYTES {
                problems.note(&format!(
                    "it has more tools than the {MOST_TOOLS}, or the {} MiB of descriptions, that are read; the rest is left out",
                    MOST_BYTES >> 20
                ));
                return Ok(tools);
            }
            tools.push(tool);
        }
        match page.get("nextCursor").and_then(Value::as_str) {
            None => return Ok(tools),
            Some(next) if cursors.insert(next.to_owned()) => cursor = Some(next.to_owned()),
            Some(_) => {
                problems.note("its list of tools goes in a circle: a page names one as the next that was there before");
                return Ok(tools);
            }
        }
    }
    problems.note(&format!("its list of tools has more than the {MOST_PAGES} pages that are read; the rest is left out"));
    Ok(tools)
}

fn has_no_tools(link: &Link) -> bool {
    link.info().is_none_or(|info| info.capabilities.tools.is_none())
}
