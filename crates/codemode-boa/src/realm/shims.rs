//! What the engine lacks or does otherwise than the language says, as far as a program would notice: given once, before any program.

use boa_engine::job::{Job, PromiseJob};
use boa_engine::native_function::NativeFunction;
use boa_engine::object::FunctionObjectBuilder;
use boa_engine::{Context, JsNativeError, JsResult, JsValue};
use codemode_js::{Realm as _, Thrown};

use super::BoaRealm;

impl BoaRealm<'_> {
    /// Gives a fresh context what it lacks.
    pub(crate) fn shim(&self) -> Result<(), Thrown<JsValue>> {
        let make = self.evaluate("codemode:shims", include_str!("shims.js"))?;
        let [enqueue, depth] = self.with(|context| {
            [enqueue, depth_of]
                .map(|function| JsValue::from(FunctionObjectBuilder::new(context.realm(), NativeFunction::from_fn_ptr(function)).build()))
        });
        self.called(&make, &JsValue::undefined(), &[enqueue, depth]).map(drop)
    }
}

/// Calls a function as a job.
fn enqueue(_this: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let callback = arguments.first().and_then(JsValue::as_callable);
    let callback = callback.ok_or_else(|| JsNativeError::typ().with_message("not a function"))?;
    let realm = context.realm().clone();
    let job = PromiseJob::with_realm(move |context| callback.call(&JsValue::undefined(), &[], context), realm);
    context.enqueue_job(Job::PromiseJob(job));
    Ok(JsValue::undefined())
}

/// How deep a JSON text nests.
fn depth_of(_this: &JsValue, arguments: &[JsValue], _context: &mut Context) -> JsResult<JsValue> {
    let text = arguments.first().and_then(JsValue::as_string).unwrap_or_default();
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_u32, 0_u32, false, false);
    for unit in text.iter() {
        match u8::try_from(unit) {
            _ if escaped => escaped = false,
            Ok(b'\\') => escaped = quoted,
            Ok(b'"') => quoted = !quoted,
            Ok(b'[' | b'{') if !quoted => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            Ok(b']' | b'}') if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(JsValue::from(deepest))
}
