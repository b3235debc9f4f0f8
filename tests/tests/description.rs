//! What the description of `run_code` says of programs, run on the engines: its example, and each of its rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use codemode_boa::Boa;
use codemode_catalog::{DescriptionOptions, describe_run_code};
use codemode_core::{
    Annotations, Answer, Ask, Blob, Block, Call, CallContext, Catalog, Content, Engine, FailureKind, Fault, FnHost, Json, Outcome, Profile,
    RunRequest, Runner, ToolHost, ToolSpec, discover_plainly,
};
use codemode_luajit::LuaJit;
use codemode_policy::Validate;
use codemode_quickjs::QuickJs;
use codemode_session::BlobStore;

fn json(text: &str) -> Json {
    Json::parse(text).expect("json")
}

/// A host that keeps binary parts.
struct Shop<H> {
    tools: H,
    parts: Arc<BlobStore>,
}

#[async_trait]
impl<H: ToolHost> ToolHost for Shop<H> {
    fn catalog(&self) -> Arc<Catalog> {
        self.tools.catalog()
    }

    async fn discover(&self, catalog: &Arc<Catalog>, ask: &Ask) -> Answer {
        match ask {
            Ask::Open { handle, offset, limit } => self.parts.open(handle, *offset, *limit),
            _ => discover_plainly(catalog, ask),
        }
    }

    fn blob(&self, handle: &str) -> Option<Blob> {
        self.parts.describe(handle)
    }

    async fn call(&self, context: &CallContext, call: Call) -> Answer {
        self.tools.call(context, call).await
    }
}

/// The tools of the examples and of the rules: orders and their invoices, a text, a failure, a refusal, a picture, a server's tools, a
/// tool that waits until it is called twice, and one that changes something and sees whether it is alone.
fn host() -> Arc<dyn ToolHost> {
    let parts = Arc::new(BlobStore::default());
    let pictures = Arc::clone(&parts);
    let at_work = Arc::new(AtomicUsize::new(0));
    let both = Arc::new(tokio::sync::Barrier::new(2));
    let tools = [
        ToolSpec::new("list_orders"),
        ToolSpec::new("get_invoice").with_input_schema(json(r#"{"properties":{"order":{"type":"integer"}}}"#)),
        ToolSpec::new("some-text"),
        ToolSpec::new("fails"),
        ToolSpec::new("refused"),
        ToolSpec::new("meet"),
        ToolSpec::new("picture"),
        ToolSpec::new("shop__page").in_namespace("shop", "page"),
        ToolSpec::new("shop__look").in_namespace("shop", "look"),
    ]
    .map(|tool| tool.with_annotations(Annotations::read_only()).with_description("Is for sale"));
    let tools = tools.into_iter().chain([ToolSpec::new("sell")]);
    let host = FnHost::new(Catalog::new(tools).expect("distinct"), move |_, call| {
        let (both, pictures, at_work) = (Arc::clone(&both), Arc::clone(&pictures), Arc::clone(&at_work));
        async move {
            let order = call.arguments.tree()["order"].as_i64();
            match &*call.tool.name {
                // As text it is the list alone, which is what the example for Lua reads.
                "list_orders" => Answer::Succeeded(Content::text_and_structured(
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
                "fails" => Answer::Failed(Fault::new("half_done", "only a half").with_data(json(r#"{"half":1}"#))),
                "refused" => Answer::denied("not today"),
                "picture" => {
                    let part = pictures.keep("image/png", vec![1, 2, 3]).expect("it is small");
                    Answer::Succeeded(Content { blobs: vec![part], ..Content::default() })
                }
                "shop__page" => Answer::Succeeded(Content {
                    blocks: Some(Arc::from([Block::Text("a page".into())])),
                    ..Content::text_and_structured("a page", json(r#"{"n":1}"#))
                }),
                "sell" => {
                    let others = at_work.fetch_add(1, Ordering::SeqCst);
                    for _ in 0..10 {
                        tokio::task::yield_now().await;
                    }
                    at_work.fetch_sub(1, Ordering::SeqCst);
                    Answer::text(format!("{others} others"))
                }
                _ => Answer::structured(call.arguments),
            }
        }
    });
    Arc::new(Shop { tools: host, parts })
}

/// The engines that run programs of a profile.
fn runners(profile: &Profile) -> Vec<Runner> {
    let engines: Vec<Arc<dyn Engine>> = if profile.name() == "script" {
        vec![Arc::new(LuaJit::new())]
    } else {
        vec![Arc::new(QuickJs::new()), Arc::new(Boa::unbounded_in_thread())]
    };
    let runner = |engine| Runner::builder(engine, profile.clone(), host()).layer(Arc::new(Validate::new())).build().expect("a runner");
    engines.into_iter().map(runner).collect()
}

/// Programs of one session, on each engine.
async fn run_all(profile: &Profile, sources: &[&str]) -> Vec<Vec<Outcome>> {
    let mut each = Vec::new();
    for runner in runners(profile) {
        let session = runner.session();
        let mut outcomes = Vec::new();
        for source in sources {
            outcomes.push(session.run(RunRequest::new(*source).with_intent("to test")).await.expect("no host error"));
        }
        each.push(outcomes);
    }
    each
}

/// One program, on each engine.
async fn run(profile: &Profile, source: &str) -> Vec<Outcome> {
    run_all(profile, &[source]).await.into_iter().flatten().collect()
}

/// The value of an outcome, or its output where that is it.
fn given<'a>(profile: &Profile, outcome: &'a Outcome) -> &'a str {
    if profile.value_is_output { &outcome.output } else { outcome.value.as_ref().map_or("", Json::text) }
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
        for outcome in run(&profile, example(&text)).await {
            assert_eq!(outcome.failure, None, "{text}");
            assert_eq!((outcome.value.as_ref().map(Json::text), &*outcome.output, outcome.ledger.len()), (value, output, 4), "{text}");
        }
    }
}

/// Each rule that a program can show: the words of the description, a program, and its value or its output.
async fn hold(profile: &Profile, rules: &[(&str, &str, &str)]) {
    let text = described(profile);
    for (words, program, expected) in rules {
        assert!(text.contains(words), "the description does not say {words:?}:\n{text}");
        for outcome in run(profile, program).await {
            let failure = outcome.failure.as_ref().map(|failure| &*failure.message);
            assert_eq!((failure, given(profile, &outcome)), (None, *expected), "{words}\n{program}");
        }
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
                r#"[10,"shop__look","fails",0]"#,
            ),
            ("Of tools that only read, up to 64 calls run at once: start them together with `Promise.all`", "await Promise.all([tools.meet(), tools.meet()])", r#"["met","met"]"#),
            ("Others run alone, in order.", "await Promise.all([tools.sell(), tools.sell()])", r#"["0 others","0 others"]"#),
            (
                "rejects with a `ToolError`: `code`, `message`, `data`, `fix`",
                "[await tools.fails().catch(e => e.data), await tools.get_invoic().catch(e => e.fix)]",
                r#"[{"half":1},"get_invoice"]"#,
            ),
            (
                "A binary part of a result is `{handle, type, bytes}`: return it to get the part; `await tools.open(handle, {offset, limit})` reads it.",
                "const p = await tools.picture(); [Object.keys(p), p.type, p.bytes, (await tools.open(p.handle, {offset: 1, limit: 2})).base64]",
                r#"[["handle","type","bytes"],"image/png",3,"AgM="]"#,
            ),
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
            ("so do `tools.list()` and `tools.budget()`, and none of it counts as a call", "return [tools.list().length, tools.budget().inner_calls.used]", "[10,0]"),
            ("Calls run one after the other.", "return [1, 2].map(() => tools.call('sell', {}).content.text)", r#"["0 others","0 others"]"#),
            (
                "of a server's tool it is `{content, structuredContent, complete}`",
                "return tools.call('shop__page', {}).content",
                r#"{"content":[{"type":"text","text":"a page"}],"structuredContent":{"n":1},"complete":true}"#,
            ),
            (
                "A binary part of a result is `{handle, type, bytes}`: return it to get the part; `tools.open(handle, {offset, limit})` reads it.",
                "const [p] = tools.call('picture', {}).content.blobs; \
                 return [Object.keys(p), p.type, p.bytes, tools.open(p.handle, {offset: 1, limit: 2}).content.base64]",
                r#"[["handle","type","bytes"],"image/png",3,"AgM="]"#,
            ),
            (
                "There are no promises, timers, imports, files or `fetch`",
                "let timer; try { setTimeout(() => 1) } catch { timer = 'throws' } return [timer, typeof fetch, typeof require, typeof fs]",
                r#"["throws","undefined","undefined","undefined"]"#,
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
            (
                "`tool.name{key = value}` calls a tool and gives its result as text",
                "print(tool.get_invoice{order = 1})",
                "{\"order\":1,\"total\":10,\"paid\":true}\n",
            ),
            (
                "raises where the tool was not run: refused, unknown, wrong arguments",
                "print((pcall(function() return tool.nowhere{} end)), (pcall(tool.get_invoice, {order = 'x'})))",
                "false\tfalse\n",
            ),
            ("Calls run one after the other.", "print(tool.sell{}, tool.sell{})", "0 others\t0 others\n"),
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
                "refused\tfails\t10\n",
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

#[tokio::test]
async fn what_is_kept_between_runs_is_what_is_said() {
    let profile = Profile::cell();
    let text = described(&profile);
    assert!(text.contains(
        "`scratch` keeps any values for later runs, until a limit or a stop ends one; `state` keeps JSON, committed where the run succeeds."
    ));
    let short = Profile::cell().with_budgets(codemode_core::Budgets { calls: 1, ..profile.budgets });
    let runs = [
        "scratch.f = () => 1; state.n = 1",
        "state.n = 2; throw new Error('no')",
        "[scratch.f(), state.n]",
        "state.n = 3; await host.meet_not({}).catch(() => 0); await host['some-text']({}); await host['some-text']({})",
        "[typeof scratch.f, state.n]",
    ];
    for outcomes in run_all(&short, &runs).await {
        assert_eq!(outcomes[1].failure.as_ref().map(|failure| failure.kind), Some(FailureKind::Error));
        assert_eq!(given(&short, &outcomes[2]), "[1,1]");
        assert_eq!(outcomes[3].failure.as_ref().map(|failure| failure.kind), Some(FailureKind::Calls));
        assert_eq!(given(&short, &outcomes[4]), r#"["undefined",1]"#);
    }
    let script = Profile::script();
    assert!(described(&script).contains("Nothing is kept from one run to the next."));
    for outcomes in run_all(&script, &["kept = 1; string.kept = 1", "print(kept, string.kept)"]).await {
        assert_eq!(given(&script, &outcomes[1]), "nil\tnil\n");
    }
}

#[tokio::test]
async fn a_part_comes_out_as_it_is_said() {
    for (profile, words, program) in [
        (Profile::script(), "print or return the handle to get the part", "print(tool.picture{}:match('blob:%S+'))"),
        (Profile::script(), "A binary part of a result is a handle on a line of its own", "return tool.picture{}"),
        (Profile::batch(), "return it to get the part", "return tools.call('picture', {}).content"),
        (Profile::program(), "return it to get the part", "return await tools.picture()"),
        (Profile::cell(), "return it to get the part", "return await host.picture()"),
    ] {
        assert!(described(&profile).contains(words), "{words}");
        for outcome in run(&profile, program).await {
            let parts: Vec<_> = outcome.content.iter().map(|part| (&*part.media_type, part.bytes)).collect();
            assert_eq!((outcome.failure.as_ref(), parts), (None, vec![("image/png", 3)]), "{program}");
        }
    }
}

#[tokio::test]
async fn what_comes_back_is_what_is_said_and_discovery_counts_as_no_call() {
    let script = Profile::script();
    assert!(described(&script).contains("none of it counts as a call"));
    for outcome in run(&script, "host.search('sale') host.describe('fails') host.tools()").await {
        assert_eq!((outcome.failure.as_ref(), outcome.ledger.len()), (None, 0));
    }
    let profile = Profile::program();
    assert!(described(&profile).contains("The status, the value, the output, each call with its status, and warnings."));
    for outcome in run(&profile, "console.log('out'); await tools.fails().catch(() => 0); await tools.sell(); return [1, () => 1]").await {
        let told: serde_json::Value = serde_json::from_str(&outcome.to_json()).expect("json");
        let calls: Vec<_> =
            told["calls"].as_array().expect("calls").iter().map(|call| (call["tool"].clone(), call["status"].clone())).collect();
        let expected = [("fails", "failed"), ("sell", "ok")].map(|(tool, status)| (tool.into(), status.into()));
        assert_eq!(
            (told["status"].as_str(), told["value"].to_string(), told["output"].as_str()),
            (Some("ok"), "[1,null]".to_owned(), Some("out\n"))
        );
        assert_eq!((calls, told["warnings"].as_array().map(Vec::len)), (expected.to_vec(), Some(1)));
    }
    for outcome in run(&profile, "import fs from 'fs'; return 1").await {
        assert_eq!(outcome.failure.as_ref().map(|failure| failure.kind), Some(FailureKind::Compile));
    }
    for outcome in run(&Profile::batch(), "return Promise.resolve(1)").await {
        assert_eq!(outcome.failure.as_ref().map(|failure| failure.kind), Some(FailureKind::Error));
    }
}
