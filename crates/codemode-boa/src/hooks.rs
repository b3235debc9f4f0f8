//! What Boa asks of its host.

use std::sync::Arc;

use boa_engine::builtins::promise::{OperationType, Promise, PromiseState};
use boa_engine::context::HostHooks;
use boa_engine::context::time::{Clock, JsInstant};
use boa_engine::object::JsObject;
use boa_engine::object::builtins::JsPromise;
use boa_engine::realm::Realm;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue};
use codemode_core::Guard;

use crate::realm::{Inner, address, stop};

/// The most text that `eval` and `Function` take, in bytes: as in the other engine.
const MOST: usize = 256 << 10;

/// The deepest nesting of brackets that such a text may have: the parser recurses on the native stack.
pub(crate) const DEEPEST: usize = 200;

/// Rejections, texts that are compiled while a program runs, and sizes of buffers.
pub(crate) struct Hooks(pub(crate) Arc<Guard>);

impl HostHooks for Hooks {
    fn promise_rejection_tracker(&self, promise: &JsObject<Promise>, operation: OperationType, context: &mut Context) {
        let Some(inner) = Inner::of(context) else { return };
        let promise = promise.clone().upcast();
        let identity = address(&promise);
        match operation {
            OperationType::Handle => inner.shared.handled(identity),
            OperationType::Reject => {
                let reason = match JsPromise::from_object(promise.clone()).map(|promise| promise.state()) {
                    Ok(PromiseState::Rejected(reason)) => reason,
                    _ => JsValue::undefined(),
                };
                inner.shared.rejected(identity, promise.into(), reason);
            }
        }
    }

    fn ensure_can_compile_strings(
        &self,
        _realm: Realm,
        parameters: &[JsString],
        body: &JsString,
        _direct: bool,
        _context: &mut Context,
    ) -> JsResult<()> {
        if self.0.stopped() {
            return Err(stop());
        }
        let texts = || parameters.iter().chain([body]);
        let length: usize = texts().map(JsString::len).sum();
        if length > MOST {
            let message = format!("a text of {length} bytes is too long to be compiled while the program runs; at most {MOST} are");
            return Err(JsNativeError::range().with_message(message).into());
        }
        if texts().any(|text| nesting(text.iter()) > DEEPEST) {
            let message = format!("a text that nests more than {DEEPEST} deep is not compiled while the program runs");
            return Err(JsNativeError::range().with_message(message).into());
        }
        Ok(())
    }

    fn local_timezone_offset_seconds(&self, _unix_time_seconds: i64) -> i32 {
        0
    }

    fn max_buffer_size(&self, _context: &mut Context) -> u64 {
        // A buffer takes its bytes at once. Where the process ends past its budget, this is no error for a program to catch; elsewhere one that
        // could never fit is refused as the language refuses it.
        if crate::memory::ends_the_process() {
            return u64::MAX;
        }
        u64::try_from(self.0.memory_limit()).unwrap_or(u64::MAX).min(1 << 30)
    }
}

/// How deep a text nests by its brackets, wherever they stand, or by a row of prefix operators.
pub(crate) fn nesting(units: impl Iterator<Item = u16>) -> usize {
    let (mut depth, mut row, mut deepest) = (0_usize, 0_usize, 0_usize);
    for unit in units {
        match u8::try_from(unit).unwrap_or(b'a') {
            b'(' | b'[' | b'{' | b'`' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        row = if matches!(u8::try_from(unit), Ok(b'!' | b'~' | b'+' | b'-' | b'?' | b' ' | b'=' | b'>')) { row + 1 } else { 0 };
        deepest = deepest.max(depth).max(row / 2);
    }
    deepest
}

/// No clock of the machine's is seen: the prelude has the run's.
pub(crate) struct NoClock;

impl Clock for NoClock {
    fn now(&self) -> JsInstant {
        JsInstant::new(0, 0)
    }

    fn system_time_millis(&self) -> i64 {
        0
    }
}
