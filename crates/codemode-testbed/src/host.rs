//! A host with a tool for each way that a call can end.

use std::sync::Arc;

use codemode_core::{Answer, Call, CallContext, Catalog, Content, Fault, FnHost, Json, ToolHost, ToolSpec, code};
use serde_json::json;

/// A host of eight tools: `echo` and `a-b` answer with their arguments, `fail`, `deny`, `lose`, `unavailable` and `structured` as they
/// are called, and `github__issues`, which is `issues` in the namespace `github`, with its own name.
pub fn host() -> Arc<dyn ToolHost> {
    let tools = ["echo", "fail", "deny", "lose", "unavailable", "structured", "a-b"].map(ToolSpec::new);
    let github = ToolSpec::new("github__issues").in_namespace("github", "issues");
    let catalog = Catalog::new(tools.into_iter().chain([github])).expect("distinct names");
    Arc::new(FnHost::new(catalog, |_: CallContext, call: Call| async move { answer(&call) }))
}

fn answer(call: &Call) -> Answer {
    match &*call.tool.name {
        "echo" | "a-b" => Answer::text(call.arguments.text()),
        "fail" => Answer::failed("the tool failed"),
        "deny" => Answer::denied("the rules say no"),
        "lose" => Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, "no answer was seen")),
        "unavailable" => Answer::NotRun(Fault::new(code::UNAVAILABLE, "the server is away")),
        "structured" => Answer::Succeeded(Content { structured: Json::from_value(json!({"n": 1})).ok(), ..Content::default() }),
        name => Answer::text(name),
    }
}
