//! The bytes of buffers and of what looks into them.

use codemode_js::Kind;
use rquickjs::qjs;

use super::QuickRealm;
use super::classes::Class;
use super::read::{Read, plain_number};
use crate::held::Held;
use crate::js::Raised;

impl QuickRealm {
    pub(super) fn show_bytes(&self, value: &Held, read: &mut dyn FnMut(&[u8])) -> Read<()> {
        let (buffer, offset, length) = match self.class_of(value) {
            Some(Class::Of(Kind::ArrayBuffer)) => (value.clone(), 0, usize::MAX),
            Some(Class::Of(Kind::TypedArray)) => {
                let (mut offset, mut size): (qjs::size_t, qjs::size_t) = (0, 0);
                // SAFETY: the value lives; the numbers are written before the return.
                let buffer = unsafe {
                    self.js.take(qjs::JS_GetTypedArrayBuffer(
                        self.js.raw(),
                        value.raw(),
                        &raw mut offset,
                        std::ptr::null_mut(),
                        &raw mut size,
                    ))
                };
                // The length is asked of the array, since one over a buffer that grows keeps no length of its own.
                let count = self.js.call(&self.intrinsics.typed_length, value, &[])?;
                let length = plain_number(&count).unwrap_or(0.0) as usize * size as usize;
                match buffer {
                    Ok(buffer) => (buffer, offset as usize, length),
                    Err(Raised) => return self.no_bytes(read),
                }
            }
            Some(Class::View) => {
                let offset = self.js.call(&self.intrinsics.view_offset, value, &[]);
                let length = self.js.call(&self.intrinsics.view_length, value, &[]);
                let (Ok(offset), Ok(length)) = (offset, length) else { return self.no_bytes(read) };
                let buffer = self.js.call(&self.intrinsics.view_buffer, value, &[])?;
                (buffer, plain_number(&offset).unwrap_or(0.0) as usize, plain_number(&length).unwrap_or(0.0) as usize)
            }
            _ => {
                read(&[]);
                return Ok(());
            }
        };
        let mut size: qjs::size_t = 0;
        // SAFETY: the buffer lives; its size is written before the return.
        let bytes = unsafe { qjs::JS_GetArrayBuffer(self.js.raw(), &raw mut size, buffer.raw()) };
        if bytes.is_null() {
            return self.no_bytes(read);
        }
        // SAFETY: the buffer is held, has so many bytes, and nothing runs that could resize or detach it while they are read.
        let bytes = unsafe { std::slice::from_raw_parts(bytes, size as usize) };
        let end = offset.saturating_add(length).min(bytes.len());
        read(bytes.get(offset..end).unwrap_or_default());
        Ok(())
    }

    /// A buffer that was detached, or shrank under its view, or is empty, has no bytes; an exception that says so is dropped.
    fn no_bytes(&self, read: &mut dyn FnMut(&[u8])) -> Read<()> {
        let raised = self.js.exception();
        // SAFETY: the value lives; an error of the engine's own making is no proxy.
        let prototype = unsafe {
            if qjs::JS_IsError(raised.raw()) {
                self.js.take(qjs::JS_GetPrototype(self.js.raw(), raised.raw()))?
            } else {
                self.js.undefined()
            }
        };
        let says_so = prototype.address() == 0 || prototype.address() == self.intrinsics.type_error_prototype.address();
        if !says_so || self.guard.stopped() {
            self.js.throw(raised);
            return Err(Raised);
        }
        read(&[]);
        Ok(())
    }
}
