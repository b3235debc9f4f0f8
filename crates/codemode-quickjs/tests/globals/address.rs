//! URL and URLSearchParams.

use crate::host::check;

#[tokio::test]
async fn an_address_is_read_set_and_shown() {
    check(&[
        (
            "const u = new URL('https://me:pw@example.com:8080/a/../b?q=1#top'); return [u.href, u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port, u.pathname, u.search, u.hash]",
            r##"["https://me:pw@example.com:8080/b?q=1#top","https://example.com:8080","https:","me","pw","example.com:8080","example.com","8080","/b","?q=1","#top"]"##,
        ),
        ("return new URL('../c?x', 'http://a.test/b/d/').href", r#""http://a.test/b/c?x""#),
        ("return new URL('HTTP://EXAMPLE.com:80/%7Efoo/ü').href", r#""http://example.com/%7Efoo/%C3%BC""#),
        ("return [new URL('http://a.test'), `${new URL('http://a.test')}`, JSON.stringify({u: new URL('http://a.test')})]", r#"["http://a.test/","http://a.test/","{\"u\":\"http://a.test/\"}"]"#),
        (
            "const u = new URL('http://a.test/'); u.protocol = 'https'; u.host = 'b.test:1'; u.pathname = '/x y'; u.search = 'a=b'; u.hash = 'h'; u.username = 'me'; u.password = 'p'; u.port = '2'; return u",
            r#""https://me:p@b.test:2/x%20y?a=b#h""#,
        ),
        ("const u = new URL('http://a.test/'); u.hostname = 'c.test'; u.port = 'nonsense'; return u.href", r#""http://c.test/""#),
        ("const u = new URL('http://a.test/'); try { u.href = 'nonsense' } catch (e) { return [u.href, e.name] } return 'taken'", r#"["http://a.test/","TypeError"]"#),
        (
            "try { new URL('nonsense') } catch (e) { return [e.name, e.message, e.code, e.input, e instanceof TypeError] }",
            r#"["TypeError","Invalid URL","ERR_INVALID_URL","nonsense",true]"#,
        ),
        ("return [URL.canParse('nonsense'), URL.canParse('/x', 'http://a.test'), URL.parse('nonsense'), URL.parse('http://a.test').host]", r#"[false,true,null,"a.test"]"#),
        ("return [URL.name, Object.keys(URL.prototype), Object.keys(new URL('http://a.test')), Object.prototype.toString.call(new URL('http://a.test'))]", r#"["URL",[],[],"[object URL]"]"#),
        ("try { URL.prototype.href } catch (e) { return e.name }", r#""TypeError""#),
        ("return new URL(new URL('http://a.test/b')).pathname", r#""/b""#),
        ("console.log(new URL('http://a.test/b?c')); console.log({u: new URL('http://a.test')})", "null\n> http://a.test/b?c\n> { u: http://a.test/ }"),
    ])
    .await;
}

#[tokio::test]
async fn a_query_is_a_list_of_pairs() {
    check(&[
        ("return new URLSearchParams('?a=1&b=x+y&a=%20').toString()", r#""a=1&b=x+y&a=+""#),
        ("return [...new URLSearchParams('a=1&b=2')]", r#"[["a","1"],["b","2"]]"#),
        ("return new URLSearchParams({a: 1, b: 'x y&', c: 'é'}).toString()", r#""a=1&b=x+y%26&c=%C3%A9""#),
        ("return new URLSearchParams([['a', 1], ['a', 2]]).getAll('a')", r#"["1","2"]"#),
        ("return new URLSearchParams(new Map([['k', 'v']])).get('k')", r#""v""#),
        ("return `${new URLSearchParams(new URLSearchParams('a=1'))}`", r#""a=1""#),
        (
            "const p = new URLSearchParams('a=1&b=2&a=3'); return [p.get('a'), p.get('z'), p.getAll('a'), p.has('b'), p.has('a', '3'), p.has('a', '9'), p.size]",
            r#"["1",null,["1","3"],true,true,false,3]"#,
        ),
        ("const p = new URLSearchParams('a=1&b=2&a=3'); p.set('a', 9); p.append('c', true); p.delete('b'); return p.toString()", r#""a=9&c=true""#),
        ("const p = new URLSearchParams(); p.append('', ''); p.append('a b', 'é&='); const both = `${p}`; p.delete(''); p.append('x', 1); return [both, p]", r#"["=&a+b=%C3%A9%26%3D","a+b=%C3%A9%26%3D&x=1"]"#),
        ("const p = new URLSearchParams(); for (let i = 0; i < 3e3; i++) p.append('k' + i, 'v'); return [p.size, `${p}`.length]", "[3000,22889]"),
        ("const p = new URLSearchParams('a=1&a=2'); p.delete('a', '1'); return p.toString()", r#""a=2""#),
        ("const p = new URLSearchParams('c=1&a=2&b=3&a=1'); p.sort(); return p.toString()", r#""a=2&a=1&b=3&c=1""#),
        ("const p = new URLSearchParams('a=1&b=2'), seen = []; p.forEach((v, k, all) => seen.push(k + v + (all === p))); return [seen, [...p.keys()], [...p.values()], [...p.entries()]]", r#"[["a1true","b2true"],["a","b"],["1","2"],[["a","1"],["b","2"]]]"#),
        ("return Object.fromEntries(new URLSearchParams('a=1&b=2'))", r#"{"a":"1","b":"2"}"#),
        ("return [new URLSearchParams('a=1'), JSON.stringify(new URLSearchParams('a=1'))]", r#"["a=1","{}"]"#),
        ("const u = new URL('http://a.test/?a=1'); u.searchParams.append('b', 'x y'); return [u.href, u.search]", r#"["http://a.test/?a=1&b=x+y","?a=1&b=x+y"]"#),
        (
            "const u = new URL('http://a.test/p#h'), p = u.searchParams, look = () => console.log(u.href, u); p.append('b', '?#'); look(); u.hash = ''; p.append('c', 1); look(); p.delete('b'); p.delete('c'); look(); u.pathname = '/q'; p.append('d', 2); look(); u.hash = '#'; p.set('d', 3); look()",
            "null\n> http://a.test/p?b=%3F%23#h http://a.test/p?b=%3F%23#h\n> http://a.test/p?b=%3F%23&c=1 http://a.test/p?b=%3F%23&c=1\n> http://a.test/p http://a.test/p\n> http://a.test/q?d=2 http://a.test/q?d=2\n> http://a.test/q?d=3# http://a.test/q?d=3#",
        ),
        ("const u = new URL('data:text  ?a=1'), p = u.searchParams; p.append('b', 2); const both = u.href; p.delete('a'); p.delete('b'); p.append('c', 3); return [both, u]", r#"["data:text  ?a=1&b=2","data:text?c=3"]"#),
        ("const u = new URL('http://a.test/#'); u.searchParams.append('a', 1); return u", r#""http://a.test/?a=1#""#),
        ("const u = new URL('http://a.test/?a=1'); const p = u.searchParams; u.search = '?z=9'; return [p.get('z'), p.has('a'), u.searchParams === p, p]", r#"["9",false,true,"z=9"]"#),
        ("const u = new URL('http://a.test/?a=1#h'); u.searchParams.delete('a'); return u", r#""http://a.test/#h""#),
        ("const u = new URL('http://a.test/?a=1'); const p = u.searchParams; u.href = 'http://b.test/?c=2'; return p.toString()", r#""c=2""#),
        ("try { new URLSearchParams([['a']]) } catch (e) { return `${e}` }", r#""TypeError: Each query pair must be an iterable [name, value] tuple""#),
        ("try { new URLSearchParams().append('a') } catch (e) { return e.name }", r#""TypeError""#),
        ("console.log(new URLSearchParams('a=1&b=2'))", "null\n> a=1&b=2"),
    ])
    .await;
}
