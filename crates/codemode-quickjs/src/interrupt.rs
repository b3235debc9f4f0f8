//! What stops a program between its instructions: QuickJS asks at loop edges and calls.

use std::ffi::{c_int, c_void};

use codemode_core::Interrupt;
use rquickjs::qjs;

use crate::memory::Meter;

/// The watchdog's end. The latch, which is set before it is fired, is all that QuickJS's handler and allocator look at;
/// no thread but the interpreter's own can make them look sooner.
#[derive(Debug)]
pub(crate) struct Latched;

impl Interrupt for Latched {
    fn interrupt(&self) {}
}

/// QuickJS's interrupt handler: true for ever once a bound has fired. Where more is held than the budget, it collects first.
///
/// # Safety
/// Called by QuickJS alone, with the meter as `data`.
pub(crate) unsafe extern "C" fn handle(runtime: *mut qjs::JSRuntime, data: *mut c_void) -> c_int {
    // SAFETY: the meter outlives the runtime. QuickJS asks where it may call the program, so that it may be collected too.
    // Nothing here can panic.
    unsafe {
        let meter = &*data.cast::<Meter>();
        meter.polled();
        meter.arenas().look(runtime, meter);
        if meter.is_above() {
            qjs::JS_RunGC(runtime);
            meter.look_after_collection();
        }
        let stopped = meter.guard().stopped();
        if stopped {
            meter.grant_parting();
        }
        c_int::from(stopped)
    }
}
