//! Functions of ours, as a program calls them.

use codemode_core::Bound;
use codemode_js::{Attributes, Native, Realm, Thrown};
use rquickjs::qjs;

use super::Plain;
use crate::held::{Held, Lent};
use crate::realm::QuickRealm;

/// What the function does, by the number it was made with.
const GIVE: i32 = 0;
const THROW: i32 = 1;
const PANIC: i32 = 2;
const STOP: i32 = 3;
const CALL: i32 = 4;
const READ: i32 = 5;
const MEASURE: i32 = 6;

unsafe extern "C" fn act(
    context: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: qjs::c_int,
    arguments: *mut qjs::JSValue,
    magic: qjs::c_int,
    _data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the engine calls with a live context and so many arguments.
    let (realm, lent) = unsafe { (QuickRealm::of(context).expect("a realm"), Lent::new(context, arguments, count as usize)) };
    realm.guarded(|| {
        let first = lent.values().first().cloned().unwrap_or_else(|| realm.undefined());
        match magic {
            GIVE => Ok(first),
            THROW => Err(Thrown::Value(first)),
            PANIC => panic!("on purpose"),
            STOP => {
                realm.guard().fire(Bound::Calls, 1);
                Ok(first)
            }
            CALL => realm.call(&first, &realm.undefined(), &[]),
            MEASURE => Ok(realm.make_number(realm.length(&first) as f64)),
            // Reads by way of a captured function, whose failure the reader does not look at.
            _ => Ok(realm.make_number(realm.number(&first))),
        }
    })
}

fn give(plain: &Plain, name: &str, magic: i32) {
    let realm = plain.realm();
    // SAFETY: the name ends with a zero, and there are no data.
    let function: Held =
        unsafe { realm.js.take(qjs::JS_NewCFunctionData2(realm.js.raw(), Some(act), c"act".as_ptr(), 0, magic, 0, std::ptr::null_mut())) }
            .expect("a function");
    realm.define(&realm.global(), name, function, Attributes::Hidden).expect("a global");
}

fn with_functions() -> Plain {
    let plain = Plain::new();
    for (name, magic) in
        [("give", GIVE), ("toss", THROW), ("crash", PANIC), ("stop", STOP), ("call", CALL), ("read", READ), ("measure", MEASURE)]
    {
        give(&plain, name, magic);
    }
    plain
}

#[test]
fn values_and_errors_cross_as_they_are() {
    let plain = with_functions();
    for (source, expected) in [
        ("give()", "undefined"),
        ("give('a', 'b')", "\"a\""),
        ("try { toss({own: 1}) } catch (e) { e }", "{own: 1.0}"),
        ("call(() => call(() => 5))", "5.0"),
        ("try { call(() => { throw 'through'; }) } catch (e) { e }", "\"through\""),
        ("try { new give() } catch (e) { e }", "error{~message: \"not a constructor\"}"),
    ] {
        assert_eq!(plain.shown(source), expected, "{source}");
    }
}

/// Each place where a program might go on after its run was stopped.
#[test]
fn nothing_catches_the_end_of_a_run() {
    for hiding in [
        "try { stop() } catch { ran++ } finally { ran++ }",
        "(function* () { try { yield stop() } finally { ran++ } })().next(); ran++",
        "(async () => { try { await stop() } finally { ran++ } })(); ran++",
        "[1, 2].map(() => { try { stop() } catch { ran++ } })",
        "try { call(() => { try { stop() } catch { ran++ } }) } catch { ran++ }",
        "({get a() { try { return stop() } finally { ran++ } }}).a",
        "for (const x of {[Symbol.iterator]: () => ({next: () => ({value: stop()}), return() { ran++ }})}) ran++",
        "label: try { stop() } finally { ran++; break label }",
        "try { try { stop() } finally { ran++; throw 1 } } catch { ran++ }",
        "try { new Proxy({}, {get: () => stop()}).x } catch { ran++ }",
        "JSON.stringify({toJSON() { try { stop() } catch { ran++ } }}); ran++",
    ] {
        let plain = with_functions();
        plain.value("var ran = 0;");
        assert!(matches!(plain.program(hiding), Err(Thrown::Halt)), "{hiding}");
        assert_eq!(plain.ran(), 0.0, "{hiding}");
        assert!(plain.realm().take_pending().is_none());
    }
}

#[test]
fn a_stopped_run_calls_no_function_of_ours() {
    let plain = with_functions();
    plain.value("var ran = 0;");
    plain.guard.fire(Bound::Compute, 1);
    assert!(matches!(plain.program("try { give(1) } finally { ran++ }"), Err(Thrown::Halt)));
    assert_eq!(plain.ran(), 0.0);
}

#[test]
fn a_panic_ends_the_program_and_is_told() {
    let plain = with_functions();
    plain.value("var ran = 0;");
    assert!(matches!(plain.program("try { crash() } catch { ran++ }"), Err(Thrown::Halt)));
    assert!(matches!(plain.program("give(1)"), Err(Thrown::Halt)));
    assert_eq!((plain.ran(), plain.realm().panic_message().as_deref()), (0.0, Some("on purpose")));
}

#[test]
fn a_stack_that_overflows_in_an_operation_is_the_program_s_to_catch() {
    let plain = with_functions();
    let source = "
        const date = new Date(1), view = new DataView(new ArrayBuffer(3)), map = new Map([[1, 2]]); const errors = new Set(); let wrong = 0;
        function deep() { try { if (read(date) !== 1 || measure(view) !== 3 || measure(map) !== 1) wrong++; } catch (e) { errors.add(e.constructor.name + ': ' + e.message); } deep(); }
        try { deep() } catch (e) { errors.add('outer ' + e.message) }
        [[...errors].sort().join(), wrong]";
    assert_eq!(
        plain.shown(source),
        "[\"RangeError: Maximum call stack size exceeded,outer Maximum call stack size exceeded\", 0.0]{~length: 2.0}"
    );
    assert!(plain.realm().take_pending().is_none());
    assert!(!plain.guard.stopped());
}

#[test]
fn natives_are_ordinary_functions_with_their_names() {
    let plain = Plain::new();
    let realm = plain.realm();
    let native = Native::from_code(0).expect("a function of the surface");
    let bound = vec![realm.make_text("bound").expect("a text"), realm.null()];
    let function = realm.make_function(native, "a-b\0c", bound).expect("a function");
    realm.define(&realm.global(), "native", function, Attributes::Hidden).expect("a global");
    assert_eq!(
        plain.shown("[native.name, native.length, typeof native, native instanceof Function, 'prototype' in native, String(native)]"),
        r#"["a-b", 0.0, "function", true, false, "function a-b() {\n    [native code]\n}"]{~length: 6.0}"#
    );
    plain.guard.fire(Bound::Calls, 1);
    assert!(matches!(plain.program("native()"), Err(Thrown::Halt)));
}

#[test]
fn a_function_that_outlives_the_realm_does_nothing() {
    let plain = with_functions();
    plain.value("var kept = give;");
    // SAFETY: the context lives; without a realm under it, functions of ours find none.
    let given = unsafe {
        let context = plain.realm().js.raw();
        let realm = qjs::JS_GetContextOpaque(context);
        qjs::JS_SetContextOpaque(context, std::ptr::null_mut());
        let object = plain.realm().make_function(Native::from_code(0).expect("a native"), "n", Vec::new()).expect("a function");
        let given = plain.realm().js.call(&object, &plain.realm().undefined(), &[]);
        qjs::JS_SetContextOpaque(context, realm);
        given
    };
    assert!(given.is_err());
    assert_eq!(plain.show(&plain.realm().js.exception()), "undefined");
}
