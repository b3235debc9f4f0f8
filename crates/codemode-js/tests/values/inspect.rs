//! What the console shows of a value, compared with what Node shows.

use codemode_core::Bound;
use codemode_js::{Halt, Kind, Promised, Realm, Slot, inspect, print_text};

use crate::mock::{Mock, MockRealm};

fn shown(realm: &MockRealm, value: &Mock) -> String {
    inspect(realm, value, 1 << 20).expect("not stopped")
}

#[test]
fn primitives_and_strings() {
    let realm = MockRealm::default();
    let cases = [
        (Mock::Undefined, "undefined"),
        (Mock::Null, "null"),
        ((-0.0).into(), "-0"),
        (f64::NAN.into(), "NaN"),
        (Mock::BigInt("12"), "12n"),
        (Mock::Symbol("a\n"), "Symbol(a\\n)"),
        ("it's".into(), "\"it's\""),
        ("it's \"x\"".into(), "`it's \"x\"`"),
        ("'\"`".into(), "'\\'\"`'"),
        ("\u{1b}[31m\u{7f}\u{85}\\".into(), "'\\x1B[31m\\x7F\\x85\\\\'"),
    ];
    for (value, expected) in cases {
        assert_eq!(shown(&realm, &value), expected);
    }
    let long: Mock = "a".repeat(10_002).as_str().into();
    assert_eq!(shown(&realm, &long), format!("'{}'... 2 more characters", "a".repeat(10_000)));
    let lines: Mock = format!("{}\n{}", "a".repeat(40), "b".repeat(40)).as_str().into();
    let expected = format!("{{\n  text: '{}\\n' +\n    '{}'\n}}", "a".repeat(40), "b".repeat(40));
    assert_eq!(shown(&realm, &realm.object().with("text", lines)), expected);
}

#[test]
fn objects_of_every_kind() {
    let realm = MockRealm::default();
    let symbol_keyed = realm.object().with("a-b", 1.0).with("__proto__", 2.0);
    symbol_keyed.put("s", Slot::Data(3.0.into()), true, true);
    let holed = realm.list([1.0]);
    holed.push(Slot::Missing);
    holed.push(Slot::Missing);
    holed.push(Slot::Data(2.0.into()));
    holed.push(Slot::Missing);
    let null_prototype = realm.make_object(false).expect("object");
    let buffer = realm.make(Kind::ArrayBuffer, "ArrayBuffer");
    *buffer.node().bytes.borrow_mut() = vec![1, 255];
    let boxed = realm.make(Kind::Boxed, "Number");
    boxed.node().number.set(3.0);
    let child = realm.function(Kind::Class, "Function", "Bar");
    *child.node().prototype.borrow_mut() = Some(realm.function(Kind::Class, "Function", "Foo"));
    child.node().prototype.borrow().as_ref().map(|parent| parent.node().prototype.replace(Some(realm.class("Function", None))));
    let tagged = realm.make(Kind::Object, "Foo");
    tagged.put("Symbol.toStringTag", Slot::Data("bar".into()), false, true);
    let address = realm.make(Kind::Object, "URL");
    realm.carry(&address, "https://example.test/").expect("carried");
    let cases = [
        (realm.object(), "{}"),
        (symbol_keyed, "{ 'a-b': 1, ['__proto__']: 2, [Symbol(s)]: 3 }"),
        (realm.make(Kind::Object, "Foo").with("a", 1.0), "Foo { a: 1 }"),
        (realm.make(Kind::Object, "Foo"), "Foo {}"),
        (tagged, "Foo [bar] {}"),
        (null_prototype, "[Object: null prototype] {}"),
        (realm.make_object(false).expect("object").with("x", 1.0), "[Object: null prototype] { x: 1 }"),
        (realm.list(Vec::<Mock>::new()), "[]"),
        (holed, "[ 1, <2 empty items>, 2, <1 empty item> ]"),
        (realm.list([1.0]).with("extra", "x"), "[ 1, extra: 'x' ]"),
        (realm.collection(Kind::Map, vec![("a".into(), realm.object().with("b", 1.0))]), "Map(1) { 'a' => { b: 1 } }"),
        (realm.collection(Kind::Set, vec![(1.0.into(), 1.0.into())]), "Set(1) { 1 }"),
        (realm.collection(Kind::Set, Vec::new()), "Set(0) {}"),
        (realm.make_bytes(&[1, 2]).expect("bytes"), "Uint8Array(2) [ 1, 2 ]"),
        (buffer, "ArrayBuffer { [Uint8Contents]: <01 ff>, byteLength: 2 }"),
        (realm.date(0.0), "1970-01-01T00:00:00.000Z"),
        (realm.date(f64::NAN), "Invalid Date"),
        (realm.texted(Kind::RegExp, "RegExp", "/a/g"), "/a/g"),
        (boxed, "[Number: 3]"),
        (realm.texted(Kind::Boxed, "String", "s"), "[String: 's']"),
        (realm.promise(Promised::Pending), "Promise { <pending> }"),
        (realm.promise(Promised::Fulfilled(1.0.into())), "Promise { 1 }"),
        (realm.promise(Promised::Rejected("no".into())), "Promise { <rejected> 'no' }"),
        (realm.make(Kind::Weak, "WeakMap"), "WeakMap { <items unknown> }"),
        (realm.make(Kind::Proxy, "Object"), "[Proxy]"),
        (realm.function(Kind::Function, "Function", "f"), "[Function: f]"),
        (realm.function(Kind::Function, "Function", ""), "[Function (anonymous)]"),
        (realm.function(Kind::Function, "AsyncFunction", "f"), "[AsyncFunction: f]"),
        (realm.function(Kind::Function, "Function", "f").with("a", 1.0), "[Function: f] { a: 1 }"),
        (realm.function(Kind::Class, "Function", "Foo"), "[class Foo]"),
        (child, "[class Bar extends Foo]"),
        (address, "https://example.test/"),
        (
            realm.object().with_accessor("a", true, false).with_accessor("b", false, true).with_accessor("c", true, true),
            "{ a: [Getter], b: [Setter], c: [Getter/Setter] }",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(shown(&realm, &value), expected);
    }
}

#[test]
fn errors() {
    let realm = MockRealm::default();
    let caused = realm.error("Error", "outer").with_hidden("cause", realm.error("TypeError", "inner"));
    let cases = [
        (realm.error("Error", "boom"), "[Error: boom]"),
        (realm.error("Error", ""), "[Error]"),
        (realm.error("ToolError", "m").with("code", "E"), "[ToolError: m] { code: 'E' }"),
        (realm.error("Error", "m").with("name", "Custom"), "[Custom: m]"),
        (realm.error("Error", "m").with("cause", "c"), "[Error: m] { cause: 'c' }"),
        (caused, "[Error: outer] { [cause]: [TypeError: inner] }"),
        (realm.error("Error", "m").with_accessor("message", true, false), "[Error] { message: [Getter] }"),
    ];
    for (value, expected) in cases {
        assert_eq!(shown(&realm, &value), expected);
    }
    let nested = realm.object().with("e", realm.error("Error", "two\nlines"));
    assert_eq!(shown(&realm, &nested), "{\n  e: [Error: two\n  lines]\n}");
}

#[test]
fn depth_cycles_and_references() {
    let realm = MockRealm::default();
    let deep = |inner: Mock| realm.object().with("a", realm.object().with("b", realm.object().with("c", inner)));
    assert_eq!(shown(&realm, &deep(realm.object().with("d", 1.0))), "{ a: { b: { c: [Object] } } }");
    assert_eq!(shown(&realm, &deep(realm.list([1.0]))), "{ a: { b: { c: [Array] } } }");
    assert_eq!(shown(&realm, &deep(realm.object())), "{ a: { b: { c: {} } } }");
    assert_eq!(shown(&realm, &deep(realm.make(Kind::Object, "Foo").with("x", 1.0))), "{ a: { b: { c: [Foo] } } }");
    let cycle = realm.object();
    cycle.put("me", Slot::Data(cycle.clone()), true, false);
    let inner = realm.object().with("up", cycle.clone());
    inner.put("me", Slot::Data(inner.clone()), true, false);
    cycle.put("inner", Slot::Data(inner.clone()), true, false);
    let expected = "<ref *1> {\n  me: [Circular *1],\n  inner: <ref *2> { up: [Circular *1], me: [Circular *2] }\n}";
    assert_eq!(shown(&realm, &cycle), expected);
    cycle.empty();
    inner.empty();
}

#[test]
fn lines_and_columns() {
    let realm = MockRealm::default();
    let numbers = realm.list((0..101).map(f64::from));
    let expected = "[
   0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11,
  12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
  24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,
  36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
  48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
  60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71,
  72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83,
  84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
  96, 97, 98, 99,
  ... 1 more item
]";
    assert_eq!(shown(&realm, &numbers), expected);
    let words = realm.list(["apple", "fig", "banana", "kiwi", "cherry", "date", "elderberry", "grape"]);
    let expected = "[
  'apple',      'fig',
  'banana',     'kiwi',
  'cherry',     'date',
  'elderberry', 'grape'
]";
    assert_eq!(shown(&realm, &words), expected);
    let record = |name: &str| realm.object().with("name", name).with("size", 12_345.0).with("tags", realm.list(["one", "two"]));
    let expected = "[
  { name: 'first', size: 12345, tags: [ 'one', 'two' ] },
  { name: 'second', size: 12345, tags: [ 'one', 'two' ] }
]";
    assert_eq!(shown(&realm, &realm.list([record("first"), record("second")])), expected);
    // What is 72 columns wide with its braces stays on one line, what is wider does not.
    let wide = |length: usize| realm.object().with("a", "x".repeat(length).as_str()).with("b", 1.0);
    let expected = format!("{{\n  a: '{}',\n  b: 1\n}}", "x".repeat(57));
    assert_eq!(shown(&realm, &wide(56)), format!("{{ a: '{}', b: 1 }}", "x".repeat(56)));
    assert_eq!(shown(&realm, &wide(57)), expected);
}

#[test]
fn lines_of_output_have_placeholders() {
    let realm = MockRealm::default();
    let print = |arguments: &[Mock]| print_text(&realm, arguments, 1 << 20).expect("not stopped");
    let object = realm.object().with("a", realm.object().with("b", 1.0));
    let cases: [(&[Mock], &str); 20] = [
        (&[], ""),
        (&["a".into(), "b".into(), 1.0.into()], "a b 1"),
        (&["100%".into()], "100%"),
        (&["100%%".into()], "100%%"),
        (&["100%% %s".into(), "x".into()], "100% x"),
        (&["%s is %d".into(), "x".into(), "42".into(), "more".into()], "x is 42 more"),
        (&["%s %s".into(), "x".into()], "x %s"),
        (&["%x %s".into(), "x".into()], "%x x"),
        (&["%i %f".into(), "42.9px".into(), "1.5e1z".into()], "42 15"),
        (&["%d %d %d".into(), "0x10".into(), "".into(), "x".into()], "16 0 NaN"),
        (&["%d".into(), Mock::BigInt("5")], "5n"),
        (&["%c!".into(), "color: red".into()], "!"),
        (&["%j".into(), object.clone()], "{\"a\":{\"b\":1}}"),
        (&["%s".into(), object.clone()], "{ a: [Object] }"),
        (&["%o|%O".into(), object.clone(), object.clone()], "{ a: { b: 1 } }|{ a: { b: 1 } }"),
        (&["%s".into(), (-0.0).into()], "-0"),
        (&[1.0.into(), "%s".into(), "x".into()], "1 %s x"),
        (&["50% of".into(), "x".into()], "50% of x"),
        (&["%s %%".into(), "x".into()], "x %"),
        (&["%".into(), "x".into()], "% x"),
    ];
    for (arguments, expected) in cases {
        assert_eq!(print(arguments), expected, "{arguments:?}");
    }
}

#[test]
fn what_is_made_and_read_is_bounded() {
    let realm = MockRealm::default();
    let entries = realm.collection(Kind::Map, (0..1_000_000).map(|at| (f64::from(at).into(), Mock::Null)).collect());
    let wide = (0..100_000).fold(realm.object(), |object, at| object.with(&format!("key{at}"), 1.0));
    let lists = realm.list((0..100).map(|_| realm.list((0..100).map(|_| realm.list((0..100).map(f64::from))))));
    for value in [&entries, &wide, &lists] {
        realm.reads.set(0);
        let text = inspect(&realm, value, 5000).expect("not stopped");
        assert!(text.len() < 12_000, "{}", text.len());
        assert!(realm.reads.get() < 10_000, "{}", realm.reads.get());
    }
    realm.reads.set(0);
    assert_eq!(print_text(&realm, &[wide], 1), Ok("…".to_owned()));
    assert_eq!(realm.reads.get(), 0, "where nothing more can be printed, nothing is read");
    let whole = shown(&realm, &entries);
    assert!(whole.ends_with("  99 => null,\n  ... 999900 more items\n}"), "{whole}");
    let long: Mock = "x".repeat(1_000_000).as_str().into();
    assert!(print_text(&realm, &[long], 1000).expect("not stopped").len() <= 1004);
    assert_eq!(realm.guard().held(), 0);
}

#[test]
fn a_stopped_run_and_a_full_memory_show_nothing() {
    let realm = MockRealm::with_memory(1 << 20);
    let wide = (0..20_000).fold(realm.object(), |object, at| object.with(&format!("key{at}"), "x".repeat(100).as_str()));
    assert!(matches!(inspect(&realm, &wide, usize::MAX), Err(Halt)));
    assert_eq!(realm.guard().fired().map(|(bound, _)| bound), Some(Bound::Memory));
    assert!(matches!(print_text(&realm, &[wide], 1 << 20), Err(Halt)));
}
