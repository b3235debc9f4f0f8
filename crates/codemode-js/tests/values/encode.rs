//! What leaves the interpreter as JSON, and what may not.

use codemode_core::{Bound, Unit};
use codemode_js::{Crossing, EncodeBounds, Encoded, Kind, LeftOut, Measure, Promised, Realm, Slot, Unencoded, to_json};

use crate::mock::{Mock, MockRealm};

/// The text, or in one word and its message why there is none.
fn written(realm: &MockRealm, value: &Mock, crossing: Crossing) -> String {
    told(to_json(realm, value, crossing, &EncodeBounds::size(1 << 20, Unit::Bytes)))
}

fn told(result: Result<Encoded, Unencoded<Mock>>) -> String {
    match result {
        Ok(Encoded { json, left_out: None }) => json.text().to_owned(),
        Ok(Encoded { json, left_out: Some(left_out) }) => format!("{} | {}", json.text(), left_out.warning()),
        Err(Unencoded::Halt) => "halt".to_owned(),
        Err(Unencoded::Refused(why)) => format!("refused: {why}"),
        Err(Unencoded::TooLarge { measure, limit, observed }) => format!("{measure:?} {observed} of {limit}"),
        Err(Unencoded::Pending(promises)) => format!("{} pending", promises.len()),
        Err(Unencoded::Rejected(reason)) => format!("rejected: {reason:?}"),
    }
}

#[test]
fn each_kind_of_value_has_its_json() {
    let realm = MockRealm::default();
    let typed = realm.make_bytes(&[1, 2, 255]).expect("bytes");
    let buffer = realm.make(Kind::ArrayBuffer, "ArrayBuffer");
    *buffer.node().bytes.borrow_mut() = vec![0, 128];
    let view = realm.make(Kind::TypedArray, "DataView");
    *view.node().bytes.borrow_mut() = vec![7];
    let address = realm.make(Kind::Object, "URL").with("href", "ignored");
    realm.carry(&address, "https://example.test/").expect("carried");
    let boxed_number = realm.make(Kind::Boxed, "Number");
    boxed_number.node().number.set(3.0);
    let boxed_true = realm.make(Kind::Boxed, "Boolean");
    boxed_true.node().bytes.borrow_mut().push(1);
    let boxed_nan = realm.make(Kind::Boxed, "Number");
    let named = realm.collection(Kind::Map, vec![("a".into(), 1.0.into()), ("b".into(), Mock::Undefined)]);
    let paired = realm.collection(Kind::Map, vec![(1.0.into(), "x".into()), ("b".into(), Mock::Undefined)]);
    let error = realm.error("RangeError", "too far").with("code", "E_FAR").with_hidden("cause", "c").with("stack", "at x");
    let cases = [
        (Mock::Undefined, "null"),
        (Mock::Null, "null"),
        (true.into(), "true"),
        ((-0.0).into(), "0"),
        (f64::NAN.into(), "null"),
        (f64::INFINITY.into(), "null"),
        (1e21.into(), "1e+21"),
        ("a\"\\\n\u{1}é".into(), "\"a\\\"\\\\\\n\\u0001é\""),
        (Mock::BigInt("9007199254740991"), "9007199254740991"),
        (Mock::BigInt("-9007199254740992"), "\"-9007199254740992\""),
        (realm.date(0.0), "\"1970-01-01T00:00:00.000Z\""),
        (realm.date(f64::NAN), "null"),
        (realm.texted(Kind::RegExp, "RegExp", "/a+/gi"), "\"/a+/gi\""),
        (realm.texted(Kind::Boxed, "String", "s"), "\"s\""),
        (boxed_nan, "null"),
        (boxed_number, "3"),
        (boxed_true, "true"),
        (named, "{\"a\":1}"),
        (paired, "[[1,\"x\"],[\"b\",null]]"),
        (realm.collection(Kind::Map, Vec::new()), "{}"),
        (realm.collection(Kind::Set, vec![(1.0.into(), 1.0.into()), ("b".into(), "b".into())]), "[1,\"b\"]"),
        (typed, "[1,2,255]"),
        (buffer, "[0,128]"),
        (view, "[7]"),
        (error, "{\"name\":\"Error\",\"message\":\"too far\",\"code\":\"E_FAR\"}"),
        (address, "\"https://example.test/\""),
        (realm.make(Kind::Object, "Foo").with("x", 1.0).with_hidden("y", 2.0), "{\"x\":1}"),
    ];
    for (value, expected) in cases {
        assert_eq!(written(&realm, &value, Crossing::Value), expected, "{value:?}");
    }
}

#[test]
fn what_json_cannot_hold_is_left_out_and_the_first_is_told() {
    let realm = MockRealm::default();
    let function = realm.function(Kind::Function, "Function", "f");
    let list = realm.list([function.clone(), Mock::Undefined]);
    list.push(Slot::Missing);
    list.push(Slot::Accessor { get: true, set: false });
    let value = realm
        .object()
        .with("gone", Mock::Undefined)
        .with("list", list)
        .with("kept", 1.0)
        .with_accessor("get", true, false)
        .with("class", realm.function(Kind::Class, "Function", "C"))
        .with("symbol", Mock::Symbol("s"));
    let expected = "{\"list\":[null,null,null,null],\"kept\":1} | value.list[0] was left out: it is a function, which json cannot hold; \
                    so were 4 more values";
    assert_eq!(written(&realm, &value, Crossing::Value), expected);
    let whole = to_json(&realm, &function, Crossing::ValueAtOnce, &EncodeBounds::size(100, Unit::Bytes)).expect("a warning, no error");
    assert_eq!((whole.json.text(), whole.left_out), ("null", Some(LeftOut { count: 1, path: "value".to_owned(), what: "a function" })));
}

#[test]
fn what_may_not_cross_is_refused_with_its_path() {
    let realm = MockRealm::default();
    let cycle = realm.object();
    cycle.put("list", Slot::Data(realm.list([cycle.clone()])), true, false);
    let map = realm.collection(Kind::Map, Vec::new());
    map.node().entries.borrow_mut().push((1.0.into(), map.clone()));
    let deep = (0..124).fold(realm.list([1.0]), |inner, _| realm.list([inner]));
    let within = |value: Mock| realm.object().with("a b", realm.list([Mock::Null, value]));
    let cases = [
        (cycle.clone(), "value.list[0] is value again, a cycle; leave out the way back"),
        (map.clone(), "value[entry 0][1] is value again, a cycle; leave out the way back"),
        (within(realm.make(Kind::Proxy, "Object")), "value[\"a b\"][1] is a Proxy, which is not read; copy it into a plain object"),
        (within(realm.make(Kind::Iterator, "Object")), "value[\"a b\"][1] is an iterator; spread it into an array: [...x]"),
        (
            within(realm.make(Kind::Weak, "WeakMap")),
            "value[\"a b\"][1] is a weak collection or reference; keep what it holds in a Map, a Set or an array",
        ),
        (deep, "value nests deeper than 124 levels; flatten it"),
    ];
    for (value, expected) in cases {
        assert_eq!(written(&realm, &value, Crossing::Value), format!("refused: {expected}"));
    }
    cycle.empty();
    map.empty();
    // The same object twice is no cycle.
    let twice = realm.object().with("x", 1.0);
    assert_eq!(written(&realm, &realm.list([twice.clone(), twice]), Crossing::Value), "[{\"x\":1},{\"x\":1}]");
}

#[test]
fn arguments_are_one_object() {
    let realm = MockRealm::default();
    let not_an_object = "refused: arguments are one object, as in {path: \"x\"}";
    let promise = realm.promise(Promised::Fulfilled(1.0.into()));
    let cases = [
        (Mock::Undefined, "{}"),
        (realm.object().with("path", "x"), "{\"path\":\"x\"}"),
        (realm.collection(Kind::Map, vec![("path".into(), "x".into())]), "{\"path\":\"x\"}"),
        (Mock::Null, not_an_object),
        ("x".into(), not_an_object),
        (realm.list(["x"]), not_an_object),
        (realm.function(Kind::Function, "Function", "f"), "refused: arguments is a function; give an object"),
        (realm.object().with("p", promise), "refused: arguments.p is a promise; await it first"),
    ];
    for (value, expected) in cases {
        assert_eq!(written(&realm, &value, Crossing::Arguments), expected, "{value:?}");
    }
}

#[test]
fn promises_are_waited_for_or_looked_through() {
    let realm = MockRealm::default();
    let pending = realm.promise(Promised::Pending);
    let fulfilled = realm.promise(Promised::Fulfilled(realm.object().with("x", 1.0)));
    let rejected = realm.promise(Promised::Rejected("no".into()));
    let nothing = realm.promise(Promised::Fulfilled(Mock::Undefined));
    let value = realm.object().with("a", fulfilled.clone()).with("n", nothing);
    assert_eq!(written(&realm, &value, Crossing::Value), "{\"a\":{\"x\":1}}");
    assert_eq!(written(&realm, &realm.list([pending.clone(), fulfilled.clone(), pending.clone()]), Crossing::Value), "2 pending");
    assert_eq!(written(&realm, &realm.list([pending.clone(), rejected]), Crossing::Value), "rejected: Text(\"no\")");
    let refused = "refused: value is a promise, and this program cannot wait; call without async and await";
    assert_eq!(written(&realm, &fulfilled, Crossing::ValueAtOnce), refused);
    // What is too large is only known when nothing is pending.
    let large = realm.list([pending, "x".repeat(100).as_str().into()]);
    assert_eq!(told(to_json(&realm, &large, Crossing::Value, &EncodeBounds::size(10, Unit::Bytes))), "1 pending");
}

#[test]
fn state_is_lossless_or_refused() {
    let realm = MockRealm::default();
    let plain = realm.object().with("a", realm.list([1.5])).with("b", Mock::Null).with("c", "ü").with("d", realm.object());
    assert_eq!(written(&realm, &plain, Crossing::State), "{\"a\":[1.5],\"b\":null,\"c\":\"ü\",\"d\":{}}");
    let holed = realm.list([1.0]);
    holed.push(Slot::Missing);
    let symboled = realm.object();
    symboled.put("s", Slot::Data(1.0.into()), true, true);
    let cases = [
        (Mock::Undefined, "state.x is undefined; delete the property, or use null"),
        (f64::NAN.into(), "state.x is NaN; use null or a string"),
        (f64::NEG_INFINITY.into(), "state.x is -Infinity; use null or a string"),
        ((-0.0).into(), "state.x is -0; use 0"),
        (Mock::BigInt("1"), "state.x is a BigInt; store a number or a string"),
        (Mock::Symbol("s"), "state.x is a symbol; store a string"),
        (realm.function(Kind::Function, "Function", "f"), "state.x is a function; store data only"),
        (realm.date(0.0), "state.x is a Date; store date.toISOString()"),
        (realm.collection(Kind::Map, Vec::new()), "state.x is a Map; store Object.fromEntries(map) or [...map]"),
        (realm.collection(Kind::Set, Vec::new()), "state.x is a Set; store [...set]"),
        (realm.error("Error", "e"), "state.x is an Error; store its message"),
        (realm.make(Kind::Object, "Foo"), "state.x is an instance of a class; store a plain object: {...x}"),
        (realm.list([1.0]).with("extra", 1.0), "state.x.extra is a named property of an array; use an object"),
        (holed, "state.x[1] is an empty element of an array; fill it with null"),
        (symboled, "state.x[Symbol(s)] is a property under a symbol; use a string"),
        (realm.object().with_hidden("h", 1.0), "state.x.h is a property that is not enumerable; assign it instead"),
        (realm.object().with_accessor("g", true, false), "state.x.g is an accessor, which is not run; store its value"),
        (realm.promise(Promised::Pending), "state.x is a promise; await it first"),
    ];
    for (value, expected) in cases {
        assert_eq!(written(&realm, &realm.object().with("x", value), Crossing::State), format!("refused: {expected}"));
    }
}

#[test]
fn bounds_are_exact_and_cut_off_early() {
    let realm = MockRealm::default();
    let bounded = |value: &Mock, size, unit| told(to_json(&realm, value, Crossing::Value, &EncodeBounds::size(size, unit)));
    let text: Mock = "äö".into();
    assert_eq!(bounded(&text, 6, Unit::Bytes), "\"äö\"");
    assert_eq!(bounded(&text, 5, Unit::Bytes), "Size 6 of 5");
    assert_eq!(bounded(&text, 4, Unit::Scalars), "\"äö\"");
    assert_eq!(bounded(&text, 3, Unit::Scalars), "Size 4 of 3");
    // A property that is left out leaves nothing behind, not in the count either.
    let undone = realm.object().with("ää", Mock::Undefined).with("b", 1.0);
    assert_eq!(bounded(&undone, 7, Unit::Scalars), "{\"b\":1}");

    let million = realm.list((0..1_000_000).map(f64::from));
    realm.reads.set(0);
    assert_eq!(bounded(&million, 1000, Unit::Bytes), "Size 2000000 of 1000");
    let entries = realm.collection(Kind::Set, (0..10_000).map(|_| (Mock::Null, Mock::Null)).collect());
    assert_eq!(bounded(&entries, 1000, Unit::Bytes), "Size 19999 of 1000");
    assert_eq!(realm.reads.get(), 0, "what cannot fit is not read");
    let wide = (0..10_000).fold(realm.object(), |object, at| object.with(&format!("k{at}"), 1.0));
    realm.reads.set(0);
    assert_eq!(bounded(&wide, 1000, Unit::Bytes), "Size 1006 of 1000");
    assert!(realm.reads.get() < 200);

    let state = |depth, nodes| EncodeBounds { size: 1000, unit: Unit::Bytes, depth, nodes };
    let nested = realm.list([realm.list([realm.list([1.0, 2.0])])]);
    assert_eq!(told(to_json(&realm, &nested, Crossing::State, &state(3, 5))), "[[[1,2]]]");
    assert_eq!(told(to_json(&realm, &nested, Crossing::State, &state(2, 5))), "Depth 3 of 2");
    let measured = to_json(&realm, &nested, Crossing::State, &state(3, 4));
    assert!(matches!(measured, Err(Unencoded::TooLarge { measure: Measure::Nodes, limit: 4, observed: 5 })));
}

#[test]
fn the_buffer_is_counted_before_it_is_built_and_given_back() {
    let realm = MockRealm::with_memory(1 << 20);
    let text: Mock = "x".repeat(100_000).as_str().into();
    assert_eq!(written(&realm, &text, Crossing::Value).len(), 100_002);
    assert_eq!(realm.guard().held(), 0);
    assert!(realm.guard().peak() > 100_000);
    let large: Mock = "x".repeat(2 << 20).as_str().into();
    assert_eq!(told(to_json(&realm, &large, Crossing::Value, &EncodeBounds::size(u64::MAX, Unit::Bytes))), "halt");
    assert_eq!(realm.guard().fired().map(|(bound, _)| bound), Some(Bound::Memory));
}
