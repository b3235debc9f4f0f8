//! Programs that try to run when they are read.

use codemode_js::{Key, Realm, Slot};

use super::Plain;

/// Patches everything that a reader might touch; each patch counts in `ran`.
const TAMPER: &str = r"
var ran = 0;
const trip = function () { ran++; return 'tripped'; };
const samples = {
  date: new Date(7), map: new Map([[1, 2]]), set: new Set([3]), regexp: /x/g, bytes: new Uint8Array([4]), view: new DataView(new ArrayBuffer(1)),
  number: new Number(5), text: new String('t'), flag: new Boolean(true), error: new Error('m'), promise: Promise.resolve(6),
  f: function () {}, c: class {}, list: [1, , 3], big: Object(8n), symbol: Object(Symbol('s')),
};
const {ownKeys, defineProperty} = Reflect;
const patch = (object, key) => defineProperty(object, key, {__proto__: null, get: trip, set: trip, configurable: true});
const makers = [Object, Array, Function, Date, Map, Set, RegExp, DataView, Number, String, Boolean, BigInt, Symbol, Error, TypeError, RangeError,
  Promise, WeakMap, Uint8Array, Object.getPrototypeOf(Uint8Array), ArrayBuffer];
const statics = ['prototype', Symbol.species, Symbol.hasInstance, 'prepareStackTrace', 'stackTraceLimit', 'captureStackTrace', 'name', 'length'];
const common = ['get', 'set', 'then', 'value', 'done', 'next', 'toJSON', 'writable', 'enumerable', 'configurable', 'name', 'message', 'stack', '0', '1', 'length', '', 'default', 'apply', 'cause'];
let patched = 0;
for (let i = 0; i < makers.length; i++) {
  const prototype = makers[i].prototype;
  const keys = ownKeys(prototype);
  for (let k = 0; k < keys.length; k++) if (keys[k] !== 'constructor') patched += patch(prototype, keys[k]);
  for (let k = 0; k < statics.length; k++) patched += patch(makers[i], statics[k]);
}
for (let k = 0; k < common.length; k++) patched += patch(makers[0].prototype, common[k]);
patch(makers[1].prototype, 1);
JSON.parse = JSON.stringify = trip;
ran = 0;
samples.patched = patched > 400;
samples
";

#[test]
fn patched_prototypes_change_nothing_that_is_read() {
    let plain = Plain::new();
    assert_eq!(
        plain.shown(TAMPER),
        "{date: date 7.0{}, map: map(1.0 => 2.0){}, set: set(3.0 => 3.0){}, regexp: regexp /x/g{~lastIndex: 0.0}, bytes: [4.0]{}, \
         view: [0.0]{}, number: boxed \"\" 5.0 false{}, text: boxed \"t\" NaN false{~length: 1.0}, flag: boxed \"\" NaN true{}, \
         error: error{~message: \"m\"}, promise: promise{}, f: function, c: class, list: [1.0, hole, 3.0]{~length: 3.0}, \
         big: boxed \"8\" NaN false{}, symbol: boxed \"s\" NaN false{}, patched: true}"
    );
    assert_eq!(plain.ran(), 0.0);
}

#[test]
fn patched_prototypes_change_nothing_that_is_made() {
    let plain = Plain::new();
    plain.value(TAMPER);
    let realm = plain.realm();
    let json = codemode_core::Json::parse(r#"{"a":[1,2],"__proto__":{"b":null},"1":"x","then":true}"#).expect("json");
    let made = [
        realm.make_json(&json),
        realm.make_array(vec![realm.make_number(1.0), realm.null()]),
        realm.make_error(codemode_js::ErrorClass::Range, "far"),
        realm.make_bytes(&[1, 2]),
        realm.make_promise().map(|(promise, _)| promise),
    ]
    .map(|made| plain.show(&made.expect("a value")));
    assert_eq!(
        made,
        [
            r#"{1: "x", a: [1.0, 2.0]{~length: 2.0}, __proto__: {b: null}, then: true}"#,
            "[1.0, null]{~length: 2.0}",
            r#"error{~message: "far"}"#,
            "[1.0, 2.0]{}",
            "promise{}",
        ]
    );
    assert_eq!(plain.ran(), 0.0);
}

#[test]
fn proxies_are_told_and_never_looked_into() {
    let plain = Plain::new();
    let realm = plain.realm();
    plain.value("var ran = 0; var traps = new Proxy({}, {get() { return () => { ran++; throw ran; }; }});");
    for source in [
        "new Proxy({}, traps)",
        "new Proxy([1], traps)",
        "new Proxy(() => {}, traps)",
        "let r = Proxy.revocable({}, {}); r.revoke(); r.proxy",
        "new Proxy(new Map, traps)",
    ] {
        let proxy = plain.value(source);
        assert_eq!(plain.show(&proxy), "proxy{}", "{source}");
        assert!(matches!(realm.property(&proxy, "a"), Ok(Slot::Missing)));
        assert!(matches!(realm.element(&proxy, 0), Ok(Slot::Missing)));
        assert!(matches!((realm.prototype(&proxy), realm.stack(&proxy), realm.carried(&proxy)), (Ok(None), Ok(None), Ok(None))));
        assert_eq!((realm.length(&proxy), realm.entries(&proxy, 9).map(|entries| entries.len())), (0, Ok(0)));
        let text = realm.make_text("t").expect("a text");
        let refusals: [&dyn Fn() -> Result<(), codemode_js::Halt>; 4] = [
            &|| realm.define(&proxy, "a", text.clone(), codemode_js::Attributes::Plain),
            &|| realm.freeze(&proxy),
            &|| realm.set_prototype(&proxy, &realm.null()),
            &|| realm.carry(&proxy, "t"),
        ];
        for refusal in refusals {
            assert_eq!(refusal(), Err(codemode_js::Halt));
            let pending = realm.take_pending().map(|pending| plain.show(&pending));
            assert_eq!(pending.as_deref(), Some(r#"error{~message: "what is changed must be an object and no proxy"}"#));
        }
    }
    assert_eq!(plain.ran(), 0.0);
}

#[test]
fn a_prototype_that_is_a_proxy_is_not_asked() {
    let plain = Plain::new();
    plain.value("var ran = 0; var traps = new Proxy({}, {get() { return () => { ran++; throw ran; }; }});");
    assert_eq!(plain.shown("Object.setPrototypeOf({a: 1}, new Proxy({}, traps))"), "{a: 1.0}");
    assert_eq!(plain.shown("Object.setPrototypeOf([, 2], new Proxy([], traps))"), "[hole, 2.0]{~length: 2.0}");
    assert_eq!(plain.shown("Object.setPrototypeOf(new Map([[1, 1]]), new Proxy({}, traps))"), "map(1.0 => 1.0){}");
    assert_eq!(plain.ran(), 0.0);
}

#[test]
fn hooks_of_stacks_run_nothing() {
    let plain = Plain::new();
    plain.value(
        "var ran = 0; Error.prepareStackTrace = () => { ran++; return 'mine'; }; Error.stackTraceLimit = {valueOf() { ran++; return 5; }};",
    );
    let error = plain.realm().make_error(codemode_js::ErrorClass::Type, "m").expect("an error");
    assert_eq!(plain.realm().stack(&error), Ok(Some(String::new())));
    assert_eq!(plain.shown("(() => { try { null.x } catch (e) { return typeof e.stack } })()"), "\"string\"");
    assert_eq!(plain.ran(), 0.0);
}

#[test]
fn a_frozen_global_object_still_reads_and_makes() {
    let plain = Plain::new();
    plain.value("Object.freeze(globalThis); Object.freeze(Object.prototype); Object.freeze(Array.prototype);");
    let realm = plain.realm();
    let json = codemode_core::Json::parse(r#"{"toString":[1]}"#).expect("json");
    let made = realm.make_json(&json).expect("a value");
    assert_eq!(plain.show(&made), "{toString: [1.0]{~length: 1.0}}");
    assert_eq!(realm.define(&realm.global(), "more", realm.null(), codemode_js::Attributes::Hidden), Err(codemode_js::Halt));
    let pending = realm.take_pending().map(|pending| plain.show(&pending));
    assert_eq!(pending.as_deref(), Some(r#"error{~message: "object is not extensible"}"#));
}

#[test]
fn a_walk_ends_with_its_visitor_and_keeps_what_it_read() {
    let plain = Plain::new();
    let value = plain.value("({a: {b: 1}, c: 2})");
    let mut kept = Vec::new();
    let walked = plain.realm().each_property(&value, false, &mut |property| {
        if let (Key::Text(name), Slot::Data(value)) = (property.key, property.slot) {
            kept.push((name.to_owned(), value));
        }
        Err(codemode_js::Halt)
    });
    assert_eq!(walked, Err(codemode_js::Halt));
    drop(value);
    assert_eq!(kept.iter().map(|(name, value)| (name.as_str(), plain.show(value))).collect::<Vec<_>>(), [("a", "{b: 1.0}".to_owned())]);
    assert!(plain.realm().take_pending().is_none());
}

#[test]
fn an_operation_on_a_stopped_run_halts_and_keeps_nothing() {
    let plain = Plain::new();
    let realm = plain.realm();
    let halves = plain.value("'\\ud800'");
    let function = plain.value("() => 1");
    plain.guard.fire(codemode_core::Bound::Calls, 1);
    assert_eq!(realm.read_text(&halves, &mut |_| {}), Err(codemode_js::Halt));
    assert!(matches!(realm.call(&function, &realm.undefined(), &[]), Err(codemode_js::Thrown::Halt)));
    assert_eq!(realm.run_jobs(), Err(codemode_js::Halt));
    assert!(realm.take_pending().is_none());
}
