//! Direct calls: passed on through the same layers as those of programs, and answered with what came back.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use codemode_core::text::{cut, one_line};
use codemode_core::{
    Answer, Bound, Call, CallContext, Content, Control, Decision, Json, Note, ParkRequest, Rest, ToolHost, ToolSpec, nearest,
};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;

use super::connection::Connection;
use super::content::Carrier;
use super::offer::{RUN_CODE, SEARCH_TOOLS};
use super::progress::{Reporter, reporting};

/// The most bytes of a name in a message.
const NAME_BYTES: usize = 100;
/// The most notes for the model that one call adds to its result, and the most bytes of one.
const MOST_CONTEXT: usize = 10;
const CONTEXT_BYTES: usize = 4_096;

/// Calls a tool directly, and cancels the call where the client cancels or goes away.
///
/// # Errors
/// When there is no such direct tool. Whatever the tool does is a result.
pub(super) async fn call(
    connection: &Connection,
    name: &str,
    arguments: Option<JsonObject>,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let found = tokio::select! {
        biased;
        found = find(connection, name) => found,
        () = connection.unwanted(context) => None,
    };
    let Some(tool) = found else {
        return Err(ErrorData::invalid_params(missing(connection, name), None));
    };
    let arguments = match Json::from_value(Value::Object(arguments.unwrap_or_default())) {
        Ok(arguments) => arguments,
        Err(error) => return Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())])),
    };
    let (reporter, sending) = reporting(connection, context).unzip();
    let relayed = Arc::new(Relayed { reporter, ..Relayed::default() });
    let calling = async {
        let answer = passed_on(connection, tool, arguments, context, &relayed).await;
        relayed.end();
        answer
    };
    let answer = match sending {
        None => calling.await,
        Some(sending) => tokio::join!(calling, sending.all()).0,
    };
    let mut result = result(connection, context, answer);
    result.content.extend(relayed.take_context().into_iter().map(ContentBlock::text));
    Ok(result)
}

/// The tool of this name; a server that the name touches and that is not listed yet is waited for.
async fn find(connection: &Connection, name: &str) -> Option<Arc<ToolSpec>> {
    let shared = &connection.shared;
    if let Some(tool) = shared.direct().get(name) {
        return Some(Arc::clone(tool));
    }
    shared.inventory.as_ref()?;
    let known = shared.host.known();
    let namespace = known.unlisted_for(name)?;
    shared.host.admit(namespace).await;
    shared.direct().get(name).cloned()
}

fn missing(connection: &Connection, name: &str) -> String {
    let shared = &connection.shared;
    let shown = |name: &str| cut(&one_line(cut(name, NAME_BYTES).as_ref()), NAME_BYTES).into_owned();
    let offered = shared.offers_code_mode();
    if offered && shared.programs.view(shared.host.known()).get(name).is_some() {
        return format!("tool \"{}\" is not called directly; call it from a program, with {RUN_CODE}", shown(name));
    }
    let direct = shared.direct();
    let own = [RUN_CODE, SEARCH_TOOLS].into_iter().filter(|_| offered);
    let like = nearest(name, own.chain(direct.names()));
    match like.first() {
        Some(like) => format!("there is no tool \"{}\"; did you mean \"{}\"? tools/list has all", shown(name), shown(like)),
        None => format!("there is no tool \"{}\"; tools/list has all", shown(name)),
    }
}

/// Through the layers to the tool, as a program's call would go.
async fn passed_on(
    connection: &Connection,
    tool: Arc<ToolSpec>,
    arguments: Json,
    request: &RequestContext<RoleServer>,
    relayed: &Arc<Relayed>,
) -> Answer {
    let shared = &connection.shared;
    for layer in &shared.layers {
        if let Err(fault) = layer.admit(&tool, &arguments) {
            return Answer::NotRun(fault);
        }
    }
    let context = CallContext { control: Arc::clone(relayed) as _, ..CallContext::direct(Arc::clone(&tool.name)) };
    let calling = Rest::new(&shared.layers, &*shared.host).call(&context, Call { tool, arguments });
    let mut calling = std::pin::pin!(calling);
    tokio::select! {
        answer = &mut calling => return answer,
        () = connection.unwanted(request) => context.cancelled.cancel(),
    }
    calling.await
}

/// An answer as a result: what a tool gave back as it came, and what went wrong as an error that a model reads.
fn result(connection: &Connection, context: &RequestContext<RoleServer>, answer: Answer) -> CallToolResult {
    let mut carrier = Carrier::new(connection.shared.host.blobs());
    let fault = match answer {
        Answer::Succeeded(content) => {
            keep(connection, context, &content);
            let mut result = CallToolResult::success(carrier.content(&content));
            result.structured_content = content.structured.as_ref().map(|json| json.tree().clone());
            return result;
        }
        Answer::Failed(fault) | Answer::NotRun(fault) | Answer::Unknown(fault) => fault,
    };
    let mut text = fault.message;
    if let Some(fix) = &fault.fix {
        text.push_str("\nfix: ");
        text.push_str(fix);
    }
    let mut content = vec![ContentBlock::text(text)];
    if let Some(partial) = &fault.content {
        keep(connection, context, partial);
        content.extend(carrier.content(partial));
    }
    let mut result = CallToolResult::error(content);
    result.structured_content = fault.data.as_ref().map(|json| json.tree().clone()).filter(Value::is_object);
    result
}

/// Lets the client read binary parts again, by their addresses.
fn keep(connection: &Connection, context: &RequestContext<RoleServer>, content: &Content) {
    content.blobs.iter().for_each(|blob| connection.shelf(context).keep_part(blob));
}

/// What a layer or a server may do to a call that no run makes.
#[derive(Default)]
struct Relayed {
    reporter: Option<Arc<Reporter>>,
    context: Mutex<Vec<String>>,
}

impl Relayed {
    fn end(&self) {
        if let Some(reporter) = &self.reporter {
            reporter.end();
        }
    }

    fn take_context(&self) -> Vec<String> {
        std::mem::take(&mut *self.context.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[async_trait]
impl Control for Relayed {
    fn stop(&self, _bound: Bound, _why: String) {}

    fn note(&self, note: Note) {
        match note {
            Note::Progress(message) => {
                if let Some(reporter) = &self.reporter {
                    reporter.say(&message);
                }
            }
            Note::Context(text) => {
                let mut context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
                if context.len() < MOST_CONTEXT {
                    context.push(cut(&text, CONTEXT_BYTES).into_owned());
                }
            }
            Note::Warning(warning) => tracing::warn!(warning = %one_line(&warning), "a direct call"),
            _ => {}
        }
    }

    /// A direct call cannot be set aside: its client waits for it.
    async fn park(&self, _request: ParkRequest) -> Decision {
        Decision::Unparkable
    }
}
