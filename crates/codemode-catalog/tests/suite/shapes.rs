//! What shapes say, one schema a line.

use codemode_catalog::{Definition, Field, Form, Rest, Shape, ShapeLimits};
use serde_json::{Value, json};

fn line(schema: &Value) -> String {
    Shape::read(schema, "Input", &ShapeLimits::default()).line(400)
}

#[test]
fn forms_of_schemas() {
    for (schema, expected) in [
        (json!(true), "any"),
        (json!(false), "never"),
        (json!(7), "any"),
        (json!({}), "any"),
        (json!({"type": "string", "minLength": 3}), "string"),
        (json!({"type": ["string", "null"]}), "string|null"),
        (json!({"type": "unheard of"}), "any"),
        (json!({"const": "a"}), "\"a\""),
        (json!({"enum": ["a", 1, null, true, "a"]}), "\"a\"|1|true|null"),
        (json!({"enum": []}), "never"),
        (json!({"type": "integer", "enum": ["a", 1]}), "1"),
        (json!({"type": "array"}), "any[]"),
        (json!({"items": {"type": ["string", "integer"]}}), "(string|integer)[]"),
        (json!({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}), "number[][]"),
        (json!({"type": "array", "items": false}), "never[]"),
        (json!({"prefixItems": [{"type": "string"}], "items": false}), "[string]"),
        (json!({"prefixItems": [{"type": "string"}], "items": {"type": "null"}}), "[string, …null[]]"),
        (json!({"items": [{"type": "string"}], "additionalItems": false}), "[string]"),
        (json!({"type": "object"}), "{}"),
        (json!({"type": "object", "additionalProperties": {"type": "integer"}}), "{[string]: integer}"),
        (json!({"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}), "{a?: any, [string]: integer}"),
        (json!({"properties": {"b": true, "a": true}, "required": ["a", "c"]}), "{a: any, c: any, b?: any}"),
        (json!({"nullable": true, "type": "string"}), "string|null"),
    ] {
        assert_eq!(line(&schema), expected, "{schema}");
    }
}

#[test]
fn schemas_put_together() {
    let defs =
        json!({"Name": {"type": "string"}, "Base": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}});
    for (schema, expected) in [
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), "string|null"),
        (json!({"anyOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": "null"}]}), "string|null"),
        (json!({"oneOf": [{"const": "a"}, {"const": "b"}]}), "\"a\"|\"b\""),
        (json!({"anyOf": [{"type": "string"}, {}]}), "any"),
        (json!({"allOf": [{"type": "number"}, {"type": "integer"}]}), "integer"),
        (
            json!({"allOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"b": {}}, "required": ["a"]}]}),
            "{a: string, b?: any}",
        ),
        (json!({"allOf": [{"type": "string"}, {"enum": ["a", "b"]}]}), "\"a\"|\"b\""),
        (json!({"type": ["string", "integer"], "allOf": [{"type": "integer"}]}), "integer"),
        (json!({"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"x": {"$ref": "#/$defs/Name"}}}]}), "{id: integer, x?: string}"),
        (json!({"$ref": "#/$defs/Base", "properties": {"x": {}}, "required": ["x"]}), "{x: any, id: integer}"),
        (json!({"allOf": [{"$ref": "#/$defs/Base"}], "description": "as pydantic writes it"}), "{id: integer}"),
        (json!({"properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}), "{a?: string}"),
        (
            json!({"properties": {"a": {}}, "oneOf": [{"properties": {"b": {}}}, {"$ref": "#/$defs/Base"}]}),
            "{a?: any, b?: any}|{id: integer, a?: any}",
        ),
        (json!({"anyOf": [{"$ref": "#/$defs/Name"}, {"type": "string"}]}), "string"),
        (json!({"anyOf": [{"$ref": "#/$defs/Nowhere"}, {"type": "string"}]}), "any"),
    ] {
        let mut schema = schema;
        schema["$defs"] = defs.clone();
        assert_eq!(line(&schema), expected, "{schema}");
    }
}

#[test]
fn a_shape_has_each_definition_once_and_keeps_what_is_said() {
    let schema = json!({
        "type": "object",
        "properties": {
            "price": {"$ref": "#/$defs/Money", "description": "What it costs."},
            "name": {"$ref": "#/$defs/Name"},
            "old": {"$ref": "#/$defs/Money", "deprecated": true},
            "limit": {"type": "integer", "minimum": 1, "maximum": 10, "default": 5},
        },
        "$defs": {
            "Money": {"type": "object", "description": "An amount.", "properties": {"cents": {"type": "integer"}}, "additionalProperties": false},
            "Name": {"type": "string", "description": "A  name\nof two lines."},
            "Unused": {"type": "object"},
        },
    });
    let shape = Shape::read(&schema, "Input", &ShapeLimits::default());
    let names: Vec<&str> = shape.definitions.iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["Input", "Money"]);
    let Form::Object(input) = shape.form() else { panic!("{:?}", shape.form()) };
    let said: Vec<(&str, &Form, Option<&str>)> =
        input.fields.iter().map(|field| (field.name.as_str(), &field.form, field.description.as_deref())).collect();
    assert_eq!(
        said,
        [
            ("price", &Form::Reference(1), Some("What it costs.")),
            ("name", &Form::String, Some("A name of two lines.")),
            ("old", &Form::Reference(1), None),
            ("limit", &Form::Integer, None),
        ]
    );
    assert!(input.fields[2].facts.deprecated);
    let facts = &input.fields[3].facts;
    let figures = [&facts.minimum, &facts.maximum, &facts.default].map(|figure| figure.as_deref());
    assert_eq!(figures, [Some("1"), Some("10"), Some("5")]);
    let Definition { description, form: Form::Object(money), .. } = &shape.definitions[1] else { panic!("{:?}", shape.definitions[1]) };
    assert_eq!(description.as_deref(), Some("An amount."));
    assert_eq!((&money.rest, money.omitted), (&Rest::Closed, 0));
    assert!(matches!(money.fields.as_slice(), [Field { form: Form::Integer, required: false, .. }]));
}

#[test]
fn limits_cut_and_count() {
    let limits = ShapeLimits { depth: 2, nodes: 10, fields: 3, values: 2, variants: 2, text_bytes: 8, name_bytes: 4 };
    let read = |schema: &Value| Shape::read(schema, "Input", &limits);
    let fields = read(&json!({"properties": {"a": {}, "b": {}, "too long": {}, "c": {}, "d": {}}}));
    let Form::Object(object) = fields.form() else { panic!("{:?}", fields.form()) };
    assert_eq!((object.fields.len(), object.omitted), (3, 2));
    for (schema, expected) in [
        (json!({"enum": ["a", "b", "c", "too long"]}), "\"a\"|\"b\"|…"),
        (json!({"enum": ["too long"]}), "string"),
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "integer"}]}), "string|null|…"),
        (json!({"items": {"items": {"items": {"items": {"type": "string"}}}}}), "any[][][]"),
        (json!({"prefixItems": [{}, {}, {}]}), "[any, any, any, …]"),
    ] {
        assert_eq!(read(&schema).line(400), expected, "{schema}");
    }
}
