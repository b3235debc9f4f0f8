//! From a server's reply to the answer of a call, and what the run is told besides.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use codemode_core::text::{cut, one_line};
use codemode_core::{Answer, Call, CallContext, Fault, Json, Note, code};

use super::McpHost;
use crate::client::{Reply, Upstream};
use crate::result::answer_of;

/// Runs and tools that are remembered to have been warned.
const KEPT_WARNINGS: usize = 1_024;

/// Which runs were warned of which tools' results.
#[derive(Debug, Default)]
pub(super) struct Warned(Mutex<VecDeque<(Arc<str>, Arc<str>)>>);

impl Warned {
    /// Whether this run was not warned of this tool yet; it is from now on.
    fn first(&self, run: &str, tool: &Arc<str>) -> bool {
        let mut warned = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.iter().any(|(of, about)| **of == *run && about == tool) {
            return false;
        }
        if warned.len() >= KEPT_WARNINGS {
            warned.pop_front();
        }
        warned.push_back((Arc::from(run), Arc::clone(tool)));
        true
    }
}

impl McpHost {
    /// Calls a server's tool.
    pub(super) async fn call_upstream(&self, upstream: &Upstream, context: &CallContext, call: &Call) -> Answer {
        let arguments = call.arguments.tree().as_object().cloned().unwrap_or_default();
        let server = cut(&one_line(&upstream.config.name), 100).into_owned();
        match upstream.call(context, &call.tool.short_name, arguments).await {
            Reply::Result(result) => {
                let (answer, warnings) = answer_of(result, &call.tool.name, &self.blobs);
                warnings.into_iter().for_each(|warning| context.control.note(Note::Warning(warning)));
                self.look_at(upstream, context, call, &answer);
                answer
            }
            Reply::Error { message, data } => {
                let mut fault = Fault::new(code::FAILED, message);
                fault.data = data.and_then(|data| Json::from_value(data).ok());
                Answer::Failed(fault)
            }
            Reply::Unreadable(why) => Answer::failed(format!("server \"{server}\" answered, and the answer could not be read: {why}")),
            Reply::NotSent(why) => Answer::NotRun(Fault::new(code::UNAVAILABLE, format!("server \"{server}\" is not available: {why}"))),
            Reply::Unknown(why) => {
                let message = format!("what the call did is unknown, and it may have run; server \"{server}\": {why}");
                Answer::Unknown(Fault::new(code::OUTCOME_UNKNOWN, message))
            }
        }
    }

    /// Holds a structured result against what the tool promised, or learns its shape where it promised nothing.
    fn look_at(&self, upstream: &Upstream, context: &CallContext, call: &Call, answer: &Answer) {
        let Answer::Succeeded(content) = answer else { return };
        if call.tool.output_schema.is_none() {
            if let (Some(shapes), Some(json)) = (&self.shapes, content.structured_not_empty()) {
                let version = upstream.now().version.unwrap_or_default();
                shapes.learn(&upstream.prefix, &version, &call.tool.short_name, json.tree());
            }
            return;
        }
        let Some(run) = &context.run else { return };
        let problem = match &content.structured {
            Some(json) => self.checks.result_problem(&call.tool, json),
            None => Some("it has no structured content, and its tool promises some".to_owned()),
        };
        if let Some(problem) = problem
            && self.warned.first(run.as_str(), &call.tool.name)
        {
            let name = cut(&one_line(&call.tool.name), 100).into_owned();
            context.control.note(Note::Warning(format!("a result of {name} is not what the tool promises: {problem}")));
        }
    }
}
