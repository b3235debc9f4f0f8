//! What each kind of value reads as.

use codemode_js::{Promised, Realm, Slot};

use super::Plain;
use super::show::{bytes, text};

/// Each script and its value, whole.
fn check(cases: &[(&str, &str)]) {
    let plain = Plain::new();
    for (source, expected) in cases {
        assert_eq!(plain.shown(source), *expected, "{source}");
    }
}

#[test]
fn primitives_read_as_they_are() {
    check(&[
        ("undefined", "undefined"),
        ("null", "null"),
        ("1 < 2", "true"),
        ("41 + 1", "42.0"),
        ("-0", "-0.0"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("2 ** 53", "9007199254740992.0"),
        ("NaN", "NaN"),
        ("-1 / 0", "-inf"),
        ("7n", "7n"),
        ("-(2n ** 100n)", "-1267650600228229401496703205376n"),
        ("Symbol('a b')", "Symbol(a b)"),
        ("Symbol()", "Symbol()"),
        ("Symbol.for('shared')", "Symbol(shared)"),
    ]);
}

#[test]
fn strings_read_whole_and_halves_of_pairs_become_replacement_characters() {
    check(&[
        ("''", r#""""#),
        ("'a\\0b'", r#""a\0b""#),
        ("'h\\u00e9'", r#""hé""#),
        ("'\\u4e2d\\u{1f600}'", r#""中😀""#),
        ("'a\\ud800'", "\"a\u{fffd}\""),
        ("'\\udc00\\ud800b'", "\"\u{fffd}\u{fffd}b\""),
        ("'\\ud83d\\ude00\\ud83d'", "\"😀\u{fffd}\""),
        ("({['\\ud800k']: 1})", "{\u{fffd}k: 1.0}"),
        ("'x'.repeat(3) + 'y'", r#""xxxy""#),
    ]);
}

#[test]
fn long_strings_read_whole_ropes_and_slices_included() {
    let plain = Plain::new();
    let long = plain.value("let rope = ''; for (let i = 0; i < 20000; i++) rope += 'abcdefgh' + i; rope");
    let expected: String = (0..20000).map(|i| format!("abcdefgh{i}")).collect();
    assert_eq!(text(plain.realm(), &long), expected);
    assert_eq!(plain.realm().length(&long), expected.len() as u64);
    let slice = plain.value("rope.slice(1, -1)");
    assert_eq!(text(plain.realm(), &slice), expected[1..expected.len() - 1]);
    let wide = plain.value("'\\u00e9'.repeat(1e6) + '\\u4e2d'.repeat(1e6)");
    assert_eq!((text(plain.realm(), &wide).len(), plain.realm().length(&wide)), (5_000_000, 2_000_000));
}

#[test]
fn a_string_is_as_long_as_its_utf_16() {
    let plain = Plain::new();
    let length = |source: &str| plain.realm().length(&plain.value(source));
    assert_eq!(
        [length("'a\\u{1f600}'"), length("new String('a\\u{1f600}')"), length("7"), length("({length: 3})"), length("x => x")],
        [3, 3, 0, 0, 0]
    );
}

#[test]
fn functions_and_classes_are_told_apart() {
    check(&[
        ("(function () {})", "function"),
        ("x => x", "function"),
        ("(async () => {})", "function"),
        ("(function* () {})", "function"),
        ("(async function* () {})", "function"),
        ("(class {})", "class"),
        ("(class A extends Array {})", "class"),
        ("Map", "function"),
        ("(class {}).bind()", "function"),
        ("Object.freeze(function class_ () {})", "function"),
        ("({class() {}}).class", "function"),
        ("new Proxy(class {}, {})", "proxy{}"),
        ("(class { static toString() { return 'function'; } })", "class"),
        ("Math.max", "function"),
        ("Promise.withResolvers().resolve", "function"),
    ]);
}

#[test]
fn objects_show_own_properties_in_their_order_and_run_no_getter() {
    check(&[
        ("({})", "{}"),
        ("({b: 1, 2: 'two', a: null, 1: 'one'})", r#"{1: "one", 2: "two", b: 1.0, a: null}"#),
        (
            "({get a() { throw 1; }, set b(v) {}, get c() {}, set c(v) {}})",
            "{a: accessor get=true set=false, b: accessor get=false set=true, c: accessor get=true set=true}",
        ),
        ("({__proto__: null, ['__proto__']: 1})", "{__proto__: 1.0}"),
        ("Object.defineProperty({a: 1}, 'h', {value: 2})", "{a: 1.0, ~h: 2.0}"),
        ("({[Symbol('s')]: 1, t: 2, [Symbol.iterator]: 3})", "{t: 2.0, [s]: 1.0, [Symbol.iterator]: 3.0}"),
        ("class P { #secret = 1; open = 2; static s = 3; get g() { return 1; } } new P", "{open: 2.0}"),
        (
            "(function () { return arguments; })(1, 'b')",
            r#"{0: 1.0, 1: "b", ~length: 2.0, ~callee: function, ~[Symbol.iterator]: function}"#,
        ),
        ("({'4294967295': 1, '01': 2, '-1': 3})", "{4294967295: 1.0, 01: 2.0, -1: 3.0}"),
    ]);
}

#[test]
fn arrays_show_elements_holes_and_what_else_hangs_there() {
    check(&[
        ("[]", "[]{~length: 0.0}"),
        ("[1, , 'c', [null]]", r#"[1.0, hole, "c", [null]{~length: 1.0}]{~length: 4.0}"#),
        ("let a = [1]; a.more = 2; a[3] = 4; a", "[1.0, hole, hole, 4.0]{~length: 4.0, more: 2.0}"),
        ("Object.defineProperty([1, 2], 0, {get() { throw 1; }})", "[accessor get=true set=false, 2.0]{~length: 2.0}"),
        ("class List extends Array {} List.from([5])", "[5.0]{~length: 1.0}"),
        ("Object.freeze([1])", "[1.0]{~length: 1.0}"),
        ("({length: 2, 0: 'a'})", r#"{0: "a", length: 2.0}"#),
    ]);
}

#[test]
fn an_element_is_read_at_any_index() {
    let plain = Plain::new();
    let sparse = plain.value("let sparse = []; sparse[4294967294] = 'last'; sparse[2 ** 31] = 'middle'; sparse.x = 1; sparse");
    let element = |index| match plain.realm().element(&sparse, index) {
        Ok(Slot::Data(value)) => plain.show(&value),
        other => format!("{other:?}"),
    };
    assert_eq!([element(0), element(1 << 31), element(u32::MAX - 1)], ["Ok(Missing)", "\"middle\"", "\"last\""]);
    assert_eq!(plain.realm().length(&sparse), u64::from(u32::MAX));
    let mut names = Vec::new();
    let walked = plain.realm().each_property(&sparse, false, &mut |property| {
        names.push(format!("{:?}", property.key));
        Ok(true)
    });
    assert_eq!((walked, names), (Ok(()), vec!["Text(\"x\")".to_owned()]));
}

#[test]
fn built_in_objects_read_from_their_internal_slots() {
    check(&[
        ("new Date(86400000)", "date 86400000.0{}"),
        ("new Date('nonsense')", "date NaN{}"),
        ("class D extends Date { getTime() { return 1; } } new D(5)", "date 5.0{}"),
        ("/a\\/[/]\\n/dgimsuy", "regexp /a\\/[/]\\n/dgimsuy{~lastIndex: 0.0}"),
        ("new RegExp('/', 'yu')", "regexp /\\//uy{~lastIndex: 0.0}"),
        ("/[a--b]/v", "regexp /[a--b]/v{~lastIndex: 0.0}"),
        ("new RegExp('')", "regexp /(?:)/{~lastIndex: 0.0}"),
        ("new Map([['a', 1], [{}, [2]]])", r#"map("a" => 1.0, {} => [2.0]{~length: 1.0}){}"#),
        ("class M extends Map { get size() { return 99; } forEach() {} } new M([[1, 2]])", "map(1.0 => 2.0){}"),
        ("new Set([NaN, -0, 'a'])", r#"set(NaN => NaN, 0.0 => 0.0, "a" => "a"){}"#),
        ("class S extends Set {} new S()", "set(){}"),
        ("new WeakMap", "weak{}"),
        ("new WeakSet", "weak{}"),
        ("new WeakRef({})", "weak{}"),
        ("new FinalizationRegistry(() => {})", "weak{}"),
        ("Promise.resolve(1)", "promise{}"),
        ("class Q extends Promise {} Q.resolve(1)", "promise{}"),
        ("(function* () {})()", "iterator{}"),
        ("(async function* () {})()", "iterator{}"),
        ("[][Symbol.iterator]()", "iterator{}"),
        ("new Map().entries()", "iterator{}"),
        ("'a'[Symbol.iterator]()", "iterator{}"),
        ("[1].values().map(x => x)", "iterator{}"),
        ("new Number(7)", "boxed \"\" 7.0 false{}"),
        ("Object('hi')", "boxed \"hi\" NaN false{~length: 2.0}"),
        ("new Boolean(true)", "boxed \"\" NaN true{}"),
        ("Object(9n)", "boxed \"9\" NaN false{}"),
        ("Object(Symbol('s'))", "boxed \"s\" NaN false{}"),
        ("globalThis.Math.E = 0, JSON.rawJSON ? 1 : 1", "1.0"),
    ]);
}

#[test]
fn bytes_are_those_that_a_view_covers() {
    check(&[
        ("new Uint8Array([1, 2, 255])", "[1.0, 2.0, 255.0]{}"),
        ("new Float64Array([0.5, NaN])", "[0.5, NaN]{}"),
        ("new BigInt64Array([-1n, 2n ** 62n])", "[-1n, 4611686018427387904n]{}"),
        ("new Uint8Array([1, 2]).buffer", "buffer [1, 2]{}"),
        ("new ArrayBuffer(0)", "buffer []{}"),
        ("new DataView(new Uint8Array([1, 2, 3]).buffer, 1)", "[2.0, 3.0]{}"),
    ]);
    let plain = Plain::new();
    let covered = |source: &str| bytes(plain.realm(), &plain.value(source));
    assert_eq!(covered("new Uint8Array([1, 2, 3, 4]).subarray(1, 3)"), [2, 3]);
    assert_eq!(covered("new Uint16Array(new Uint8Array([9, 9, 1, 2]).buffer, 2)"), [1, 2]);
    assert_eq!(covered("new DataView(new Uint8Array([1, 2, 3]).buffer, 1, 1)"), [2]);
    assert_eq!(covered("let gone = new Uint8Array([1]); gone.buffer.transfer(); gone"), [0_u8; 0]);
    assert_eq!(covered("gone.buffer"), [0_u8; 0]);
    assert_eq!(
        covered("let r = new ArrayBuffer(4, {maxByteLength: 8}); let v = new Uint8Array(r); r.resize(6); v[5] = 7; v"),
        [0, 0, 0, 0, 0, 7]
    );
    assert_eq!(covered("let w = new Uint8Array(r, 5, 1); r.resize(2); w"), [0_u8; 0]);
    assert_eq!(covered("let d = new DataView(r, 1); r.resize(0); d"), [0_u8; 0]);
    assert_eq!(covered("'text'"), [0_u8; 0]);
    assert!(plain.realm().take_pending().is_none());
}

#[test]
fn a_hundred_thousand_keys_come_in_their_order() {
    let plain = Plain::new();
    let many = plain.value("let many = {}; for (let i = 0; i < 100000; i++) many['k' + i] = i; many");
    let mut seen = 0_u32;
    let walked = plain.realm().each_property(&many, false, &mut |property| {
        assert_eq!(property.key, codemode_js::Key::Text(&format!("k{seen}")));
        assert!(matches!(&property.slot, Slot::Data(value) if plain.realm().number(value) == f64::from(seen)));
        seen += 1;
        Ok(seen < 99_999)
    });
    assert_eq!((walked, seen), (Ok(()), 99_999));
}

#[test]
fn entries_end_where_they_are_told_to() {
    let plain = Plain::new();
    let map = plain.value("new Map([[1, 2], [3, 4], [5, 6]])");
    let first = |most| plain.realm().entries(&map, most).map(|entries| entries.iter().map(|(key, _)| plain.show(key)).collect::<Vec<_>>());
    assert_eq!(first(0), Ok(vec![]));
    assert_eq!(first(2), Ok(vec!["1.0".to_owned(), "3.0".to_owned()]));
    assert_eq!(first(3), Ok(vec!["1.0".to_owned(), "3.0".to_owned(), "5.0".to_owned()]));
    assert!(plain.realm().take_pending().is_none());
}

#[test]
fn promises_tell_their_state() {
    let plain = Plain::new();
    let state = |source: &str| match plain.realm().promised(&plain.value(source)) {
        Promised::Pending => "pending".to_owned(),
        Promised::Fulfilled(value) => format!("fulfilled {}", plain.show(&value)),
        Promised::Rejected(value) => format!("rejected {}", plain.show(&value)),
    };
    assert_eq!(
        [state("new Promise(() => {})"), state("Promise.resolve('v')"), state("Promise.reject(3)"), state("({then() {}})")],
        ["pending", "fulfilled \"v\"", "rejected 3.0", "pending"]
    );
}

#[test]
fn prototypes_and_identities_are_told() {
    let plain = Plain::new();
    let realm = plain.realm();
    let prototype = |source: &str| realm.prototype(&plain.value(source)).expect("a prototype");
    assert!(prototype("({})").is_some_and(|found| realm.is_plain_prototype(&found)));
    assert!(prototype("[]").is_some_and(|found| realm.is_plain_prototype(&found)));
    assert!(prototype("class C {} new C").is_some_and(|found| !realm.is_plain_prototype(&found)));
    for without in ["Object.create(null)", "7", "'text'", "new Proxy({}, {})"] {
        assert!(prototype(without).is_none(), "{without}");
    }
    let (first, same, other) = (plain.value("let one = {}; one"), plain.value("one"), plain.value("({})"));
    assert_eq!(realm.identity(&first), realm.identity(&same));
    assert_ne!(realm.identity(&first), realm.identity(&other));
    assert_eq!([realm.identity(&plain.value("7")), realm.identity(&plain.value("'text'"))], [0, 0]);
}

#[test]
fn a_stack_is_the_engine_s_or_the_program_s_own_text() {
    let plain = Plain::new();
    let stack = |source: &str| plain.realm().stack(&plain.value(source)).expect("a stack");
    assert_eq!(
        stack("function thrower() {\n  throw new Error('x')\n}\nthrower()").as_deref(),
        Some("    at thrower (program:2:13)\n    at <eval> (program:4:1)\n")
    );
    assert_eq!(stack("let e = new Error; e.stack = 'mine'; e").as_deref(), Some("mine"));
    assert_eq!(
        stack("e = new TypeError; Object.defineProperty(e, 'stack', {get() { throw 1; }}); e").map(|stack| stack.is_empty()),
        Some(false)
    );
    assert_eq!(stack("({stack: 'an object with a text'})").as_deref(), Some("an object with a text"));
    assert_eq!(stack("({})"), None);
    assert_eq!(stack("7"), None);
}
