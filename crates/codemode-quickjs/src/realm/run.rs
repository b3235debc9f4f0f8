//! Calling functions, evaluating parts of the prelude and running jobs.

use std::ffi::CString;

use codemode_js::{Halt, Thrown};
use rquickjs::qjs;

use super::{QuickRealm, code};
use crate::held::Held;
use crate::js::Raised;

impl QuickRealm {
    /// What a call gave, with the latch read first.
    pub(super) fn settled(&self, given: Result<Held, Raised>) -> Result<Held, Thrown<Held>> {
        match given {
            Ok(_) if self.guard.stopped() || self.panicked() => Err(Thrown::Halt),
            Ok(value) => Ok(value),
            Err(Raised) => {
                let thrown = self.js.exception();
                // SAFETY: the value lives.
                let uncatchable = unsafe { qjs::JS_IsUncatchableError(thrown.raw()) };
                let over = uncatchable || self.guard.stopped() || self.panicked();
                Err(if over { Thrown::Halt } else { Thrown::Value(thrown) })
            }
        }
    }

    pub(super) fn called(&self, function: &Held, this: &Held, arguments: &[Held]) -> Result<Held, Thrown<Held>> {
        if self.guard.stopped() || self.panicked() {
            return Err(Thrown::Halt);
        }
        self.settled(self.js.call(function, this, arguments))
    }

    pub(super) fn evaluated(&self, name: &str, source: &str) -> Result<Held, Thrown<Held>> {
        if self.guard.stopped() || self.panicked() {
            return Err(Thrown::Halt);
        }
        let (Ok(name), Ok(ended)) = (CString::new(name), CString::new(source)) else {
            self.js.throw_type_error(c"source or its name has a zero byte");
            return self.settled(Err(Raised));
        };
        self.settled(code::run(self.js, &name, &ended))
    }

    pub(super) fn jobs(&self) -> Result<(), Halt> {
        loop {
            if self.guard.stopped() || self.panicked() {
                return Err(Halt);
            }
            let mut context = std::ptr::null_mut();
            // SAFETY: the runtime lives, and its contexts are ours.
            match unsafe { qjs::JS_ExecutePendingJob(self.js.runtime(), &raw mut context) } {
                0 => return Ok(()),
                done if done > 0 => {}
                _ => match self.settled(Err(Raised)) {
                    Err(Thrown::Value(thrown)) => self.stray(thrown),
                    _ => return Err(Halt),
                },
            }
        }
    }
}
