//! The layer among others: when it checks, what it passes on, what it warns of, and how long it takes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use codemode_core::{Answer, Call, CallContext, Catalog, Json, Layer, Note, Rest, RunId, Stage, ToolHost, ToolSpec};
use codemode_policy::Validate;
use codemode_testbed::Notes;
use serde_json::{Map, Value, json};

fn json_of(value: Value) -> Json {
    Json::from_value(value).expect("not too deep")
}

fn tool(schema: Value) -> ToolSpec {
    ToolSpec::new("t").with_input_schema(json_of(schema))
}

/// A host that answers with the arguments it was called with.
struct Echo;

#[async_trait]
impl ToolHost for Echo {
    fn catalog(&self) -> Arc<Catalog> {
        Arc::default()
    }

    async fn call(&self, _context: &CallContext, call: Call) -> Answer {
        Answer::structured(call.arguments)
    }
}

/// A layer that puts other arguments in place of those of the call, as a hook may.
struct Rewrite(Json);

#[async_trait]
impl Layer for Rewrite {
    fn stage(&self) -> Stage {
        Stage::Hooks
    }

    async fn call(&self, context: &CallContext, call: Call, rest: Rest<'_>) -> Answer {
        rest.call(context, Call { arguments: self.0.clone(), ..call }).await
    }
}

async fn call(layers: &[Arc<dyn Layer>], context: &CallContext, tool: &ToolSpec, arguments: Value) -> Answer {
    let call = Call { tool: Arc::new(tool.clone()), arguments: json_of(arguments) };
    Rest::new(layers, &Echo).call(context, call).await
}

#[tokio::test]
async fn arguments_are_checked_at_admission_and_again_after_hooks() {
    let tool = tool(json!({"properties": {"n": {"type": "integer"}}, "required": ["n"]}));
    let validate = Validate::new();
    assert_eq!(validate.stage(), Stage::Validate);
    let fault = validate.admit(&tool, &json_of(json!({"n": "x"}))).expect_err("no integer");
    assert_eq!(fault.message, "invalid arguments for t: n is \"x\"; allowed: integer");
    assert_eq!(validate.admit(&tool, &json_of(json!({"n": 1}))), Ok(()));

    let validate: Arc<dyn Layer> = Arc::new(validate);
    let context = CallContext::direct("t");
    let plain = call(&[Arc::clone(&validate)], &context, &tool, json!({"n": 1})).await;
    assert_eq!(plain, Answer::structured(json_of(json!({"n": 1}))));
    let worse: Arc<dyn Layer> = Arc::new(Rewrite(json_of(json!({"n": "x"}))));
    assert_eq!(call(&[worse, Arc::clone(&validate)], &context, &tool, json!({"n": 1})).await, Answer::NotRun(fault));
    let better: Arc<dyn Layer> = Arc::new(Rewrite(json_of(json!({"n": 2}))));
    let rewritten = call(&[better, validate], &context, &tool, json!({"n": 1})).await;
    assert_eq!(rewritten, Answer::structured(json_of(json!({"n": 2}))));
}

#[tokio::test]
async fn a_schema_of_no_use_warns_a_run_once_and_lets_objects_through() {
    let lost = tool(json!({"properties": {"x": {"$ref": "https://schemas.example.invalid/x.json"}}, "required": ["y"]}));
    let warning = "the arguments of t are not checked, since its input schema is of no use: it refers to what is not in it";
    let validate: Arc<dyn Layer> = Arc::new(Validate::new());
    let notes = Notes::new();
    for run in ["first", "first", "second"] {
        let mut context = notes.context("t");
        context.run = Some(RunId::from_text(run));
        let answer = call(&[Arc::clone(&validate)], &context, &lost, json!({"anything": 1})).await;
        assert_eq!(answer, Answer::structured(json_of(json!({"anything": 1}))));
        let sound = tool(json!({"type": "object"}));
        call(&[Arc::clone(&validate)], &context, &sound, json!({})).await;
    }
    assert_eq!(notes.all(), [Note::Warning(warning.to_owned()), Note::Warning(warning.to_owned())]);
}

#[test]
fn schemas_of_no_use_say_why() {
    let mut twice = Map::new();
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/D{}", level + 1)});
        twice.insert(format!("D{level}"), json!({"allOf": [next, next]}));
    }
    twice.insert("D40".to_owned(), json!({"type": "object"}));
    let twice = json!({"$ref": "#/$defs/D0", "$defs": twice});
    let many: Map<String, Value> = (0..60_000).map(|number| (number.to_string(), json!({}))).collect();
    for (schema, why) in [
        (json!({"$ref": "#/$defs/Missing"}), "it refers to what is not in it"),
        (json!({"$ref": "file:///no/such/schema.json"}), "it refers to what is not in it"),
        (json!({"properties": {"y": {"pattern": "("}}}), "\"(\" is not a \"regex\""),
        (json!({"type": 7}), "7 is not valid under any of the schemas listed in the 'anyOf' keyword"),
        (twice, "its parts use each other too often to be checked in bounded time"),
        (json!({"properties": many, "type": "object"}), "it has 648922 bytes, and at most 524288 are read"),
    ] {
        let tool = tool(schema.clone());
        let expected = format!("the arguments of t are not checked, since its input schema is of no use: {why}");
        let validate = Validate::new();
        assert_eq!(validate.warning(&tool), Some(expected));
        assert_eq!(validate.check(&tool, &json_of(json!({"x": 1}))), Ok(()));
    }
    assert_eq!(Validate::new().warning(&ToolSpec::new("bare")), None);
    assert_eq!(Validate::new().warning(&tool(json!(true))), None);
}

#[test]
fn no_schema_holds_up_the_host() {
    let either = json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["zz"]});
    let tree = json!({"anyOf": [either, either.clone(), {"type": "string"}]});
    let nested = |depth: usize| (0..depth).fold(json!(1), |value, _| json!({"a": value}));
    let wide: Vec<Value> = (0..500).map(|number| json!({"const": number})).collect();
    let numbers = Value::Array((1_000..2_500).map(Value::from).collect());
    let evil = json!({"properties": {"x": {"pattern": "^(([ab]{1,50}c?){1,50})+$"}}});
    let back = json!({"additionalProperties": {"pattern": "^(?=(a+)+$)(a+)+\\2b$"}});
    let texts: Map<String, Value> = (0..400).map(|number| (number.to_string(), json!("a".repeat(60)))).collect();
    let mut unevaluated = json!({"properties": {"a": {}}});
    for _ in 0..12 {
        unevaluated = json!({"allOf": [unevaluated], "unevaluatedProperties": false});
    }
    let unexplained = "invalid arguments for t: they do not fit, and are too many to say where; try with fewer";
    let too_long = |bytes: usize| {
        format!("invalid arguments for t: they have {bytes} bytes, which takes too long to check against its schema; send less at once")
    };
    for (schema, arguments, expected) in [
        (tree.clone(), nested(3), "invalid arguments for t: the arguments are {\"a\":{\"a\":{\"a\":1}}}; allowed: ".to_owned()),
        (tree.clone(), nested(14), unexplained.to_owned()),
        (tree, nested(60), too_long(361)),
        (json!({"properties": {"x": {"items": {"anyOf": wide}}}}), json!({"x": numbers}), unexplained.to_owned()),
        (evil, json!({"x": "ab".repeat(50_000)}), too_long(100_008)),
        (back, Value::Object(texts), "invalid arguments for t: 400 problems".to_owned()),
        (unevaluated, json!({"a": 1}), String::new()),
    ] {
        let tool = tool(schema);
        let start = Instant::now();
        let message = Validate::new().check(&tool, &json_of(arguments)).map_or_else(|fault| fault.message, |()| String::new());
        let took = start.elapsed();
        let begins = message.get(..expected.len()).is_some_and(|start| start == expected);
        assert!(begins && (!message.is_empty() || expected.is_empty()), "{message:?} is not {expected:?}");
        // An unoptimised build on a busy machine takes about a tenth of this.
        assert!(took < Duration::from_secs(10), "{took:?}: {message}");
    }
}

#[test]
fn compiled_schemas_are_kept_up_to_a_number() {
    let validate = Validate::keeping(2);
    let tools: Vec<ToolSpec> = ["a", "b", "c"].map(|name| tool(json!({"required": [name]}))).into();
    for _ in 0..3 {
        for (tool, name) in tools.iter().zip(["a", "b", "c"]) {
            assert_eq!(validate.check(tool, &json_of(json!({name: 1}))), Ok(()));
            let fault = validate.check(tool, &Json::empty_object()).expect_err("it lacks a field");
            assert_eq!(fault.message, format!("invalid arguments for t: {name} is missing"));
        }
    }
    assert_eq!(format!("{validate:?}"), "Validate { schemas: 2, .. }");
}
