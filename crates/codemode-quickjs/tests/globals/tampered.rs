//! Programs that change what the globals are made of.

use crate::host::check;

#[tokio::test]
async fn tampering_changes_nothing_of_the_globals() {
    check(&[
        ("const m = new Map([[1, 2]]); Map.prototype.get = Map.prototype.set = () => { throw 1 }; globalThis.Map = null; return structuredClone(m)", "[[1,2]]"),
        ("Object.defineProperty = Object.keys = Reflect.apply = Reflect.construct = () => { throw 1 }; return [structuredClone({a: [1]}), new Date(0), new URL('http://a.test'), btoa('a')]", r#"[{"a":[1]},"1970-01-01T00:00:00.000Z","http://a.test/","YQ=="]"#),
        ("Array.prototype[Symbol.iterator] = () => { throw 1 }; return [new Date(2024, 0, 1), new URL('http://a.test/?b=1').searchParams.get('b'), new TextDecoder().decode(new TextEncoder().encode('x'))]", r#"["2024-01-01T00:00:00.000Z","1","x"]"#),
        (
            "Array.prototype[Symbol.iterator] = RegExp.prototype.exec = Array.prototype.includes = Object.is = String.prototype.slice = String.prototype.startsWith = String.prototype.endsWith = () => { throw 1 }; return [new Intl.ListFormat('en').format(['a', 'b']), Intl.NumberFormat('en').format(1234), new Intl.DateTimeFormat(['en-US']).format(0), new Intl.RelativeTimeFormat('en').format(-2, 'days'), Intl.getCanonicalLocales(['en'])]",
            r#"["a and b","1,234","1/1/1970","2 days ago",["en"]]"#,
        ),
        (
            "Array.prototype[Symbol.iterator] = String.prototype.slice = String.prototype.startsWith = () => { throw 1 }; let refused; try { structuredClone(() => 1) } catch (e) { refused = e.name } return [new URLSearchParams('?a=1').get('a'), new URLSearchParams([['a', '?']]), new URL('http://a.test/?b=1').searchParams, crypto.getRandomValues(new Uint8Array(2)).length, AbortSignal.any([AbortSignal.abort()]).aborted, refused]",
            r#"["1","a=%3F","b=1",2,true,"DataCloneError"]"#,
        ),
        ("const b = new ArrayBuffer(2); Number.prototype.valueOf = ArrayBuffer.prototype.transfer = Array.prototype[Symbol.iterator] = () => { throw 1 }; return [structuredClone(Object(7)), structuredClone(1, {transfer: [b]}), b.byteLength]", "[7,1,0]"),
        ("Object.prototype.type = 'ordinal'; Object.prototype.numeric = 'auto'; return [new Intl.PluralRules('en').select(2), new Intl.RelativeTimeFormat('en').format(-1, 'day')]", r#"["other","1 day ago"]"#),
        ("Object.freeze(Object.prototype); return structuredClone({toString: 1, a: 2})", r#"{"toString":1,"a":2}"#),
        ("Object.prototype.toString = Date.prototype.toISOString = Date.prototype.toJSON = () => 'bad'; return new Date(0)", r#""1970-01-01T00:00:00.000Z""#),
        ("Object.prototype.get = () => 1; Object.prototype.value = 2; Object.prototype.style = 'percent'; return [(5).toLocaleString(), new Date(0).toLocaleDateString(), structuredClone({a: 1}), new URL('http://a.test').host]", r#"["5","1/1/1970",{"a":1},"a.test"]"#),
        ("console.log = 1; globalThis.console = {log() {}}; console.log('nowhere'); return 1", "1"),
        ("globalThis.URL = class { constructor() { this.mine = true } }; return [new URL('x'), new URLSearchParams('a=1')]", r#"[{"mine":true},"a=1"]"#),
        ("var URL = 1; let fetch = () => 2; return [URL, fetch()]", "[1,2]"),
        ("URL.prototype.toJSON = () => 'bad'; URL.prototype.toString = () => 'bad'; return new URL('http://a.test')", r#""http://a.test/""#),
    ])
    .await;
}
