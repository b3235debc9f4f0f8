//! What a program sees of an answer.

use codemode_core::{Answer, Content, Delivered, Json};
use serde_json::json;

use crate::realm::{Halt, Realm, Thrown};
use crate::sdk::tool_error::Report;

/// Settles the promise of a call that was answered. An answer that nobody waits for is dropped.
pub(crate) fn settle<R: Realm>(realm: &R, delivered: Delivered) -> Result<(), Halt> {
    let Delivered { id, answer, .. } = delivered;
    let Some(out) = realm.shared().with(|run| run.calls.remove(&id)).flatten() else { return Ok(()) };
    let (fault, ran, refused) = match &answer {
        Answer::Succeeded(content) => {
            let value = value_of(realm, content)?;
            return finish(realm, &out.resolvers.resolve, value);
        }
        Answer::Failed(fault) | Answer::Unknown(fault) => (fault, true, false),
        Answer::NotRun(fault) => (fault, false, true),
    };
    let error = realm.shared().tool_errors(realm)?.error(realm, out.site, &Report { tool: &out.tool, fault, ran })?;
    if refused {
        let held = (id, error.clone());
        realm.shared().with(|run| run.refusals.insert(realm.identity(&error), held));
    }
    finish(realm, &out.resolvers.reject, error)
}

/// Calls what settles a promise. It throws nothing of its own.
pub(crate) fn finish<R: Realm>(realm: &R, settler: &R::Value, value: R::Value) -> Result<(), Halt> {
    match realm.call(settler, &realm.undefined(), &[value]) {
        Ok(_) | Err(Thrown::Value(_)) => Ok(()),
        Err(Thrown::Halt) => Err(Halt),
    }
}

/// The value of a call that succeeded: structured content where there is some and it is not empty, else text.
///
/// JSON is never guessed from text. Binary parts are objects that name them: alone, or one of several, they are the value; with
/// text they are beside it.
pub(crate) fn value_of<R: Realm>(realm: &R, content: &Content) -> Result<R::Value, Halt> {
    if let Some(json) = content.structured_not_empty() {
        return realm.make_json(json);
    }
    match (content.blobs.as_slice(), &content.text) {
        ([], text) => realm.make_text(text.as_deref().unwrap_or_default()),
        ([blob], None) => realm.make_json(&written(&json!(blob))),
        (blobs, None) => realm.make_json(&written(&json!(blobs))),
        (blobs, Some(text)) => realm.make_json(&written(&json!({"text": &**text, "blobs": blobs}))),
    }
}

/// A small tree of ours as a document. What does not nest too deep cannot fail.
fn written(tree: &serde_json::Value) -> Json {
    Json::from_serialize(tree).unwrap_or_else(|_| Json::null())
}
