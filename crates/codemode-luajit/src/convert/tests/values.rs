//! What becomes of single values.

use super::Bench;

#[test]
fn a_value_has_one_text() {
    let bench = Bench::new();
    let table = [
        ("return host.json_encode(nil)", "null"),
        ("return host.json_encode(host.json_null)", "null"),
        ("return host.json_encode(true)", "true"),
        ("return host.json_encode(-1.5)", "-1.5"),
        ("return host.json_encode(2^53)", "9007199254740992"),
        ("return host.json_encode(2^60)", "1.152921504606847e+18"),
        ("return host.json_encode('a\"b\\n\\0€')", "\"a\\\"b\\n\\u0000€\""),
        ("return host.json_encode({})", "{}"),
        ("return host.json_encode(host.json_array())", "[]"),
        ("return host.json_encode(host.json_array({}))", "[]"),
        ("return host.json_encode(host.json_array({1,2}))", "[1,2]"),
        ("return host.json_encode({1,'a',{},{false}})", "[1,\"a\",{},[false]]"),
        ("return host.json_encode({z=1,a={c=2,b=3},m=host.json_null})", "{\"a\":{\"b\":3,\"c\":2},\"m\":null,\"z\":1}"),
        ("local t = {} for i = 5, 1, -1 do t[i] = i end return host.json_encode(t)", "[1,2,3,4,5]"),
        ("local t = {n=1} t.n = nil t[1] = 'x' return host.json_encode(t)", "[\"x\"]"),
        ("local t = setmetatable({1}, {__index = error, __len = error, __pairs = error}) return host.json_encode(t)", "[1]"),
        ("local one = {1} return host.json_encode({one, one})", "[[1],[1]]"),
        ("return tostring(host.json_null)", "null"),
        ("return tostring(host.json_null == host.json_decode('null'))", "true"),
        ("return tostring(host.json_decode('[null]')[1] and true)", "true"),
        ("return type(host.json_null)", "userdata"),
        ("return tostring(getmetatable(host.json_null))", "false"),
        ("local t = host.json_decode('[1]') t[1] = nil return host.json_encode(t)", "[]"),
        ("local t = {} return tostring(host.json_array(t) == t)", "true"),
        ("return host.json_decode('{\"a\":1,\"a\":\"2\"}').a", "2"),
        ("return tostring(host.json_decode('[1,2,3]')[3])", "3"),
        ("return host.json_decode('{\"id\":12345678901234567890}', {big_integers = 'text'}).id", "12345678901234567890"),
        ("return host.json_encode(host.json_decode('[-99999999999999999]', {big_integers = 'text'}))", "[\"-99999999999999999\"]"),
    ];
    for (chunk, text) in table {
        assert_eq!(bench.text(chunk, ""), Ok(text.to_owned()), "{chunk}");
    }
}

#[test]
fn documents_come_back_as_they_were_with_sorted_keys() {
    let bench = Bench::new();
    let deepest = "[".repeat(100) + &"]".repeat(100);
    let table = [
        (" [ 1 , -0 , 0.5e+1 , 1E-2, 1e300 ]\r\n\t", "[1,0,5,0.01,1e+300]"),
        ("{\"b\":[],\"a\":{},\"\":[[]]}", "{\"\":[[]],\"a\":{},\"b\":[]}"),
        ("\"\\u0041\\ud834\\udd1e\\/\\b\\f\\u00e9\"", "\"A𝄞/\\b\\fé\""),
        ("[true,false,null]", "[true,false,null]"),
        ("{\"x\":null}", "{\"x\":null}"),
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993.0", "9007199254740992"),
        ("1e-400", "0"),
        (&deepest, &deepest),
    ];
    for (document, text) in table {
        assert_eq!(bench.round(document), Ok(text.to_owned()), "{document}");
    }
}
