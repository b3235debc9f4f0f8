//! `run_code`: a program is run, its calls are told as progress, and its outcome comes back as text, as JSON and as content.

use std::sync::Arc;

use codemode::{Budgets, HostError, Outcome, Run, RunRequest};
use codemode_core::text::{cut, visible};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Resource};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use super::arguments::RunArguments;
use super::connection::Connection;
use super::content::Carrier;
use super::era::Era;
use super::offer::RUN_CODE;
use super::progress::reporting;
use super::resources::spill_uri;

/// The most bytes of a message about a program that could not be run.
const MESSAGE_BYTES: usize = 2_000;

/// Runs a program, and stops it where the client cancels or goes away.
///
/// # Errors
/// When the arguments are none of `run_code`. Whatever the program does is a result.
pub(super) async fn run_code(
    connection: &Connection,
    arguments: Option<JsonObject>,
    context: &RequestContext<RoleServer>,
    era: Era,
) -> Result<CallToolResult, ErrorData> {
    let shared = &connection.shared;
    let arguments = RunArguments::read(arguments, &shared.profile).map_err(|why| ErrorData::invalid_params(why, None))?;
    if let Err(fault) = shared.may_run() {
        return Ok(failure(&fault.message));
    }
    let mut request = RunRequest::new(arguments.code);
    request.intent = arguments.intent;
    if let Some(timeout) = arguments.timeout {
        let budgets = shared.profile.budgets;
        request = request.with_budgets(Budgets { wall: timeout.min(budgets.wall), ..budgets });
    }
    let reporting = reporting(connection, context);
    let outcome = match reporting {
        None => stoppable(connection, request, context).await,
        Some((reporter, sending)) => {
            let request = request.with_observer(Arc::clone(&reporter) as _);
            let running = async {
                let outcome = stoppable(connection, request, context).await;
                reporter.end();
                outcome
            };
            tokio::join!(running, sending.all()).0
        }
    };
    Ok(match outcome {
        Ok(outcome) => {
            connection.shelf(context).keep(&outcome);
            result(connection, &outcome, era)
        }
        Err(error) => failure(&format!("{RUN_CODE} could not run the program: {error}")),
    })
}

/// Runs it in the connection's session, where the profile has one, and to its outcome also where it is stopped: calls that are
/// out may still settle, and nothing of the program is left behind.
async fn stoppable(connection: &Connection, request: RunRequest, context: &RequestContext<RoleServer>) -> Result<Outcome, HostError> {
    let mut run: Run = match &connection.session {
        Some(session) => session.run(request),
        None => connection.shared.runtime.run(request),
    };
    let stopper = run.stopper();
    tokio::select! {
        outcome = &mut run => return outcome,
        () = connection.unwanted(context) => stopper.stop(),
    }
    run.await
}

/// An outcome as a result: text for the model, JSON for the client, then what the program gave back.
fn result(connection: &Connection, outcome: &Outcome, era: Era) -> CallToolResult {
    let mut carrier = Carrier::new(connection.shared.host.blobs());
    let mut content = vec![ContentBlock::text(outcome.to_text(RUN_CODE))];
    content.extend(outcome.content.iter().map(|blob| carrier.part(blob)));
    if outcome.spill.is_some() {
        let link = Resource::new(spill_uri(&outcome.run), "all that was printed");
        content.push(ContentBlock::resource_link(link.with_mime_type("text/plain").with_size(outcome.output.len() as u64)));
    }
    let mut result = if outcome.is_ok() { CallToolResult::success(content) } else { CallToolResult::error(content) };
    if era.structured() {
        // Every key of an outcome is text, so that this cannot fail.
        result.structured_content = serde_json::to_value(outcome).ok();
    }
    result
}

/// A result that says why nothing was run.
fn failure(message: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(cut(&visible(message), MESSAGE_BYTES))])
}
