//! The bytes of buffers and of what looks into them.

use boa_engine::object::JsObject;
use boa_engine::object::builtins::{JsArrayBuffer, JsDataView, JsTypedArray};
use boa_engine::{Context, JsResult, JsValue};
use codemode_js::Kind;

use super::BoaRealm;

impl BoaRealm<'_> {
    /// A buffer that was detached, or shrank under its view, has no bytes.
    pub(super) fn show_bytes(&self, value: &JsValue, read: &mut dyn FnMut(&[u8])) {
        let kind = self.kind_of(value);
        let covered = value.as_object().and_then(|object| self.with(|context| covered(kind, object, context)).ok());
        let Some((buffer, offset, length)) = covered else { return read(&[]) };
        match JsArrayBuffer::from_object(buffer).ok().as_ref().and_then(|buffer| buffer.data()) {
            Some(bytes) => read(bytes.get(offset..offset.saturating_add(length).min(bytes.len())).unwrap_or_default()),
            None => read(&[]),
        }
    }
}

/// The buffer, and which of its bytes are looked at. Built-in functions alone are called, on objects of their own classes.
fn covered(kind: Kind, object: JsObject, context: &mut Context) -> JsResult<(JsObject, usize, usize)> {
    if kind == Kind::ArrayBuffer {
        return Ok((object, 0, usize::MAX));
    }
    let size = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    let (buffer, offset, length) = match JsTypedArray::from_object(object.clone()) {
        Ok(array) => (array.buffer(context)?, array.byte_offset(context)?, array.byte_length(context)?),
        Err(_) => {
            let view = JsDataView::from_object(object)?;
            (view.buffer(context)?, size(view.byte_offset(context)?), size(view.byte_length(context)?))
        }
    };
    Ok((buffer.to_object(context)?, offset, length))
}
