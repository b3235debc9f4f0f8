//! One runtime and its context: how they are made, bounded and given back.

use std::ffi::c_void;
use std::sync::Arc;

use codemode_core::Guard;
use rquickjs::qjs;

use crate::memory::Meter;
use crate::polls::Polls;
use crate::sweep::Sweep;
use crate::{evaluations, interrupt};

/// The stack that QuickJS is left with beside the program's own: for one builtin, and what is called from there.
const RESERVED_STACK: usize = 1 << 20;

/// The greatest stack that QuickJS takes for a limit, in bytes.
const MOST_STACK: usize = 16 << 20;

/// A runtime and its one context. It stays on the thread that made it.
///
/// Its memory is given back at the drop without a word to QuickJS: no finalizer of a class runs then, and each value that
/// Rust holds has to be dropped before it.
pub(crate) struct Runtime {
    runtime: *mut qjs::JSRuntime,
    context: *mut qjs::JSContext,
    /// Behind a pointer, because QuickJS has one to it.
    meter: Box<Meter>,
}

impl Runtime {
    /// A runtime that stops once its guard is latched, and whose memory is not bounded yet; nothing where the machine has none left.
    pub(crate) fn new(guard: &Arc<Guard>, sweep: Option<Sweep>) -> Option<Self> {
        let runtime = Self::bare(Meter::new(guard, sweep))?;
        let data: *mut c_void = (&raw const *runtime.meter).cast_mut().cast();
        // SAFETY: the runtime and the context are live; the meter outlives both.
        unsafe {
            evaluations::bound(runtime.context);
            runtime.meter.set_polls(Polls::of(runtime.context));
            qjs::JS_SetInterruptHandler(runtime.runtime, Some(interrupt::handle), data);
            runtime.meter.arenas().pin(runtime.runtime);
        }
        Some(runtime)
    }

    /// A runtime that nothing stops, for code of ours.
    pub(crate) fn unguarded(guard: &Arc<Guard>) -> Option<Self> {
        Self::bare(Meter::new(guard, None))
    }

    fn bare(meter: Meter) -> Option<Self> {
        let meter = Box::new(meter);
        let data: *mut c_void = (&raw const *meter).cast_mut().cast();
        // SAFETY: QuickJS copies the functions; the meter outlives the runtime. A runtime that is only partly made is
        // given back as a whole one is.
        unsafe {
            let runtime = qjs::JS_NewRuntime2(&Meter::functions(), data);
            if runtime.is_null() {
                return None;
            }
            meter.connect(runtime);
            qjs::JS_SetCanBlock(runtime, false);
            let context = qjs::JS_NewContextRaw(runtime);
            if context.is_null() || !add_intrinsics(context) {
                return None;
            }
            Some(Self { runtime, context, meter })
        }
    }

    /// The context.
    pub(crate) fn context(&self) -> *mut qjs::JSContext {
        self.context
    }

    /// How many arenas QuickJS made so far.
    #[cfg(test)]
    pub(crate) fn made_arenas(&self) -> u32 {
        self.meter.arenas().made()
    }

    /// Bounds memory from now on. Before the first time the program is not there, and memory is QuickJS's own.
    pub(crate) fn limit_memory(&self) {
        self.meter.arm(true);
    }

    /// Leaves memory unbounded again, and counted.
    pub(crate) fn unlimit_memory(&self) {
        self.meter.arm(false);
    }

    /// Bounds the program's recursion: `asked` bytes, as far as the thread's own stack of `thread` bytes has them.
    pub(crate) fn limit_stack(&self, asked: u64, thread: usize) {
        let most = thread.saturating_sub(RESERVED_STACK).clamp(64 << 10, MOST_STACK);
        let bytes = usize::try_from(asked).unwrap_or(usize::MAX).min(most);
        // SAFETY: the runtime is live and on this thread.
        unsafe {
            qjs::JS_UpdateStackTop(self.runtime);
            qjs::JS_SetMaxStackSize(self.runtime, bytes as qjs::size_t);
        }
    }

    /// Collects where more is held than the budget; what is left and does not fit fires the bound.
    pub(crate) fn collect_if_above(&self) {
        if self.meter.is_above() {
            // SAFETY: no function of the program's runs.
            unsafe { qjs::JS_RunGC(self.runtime) };
            self.meter.look_after_collection();
        }
    }
}

/// All that QuickJS has but `WeakRef`, `FinalizationRegistry` and `performance`: by the first two a program sees when the
/// collector runs, by the last the machine's clock.
///
/// # Safety
/// `context` is live and bare.
unsafe fn add_intrinsics(context: *mut qjs::JSContext) -> bool {
    let parts = [
        qjs::JS_AddIntrinsicBaseObjects,
        qjs::JS_AddIntrinsicDate,
        qjs::JS_AddIntrinsicEval,
        qjs::JS_AddIntrinsicRegExp,
        qjs::JS_AddIntrinsicJSON,
        qjs::JS_AddIntrinsicProxy,
        qjs::JS_AddIntrinsicMapSet,
        qjs::JS_AddIntrinsicTypedArrays,
        qjs::JS_AddIntrinsicPromise,
        qjs::JS_AddIntrinsicAToB,
    ];
    // SAFETY: the caller's promise.
    parts.iter().all(|add| unsafe { add(context) } == 0)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use codemode_core::{Bound, Budgets};

    use super::*;
    use crate::load;

    /// A guard with this limit, and a runtime whose memory is bounded by it.
    fn bounded(memory_bytes: u64) -> (Arc<Guard>, Runtime) {
        let guard = Guard::new();
        guard.arm(&Budgets { memory_bytes, ..Budgets::default() });
        let runtime = Runtime::new(&guard, None).expect("memory");
        runtime.limit_stack(512 << 10, 2 << 20);
        runtime.limit_memory();
        (guard, runtime)
    }

    /// The whole number that a script comes to; nothing where it threw.
    fn number(runtime: &Runtime, text: &str) -> Option<i32> {
        // SAFETY: the runtime is live, and the result is freed.
        unsafe {
            let compiled = load::compile(runtime.context, c"test", text);
            if qjs::JS_IsException(compiled) {
                return None;
            }
            let result = qjs::JS_EvalFunction(runtime.context, compiled);
            let number = (qjs::JS_VALUE_GET_TAG(result) == qjs::JS_TAG_INT).then(|| qjs::JS_VALUE_GET_INT(result));
            qjs::JS_FreeValue(runtime.context, result);
            number
        }
    }

    #[test]
    fn a_script_runs_and_its_memory_is_given_back() {
        let (guard, runtime) = bounded(64 << 20);
        assert_eq!(number(&runtime, "1 + 1"), Some(2));
        assert!(guard.held() > 50_000, "{}", guard.held());
        drop(runtime);
        assert_eq!(guard.held(), 0);
    }

    #[test]
    fn what_is_held_is_bounded_and_cyclic_garbage_is_not_held() {
        let cases = [
            ("cycles", Some(1), "for (let i = 0; i < 1e6; i++) { const o = {i}; o.o = o } 1"),
            ("cycles of buffers", Some(1), "for (let i = 0; i < 300; i++) { const o = {b: new ArrayBuffer(1e6)}; o.o = o } 1"),
            (
                "cycles beside much that is kept",
                Some(1),
                "const k = []; for (let i = 0; i < 12; i++) k.push('x'.repeat(1e6) + i); \
                 for (let i = 0; i < 1e5; i++) { const o = {i, s: 'y'.repeat(1000) + i}; o.o = o } 1",
            ),
            ("closures", Some(1), "for (let i = 0; i < 3e5; i++) { let f; const g = () => f; f = () => g } 1"),
            ("a large string", None, "'x'.repeat(17e6).length"),
            ("held strings", None, "const k = []; for (let i = 0; i < 100; i++) k.push('x'.repeat(1e6) + i)"),
            ("held objects", None, "const k = []; for (let i = 0; i < 1e6; i++) k.push({i})"),
            ("held cycles", None, "const k = []; for (let i = 0; i < 1e6; i++) { const o = {i}; o.o = o; k.push(o) }"),
            ("caught", None, "const k = []; for (;;) try { k.push('x'.repeat(1e5) + k.length) } catch { }"),
        ];
        let mut wrong = String::new();
        for (name, expected, text) in cases {
            let (guard, runtime) = bounded(16 << 20);
            let began = Instant::now();
            let number = number(&runtime, text);
            let (took, peak) = (began.elapsed(), guard.peak());
            let fired = guard.fired().map(|(bound, _)| bound);
            let line = format!("\n{name}: {number:?}, {fired:?}, peak {peak}, {} ms", took.as_millis());
            let right = if expected.is_some() { number == expected && fired.is_none() } else { fired == Some(Bound::Memory) };
            if !right || peak > (16 << 20) + (4 << 20) || took > Duration::from_secs(30) {
                wrong += &line;
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    #[test]
    fn the_latch_ends_loops_that_allocate_in_long_functions() {
        for text in ["for (;;) 'x'.repeat(1e6)", "const a = new Array(1e5).fill(1); for (;;) a.slice()", "for (;;) ;"] {
            let (guard, runtime) = bounded(64 << 20);
            let alarm = Arc::clone(&guard);
            let (told, begun) = std::sync::mpsc::channel();
            let watch = std::thread::spawn(move || {
                begun.recv().expect("it begins");
                std::thread::sleep(Duration::from_millis(20));
                alarm.fire(Bound::Compute, 20);
                Instant::now()
            });
            told.send(()).expect("the watch waits");
            assert_eq!(number(&runtime, text), None);
            let late = watch.join().expect("the watch").elapsed();
            assert!(late < Duration::from_secs(1), "{text}: {late:?}");
        }
    }
}
