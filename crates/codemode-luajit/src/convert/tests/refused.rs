//! What has no counterpart is an error that names its place.

use codemode_core::Bound;

use super::Bench;

#[test]
fn a_value_without_json_form_is_refused_by_its_place() {
    let bench = Bench::new();
    let table = [
        ("{a={b={1,2,print}}}", "$.a.b[3]: a function has no json form; leave it out or make it text"),
        ("{c=coroutine.create(print)}", "$.c: a coroutine has no json form; leave it out or make it text"),
        ("io.stdout", "$: a userdata has no json form; leave it out or make it text"),
        ("{0/0}", "$[1]: nan has no json form; use json_null or text"),
        ("{x=-math.huge}", "$.x: infinity has no json form; use json_null or text"),
        ("{1,nil,3}", "$: a sparse array: it has 2 entries, and none at 2; fill holes with json_null"),
        ("{[3]=1}", "$: a sparse array: it has 1 entries, and none at 1; fill holes with json_null"),
        ("{q={[0]=1}}", "$.q: 0 is no position of an array; keys of an object are strings"),
        ("{[1.5]=1}", "$: 1.5 is no position of an array; keys of an object are strings"),
        ("{1,n=1}", "$: a table with the name \"n\" and the number 1 as keys; use names alone, or positions from 1 on"),
        ("{n=1,[2^40]=2}", "$: a table with the name \"n\" and the number 1099511627776 as keys; use names alone, or positions from 1 on"),
        ("{[true]=1}", "$: a boolean as a key; keys of an object are strings"),
        ("{['a b']={[{}]=1}}", "$[\"a b\"]: a table as a key; keys of an object are strings"),
        ("{s='ab\\255'}", "$.s: a string that is not utf-8 after 2 bytes; encode binary data as text first"),
        ("{['k\\200']=1}", "$[\"k\u{fffd}\"]: a key that is not utf-8 after 1 bytes; encode binary data as text first"),
        ("{z=0/0,b={d=print,c=0/0},a=1}", "$.b.c: nan has no json form; use json_null or text"),
        ("{print,[true]=1,n=1}", "$: a boolean as a key; keys of an object are strings"),
        ("{a=print,[4]=1,[-1]=1,b=1}", "$: a table with the name \"a\" and the number -1 as keys; use names alone, or positions from 1 on"),
        ("host.json_array({a=1})", "$: an array that has a named entry; copy it into a plain table first"),
    ];
    for (value, message) in table {
        assert_eq!(bench.text(&format!("return (host.json_encode({value}))"), ""), Err(format!("t:1: json_encode: {message}")), "{value}");
    }
    let cycle = "local t = {} t.a = {t} return (host.json_encode(t))";
    assert_eq!(bench.text(cycle, ""), Err("t:1: json_encode: $.a[1]: a cycle: this table holds itself; break it before encoding".into()));
    let deep = "local t = 1 for _ = 1, 101 do t = {t} end return (host.json_encode(t))";
    let place = "[1]".repeat(66);
    assert_eq!(bench.text(deep, ""), Err(format!("t:1: json_encode: ${}…: nests deeper than 100 levels; flatten it", &place[..196])));
    assert_eq!(bench.text("return (host.json_encode())", ""), Err("t:1: json_encode: expects a value, got none".into()));
}

#[test]
fn a_text_that_is_no_json_is_refused_by_its_place() {
    let bench = Bench::new();
    let table = [
        ("", "line 1 column 1: expected a value, at the end of the text"),
        ("Error: no such file", "line 1 column 1: expected a value, near Error: no such file"),
        ("[1,\n 2,]", "line 2 column 4: expected a value, near ]"),
        ("{\"ä\" 1}", "line 1 column 6: expected a colon after the key, near 1}"),
        ("{a:1}", "line 1 column 2: expected a key in double quotes, near a:1}"),
        ("{\"a\":1,}", "line 1 column 8: expected a key in double quotes, near }"),
        ("{\"a\":1 \"b\":2}", "line 1 column 8: expected a comma or }, near \"b\":2}"),
        ("[1 2]", "line 1 column 4: expected a comma or ], near 2]"),
        ("[1}", "line 1 column 3: expected a comma or ], near }"),
        ("[1", "line 1 column 3: expected a comma or ], at the end of the text"),
        ("01", "line 1 column 1: a number that begins with a needless zero, near 01"),
        ("-", "line 1 column 2: expected a digit, at the end of the text"),
        ("1.", "line 1 column 3: expected a digit, at the end of the text"),
        ("1e+", "line 1 column 4: expected a digit, at the end of the text"),
        (".5", "line 1 column 1: expected a value, near .5"),
        ("NaN", "line 1 column 1: expected a value, near NaN"),
        ("nul", "line 1 column 1: expected a value, near nul"),
        ("1 x", "line 1 column 3: text after the end of the value, near x"),
        ("\"a\nb\"", "line 1 column 3: a control character in a string; it must be escaped, near \\nb\""),
        ("\"abc", "line 1 column 5: a string without its closing quote, at the end of the text"),
        ("\"\\x\"", "line 1 column 2: an escape that json does not have, near \\x\""),
        ("\"\\u12g4\"", "line 1 column 2: an escape that json does not have, near \\u12g4\""),
        ("\"\\ud834\"", "line 1 column 2: half of a surrogate pair, near \\ud834\""),
        ("[0,\"\\ud834\\u0041\"]", "line 1 column 5 ($[2]): half of a surrogate pair, near \\ud834\\u0041\"]"),
        ("\"\\udd1e\"", "line 1 column 2: half of a surrogate pair, near \\udd1e\""),
        ("{\"a\":[1e999]}", "line 1 column 7 ($.a[1]): a number that no double can hold, near 1e999]}"),
        (
            "{\"items\":[0,{\"id\":9007199254740993}]}",
            "line 1 column 19 ($.items[2].id): a whole number past 2^53, which would lose digits; \
             pass {big_integers = \"text\"} to get such numbers as strings, near 9007199254740993}]}",
        ),
    ];
    for (text, message) in table {
        assert_eq!(bench.text("return (host.json_decode(...))", text), Err(format!("t:1: json_decode: {message}")), "{text}");
    }
    let deep = "[".repeat(101);
    assert_eq!(
        bench.text("return (host.json_decode(...))", &deep),
        Err("t:1: json_decode: line 1 column 101: nests deeper than 100 levels, near [".into())
    );
    assert_eq!(
        bench.run("return (host.json_decode(...))", b"[\"a\xff\"]"),
        Err("t:1: json_decode: line 1 column 4: a byte that is not utf-8, near \u{fffd}\"]".into())
    );
    let others = [
        ("return (host.json_decode())", "expects text, got nothing"),
        ("return (host.json_decode({}))", "expects text, got table"),
        ("return (host.json_decode(nil, 'no such file'))", "expects text, got nil and the message: no such file"),
        ("return (host.json_decode('1', {big = true}))", "the second argument is {big_integers = \"text\"} or nothing"),
    ];
    for (chunk, message) in others {
        assert_eq!(bench.text(chunk, ""), Err(format!("t:1: json_decode: {message}")), "{chunk}");
    }
    assert_eq!(bench.text("return (host.json_array(1))", ""), Err("t:1: json_array: expects a table or nothing".into()));
    assert_eq!(
        bench.text("return (host.json_array(setmetatable({}, {})))", ""),
        Err("t:1: json_array: the table has a metatable of its own; copy it into a plain one".into())
    );
}

#[test]
fn what_is_refused_does_not_depend_on_the_order_of_keys() {
    // Strings hash differently in each state.
    let chunk = "local t = {} for i = 1, 50 do t['k' .. i] = i % 7 == 0 and {x = {y = print, z = 0/0}} or i % 5 == 0 and {1, n = 1, [2.5] = 1} or i end return (host.json_encode(t))";
    let message = "t:1: json_encode: $.k10: a table with the name \"n\" and the number 1 as keys; use names alone, or positions from 1 on";
    for _ in 0..50 {
        assert_eq!(Bench::new().text(chunk, ""), Err(message.into()));
    }
    // A hundred nodes that all know each other: there is no end to the ways through them.
    let web = "local t = {} for i = 1, 100 do t['n' .. i] = {} end for _, n in pairs(t) do for k, m in pairs(t) do n[k] = m end end return (host.json_encode(t))";
    let began = std::time::Instant::now();
    let refused = Bench::new().text(web, "").expect_err("it is full of cycles");
    assert!(refused.ends_with("a cycle: this table holds itself; break it before encoding"), "{refused}");
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn messages_are_bounded() {
    let bench = Bench::new();
    let long = "k".repeat(100_000);
    let encoded = bench.text("local k = ... return (host.json_encode({[k] = {[k] = print}}))", &long);
    let decoded = bench.text("return (host.json_decode(...))", &format!("{{\"{long}\":{{\"{long}\":[1e999,\"{long}\"]}}}}"));
    let passed_on = bench.text("return (host.json_decode(nil, ...))", &long);
    for message in [encoded, decoded, passed_on] {
        let message = message.expect_err("each is refused");
        assert!(message.len() < 600, "{} bytes: {message}", message.len());
    }
}

#[test]
fn text_that_would_pass_the_budget_ends_as_memory() {
    // Each level doubles: a table of a hundred tables stands for 2^100 values.
    let doubling = "local t = {} for _ = 1, 99 do t = {t, t} end return (host.json_encode(t))";
    let bench = Bench::with_memory(4 << 20);
    bench.text(doubling, "").expect_err("it cannot end well");
    assert_eq!(bench.fired(), Some(Bound::Memory));
    let bench = Bench::with_memory(4 << 20);
    let document = format!("[{}0]", "0,".repeat(1 << 19));
    bench.text("return (host.json_decode(...))", &document).expect_err("the tape alone takes four megabytes");
    assert_eq!(bench.fired(), Some(Bound::Memory));
}
