//! What crosses as JSON.

use std::fmt::Write as _;

use codemode_core::Profile;

use crate::host::{run, told};

fn check(profile: &Profile, cases: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (source, expected) in cases {
        let told = told(&run(profile.clone(), source));
        if told != *expected {
            let _ = write!(wrong, "\n{source}\n  gives    {told}\n  expected {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn each_kind_of_value_has_its_json() {
    check(
        &Profile::program(),
        &[
            ("return [undefined, null, NaN, -Infinity, -0, 1e21, 0.1, , true]", "[null,null,null,null,0,1e+21,0.1,null,true]"),
            ("return {a: undefined, b: [1n, 9007199254740993n, -(2n ** 64n)]}", r#"{"b":[1,"9007199254740993","-18446744073709551616"]}"#),
            ("return ['\\ud800x', 'a\\ud83d\\ude00', '\\u0000\"\\\\']", "[\"\u{fffd}x\",\"a😀\",\"\\u0000\\\"\\\\\"]"),
            ("return [new Date(0), new Date(NaN), /a\\/b/gi]", r#"["1970-01-01T00:00:00.000Z",null,"/a\\/b/gi"]"#),
            ("return [new Map([['a', 1]]), new Map([[1, 2]]), new Map, new Set([1, 'x'])]", r#"[{"a":1},[[1,2]],{},[1,"x"]]"#),
            (
                "return [new Uint8Array([1, 255]), new BigInt64Array([5n]), new Float64Array([1.5, NaN]), new ArrayBuffer(2), new DataView(new ArrayBuffer(3), 1), new Uint8Array(0)]",
                "[[1,255],[5],[1.5,null],[0,0],[0,0],[]]",
            ),
            (
                "class E extends Error {} return [new TypeError('t'), Object.assign(new E('m'), {code: 1})]",
                r#"[{"name":"TypeError","message":"t"},{"name":"Error","message":"m","code":1}]"#,
            ),
            ("return [new Number(3), new String('s'), new Boolean(true), new Boolean(false)]", r#"[3,"s",true,false]"#),
            ("return [new Number(NaN), new Number(-0), Object(1n), Object(2n ** 64n)]", r#"[null,0,1,"18446744073709551616"]"#),
            ("class P { #q = 1; x = 1; get y() { return 2 } z() {} } return new P", r#"{"x":1}"#),
            (
                "return {a: {toJSON() { return 1 }}, b: 1}",
                "{\"a\":{},\"b\":1}\n! value.a.toJSON was left out: it is a function, which json cannot hold",
            ),
            ("return () => 1", "null\n! value was left out: it is a function, which json cannot hold"),
            (
                "return [Symbol(), class {}, {get g() { return 1 }}]",
                "[null,null,{}]\n! value[0] was left out: it is a symbol, which json cannot hold; so were 2 more values",
            ),
            ("return {a: Promise.resolve({b: Promise.resolve([1])}), c: Promise.resolve()}", r#"{"a":{"b":[1]}}"#),
            ("return [new Promise((r) => queueMicrotask(() => r(new Promise((s) => queueMicrotask(() => s(7))))))]", "[7]"),
            ("return {['__proto__']: 1, constructor: 2}", r#"{"__proto__":1,"constructor":2}"#),
            ("return Object.create({inherited: 1}, {own: {value: 2, enumerable: true}, hidden: {value: 3}})", r#"{"own":2}"#),
            ("return Object.assign([1, 2], {extra: 3})", "[1,2]"),
            ("return {'1': 'b', a: 1, '0': 'a', [Symbol('s')]: 1}", r#"{"0":"a","1":"b","a":1}"#),
            (
                "JSON.stringify = () => '\"tampered\"'; Array.prototype.toJSON = () => 1; Object.prototype.extra = 1; return [{a: 1}]",
                r#"[{"a":1}]"#,
            ),
            ("const same = {x: 1}; return [same, same]", r#"[{"x":1},{"x":1}]"#),
        ],
    );
}

#[test]
fn what_may_not_cross_is_an_error_with_its_path() {
    check(
        &Profile::program(),
        &[
            ("const a = {b: []}; a.b.push(a); return a", "error: value.b[0] is value again, a cycle; leave out the way back"),
            ("return {p: new Proxy({}, {})}", "error: value.p is a Proxy, which is not read; copy it into a plain object"),
            ("return [[1].values()]", "error: value[0] is an iterator; spread it into an array: [...x]"),
            ("return (function* () {})()", "error: value is an iterator; spread it into an array: [...x]"),
            (
                "return new Map([[1, new WeakMap]])",
                "error: value[entry 0][1] is a weak collection or reference; keep what it holds in a Map, a Set or an array",
            ),
            ("let a = 1; for (let i = 0; i < 125; i++) a = [a]; return a", "error: value nests deeper than 124 levels; flatten it"),
            ("let a = 1; for (let i = 0; i < 100000; i++) a = [a]; return a", "error: value nests deeper than 124 levels; flatten it"),
            ("return [Promise.reject(new RangeError('far'))]", "error: RangeError: far"),
        ],
    );
    let never = run(Profile::batch(), "return {p: Promise.resolve(1)}");
    assert_eq!(told(&never), "error: value.p is a promise, and this program cannot wait; call without async and await");
}

#[test]
fn what_is_thrown_is_read_without_running_anything() {
    check(
        &Profile::program(),
        &[
            ("throw new TypeError('t')", "error: TypeError: t"),
            ("throw 'text'", "error: threw 'text'"),
            ("throw {code: 1, get message() { return 'ran' }}", "error: threw { code: 1, message: [Getter] }"),
            ("throw undefined", "error: threw undefined"),
            ("class MyError extends Error {} throw new MyError('m')", "error: MyError: m"),
            ("throw new Error('outer', {cause: new TypeError('inner')})", "error: Error: outer\ncause: TypeError: inner"),
            ("throw new AggregateError([new Error('a'), 'b'], 'several')", "error: AggregateError: several\n- Error: a\n- 'b'"),
            ("const e = new Error('x'); Object.defineProperty(e, 'message', {get() { for (;;); }}); throw e", "error: Error"),
            ("throw new Proxy(new Error('x'), {get() { for (;;); }})", "error: threw [Proxy]"),
        ],
    );
    let outcome = run(Profile::program(), "function f() {\n  null.x;\n}\nf();");
    let failure = outcome.failure.expect("it threw");
    assert_eq!(failure.traceback.as_deref(), Some("    at f (program:2:3)\n    at program:4:1"));
    assert_eq!(failure.location.map(|location| (location.line, location.column)), Some((2, Some(3))));
}
