//! TextEncoder, TextDecoder, atob, btoa, crypto, performance.

use crate::host::check;

#[tokio::test]
async fn text_becomes_bytes_and_bytes_become_text() {
    check(&[
        ("return [...new TextEncoder().encode('a€😀')]", "[97,226,130,172,240,159,152,128]"),
        ("return [...new TextEncoder().encode('\\ud800')]", "[239,191,189]"),
        ("return [new TextEncoder().encoding, new TextEncoder().encode().length, TextEncoder.name]", r#"["utf-8",0,"TextEncoder"]"#),
        (
            "const into = new Uint8Array(4); const done = new TextEncoder().encodeInto('a€😀', into); return [done, [...into]]",
            r#"[{"read":2,"written":4},[97,226,130,172]]"#,
        ),
        ("return new TextDecoder().decode(new Uint8Array([226,130,172,255]))", "\"€\u{fffd}\""),
        ("return new TextDecoder().decode(new Uint8Array([239,187,191,97]))", r#""a""#),
        ("return new TextDecoder('utf-8', {ignoreBOM: true}).decode(new Uint8Array([239,187,191,97])).length", "2"),
        (
            "try { new TextDecoder('utf8', {fatal: true}).decode(new Uint8Array([255])) } catch (e) { return [e.name, e.message] }",
            r#"["TypeError","The encoded data was not valid for encoding utf-8"]"#,
        ),
        (
            "const d = new TextDecoder(); const o = {stream: true}; return [d.decode(new Uint8Array([226,130]), o), d.decode(new Uint8Array([172]), o), d.decode()]",
            r#"["","€",""]"#,
        ),
        ("const d = new TextDecoder(); d.decode(new Uint8Array([226,130]), {stream: true}); return d.decode()", "\"\u{fffd}\""),
        ("return new TextDecoder('utf-16le').decode(new Uint8Array([104,0,105,0]))", r#""hi""#),
        ("return new TextDecoder('latin1').decode(new Uint8Array([233, 128]).buffer)", r#""é€""#),
        ("return new TextDecoder().decode(new Uint8Array([97,98,99,100]).subarray(1,3))", r#""bc""#),
        ("return [new TextDecoder('UTF8').encoding, new TextDecoder('ascii').encoding]", r#"["utf-8","windows-1252"]"#),
        (
            "try { new TextDecoder('shift_jis') } catch (e) { return `${e}` }",
            r#""RangeError: The \"shift_jis\" encoding is not supported: there are utf-8, utf-16le and latin1""#,
        ),
        ("try { TextEncoder() } catch (e) { return e.name }", r#""TypeError""#),
        ("return btoa('hello') + atob('aGVsbG8=') + atob(' aGVs bG8 ')", r#""aGVsbG8=hellohello""#),
        ("try { btoa('€') } catch (e) { return [e.name, e.message, e.code, e instanceof DOMException, e instanceof Error] }", r#"["InvalidCharacterError","Invalid character",5,true,true]"#),
        ("try { atob('a') } catch (e) { return [e.name, e.message] }", r#"["InvalidCharacterError","The string to be decoded is not correctly encoded."]"#),
        ("return [btoa(12), atob.length, btoa.name]", r#"["MTI=",1,"btoa"]"#),
    ])
    .await;
}

#[tokio::test]
async fn random_numbers_have_their_form_and_their_bounds() {
    check(&[
        ("return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())", "true"),
        ("return new Set(Array.from({length: 100}, () => crypto.randomUUID())).size", "100"),
        ("const a = new Uint8Array(32); return [crypto.getRandomValues(a) === a, new Set(a).size > 8]", "[true,true]"),
        ("const a = new Uint32Array(8).subarray(2, 4); crypto.getRandomValues(a); const all = new Uint32Array(a.buffer); return [all[0], all[4], a[0] !== 0]", "[0,0,true]"),
        ("try { crypto.getRandomValues(new Uint8Array(65537)) } catch (e) { return e.name }", r#""QuotaExceededError""#),
        ("try { crypto.getRandomValues(new Float64Array(1)) } catch (e) { return e.name }", r#""TypeMismatchError""#),
        ("try { crypto.getRandomValues([1]) } catch (e) { return e.name }", r#""TypeMismatchError""#),
        ("return Array.from({length: 100}, Math.random).every(n => n >= 0 && n < 1)", "true"),
        ("const t = performance.now(); return [t >= 0, Number.isInteger(t), Math.abs(performance.timeOrigin - Date.now()) < 60000]", "[true,true,true]"),
    ])
    .await;
}
