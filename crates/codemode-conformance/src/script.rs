//! What a case asks of the layers around the scripted host, and the layers that do it.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use codemode_core::{Answer, Bound, Call, CallContext, Fault, Json, Layer, Rest, Stage, ToolSpec, code};
use serde::Deserialize;

use crate::admission::Admission;

/// Tweaks of the scripted host, by the raw names of tools.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct HostScript {
    /// Tools that exist and that programs cannot call.
    pub(crate) exclude: Vec<String>,
    /// Tools that a rule refuses, after they were dispatched.
    deny: Vec<String>,
    /// Tools at whose call a hook ends the run.
    fatal: Vec<String>,
    /// Tools at whose call the journal has no room.
    full: Vec<String>,
    /// Arguments that a hook puts in the place of the program's.
    rewrite: BTreeMap<String, String>,
    /// Text that a hook adds to a result.
    append: BTreeMap<String, String>,
}

impl HostScript {
    /// The layers, admission among them.
    pub(crate) fn layers(&self) -> Vec<Arc<dyn Layer>> {
        vec![Arc::new(Hooks(self.clone())), Arc::new(Admission), Arc::new(Rules(self.clone())), Arc::new(Records(self.clone()))]
    }
}

/// Hooks before and after a call.
struct Hooks(HostScript);

#[async_trait]
impl Layer for Hooks {
    fn stage(&self) -> Stage {
        Stage::Hooks
    }

    async fn call(&self, context: &CallContext, mut call: Call, rest: Rest<'_>) -> Answer {
        let name = Arc::clone(&call.tool.name);
        if self.0.fatal.iter().any(|fatal| **fatal == *name) {
            context.control.stop(Bound::Hook, format!("a hook ended the run at {name}"));
            return Answer::denied("a hook ended the run");
        }
        if let Some(text) = self.0.rewrite.get(&*name) {
            match Json::parse(text.as_str()) {
                Ok(arguments) => call.arguments = arguments,
                Err(error) => return Answer::failed(format!("the case rewrites with {error}")),
            }
        }
        let answer = rest.call(context, call).await;
        match (self.0.append.get(&*name), answer) {
            (Some(more), Answer::Succeeded(content)) => Answer::text(format!("{}{more}", content.as_text())),
            (_, answer) => answer,
        }
    }
}

/// Rules: a plain list of names.
struct Rules(HostScript);

#[async_trait]
impl Layer for Rules {
    fn stage(&self) -> Stage {
        Stage::Rules
    }

    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        if self.0.deny.iter().any(|denied| **denied == *call.tool.name) {
            return Answer::denied(format!("a rule refuses {}", call.tool.name));
        }
        rest.call(context, call).await
    }
}

/// The record of a call, which may not fit the journal.
struct Records(HostScript);

#[async_trait]
impl Layer for Records {
    fn stage(&self) -> Stage {
        Stage::CallRecord
    }

    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        if self.0.full.iter().any(|full| **full == *call.tool.name) {
            let message = "the journal has no room for the record of this call";
            context.control.stop(Bound::History, message.to_owned());
            return Answer::NotRun(Fault::new(code::UNAVAILABLE, message));
        }
        rest.call(context, call).await
    }
}

#[async_trait]
impl Layer for Admission {
    fn stage(&self) -> Stage {
        Stage::Validate
    }

    fn admit(&self, tool: &ToolSpec, arguments: &Json) -> Result<(), Fault> {
        crate::admission::validate(tool, arguments)
    }

    /// Again, since a hook may have rewritten them.
    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        match crate::admission::validate(&call.tool, &call.arguments) {
            Ok(()) => rest.call(context, call).await,
            Err(fault) => Answer::NotRun(fault),
        }
    }
}
