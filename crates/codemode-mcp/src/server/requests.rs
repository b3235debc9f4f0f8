//! Requests that are none: a method that nobody knows, and one whose params are not what it takes.

use codemode_core::text::{cut, one_line};
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, PaginatedRequestParams};

/// The most bytes of a method in a message.
const METHOD_BYTES: usize = 100;

/// What the methods take that need something.
const TAKEN: [(&str, &str); 7] = [
    ("initialize", "protocolVersion (a string), capabilities (an object) and clientInfo (an object with name and version)"),
    ("tools/call", "name (a string), and arguments (an object) where the tool has any"),
    ("tools/list", "nothing, or cursor (a string)"),
    ("resources/list", "nothing, or cursor (a string)"),
    ("resources/templates/list", "nothing, or cursor (a string)"),
    ("resources/read", "uri (a string)"),
    ("ping", "nothing"),
];

/// Why a method's params cannot be read, if it is one of ours.
pub(super) fn wrong_params(method: &str) -> Option<ErrorData> {
    let (_, taken) = TAKEN.iter().find(|(name, _)| *name == method)?;
    Some(ErrorData::invalid_params(format!("the params of {method} cannot be read; it takes {taken}"), None))
}

/// Why there is no answer to a request that was read as no known one.
pub(super) fn unknown(method: &str) -> ErrorData {
    wrong_params(method).unwrap_or_else(|| {
        let method = cut(&one_line(cut(method, METHOD_BYTES).as_ref()), METHOD_BYTES).into_owned();
        let why = format!("there is no method \"{method}\"; this server has tools/list, tools/call, resources/list and resources/read");
        ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None)
    })
}

/// # Errors
/// When a page is asked for that nobody was told of: each list is one page.
pub(super) fn first_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params("there is one page, which is given without a cursor", None)),
    }
}
