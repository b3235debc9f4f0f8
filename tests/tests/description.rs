//! What the description of `run_code` says of programs, run on the engines: its example, and each of its rules.

use std::sync::Arc;

use codemode_catalog::{DescriptionOptions, describe_run_code};
use codemode_core::{Annotations, Answer, Catalog, Engine, Fault, FnHost, Json, Outcome, Profile, RunRequest, Runner, ToolHost, ToolSpec};
use codemode_luajit::LuaJit;
use codemode_quickjs::QuickJs;

fn json(text: &str) -> Json {
    Json::parse(text).expect("json")
}

/// The tools of the examples and of the rules: orders and their invoices, a text, a failure, a refusal, a server's tool, and a tool that waits until it is called twice.
fn host() -> Arc<dyn ToolHost> {
    let both = Arc::new(tokio::sync::Barrier::new(2));
    let tools = [
        ToolSpec::new("list_orders"),
        ToolSpec::new("get_invoice"),
        ToolSpec::new("some-text"),
        ToolSpec::new("fails"),
        ToolSpec::new("refused"),
        ToolSpec::new("meet"),
        ToolSpec::new("shop__look").in_namespace("shop", "look"),
    ]
    .map(|tool| tool.with_annotations(Annotations::read_only()).with_description("Is for sale"));
    let host = FnHost::new(Catalog::new(tools).expect("distinct"), move |_, call| {
        let both = Arc::clone(&both);
        async move {
            let order = call.arguments.tree()["order"].as_i64();
            match &*call.tool.name {
                // As text it is the list alone, which is what the example for Lua reads.
                "list_orders" => Answer::Succeeded(codemode_core::Content::text_and_structured(
                    r#"[{"id":1},{"id":2},{"id":3}]"#,
                    json(r#"{"orders":[{"id":1},{"id":2},{"id":3}]}"#),
                )),
                "get_invoice" => match order {
                    Some(1) => Answer::structured(json(r#"{"order":1,"total":10,"paid":true}"#)),
                    Some(2) => Answer::structured(json(r#"{"order":2,"total":20,"paid":false}"#)),
                    _ => Answer::structured(json(r#"{"order":3,"total":30,"paid":false}"#)),
                },
                "meet" => {
                    both.wait().await;
                    Answer::text("met")
                }
                "some-text" => Answer::text("[1]"),
                "fails" => Answer::Failed(Fault::new("half_done", "only a half")),
                "refused" => Answer::denied("not today"),
                _ => Answer::structured(call.arguments),
            }
        }
    });
    Arc::new(host)
}

async fn run(profile: &Profile, source: &str) -> Outcome {
    let engine: Arc<dyn Engine> = if profile.name() == "script" { Arc::new(LuaJit::new()) } else { Arc::new(QuickJs::new()) };
    let runner = Runner::builder(engine, profile.clone(), host()).build().expect("a runner");
    runner.run(RunRequest::new(source).with_intent("to test")).await.expect("no host error")
}

fn described(profile: &Profile) -> String {
    describe_run_code(&Catalog::default(), &DescriptionOptions::new(profile)).text
}

/// What is between the fences of a description.
fn example(text: &str) -> &str {
    let (_, after) = text.split_once("```").expect("there is an example");
    let (code, _) = after.split_once("\n```").expect("it ends");
    code.split_once('\n').expect("it has lines").1
}

#[tokio::test]
async fn the_example_runs_under_each_profile() {
    let unpaid = r#"[{"order":2,"total":20},{"order":3,"total":30}]"#;
    for (profile, value, output) in [
        (Profile::script(), None, "2\tunpaid\n3\tunpaid\n"),
        (Profile::batch(), Some("[2,3]"), ""),
        (Profile::batch().with_call_intents(true), Some("[2,3]"), ""),
        (Profile::program(), Some(unpaid), ""),
        (Profile::cell(), Some(unpaid), ""),
        (Profile::cell().with_namespace("agent"), Some(unpaid), ""),
        (Profile::script().with_namespace("raw"), None, "2\tunpaid\n3\tunpaid\n"),
    ] {
        let text = described(&profile);
        let outcome = run(&profile, example(&text)).await;
        assert_eq!(outcome.failure, None, "{text}");
        assert_eq!((outcome.value.as_ref().map(Json::text), &*outcome.output, outcome.ledger.len()), (value, output, 4), "{text}");
    }
}

/// Each rule that a program can show: the words of the description, a program, and its value or its output.
async fn hold(profile: &Profile, rules: &[(&str, &str, &str)]) {
    let text = described(profile);
    for (words, program, expected) in rules {
        assert!(text.contains(words), "the description does not say {words:?}:\n{text}");
        let outcome = run(profile, program).await;
        let given = if profile.value_is_output { outcome.output.as_str() } else { outcome.value.as_ref().map_or("", Json::text) };
        assert_eq!((outcome.failure.as_ref().map(|failure| &*failure.message), given), (None, *expected), "{words}\n{program}");
    }
}

#[tokio::test]
async fn the_rules_of_program_are_true() {
    let profile = Profile::program();
    hold(
        &profile,
        &[
            ("The code may use `await` anywhere; `return` gives the value", "const f = await tools.shop__look({a: 1}); return f", r#"{"a":1}"#),
            ("else the last expression does", "let n: number = 1; n + 1", "2"),
            ("There are no imports, files or `fetch`", "[typeof fetch, typeof require, typeof fs]", r#"["undefined","undefined","undefined"]"#),
            ("gives its structured result, else its text, in which JSON is not parsed", "await tools['some-text']({})", r#""[1]""#),
            ("`tools.call(\"name\", {})` takes any name", "await tools.call('some-text', {})", r#""[1]""#),
            (
                "`code`, `message`, `data`, `fix`, and `ran`, which is false where nothing happened",
                "(await Promise.all([tools.fails(), tools.refused()].map(p => p.catch(e => [e instanceof ToolError, e.code, e.message, e.ran]))))",
                r#"[[true,"half_done","only a half",true],[true,"denied","not today",false]]"#,
            ),
            (
                "give values at once, and count as no calls",
                "tools.search('shop sale'); tools.describe('fails'); [tools.list().length, tools.search('look')[0].name, tools.describe('fails').name, \
                 tools.budget().inner_calls.used]",
                r#"[7,"shop__look","fails",0]"#,
            ),
            ("Of tools that only read, up to 64 calls run at once: start them together with `Promise.all`", "await Promise.all([tools.meet(), tools.meet()])", r#"["met","met"]"#),
        ],
    )
    .await;
}

#[tokio::test]
async fn the_rules_of_cell_are_true() {
    let profile = Profile::cell().with_namespace("agent");
    hold(
        &profile,
        &[
            ("`await agent.name({})` calls a tool", "await agent.shop__look({a: 1})", r#"{"a":1}"#),
            (
                "Calls run one after the other, in the order in which they are made.",
                "const order = []; await Promise.all([2, 1].map(o => agent.get_invoice({order: o}).then(i => order.push(i.order)))); order",
                "[2,1]",
            ),
            ("`scratch` keeps any values for later runs", "scratch.f = () => 1; scratch.f()", "1"),
            ("`state` keeps JSON, committed where the run succeeds", "state.n = 1; state.n", "1"),
        ],
    )
    .await;
}

#[tokio::test]
async fn the_rules_of_batch_are_true() {
    hold(
        &Profile::batch(),
        &[
            ("only `return` gives a value", "1 + 1", "null"),
            ("gives `{success: true, content}`", "return tools.call('shop__look', {a: 1}).success", "true"),
            (
                "or `{success: false, error: {code, message}}`, at once, and does not throw",
                "return ['fails', 'refused', 'nothing'].map(name => { const r = tools.call(name, {}); return [r.success, r.error.code] })",
                r#"[[false,"half_done"],[false,"denied"],[false,"unknown_tool"]]"#,
            ),
            (
                "`content` is the tool's own structured result, else `{text}`",
                "return [tools.call('get_invoice', {order: 1}).content, tools.call('some-text', {}).content]",
                r#"[{"order":1,"total":10,"paid":true},{"text":"[1]"}]"#,
            ),
            (
                "`tools.search(\"words\")` gives the tools that fit all words",
                "return [tools.search('shop nothing').length, tools.search('refused').length, tools.describe('fails').name, tools.budget().inner_calls.used]",
                r#"[0,1,"fails",0]"#,
            ),
        ],
    )
    .await;
    hold(
        &Profile::batch().with_call_intents(true),
        &[(
            "Each call says in `intent` why it is made; a server's tool has its arguments inside `arguments`.",
            "return [tools.call('shop__look', {intent: 'see', arguments: {a: 1}}).success, tools.call('shop__look', {a: 1}).error.code]",
            r#"[true,"invalid_arguments"]"#,
        )],
    )
    .await;
}

#[tokio::test]
async fn the_rules_of_script_are_true() {
    hold(
        &Profile::script(),
        &[
            ("gives what it prints, else what it returns", "return 'x'", "x"),
            ("`tool[\"any name\"]{}` does so for names that are no identifiers", "print(tool['some-text']{})", "[1]\n"),
            ("It gives `nil, message` where the tool reports failure", "print(tool.fails{})", "nil\tonly a half\n"),
            ("raises where the tool was not run", "print(pcall(tool.refused, {}))", "false\tnot today\n"),
            (
                "`host.call(\"name\", {})` raises nothing: it gives `{ok, content, status}`",
                "local r = host.call('refused', {}) print(r.ok, r.content, r.status)",
                "false\tnot today\tdenied\n",
            ),
            (
                "`host.json_decode(text)` and `host.json_encode(value)` read and write JSON; `host.json_null` is its null",
                "print(host.json_encode(host.json_decode('[null]')), host.json_decode('[null]')[1] == host.json_null)",
                "[null]\ttrue\n",
            ),
            (
                "`host.search(\"words\")` and `host.describe(\"name\")` find tools, `host.tools()` gives all names",
                "print(host.search('refused')[1].name, host.describe('fails').name, #host.tools())",
                "refused\tfails\t7\n",
            ),
            ("`io` and `os` are there", "print(type(io.open), type(os.getenv))", "function\tfunction\n"),
        ],
    )
    .await;
    let without = Profile::script().with_authority(codemode_core::Authority::None);
    hold(
        &without,
        &[("There are no files and no commands but by tools", "print(io and io.open, os and os.execute, loadfile)", "nil\tnil\tnil\n")],
    )
    .await;
}
