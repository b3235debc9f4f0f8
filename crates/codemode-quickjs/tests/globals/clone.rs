//! structuredClone.

use crate::host::check;

#[tokio::test]
async fn a_clone_is_another_value_of_the_same_shape() {
    check(&[
        ("const a = {x: [1, {y: 2}], z: undefined}; const b = structuredClone(a); b.x[1].y = 3; return [a.x[1].y, b.x[1].y, 'z' in b]", "[2,3,true]"),
        ("const a = {}; a.self = a; const b = structuredClone(a); return [b !== a, b.self === b]", "[true,true]"),
        ("const m = new Map([['a', {n: 1}]]); const c = structuredClone(m); return [c instanceof Map, c.get('a').n, c.get('a') !== m.get('a')]", "[true,1,true]"),
        ("const c = structuredClone(new Set([1, 'a'])); return [c instanceof Set, [...c]]", r#"[true,[1,"a"]]"#),
        ("const c = structuredClone(new Date(5)); return [c instanceof Date, c.getTime()]", "[true,5]"),
        ("const c = structuredClone(/a\\/b/gi); return [c instanceof RegExp, c.source, c.flags]", r#"[true,"a\\/b","gi"]"#),
        (
            "const e = new RangeError('far', {cause: {n: 1}}); const c = structuredClone(e); return [c instanceof RangeError, c.message, c.name, c.cause.n, c !== e]",
            r#"[true,"far","RangeError",1,true]"#,
        ),
        ("class Odd extends Error {}; const c = structuredClone(new Odd('x')); return [c.constructor === Error, c.message]", r#"[true,"x"]"#),
        ("const a = new Uint16Array([1, 2, 3]).subarray(1); const c = structuredClone(a); c[0] = 9; return [c instanceof Uint16Array, [...c], [...a]]", "[true,[9,3],[2,3]]"),
        ("const b = new ArrayBuffer(4); const c = structuredClone({a: new Uint8Array(b), b, v: new DataView(b, 1, 2)}); return [c.a.buffer === c.b, c.b !== b, c.v.byteOffset, c.v.byteLength]", "[true,true,1,2]"),
        ("const c = structuredClone([1, , 3]); return [c.length, 1 in c]", "[3,false]"),
        ("class P { constructor() { this.n = 1 } }; const c = structuredClone(new P()); return [c instanceof P, c.n]", "[false,1]"),
        ("return structuredClone(Object.create({inherited: 1}, {own: {value: 2, enumerable: true}, hidden: {value: 3}}))", r#"{"own":2}"#),
        ("return structuredClone({get g() { return 7 }})", r#"{"g":7}"#),
        ("return [structuredClone(null), structuredClone('s'), structuredClone(10n), structuredClone(undefined)]", r#"[null,"s",10,null]"#),
        ("const c = structuredClone(Object(5)); return [typeof c, c + 1]", r#"["object",6]"#),
        ("const shared = {}; const c = structuredClone([shared, shared]); return c[0] === c[1]", "true"),
        ("const o = JSON.parse('{\"__proto__\": {\"x\": 1}}'); const c = structuredClone(o); return [Object.hasOwn(c, '__proto__'), c.x]", "[true,null]"),
        (
            "try { structuredClone(() => 1) } catch (e) { return [e.name, e.message, e.code, e instanceof DOMException] }",
            r#"["DataCloneError","() => 1 could not be cloned.",25,true]"#,
        ),
        ("try { structuredClone({s: Symbol('x')}) } catch (e) { return e.message }", r#""Symbol(x) could not be cloned.""#),
        ("try { structuredClone(Promise.resolve()) } catch (e) { return e.message }", r##""#<Promise> could not be cloned.""##),
        ("try { structuredClone(new Proxy({}, {})) } catch (e) { return e.message }", r##""#<Object> could not be cloned.""##),
        ("try { structuredClone(new WeakMap()) } catch (e) { return e.name }", r#""DataCloneError""#),
        ("try { structuredClone() } catch (e) { return e.name }", r#""TypeError""#),
        ("const b = new ArrayBuffer(8); const c = structuredClone(b, {transfer: [b]}); return [b.byteLength, c.byteLength]", "[0,8]"),
    ])
    .await;
}
