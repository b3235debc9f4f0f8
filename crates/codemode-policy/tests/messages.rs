//! What is said about arguments that do not fit: whole messages, one schema and its arguments after the other.

use codemode_core::{Fault, Json, ToolSpec, code};
use codemode_policy::Validate;
use serde_json::{Value, json};

fn json_of(value: Value) -> Json {
    Json::from_value(value).expect("not too deep")
}

/// The fault for these arguments of a tool `t` with this schema; `None` where they fit.
fn fault(schema: &Value, arguments: &Value) -> Option<Fault> {
    let tool = ToolSpec::new("t").with_input_schema(json_of(schema.clone()));
    Validate::new().check(&tool, &json_of(arguments.clone())).err()
}

/// Checks each pair of arguments and message for one schema; an empty message stands for arguments that fit.
fn check(schema: Value, cases: &[(Value, &str)]) {
    for (arguments, expected) in cases {
        let message = fault(&schema, arguments).map_or_else(String::new, |fault| fault.message);
        let expected = if expected.is_empty() { String::new() } else { format!("invalid arguments for t: {expected}") };
        assert_eq!(message, expected, "{arguments} against {schema}");
    }
}

#[test]
fn a_fault_says_what_is_wrong_and_how_to_call_the_tool() {
    let schema = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "start_line": {"type": "integer", "minimum": 1}},
        "required": ["path"],
        "additionalProperties": false,
    });
    let tool = ToolSpec::new("read_file").with_input_schema(json_of(schema));
    let validate = Validate::new();
    assert_eq!(validate.check(&tool, &json_of(json!({"path": "a", "start_line": 1}))), Ok(()));
    let fault = validate.check(&tool, &json_of(json!({"pth": "a", "start_line": 0}))).expect_err("it does not fit");
    let expected = Fault::new(
        code::INVALID_ARGUMENTS,
        "invalid arguments for read_file: 3 problems\n\
         - pth is no parameter; did you mean path?\n\
         - path is missing; allowed: string\n\
         - start_line is 0; allowed: at least 1",
    )
    .with_fix("read_file takes {path: string, start_line?: integer}");
    assert_eq!(fault, expected);
}

#[test]
fn names() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "filter": {"$ref": "#/$defs/Filter"},
            "rows": {"type": "array", "items": {"$ref": "#/$defs/Filter"}},
        },
        "required": ["path"],
        "additionalProperties": false,
        "$defs": {"Filter": {
            "type": "object",
            "properties": {"field name": {"enum": ["a", "b"]}, "values": {"type": "array", "items": {"type": "string"}}},
            "required": ["field name", "values"],
            "additionalProperties": false,
        }},
    });
    check(
        schema,
        &[
            (json!({"path": "a"}), ""),
            (json!({}), "path is missing; allowed: string"),
            (json!({"path": "a", "Path": "b"}), "Path is no parameter; there are path, filter, rows"),
            (json!({"path": "a", "zebra": 1}), "zebra is no parameter; there are path, filter, rows"),
            (json!({"path": "a", "fliter": 1}), "fliter is no parameter; did you mean filter?"),
            (
                json!({"path": "a", "filter": {}}),
                "2 problems\n- filter[\"field name\"] is missing; allowed: \"a\"|\"b\"\n- filter.values is missing; allowed: string[]",
            ),
            (
                json!({"path": "a", "rows": [{"field name": "a", "values": []}, {"field name": "c", "values": ["x", 7], "vals": 1}]}),
                "3 problems\n\
                 - rows[1].vals is no field; there are \"field name\", values\n\
                 - rows[1][\"field name\"] is \"c\"; allowed: \"a\"|\"b\"\n\
                 - rows[1].values[1] is 7; allowed: string",
            ),
            (json!({"path": "a", "filter": [1]}), "filter is [1]; allowed: {\"field name\": \"a\"|\"b\", values: string[]}"),
        ],
    );
    check(json!({"type": "object", "additionalProperties": false}), &[(json!({"a": 1}), "a is no parameter; there are no parameters")]);
    check(json!({"type": "object", "required": ["a"]}), &[(json!({}), "a is missing")]);
    check(
        json!({"allOf": [{"properties": {"path": {}}}], "unevaluatedProperties": false}),
        &[(json!({"paht": 1}), "paht is no parameter; did you mean path?")],
    );
}

#[test]
fn values() {
    let schema = json!({"properties": {
        "int": {"type": "integer", "minimum": 1, "maximum": 10},
        "num": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "five": {"multipleOf": 5},
        "text": {"type": "string", "minLength": 1, "maxLength": 5},
        "slug": {"type": "string", "pattern": "^[a-z]+$"},
        "flag": {"type": "boolean"},
        "state": {"enum": ["open", "closed", "all"]},
        "const": {"const": "yes"},
        "list": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2, "uniqueItems": true},
        "pair": {"prefixItems": [{"type": "string"}, {"type": "number"}], "items": false},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 2},
        "names": {"propertyNames": {"maxLength": 2}},
        "has": {"contains": {"type": "integer"}},
        "none": false,
        "not": {"not": {"type": "string"}},
        "date": {"type": "string", "format": "date"},
    }});
    check(
        schema,
        &[
            (json!({"int": 5, "num": 0.5, "five": 10, "text": "äöü", "slug": "a", "flag": true, "date": "tomorrow"}), ""),
            (json!({"int": 5.0}), ""),
            (json!({"int": "5"}), "int is \"5\"; allowed: integer"),
            (json!({"int": 5.5}), "int is 5.5; allowed: integer"),
            (json!({"int": 0}), "int is 0; allowed: at least 1"),
            (json!({"int": 11}), "int is 11; allowed: at most 10"),
            (json!({"num": 0}), "num is 0; allowed: more than 0"),
            (json!({"num": 1}), "num is 1; allowed: less than 1"),
            (json!({"num": null}), "num is null; allowed: number"),
            (json!({"five": 7}), "five is 7; allowed: a multiple of 5"),
            (json!({"text": ""}), "text is \"\"; allowed: at least 1 character"),
            (json!({"text": "abcdefg"}), "text is \"abcdefg\"; it has 7 characters; allowed: at most 5"),
            (json!({"slug": "A b"}), "slug is \"A b\"; allowed: text that matches ^[a-z]+$"),
            (json!({"flag": "true"}), "flag is \"true\"; allowed: boolean"),
            (json!({"state": "opened"}), "state is \"opened\"; allowed: \"open\"|\"closed\"|\"all\"; did you mean \"open\"?"),
            (json!({"state": 1}), "state is 1; allowed: \"open\"|\"closed\"|\"all\""),
            (json!({"const": "no"}), "const is \"no\"; allowed: \"yes\""),
            (json!({"list": "a"}), "list is \"a\"; allowed: string[]"),
            (json!({"list": []}), "list is []; allowed: at least 1 item"),
            (json!({"list": ["a", "b", "c"]}), "list is [\"a\",\"b\",\"c\"]; it has 3 items; allowed: at most 2"),
            (json!({"list": ["a", "a"]}), "list is [\"a\",\"a\"]; allowed: items that differ from each other"),
            (json!({"pair": ["a", 1, 2]}), "pair[2] is 2; it must be left out"),
            (json!({"pair": [1]}), "pair[0] is 1; allowed: string"),
            (json!({"map": {"a": "x"}}), "map.a is \"x\"; allowed: integer"),
            (json!({"map": {"a": 1, "b": 2, "c": 3}}), "map is {\"a\":1,\"b\":2,\"c\":3}; allowed: at most 2 fields"),
            (json!({"names": {"abc": 1}}), "names is {\"abc\":1}; its field \"abc\" has a name that is not allowed"),
            (json!({"has": ["a"]}), "has is [\"a\"]; allowed: a list in which an item is integer"),
            (json!({"none": 1}), "none is 1; it must be left out"),
            (json!({"not": "a"}), "not is \"a\"; allowed: anything but string"),
        ],
    );
}

#[test]
fn alternatives() {
    let schema = json!({
        "properties": {
            "limit": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
            "shape": {"oneOf": [{"$ref": "#/$defs/Circle"}, {"$ref": "#/$defs/Square"}]},
            "who": {"anyOf": [{"required": ["id"]}, {"required": ["name"]}]},
            "one": {"oneOf": [{"type": "integer"}, {"type": "number"}]},
        },
        "$defs": {
            "Circle": {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
            "Square": {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
        },
    });
    check(
        schema,
        &[
            (json!({"limit": null, "shape": {"kind": "circle", "radius": 1}}), ""),
            (json!({"limit": "ten"}), "limit is \"ten\"; allowed: integer|null"),
            (json!({"limit": 0}), "limit is 0; allowed: at least 1"),
            (json!({"shape": {"kind": "circle"}}), "shape.radius is missing; allowed: number"),
            (json!({"shape": {"kind": "square", "side": "x"}}), "shape.side is \"x\"; allowed: number"),
            (
                json!({"shape": {"kind": "line"}}),
                "shape is {\"kind\":\"line\"}; allowed: {kind: \"circle\", radius: number}|{kind: \"square\", side: number}",
            ),
            (json!({"who": {}}), "who.id is missing, or who.name is missing"),
            (json!({"one": 1}), "one is 1; it fits several alternatives, and must fit exactly one of them"),
        ],
    );
    check(
        json!({
            "type": "object",
            "properties": {"kind": {"enum": ["a", "b"]}, "a": {"type": "string"}, "b": {"type": "string"}},
            "if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["a"]}, "else": {"required": ["b"]},
            "dependentRequired": {"a": ["kind"]},
        }),
        &[
            (json!({"kind": "a"}), "a is missing"),
            (json!({"kind": "b"}), "b is missing"),
            (json!({"a": "x"}), "kind is missing; allowed: \"a\"|\"b\""),
        ],
    );
}

#[test]
fn drafts() {
    let seven = "http://json-schema.org/draft-07/schema#";
    let four = "http://json-schema.org/draft-04/schema#";
    let pair = json!([{"type": "string"}, {"type": "integer"}]);
    let above_zero = json!({"minimum": 0, "exclusiveMinimum": true});
    let message = "x[1] is \"b\"; allowed: integer";
    check(json!({"$schema": seven, "properties": {"x": {"items": pair}}}), &[(json!({"x": ["a", "b"]}), message)]);
    check(json!({"$schema": four, "properties": {"x": above_zero}}), &[(json!({"x": 0}), "x is 0; allowed: more than 0")]);
    // Nothing is said of the draft, and only an older one reads it.
    check(json!({"properties": {"x": {"items": pair}}}), &[(json!({"x": ["a", "b"]}), message)]);
    check(json!({"properties": {"x": above_zero}}), &[(json!({"x": 0}), "x is 0; allowed: more than 0")]);
    // A draft that nobody knows is not looked for.
    check(json!({"$schema": "https://example.invalid/meta", "required": ["a"]}), &[(json!({}), "a is missing")]);
    // Newer keywords say nothing to an older draft.
    check(json!({"$schema": seven, "properties": {"x": {"prefixItems": pair}}}), &[(json!({"x": ["a", "b"]}), "")]);
}

#[test]
fn what_is_no_object_never_fits() {
    for schema in [json!({}), json!(true), json!({"type": "array"}), json!({"$ref": "#/nowhere"})] {
        check(
            schema,
            &[
                (json!([]), "they are []; allowed: an object"),
                (json!(null), "they are null; allowed: an object"),
                (json!("{}"), "they are \"{}\"; allowed: an object"),
            ],
        );
    }
    let bare = ToolSpec::new("bare");
    assert_eq!(Validate::new().check(&bare, &Json::empty_object()), Ok(()));
    let fault = Validate::new().check(&bare, &Json::null()).expect_err("no object");
    assert_eq!(
        fault,
        Fault::new(code::INVALID_ARGUMENTS, "invalid arguments for bare: they are null; allowed: an object").with_fix("bare takes {…}")
    );
    check(json!({"minProperties": 1}), &[(json!({}), "the arguments are {}; allowed: at least 1 field")]);
    check(json!(false), &[(json!({}), "the arguments are {}; it must be left out")]);
}

#[test]
fn many_problems_are_counted_and_hostile_ones_stay_short() {
    let strings = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let many: serde_json::Map<String, Value> = (0..3_000).map(|number| (format!("field_{number:04}"), json!(number))).collect();
    check(
        strings,
        &[(
            Value::Object(many),
            "3000 problems\n\
             - field_0000 is 0; allowed: string\n\
             - field_0001 is 1; allowed: string\n\
             - field_0002 is 2; allowed: string\n\
             - field_0003 is 3; allowed: string\n\
             - field_0004 is 4; allowed: string\n\
             - and 2995 more",
        )],
    );
    let long = "\u{1b}[31m\u{202e}x".repeat(2_000);
    let schema = json!({
        "properties": {"a": {"enum": [long, long.clone() + "y"]}, "b": {"pattern": format!("{}{{2}}", &long[..90].replace('[', "b"))}, "c": {"const": long}},
        "required": [long],
        "additionalProperties": false,
    });
    let mut arguments = json!({"a": long, "b": long, "c": "no"});
    for number in 0..5 {
        arguments[format!("{number}{long}")] = json!(long);
    }
    let tool = ToolSpec::new(long.as_str()).with_input_schema(json_of(schema));
    let fault = Validate::new().check(&tool, &json_of(arguments)).expect_err("it does not fit");
    assert!(fault.message.len() <= 2_000, "{} bytes", fault.message.len());
    assert!(fault.fix.as_ref().is_some_and(|fix| fix.len() <= 600), "{:?}", fault.fix);
    let hidden = |letter: char| letter != '\n' && (letter.is_control() || letter == '\u{202e}');
    assert!(!fault.message.contains(hidden), "{:?}", fault.message);
}
